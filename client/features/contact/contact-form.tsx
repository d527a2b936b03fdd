import { useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { PhoneLink } from '../../components/facts-list.js';
import { InputField, TextAreaField } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { contactMessages } from '../../content/contact.js';
import { useSite } from '../../lib/site-context.js';
import type { EnquiryField, EnquiryProblems } from './enquiry-rules.js';
import { sendEnquiry, type SendResult } from './send-enquiry.js';

const FIELDS: readonly EnquiryField[] = ['name', 'email', 'message'];

function readEnquiry(form: HTMLFormElement): Record<EnquiryField, string> {
  const data = new FormData(form);
  const read = (field: EnquiryField) => {
    const value = data.get(field);
    return typeof value === 'string' ? value.trim() : '';
  };
  return { name: read('name'), email: read('email'), message: read('message') };
}

/**
 * The contact form (specification sections 2, 5 and 8). The browser checks required fields and the email address, the
 * contract's class checks the rest, and the ending is told by an alert and by a live region.
 */
export function ContactForm() {
  const formRef = useRef<HTMLFormElement>(null);
  const [isSending, setIsSending] = useState(false);
  const [problems, setProblems] = useState<EnquiryProblems>({});
  const [ending, setEnding] = useState<Exclude<SendResult['outcome'], 'invalid'> | null>(null);

  const showProblems = (found: EnquiryProblems) => {
    // The messages have to be there before the focus, which makes a screen reader read them.
    flushSync(() => setProblems(found));
    const first = FIELDS.find((field) => found[field]);
    if (first) formRef.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending) return;
    setIsSending(true);
    setEnding(null);
    const result = await sendEnquiry(readEnquiry(form));
    setIsSending(false);
    if (result.outcome === 'invalid') return showProblems(result.problems);
    if (result.outcome === 'sent') form.reset();
    // Painted before the alert, which holds up everything until it is closed.
    flushSync(() => {
      setProblems({});
      setEnding(result.outcome);
    });
    window.alert(contactMessages[result.outcome]);
  };

  return (
    <form
      ref={formRef}
      className="form"
      method="post"
      action={paths.contact}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <noscript>
        <NoScriptNote />
      </noscript>
      <p className="small quiet">Fields marked with an asterisk (*) are required.</p>
      <InputField label="Full Name" name="name" autoComplete="name" required error={problems.name} />
      <InputField
        label="Business Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={problems.email}
      />
      <TextAreaField label="How can we help you?" name="message" rows={4} required error={problems.message} />
      <div className="form-end">
        <div className="row">
          <Button type="submit" aria-disabled={isSending}>
            Schedule Free Consultation
          </Button>
        </div>
        <div role="status">
          {ending ? <Notice kind={ending === 'sent' ? 'success' : 'error'}>{contactMessages[ending]}</Notice> : null}
        </div>
      </div>
    </form>
  );
}

/** Without JavaScript the form can't be sent yet, and a visitor should not find that out by trying. */
function NoScriptNote() {
  const { phone, email } = useSite();
  return (
    <Notice>
      <p>
        This form needs JavaScript, which is turned off in your browser. Please call <PhoneLink phone={phone} /> or
        write to <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </Notice>
  );
}
