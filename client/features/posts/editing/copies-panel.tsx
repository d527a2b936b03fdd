import { useCallback, useEffect, useState } from 'react';
import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';
import { Notice } from '../../../components/notice.js';
import { formatMoment } from '../../../lib/format-moment.js';
import { useSite } from '../../../lib/site-context.js';
import { Compare } from './compare.js';
import { isSameForm } from './fields.js';
import { findLivingCopies } from './living-editors.js';
import type { LocalCopies, LocalCopy } from './local-copies.js';
import { toShownDate } from './publication.js';
import type { Saving } from './saving-state.js';
import { toDateWords } from './zoned-time.js';

const reasons: Readonly<Record<LocalCopy['reason'], string>> = {
  unsent: 'Text that did not reach the server',
  mine: 'Your version, which another one replaced',
  theirs: 'The version of somebody else, which yours replaced',
};

/**
 * The texts of a post that lie on this device and that no living editor works on.
 * @param find reads them from the storage
 * @param state of the editor: the copy of the very text that the server had when it opened has done its work
 * @param inForm keys of copies that were put into the form
 */
export function useLeftCopies(
  copies: LocalCopies,
  find: (copies: LocalCopies) => Promise<LocalCopy[]>,
  state: Saving,
  inForm: ReadonlySet<string>,
) {
  const [found, setFound] = useState<readonly LocalCopy[]>([]);
  const [first] = useState({ fields: state.held, date: state.server?.published_date ?? null });
  const refresh = useCallback(
    () =>
      Promise.all([find(copies), findLivingCopies()]).then(([all, isLiving]) => {
        const found = all.filter(({ key }) => !isLiving(key));
        // A copy of the release before lacks the fields that it did not know, and notes also a date that nobody changed.
        const left = found.map((copy) =>
          withoutDate({ ...copy, fields: { ...first.fields, ...copy.fields } }, first.date),
        );
        const isDone = ({ reason, fields, unsavedDate }: LocalCopy) =>
          reason === 'unsent' && isSameForm(fields, first.fields) && unsavedDate === undefined;
        for (const { key } of left.filter(isDone)) copies.remove(key);
        setFound(left.filter((copy) => !isDone(copy)));
      }),
    [copies, find, first],
  );
  useEffect(() => {
    void refresh();
  }, [refresh]);
  const { fields } = state;
  const isShown = (copy: LocalCopy) =>
    isSameForm(copy.fields, fields) && withoutDate(copy, toShownDate(state)).unsavedDate === undefined;
  return { left: found.filter((copy) => !inForm.has(copy.key) && !isShown(copy)), refresh };
}

/** The copy without its date if that is this one. */
function withoutDate({ unsavedDate, ...copy }: LocalCopy, date: string | null): LocalCopy {
  return unsavedDate && unsavedDate.to !== date ? { ...copy, unsavedDate } : copy;
}

/** Returns true for a text of a post that is deleted for good, where a new one is begun. */
function isOfGonePost(copy: LocalCopy, version: number): boolean {
  return version === 0 && copy.version > 0;
}

/** The words about the date of a copy. Whether it was saved nobody knows any more of a post that is gone. */
function describeDate(date: string, isOfGone: boolean): string {
  return isOfGone ? `Its date was ${date}. ` : `The date ${date} was chosen with it and not saved. `;
}

interface CopiesPanelProps {
  readonly left: readonly LocalCopy[];
  /** The text in the form, the version from which it starts, and the time at which the server got it. */
  readonly fields: PostForm;
  /** The date in the form. */
  readonly date: string | null;
  readonly version: number;
  readonly savedAt: string | null;
  readonly onRestore: (copy: LocalCopy) => void;
  readonly onDiscard: (copy: LocalCopy) => void;
}

/** Offers what a crash, a closed tab or a lost race left on this device. */
export function CopiesPanel({ left, fields, date, version, savedAt, onRestore, onDiscard }: CopiesPanelProps) {
  const { timeZone } = useSite();
  const [shown, setShown] = useState<LocalCopy | null>(null);
  if (left.length === 0) return null;
  return (
    <section aria-labelledby="copies-title" className="copies">
      <Notice>
        <h2 id="copies-title">Kept on this device</h2>
        <ul role="list">
          {left.map((copy) => (
            <li key={copy.key}>
              <p>
                <b>{copy.fields.title || 'Without a title'}</b>, {formatMoment(copy.at, timeZone)}
                <br />
                <span className="small quiet">
                  {reasons[copy.reason]}.{' '}
                  {isOfGonePost(copy, version) ? 'The post that it belongs to is not there any more. ' : null}
                  {copy.unsavedDate && copy.unsavedDate.to !== date
                    ? describeDate(toDateWords(copy.unsavedDate.to, timeZone), isOfGonePost(copy, version))
                    : null}
                  {savedAt === null || copy.reason !== 'unsent'
                    ? null
                    : `The server has the text of ${formatMoment(savedAt, timeZone)}${copy.version < version ? ', which came after yours began' : ''}.`}
                </span>
              </p>
              <div className="row">
                <Button kind="line" isSmall onClick={() => onRestore(copy)}>
                  Restore
                </Button>
                <Button kind="line" isSmall onClick={() => setShown(copy)}>
                  Compare
                </Button>
                <Button kind="line" isSmall className="btn-danger" onClick={() => onDiscard(copy)}>
                  Discard
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Notice>
      {shown ? (
        <Modal title={`Kept on this device, ${formatMoment(shown.at, timeZone)}`} isWide onClose={() => setShown(null)}>
          <Compare
            before={fields}
            beforeName="what the form shows"
            after={shown.fields}
            afterName="what this device kept"
          />
          <div className="row">
            <Button onClick={() => setShown(null)}>Close</Button>
            <Button
              kind="line"
              onClick={() => {
                setShown(null);
                onRestore(shown);
              }}
            >
              Restore
            </Button>
          </div>
        </Modal>
      ) : null}
    </section>
  );
}
