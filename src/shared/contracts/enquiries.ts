import { Documented } from './documented.js';

/** States of an enquiry: nobody has opened it, opened and not answered, answered, closed, closed because it is spam. */
export const ENQUIRY_STATES = ['new', 'open', 'answered', 'closed', 'spam'] as const;

/** See {@link ENQUIRY_STATES}. */
export type EnquiryState = (typeof ENQUIRY_STATES)[number];

/**
 * Why an enquiry is spam: an administrator marked it, its sender was marked before, or its words are those of enquiries
 * that were marked.
 */
export const SPAM_REASONS = ['marked', 'sender', 'words'] as const;

/** See {@link SPAM_REASONS}. */
export type SpamReason = (typeof SPAM_REASONS)[number];

/** Reasons that hold the mail about an enquiry back: a person has marked it or its sender. */
export const SILENCING_REASONS: readonly SpamReason[] = ['marked', 'sender'];

/** The assignee of enquiries that nobody looks after, as a filter. */
export const NO_ASSIGNEE = 'none';

/** How far the mail about an enquiry is: not tried yet, tried in vain and to be tried again, taken by the mail server. */
export const ENQUIRY_DELIVERIES = ['waiting', 'failing', 'sent'] as const;

/** See {@link ENQUIRY_DELIVERIES}. */
export type EnquiryDelivery = (typeof ENQUIRY_DELIVERIES)[number];

/**
 * How far the mail with an answer is: as that of an enquiry, or refused for good by the recipient's mail server. A
 * refused one is sent again only if somebody wants that.
 */
export const ANSWER_DELIVERIES = [...ENQUIRY_DELIVERIES, 'refused'] as const;

/** See {@link ANSWER_DELIVERIES}. */
export type AnswerDelivery = (typeof ANSWER_DELIVERIES)[number];

/** An answer that was sent by mail. Moments are ISO 8601, UTC. */
export class EnquiryAnswerRecord {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Id of the administrator who wrote it; null for the account that is gone. */
  @Documented({ format: 'uuid' })
  readonly author_id: string | null;

  /** Plain text; empty once the enquiry was redacted. */
  readonly text: string;

  readonly delivery: AnswerDelivery;

  /** Why the last attempt failed. */
  readonly last_error: string | null;

  readonly message_id: string;

  @Documented({ format: 'date-time' })
  readonly created_at: string;

  @Documented({ format: 'date-time' })
  readonly sent_at: string | null;
}

/** A text that administrators begin answers with; `{name}` stands for the name of whoever wrote. */
export class SavedAnswerRecord {
  @Documented({ format: 'uuid' })
  readonly id: string;

  readonly name: string;

  readonly text: string;

  /** Counts changes; a change names the one that it starts from. */
  readonly version: number;
}

/** An enquiry as administrators see it. Moments are ISO 8601, UTC. */
export class EnquiryRecord {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Counts changes by administrators; a change names the one that it starts from. */
  readonly version: number;

  readonly name: string;

  @Documented({ format: 'email' })
  readonly email: string;

  /** Empty once it was redacted. */
  readonly message: string;

  readonly state: EnquiryState;

  /** Why it is spam; null for everything else. */
  readonly spam_reason: SpamReason | null;

  /** Id of the administrator who looks after it. */
  @Documented({ format: 'uuid' })
  readonly assignee_id: string | null;

  /** The note of administrators, as plain text; empty once it was redacted. */
  readonly note: string;

  /** The answers that were sent from here, the oldest first. */
  readonly answers: EnquiryAnswerRecord[];

  /** How far the mail to the company is. */
  readonly delivery: EnquiryDelivery;

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
  readonly opened_at: string | null;

  @Documented({ format: 'date-time' })
  readonly answered_at: string | null;

  @Documented({ format: 'date-time' })
  readonly closed_at: string | null;

  /** Id of the administrator who closed it; null for the command line, and when the account is gone. */
  @Documented({ format: 'uuid' })
  readonly closed_by: string | null;

  /** When message and note will be removed, as things stand; null while they stay, and once they are gone. */
  @Documented({ format: 'date-time' })
  readonly redacts_at: string | null;

  @Documented({ format: 'date-time' })
  readonly redacted_at: string | null;
}

/** Some enquiries of the list, the newest first, and where it goes on. */
export class EnquiryPage {
  readonly items: EnquiryRecord[];

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}

/** How many enquiries wait for somebody. */
export class EnquiryCounts {
  /** Nobody has opened these. */
  readonly new: number;

  /** Opened, and neither answered nor closed. */
  readonly open: number;
}

/** An administrator whom enquiries can be assigned to. */
export class EnquiryAssignee {
  @Documented({ format: 'uuid' })
  readonly id: string;

  @Documented({ format: 'email' })
  readonly email: string | null;
}

/** The answer to an enquiry that was taken in. */
export class EnquiryReceipt {
  readonly status: 'accepted';
}
