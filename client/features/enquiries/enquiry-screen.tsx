import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { Button } from '../../components/button.js';
import { TextAreaField } from '../../components/field.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { Day, Moment } from '../../components/moment.js';
import { Notice } from '../../components/notice.js';
import {
  describeDelivery,
  describeOtherChange,
  enquiryMessages as messages,
  enquiryStateWords,
  spamReasonSentences,
} from '../../content/enquiries.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError } from '../../lib/api-errors.js';
import { focusPage } from '../../lib/focus-page.js';
import { passFocusOn } from '../../lib/pass-focus.js';
import { useSite } from '../../lib/site-context.js';
import { showToast } from '../../lib/toast.js';
import { EnquiryAnswers } from './enquiry-answers.js';
import { EnquiryHistory } from './enquiry-history.js';
import { EnquiryNote } from './enquiry-note.js';
import { Failing } from './enquiry-row.js';
import { EnquirySettings } from './enquiry-settings.js';
import { useAssignees } from './use-enquiries.js';
import { useDraft } from './use-draft.js';
import { useEnquiry } from './use-enquiry.js';

interface EnquiryScreenProps {
  readonly id: string;
  readonly onErased: () => void;
}

/** One enquiry, with everything that is done about it. */
export function EnquiryScreen({ id, onErased }: EnquiryScreenProps) {
  const one = useEnquiry(id);
  const { nameOf } = useAssignees();
  const { enquiry, failure } = one;
  if (one.isGone) {
    return (
      <div className="enquiry-main">
        <div role="alert">
          <Notice kind="error">{messages.gone}</Notice>
        </div>
        <TypedText of="answer" id={id} label="Your answer, which was not sent" />
        <TypedText of="note" id={id} label="Your note, which was not saved" />
      </div>
    );
  }
  return (
    <div className="enquiry" aria-busy={one.isFetching}>
      <FetchFailure query={one} message={messages.fetchOneFailed} isListShown={enquiry !== undefined} />
      {one.isPending && !one.isPaused ? (
        <p role="status" className="list-note">
          {messages.loadingOne}
        </p>
      ) : null}
      <div role="alert">
        {failure ? (
          <Notice kind="error">
            {failure.current === null
              ? failure.sentence
              : describeOtherChange(failure.current, nameOf(failure.current.assignee_id))}
            {failure.current === null ? null : ' What you typed is still here, and can be saved or sent.'}
          </Notice>
        ) : null}
      </div>
      {enquiry ? (
        <div className="enquiry-parts">
          <div className="enquiry-main">
            <Words enquiry={enquiry} />
            <Spam enquiry={enquiry} onChange={one.change} />
            <EnquiryAnswers enquiry={enquiry} isBusy={one.isBusy} run={one.run} />
          </div>
          <div className="enquiry-side">
            <EnquirySettings enquiry={enquiry} isBusy={one.isBusy} onChange={one.change} />
            <EnquiryNote enquiry={enquiry} isBusy={one.isBusy} onChange={one.change} run={one.run} />
            <Mail enquiry={enquiry} run={one.run} />
            <Erase enquiry={enquiry} onErased={onErased} />
          </div>
          <EnquiryHistory id={id} version={enquiry.version} />
        </div>
      ) : null}
    </div>
  );
}

interface TypedTextProps {
  /** The form that it was typed in. */
  readonly of: 'answer' | 'note';
  readonly id: string;
  readonly label: string;
}

/** Shows the words that somebody was typing about an enquiry that is gone, to be copied elsewhere. */
function TypedText({ of, id, label }: TypedTextProps) {
  const { draft, discard } = useDraft(`${of}-${id}`);
  if (draft === null) return null;
  return (
    <div className="enquiry-card">
      <TextAreaField label={label} rows={5} readOnly value={draft.text} />
      <Button
        kind="line"
        isSmall
        onClick={() => {
          // The button goes with its words.
          focusPage();
          discard();
        }}
      >
        Discard<span className="visually-hidden"> the {of}</span>
      </Button>
    </div>
  );
}

