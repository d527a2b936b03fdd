import { useEffect, useId, useState, type ReactNode } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import type { ChangeEnquiryInput } from '../../../src/shared/contracts/enquiry-queries.js';
import { Button } from '../../components/button.js';
import { enquiryMessages as messages, enquiryStateWords } from '../../content/enquiries.js';
import { useAssignees } from './use-enquiries.js';
import type { useEnquiry } from './use-enquiry.js';

const CHOICES = ['open', 'answered', 'closed', 'spam'] as const;
/** The choice of no assignee. */
const NOBODY = '';

interface EnquirySettingsProps {
  readonly enquiry: EnquiryRecord;
  readonly isBusy: boolean;
  readonly onChange: ReturnType<typeof useEnquiry>['change'];
}

type Choice = Pick<ChangeEnquiryInput, 'state' | 'assignee_id'>;

/** State and assignee of an enquiry. What a button asks for is saved at once, or as soon as what is on its way has arrived. */
export function EnquirySettings({ enquiry, isBusy, onChange }: EnquirySettingsProps) {
  // Asked for, and not saved yet.
  const [asked, setAsked] = useState<Choice | null>(null);
  const { version } = enquiry;
  const { state, assignee_id: assigneeId } = { ...enquiry, ...asked };
  const { assignees, nameOf } = useAssignees();
  const isListed = assigneeId === null || assignees.some((assignee) => assignee.id === assigneeId);
  const ask = (choice: Choice) => setAsked((others) => ({ ...others, ...choice }));

  useEffect(() => {
    if (asked === null || isBusy) return;
    const settle = () => setAsked((now) => (now === asked ? null : now));
    void onChange({ version, ...asked }, messages.saved, settle).then((saved) => {
      // It was refused: what is shown is what there is.
      if (saved === null) setAsked(null);
    });
  }, [asked, isBusy, version, onChange]);

  return (
    <section className="enquiry-card">
      <Setting
        label="State"
        action={
          <>
            Change<span className="visually-hidden"> the state</span>
          </>
        }
        present={state === 'new' ? 'open' : state}
        onAsk={(value) => {
          const known = CHOICES.find((one) => one === value);
          if (known) ask({ state: known });
        }}
      >
        {CHOICES.map((known) => (
          <option key={known} value={known}>
            {enquiryStateWords[known]}
          </option>
        ))}
      </Setting>
      <Setting
        label="Looked after by"
        action={
          <>
            Assign<span className="visually-hidden"> the enquiry</span>
          </>
        }
        present={assigneeId ?? NOBODY}
        onAsk={(value) => ask({ assignee_id: value === NOBODY ? null : value })}
      >
        <option value={NOBODY}>Nobody</option>
        {isListed ? null : <option value={assigneeId}>{nameOf(assigneeId)}</option>}
        {assignees.map((assignee) => (
          <option key={assignee.id} value={assignee.id}>
            {assignee.email ?? assignee.id}
          </option>
        ))}
      </Setting>
    </section>
  );
}

interface SettingProps {
  readonly label: string;
  /** Says on the button what a press does. */
  readonly action: ReactNode;
  /** The value that is saved, or was asked for. */
  readonly present: string;
  readonly onAsk: (value: string) => void;
  /** The options. */
  readonly children: ReactNode;
}

/** A list, and the button that asks for what is chosen: with the arrow keys, each choice that is passed is one. */
function Setting({ label, action, present, onAsk, children }: SettingProps) {
  const id = useId();
  // A choice instead of what was there; null for none.
  const [chosen, setChosen] = useState<{ readonly value: string; readonly base: string } | null>(null);
  // What somebody else saves meanwhile takes its place: a press would take that back unseen.
  const value = chosen?.base === present ? chosen.value : present;
  const choose = (other: string) => setChosen(other === present ? null : { value: other, base: present });
  const handlePress = () => {
    if (value === present) return;
    onAsk(value);
    setChosen(null);
  };
  return (
    <div className="choice-field">
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select id={id} value={value} onChange={({ target }) => choose(target.value)}>
          {children}
        </select>
      </div>
      <Button kind="line" aria-disabled={value === present} onClick={handlePress}>
        {action}
      </Button>
    </div>
  );
}
