import { useId } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import type { ChangeEnquiryInput } from '../../../src/shared/contracts/enquiry-queries.js';
import { enquiryMessages as messages, enquiryStateWords } from '../../content/enquiries.js';
import { useAssignees } from './use-enquiries.js';

const CHOSEN = ['open', 'answered', 'closed', 'spam'] as const;

interface EnquirySettingsProps {
  readonly enquiry: EnquiryRecord;
  readonly onChange: (input: ChangeEnquiryInput, done: string) => unknown;
}

/** State and assignee of an enquiry. Every choice is saved at once. */
export function EnquirySettings({ enquiry, onChange }: EnquirySettingsProps) {
  const id = useId();
  const { version, state, assignee_id: assigneeId } = enquiry;
  const { assignees, nameOf } = useAssignees();
  const isListed = assigneeId === null || assignees.some((assignee) => assignee.id === assigneeId);
  const save = (change: Omit<ChangeEnquiryInput, 'version'>) => onChange({ version, ...change }, messages.saved);
  return (
    <section className="enquiry-card">
      <div className="field">
        <label htmlFor={`${id}-state`}>State</label>
        <select
          id={`${id}-state`}
          value={state === 'new' ? 'open' : state}
          onChange={({ target }) => {
            const chosen = CHOSEN.find((known) => known === target.value);
            if (chosen) save({ state: chosen });
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
          onChange={({ target }) => save({ assignee_id: target.value === '' ? null : target.value })}
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
