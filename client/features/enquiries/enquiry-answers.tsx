import { useEffect, type SyntheticEvent } from 'react';
import type { EnquiryAnswerRecord, EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import { ENQUIRY_TEXT_LIMITS } from '../../../src/shared/limits.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { Button } from '../../components/button.js';
import { TextAreaField } from '../../components/field.js';
import { Moment } from '../../components/moment.js';
import { Notice } from '../../components/notice.js';
import { answerDeliveryWords, enquiryMessages as messages } from '../../content/enquiries.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { passFocusOn } from '../../lib/pass-focus.js';
import { SavedAnswers } from './saved-answers.js';
import { useAssignees } from './use-enquiries.js';
import { isSameText, useDraft } from './use-draft.js';
import type { useEnquiry } from './use-enquiry.js';

interface EnquiryAnswersProps {
  readonly enquiry: EnquiryRecord;
  readonly isBusy: boolean;
  readonly run: ReturnType<typeof useEnquiry>['run'];
}

/** The answers that were sent from here, and a form for the next one. */
export function EnquiryAnswers({ enquiry, isBusy, run }: EnquiryAnswersProps) {
  return (
    <section className="enquiry-card" aria-labelledby="enquiry-answers">
      <h2 id="enquiry-answers">Answer</h2>
      {enquiry.answers.length === 0 ? null : (
        <ol role="list" className="enquiry-answers">
          {enquiry.answers.map((answer) => (
            <Answer key={answer.id} enquiry={enquiry} answer={answer} run={run} />
          ))}
        </ol>
      )}
      {enquiry.redacted_at === null ? <AnswerForm enquiry={enquiry} isBusy={isBusy} run={run} /> : null}
    </section>
  );
}

interface AnswerProps extends Pick<EnquiryAnswersProps, 'enquiry' | 'run'> {
  readonly answer: EnquiryAnswerRecord;
}

function Answer({ enquiry, answer, run }: AnswerProps) {
  const api = useAdminApi();
  const { nameOf } = useAssignees();
  const { id, author_id: author, text, delivery, last_error: reason, created_at: createdAt } = answer;
  const isStuck = delivery === 'failing' || delivery === 'refused';
  const retry = () =>
    run(() => api.post<EnquiryRecord>(adminPaths.enquiryAnswerResend(enquiry.id, id)), messages.answerRetried);
  return (
    <li tabIndex={-1}>
      <p className="row-meta">
        <span>{author === null ? 'From the site' : `From ${nameOf(author)}`}</span>
        <Moment at={createdAt} />
        <span className={`state state-${delivery === 'refused' ? 'failing' : delivery}`}>
          {answerDeliveryWords[delivery]}
        </span>
      </p>
      {text === '' ? (
        <p className="enquiry-gone">Its words were removed with those of the enquiry.</p>
      ) : (
        <p className="enquiry-words" dir="auto">
          {text}
        </p>
      )}
      {isStuck && reason !== null ? <p className="enquiry-failing">{reason}</p> : null}
      {isStuck && enquiry.redacted_at === null ? (
        <Button ref={passFocusOn} kind="line" isSmall onClick={() => void retry()}>
          {delivery === 'refused' ? 'Try once more' : 'Try now'}
        </Button>
      ) : null}
    </li>
  );
}

function AnswerForm({ enquiry, isBusy, run }: EnquiryAnswersProps) {
  const api = useAdminApi();
  const { draft, discard, settle, ...typing } = useDraft(`answer-${enquiry.id}`);
  const text = draft?.text ?? '';
  // How many answers there were when this one was begun.
  const count = String(enquiry.answers.length);
  const isOvertaken = draft !== null && draft.base !== count;
  const write = (next: string) => (next === '' ? discard() : typing.write(next, count));
  // It left, and only its receipt was not heard.
  const arrived = enquiry.answers.find(({ id }) => id === draft?.id);

  useEffect(() => {
    if (arrived === undefined || isBusy) return;
    void run(
      () => Promise.resolve(enquiry),
      messages.answered,
      () => settle(isSameText(text, arrived.text) ? text : arrived.text, draft?.base ?? ''),
    );
  }, [arrived, isBusy, run, enquiry, settle, text, draft]);

  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (draft === null || text.trim() === '' || isBusy) return;
    const input = { version: enquiry.version, text };
    const path = adminPaths.enquiryAnswer(enquiry.id, draft.id);
    await run(
      () => api.put<EnquiryRecord>(path, input),
      messages.answered,
      // What was typed since is told of this answer, which may have most of its words.
      () => settle(text, draft.base),
    );
  };

  const insert = (saved: string) => {
    // A function: in a text, '$&' of a name would mean something.
    const words = saved.replaceAll('{name}', () => enquiry.name);
    write(text.trim() === '' ? words : `${text.trimEnd()}\n\n${words}`);
  };

  return (
    <form className="stack" onSubmit={(event) => void send(event)}>
      <SavedAnswers text={text} onInsert={insert} />
      <TextAreaField
        label="Your answer"
        rows={8}
        maxLength={ENQUIRY_TEXT_LIMITS.answer}
        value={text}
        hint={`It goes to ${enquiry.email} with their message below it. What they answer arrives in your mailbox, not here.`}
        onChange={({ target }) => write(target.value)}
      />
      <div role="status">{isOvertaken ? <Notice>{messages.answeredMeanwhile}</Notice> : null}</div>
      <div className="row">
        <Button type="submit" isSmall aria-disabled={text.trim() === '' || isBusy}>
          {isOvertaken ? 'Send mine as well' : 'Send answer'}
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
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}
