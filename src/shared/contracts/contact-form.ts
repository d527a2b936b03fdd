import type { EnquiryField, EnquiryProblems } from './contact.js';

/**
 * The field of the form that people neither see nor reach: only programs fill it in. Its name keeps browsers from
 * filling it in by themselves.
 */
export const TRAP_FIELD = 'leave_this_empty';

/** Header with the key of one filling of the form: sent twice, it is one enquiry. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** Header with the milliseconds that the form was on the screen. */
export const ELAPSED_HEADER = 'x-form-elapsed';

/** A form that was sent without JavaScript and not accepted, as its page shows it again. */
export interface RefusedForm {
  readonly values: Readonly<Record<EnquiryField, string>>;
  readonly problems: EnquiryProblems;
  /** A sentence for the sender. */
  readonly message: string;
}
