import { useId, type ReactNode } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { FoldedWords } from '../../components/folded-words.js';
import { Day, Moment } from '../../components/moment.js';
import { describeDelivery, enquiryMessages, enquiryStateWords } from '../../content/enquiries.js';
import type { EnquiryActions } from './use-enquiry-actions.js';
import { useAssignees } from './use-enquiries.js';

interface EnquiryRowProps {
  readonly enquiry: EnquiryRecord;
  readonly actions: EnquiryActions;
}

/** One enquiry of the list, with the state of its mail and its actions. */
export function EnquiryRow({ enquiry, actions }: EnquiryRowProps) {
  const id = useId();
  const { name, email, state, delivery, created_at: createdAt, assignee_id: assigneeId } = enquiry;
  const { nameOf } = useAssignees();
  return (
    <article className="enquiry-row" aria-labelledby={id} tabIndex={-1}>
      <div className="row-text">
        <h2 id={id} dir="auto">
          <a href={paths.admin.enquiry(enquiry.id)}>{name}</a>
        </h2>
        <p className="row-meta">
          <span className={`state state-${state}`}>{enquiryStateWords[state]}</span>
          {delivery === 'sent' ? null : <span>{describeDelivery(enquiry)}</span>}
          {assigneeId === null ? null : <span>Looked after by {nameOf(assigneeId)}</span>}
          <a href={`mailto:${email}`}>{email}</a>
          <Moment at={createdAt} />
        </p>
        <Message enquiry={enquiry} />
        {enquiry.note === '' ? null : <p className="enquiry-note">{enquiry.note}</p>}
        {delivery === 'failing' ? <Failing enquiry={enquiry} /> : null}
        <RefusedAnswer enquiry={enquiry} />
      </div>
      <Buttons enquiry={enquiry} actions={actions} />
    </article>
  );
}

function Message({ enquiry: { message, redacted_at: redactedAt } }: Pick<EnquiryRowProps, 'enquiry'>) {
  if (redactedAt !== null) {
    return (
      <p className="enquiry-gone">
        The message was removed on <Day at={redactedAt} />, when its time was over.
      </p>
    );
  }
  return <FoldedWords text={message} className="enquiry-words" />;
}

/** Why the mail to the company did not leave yet. */
export function Failing({ enquiry: { attempts, last_error: reason } }: Pick<EnquiryRowProps, 'enquiry'>) {
  const tries = attempts === 1 ? 'once' : `${attempts} times`;
  return (
    <p className="enquiry-failing">
      Tried {tries}, and will be tried again. {reason}
    </p>
  );
}

/** It is shown as answered: nobody would look for what did not arrive. */
function RefusedAnswer({ enquiry: { answers, redacted_at: redactedAt } }: Pick<EnquiryRowProps, 'enquiry'>) {
  if (redactedAt !== null || answers.at(-1)?.delivery !== 'refused') return null;
  return <p className="enquiry-failing">{enquiryMessages.answerRefused}</p>;
}

function Buttons({ enquiry, actions }: EnquiryRowProps) {
  const { state, delivery, redacted_at: redactedAt } = enquiry;
  return (
    <div className="row-actions">
      {state === 'spam' ? null : (
        <RowButton enquiry={enquiry} actions={actions} onClick={actions.toggleClosed}>
          {state === 'closed' ? 'Open again' : 'Close'}
        </RowButton>
      )}
      <RowButton enquiry={enquiry} actions={actions} onClick={actions.toggleSpam}>
        {state === 'spam' ? 'Not spam' : 'Spam'}
      </RowButton>
      {redactedAt === null ? (
        <RowButton enquiry={enquiry} actions={actions} onClick={actions.resend}>
          {delivery === 'sent' ? 'Send again' : 'Try now'}
        </RowButton>
      ) : null}
      <RowButton enquiry={enquiry} actions={actions} onClick={actions.erase} isDangerous>
        Erase
      </RowButton>
    </div>
  );
}

interface RowButtonProps extends EnquiryRowProps {
  readonly onClick: (enquiry: EnquiryRecord) => void;
  readonly isDangerous?: boolean;
  readonly children: ReactNode;
}

function RowButton({ enquiry, actions, onClick, isDangerous = false, children }: RowButtonProps) {
  return (
    <Button
      kind="line"
      isSmall
      className={isDangerous ? 'btn-danger' : undefined}
      // Not disabled: the focus would be lost.
      aria-disabled={actions.isBusy(enquiry.id)}
      onClick={() => onClick(enquiry)}
    >
      <span>
        {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
        <span>{children}</span>
        <span className="visually-hidden">: enquiry from {enquiry.name}</span>
      </span>
    </Button>
  );
}
