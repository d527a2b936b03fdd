import { useEffect, useId, useState } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import type { ChangeEnquiryInput } from '../../../src/shared/contracts/enquiry-queries.js';
import { enquiryMessages as messages, enquiryStateWords } from '../../content/enquiries.js';
import { useAssignees } from './use-enquiries.js';
import type { useEnquiry } from './use-enquiry.js';

const CHOSEN = ['open', 'answered', 'closed', 'spam'] as const;

interface EnquirySettingsProps {
  readonly enquiry: EnquiryRecord;
  readonly isBusy: boolean;
  readonly onChange: ReturnType<typeof useEnquiry>['change'];
}

type Choice = Pick<ChangeEnquiryInput, 'state' | 'assignee_id'>;

/** State and assignee of an enquiry. Every choice is saved at once, or as soon as what is on its way has arrived. */
export function EnquirySettings({ enquiry, isBusy, onChange }: EnquirySettingsProps) {
  const id = useId();
  // What was chosen and is not saved yet.
  const [chosen, setChosen] = useState<Choice | null>(null);
  const { version } = enquiry;
  const { state, assignee_id: assigneeId } = { ...enquiry, ...chosen };
  const { assignees, nameOf } = useAssignees();
  const isListed = assigneeId === null || assignees.some((assignee) => assignee.id === assigneeId);
  const choose = (choice: Choice) => setChosen((others) => ({ ...others, ...choice }));

  useEffect(() => {
    if (chosen === null || isBusy) return;
    const settle = () => setChosen((now) => (now === chosen ? null : now));
    void onChange({ version, ...chosen }, messages.saved, settle).then((saved) => {
      // It was refused: what is shown is what there is.
      if (saved === null) setChosen(null);
    });
  }, [chosen, isBusy, version, onChange]);

  return (
    <section className="enquiry-card">
      <div className="field">
        <label htmlFor={`${id}-state`}>State</label>
        <select
          id={`${id}-state`}
          value={state === 'new' ? 'open' : state}
          onChange={({ target }) => {
            const known = CHOSEN.find((one) => one === target.value);
            if (known) choose({ state: known });
          }}
        >
          {CHOSEN.map((known) => (
            <option key={known} value={known}>
              {enquiryStateWords[known]}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-assignee`}>Looked after by</label>
        <select
          id={`${id}-assignee`}
          value={assigneeId ?? ''}
          onChange={({ target }) => choose({ assignee_id: target.value === '' ? null : target.value })}
        >
          <option value="">Nobody</option>
          {isListed ? null : <option value={assigneeId}>{nameOf(assigneeId)}</option>}
          {assignees.map((assignee) => (
            <option key={assignee.id} value={assignee.id}>
              {assignee.email ?? assignee.id}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}
