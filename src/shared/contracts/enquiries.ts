import { Documented } from './documented.js';

/**
 * States of an enquiry, by which the list filters: `handled` once it was ticked off, otherwise the state of its mail.
 */
export const ENQUIRY_STATES = ['waiting', 'failing', 'sent', 'handled'] as const;

/** See {@link ENQUIRY_STATES}. */
export type EnquiryState = (typeof ENQUIRY_STATES)[number];

/** An enquiry as administrators see it. Moments are ISO 8601, UTC. */
export class EnquiryRecord {
  @Documented({ format: 'uuid' })
  readonly id: string;

  readonly name: string;

  @Documented({ format: 'email' })
  readonly email: string;

  /** Empty once it was redacted. */
  readonly message: string;

  /** `handled` once it was ticked off, otherwise the state of its mail. */
  readonly state: EnquiryState;

  /** How far the mail is, whether or not the enquiry was handled. */
  readonly delivery: 'waiting' | 'failing' | 'sent';

  /** How often the mail was offered to the mail server. */
  readonly attempts: number;

  /** Why the last attempt failed. */
  readonly last_error: string | null;

  readonly message_id: string;

  @Documented({ format: 'date-time' })
  readonly created_at: string;

  @Documented({ format: 'date-time' })
  readonly sent_at: string | null;

  @Documented({ format: 'date-time' })
  readonly redacted_at: string | null;

  @Documented({ format: 'date-time' })
  readonly handled_at: string | null;

  /** Id of the administrator who ticked it off; null for the command line, and when the account is gone. */
  @Documented({ format: 'uuid' })
  readonly handled_by: string | null;
}

/** Some enquiries of the list, the newest first, and where it goes on. */
export class EnquiryPage {
  readonly items: EnquiryRecord[];

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}

/** The answer to an enquiry that was taken in. */
export class EnquiryReceipt {
  readonly status: 'accepted';
}
