import { useEffect, type SyntheticEvent } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import { ENQUIRY_TEXT_LIMITS } from '../../../src/shared/limits.js';
import { Button } from '../../components/button.js';
import { TextAreaField } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { enquiryMessages as messages } from '../../content/enquiries.js';
import { isSameText, useDraft } from './use-draft.js';
import type { useEnquiry } from './use-enquiry.js';

interface EnquiryNoteProps {
  readonly enquiry: EnquiryRecord;
  readonly isBusy: boolean;
  readonly onChange: ReturnType<typeof useEnquiry>['change'];
  readonly run: ReturnType<typeof useEnquiry>['run'];
}

/** The note on an enquiry. When somebody else saves another one meanwhile, the writer sees it and decides. */
export function EnquiryNote({ enquiry, isBusy, onChange, run }: EnquiryNoteProps) {
  const { draft, write, discard, settle } = useDraft(`note-${enquiry.id}`);
  const { note, version } = enquiry;
  const isChanged = draft !== null && draft.base !== note;
  // It was saved, and only the answer was not heard.
  const isSaved = isChanged && isSameText(draft.text, note);
  const isOvertaken = isChanged && !isSaved;

  useEffect(() => {
    if (!isSaved || isBusy) return;
    void run(
      () => Promise.resolve(enquiry),
      messages.noteSaved,
      () => settle(draft.text, note),
    );
  }, [isSaved, isBusy, run, enquiry, settle, draft, note]);

  if (enquiry.redacted_at !== null) return null;
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (draft === null) return;
    await onChange({ version, note: draft.text }, messages.noteSaved, (saved) => settle(draft.text, saved.note));
  };
  return (
    <form className="enquiry-card" onSubmit={(event) => void save(event)}>
      <TextAreaField
        label="Note"
        rows={5}
        maxLength={ENQUIRY_TEXT_LIMITS.note}
        value={draft?.text ?? note}
        hint="For administrators. People get it when they ask for what you keep about them."
        onChange={({ target }) => (target.value === note ? discard() : write(target.value, note))}
      />
      <div role="status">
        {isOvertaken ? (
          <Notice>
            <p>Somebody else saved another note while you wrote:</p>
            <p className="enquiry-words">{note === '' ? '(no note)' : note}</p>
          </Notice>
        ) : null}
      </div>
      <div className="row">
        <Button kind="line" isSmall type="submit" aria-disabled={draft === null || isBusy}>
          {isOvertaken ? 'Save mine in its place' : 'Save note'}
        </Button>
        {draft === null ? null : (
          <Button
            kind="line"
            isSmall
            onClick={({ currentTarget }) => {
              // The button goes.
              currentTarget.form?.querySelector('textarea')?.focus();
              discard();
            }}
          >
            {isOvertaken ? 'Keep theirs' : 'Discard changes'}
          </Button>
        )}
      </div>
    </form>
  );
}