function Words({ enquiry }: { readonly enquiry: EnquiryRecord }) {
  const { name, email, state, created_at: createdAt, message, redacted_at: redactedAt } = enquiry;
  return (
    <section className="enquiry-card" aria-labelledby="enquiry-name">
      <h2 id="enquiry-name" dir="auto" tabIndex={-1}>
        {name}
      </h2>
      <p className="row-meta">
        <span className={`state state-${state}`}>{enquiryStateWords[state]}</span>
        <a href={`mailto:${email}`}>{email}</a>
        <Moment at={createdAt} />
      </p>
      {redactedAt === null ? (
        <p className="enquiry-words" dir="auto">
          {message}
        </p>
      ) : (
        <p className="enquiry-gone">
          The message was removed on <Day at={redactedAt} />, when its time was over, and the note with it.
        </p>
      )}
      <Retention enquiry={enquiry} />
    </section>
  );
}

/** For how long the text stays. */
function Retention({
  enquiry: { redacts_at: redactsAt, redacted_at: redactedAt, state },
}: {
  readonly enquiry: EnquiryRecord;
}) {
  const { enquiryRetentionDays: days } = useSite();
  if (redactedAt !== null) return null;
  if (redactsAt === null) {
    return (
      <p className="small quiet">
        Message, note and answers are removed {days === 1 ? 'one day' : `${days} days`} after the enquiry is closed.
      </p>
    );
  }
  const reason =
    state === 'closed' || state === 'spam'
      ? ''
      : ', as its sender was promised: it came before texts stayed while they are open';
  return (
    <p className="small quiet">
      Message, note and answers are removed on <Day at={redactsAt} />
      {reason}.
    </p>
  );
}

interface SpamProps {
  readonly enquiry: EnquiryRecord;
  readonly onChange: ReturnType<typeof useEnquiry>['change'];
}

/** Why it is spam, and the way out. */
function Spam({ enquiry: { version, spam_reason: reason }, onChange }: SpamProps) {
  if (reason === null) return null;
  return (
    <section className="enquiry-card" aria-labelledby="enquiry-spam">
      <h2 id="enquiry-spam">Spam</h2>
      <p>{spamReasonSentences[reason]}</p>
      <Button
        ref={passFocusOn}
        kind="line"
        isSmall
        onClick={() => void onChange({ version, state: 'open' }, messages.unmarkedSpam)}
      >
        It is not spam
      </Button>
    </section>
  );
}

interface MailProps {
  readonly enquiry: EnquiryRecord;
  readonly run: ReturnType<typeof useEnquiry>['run'];
}

/** The mail to the company. */
function Mail({ enquiry, run }: MailProps) {
  const api = useAdminApi();
  const { id, delivery, redacted_at: redactedAt } = enquiry;
  const resend = () => {
    if (delivery === 'sent' && !window.confirm(messages.confirmResend)) return;
    void run(() => api.post<EnquiryRecord>(adminPaths.enquiryResend(id)), messages.resent);
  };
  return (
    <section className="enquiry-card">
      <h2>Mail to your mailbox</h2>
      <p>{describeDelivery(enquiry)}</p>
      {delivery === 'failing' ? <Failing enquiry={enquiry} /> : null}
      {redactedAt === null ? (
        <Button kind="line" isSmall onClick={resend}>
          {delivery === 'sent' ? 'Send again' : 'Try now'}
        </Button>
      ) : null}
    </section>
  );
}

function Erase({ enquiry: { id }, onErased }: { readonly enquiry: EnquiryRecord; readonly onErased: () => void }) {
  const api = useAdminApi();
  const erase = async () => {
    if (!window.confirm(messages.confirmErase)) return;
    try {
      await api.delete(adminPaths.enquiry(id));
      showToast({ kind: 'success', title: messages.erased });
      onErased();
    } catch (error) {
      showToast({ kind: 'error', title: 'Error', text: describeError(error) });
    }
  };
  return (
    <Button kind="line" isSmall className="btn-danger" onClick={() => void erase()}>
      Erase this enquiry
    </Button>
  );
}
