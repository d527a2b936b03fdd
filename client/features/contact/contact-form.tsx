import { useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import type { ContactEnquiry, EnquiryField, EnquiryProblems } from '../../../src/shared/contracts/contact.js';
import { TRAP_FIELD, type RefusedForm } from '../../../src/shared/contracts/contact-form.js';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { InputField, TextAreaField } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { contactMessages } from '../../content/contact.js';
import { useSite } from '../../lib/site-context.js';
import { sendEnquiry, type SendResult } from './send-enquiry.js';
import { useFilling } from './use-filling.js';

const FIELDS: readonly EnquiryField[] = ['name', 'email', 'message'];

type Ending = Exclude<SendResult, { outcome: 'invalid' }> | { readonly outcome: 'preview' };

function readField(form: HTMLFormElement, field: string): string {
  const value = new FormData(form).get(field);
  return typeof value === 'string' ? value.trim() : '';
}

function readEnquiry(form: HTMLFormElement): ContactEnquiry {
  return { name: readField(form, 'name'), email: readField(form, 'email'), message: readField(form, 'message') };
}

function clear(form: HTMLFormElement): void {
  // A reset alone would bring back what the server had put into the page.
  form.reset();
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'))
    field.value = '';
}

interface ContactFormProps {
  /** Values and problems of a form that was sent without scripts and refused. */
  readonly refused: RefusedForm | null;
}

/**
 * The contact form (product.md 2.7, 5.1 and 8.1). The browser checks required fields and the email address, the
 * contract's class checks the rest, and the ending is told by an alert and by a live region. Where no scripts run it is
 * posted, and a page answers.
 */
export function ContactForm({ refused }: ContactFormProps) {
  const { preview } = useSite();
  const formRef = useRef<HTMLFormElement>(null);
  const filling = useFilling();
  const [isSending, setIsSending] = useState(false);
  const [problems, setProblems] = useState<EnquiryProblems>(refused?.problems ?? {});
  // Without scripts it is the browser that leads to what is wrong.
  const firstWrong = FIELDS.find((field) => refused?.problems[field]);
  const [isAnswered, setIsAnswered] = useState(false);
  const [ending, setEnding] = useState<Ending | null>(null);

  const showProblems = (found: EnquiryProblems) => {
    // The messages have to be there before the focus, which makes a screen reader read them.
    flushSync(() => setProblems(found));
    const first = FIELDS.find((field) => found[field]);
    if (first) formRef.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  const send = async (form: HTMLFormElement, enquiry: ContactEnquiry): Promise<SendResult> => {
    const elapsedMs = await filling.waitUntilShown();
    return sendEnquiry(enquiry, { key: filling.getKey(), elapsedMs, trap: readField(form, TRAP_FIELD) });
  };

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // Who looks at a draft tries things out: that is no enquiry.
    if (preview) return setEnding({ outcome: 'preview' });
    if (isSending) return;
    setIsSending(true);
    setIsAnswered(true);
    setEnding(null);
    const enquiry = readEnquiry(form);
    const result = await send(form, enquiry);
    setIsSending(false);
    if (result.outcome === 'invalid') return showProblems(result.problems);
    if (result.outcome === 'sent') {
      // What was typed meanwhile was not sent.
      if (FIELDS.every((field) => readField(form, field) === enquiry[field])) clear(form);
      filling.startAgain();
    }
    // A browser that filled it in by itself must not keep a person from sending.
    const trap = form.elements.namedItem(TRAP_FIELD);
    if (trap instanceof HTMLInputElement) trap.value = '';
    // Painted before the alert, which holds up everything until it is closed.
    flushSync(() => {
      setProblems({});
      setEnding(result);
    });
    window.alert(contactMessages[result.outcome]);
  };

  return (
    <form
      ref={formRef}
      className="form"
      // Outside of a dialog this method does nothing, also before scripts run.
      method={preview ? 'dialog' : 'post'}
      action={paths.contact}
      onSubmit={(event) => void handleSubmit(event)}
    >
      {refused && !isAnswered ? (
        <div role="alert" tabIndex={-1} autoFocus={firstWrong === undefined}>
          <Notice kind="error">{refused.message}</Notice>
        </div>
      ) : null}
      <p className="small quiet">Fields marked with an asterisk (*) are required.</p>
      <InputField
        label="Full Name"
        name="name"
        dir="auto"
        autoComplete="name"
        required
        defaultValue={refused?.values.name}
        autoFocus={firstWrong === 'name'}
        error={problems.name}
      />
      <InputField
        label="Business Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={refused?.values.email}
        autoFocus={firstWrong === 'email'}
        error={problems.email}
      />
      <TextAreaField
        label="How can we help you?"
        name="message"
        dir="auto"
        rows={4}
        required
        defaultValue={refused?.values.message}
        autoFocus={firstWrong === 'message'}
        error={problems.message}
      />
      <Trap />
      <div className="form-end">
        <div className="row">
          <Button type="submit" aria-disabled={isSending}>
            Schedule Free Consultation
          </Button>
        </div>
        <div role="status">{ending ? <EndingNotice ending={ending} /> : null}</div>
      </div>
    </form>
  );
}

function EndingNotice({ ending }: { readonly ending: Ending }) {
  const reason = ending.outcome === 'refused' ? ending.reason : null;
  return (
    <Notice kind={ending.outcome === 'sent' ? 'success' : 'error'}>
      <p>{contactMessages[ending.outcome]}</p>
      {reason ? <p>{reason}</p> : null}
    </Notice>
  );
}

/** A field for programs: out of sight and out of reach for people, with or without a screen reader. */
function Trap() {
  return (
    <div className="visually-hidden" aria-hidden="true" inert>
      <label>
        Leave this field empty
        <input name={TRAP_FIELD} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
