import { AdminPostListItem } from './admin-posts.js';
import { Documented } from './documented.js';
import { ReadPost } from './reads.js';

/** Parts of the start page, each of which can fail alone. */
export const OVERVIEW_PARTS = ['start', 'enquiries', 'waiting', 'settings', 'scheduled', 'reads', 'health'] as const;

/** See {@link OVERVIEW_PARTS}. */
export type OverviewPart = (typeof OVERVIEW_PARTS)[number];

/** The steps of a good start. */
export const START_STEPS = ['name', 'phone', 'facts', 'post', 'mail', 'backup', 'factor'] as const;

/** See {@link START_STEPS}. */
export type StartStepName = (typeof START_STEPS)[number];

/** One thing of a good start, which counts as done when it is, and not when somebody says so. */
export class StartStep {
  readonly name: StartStepName;

  readonly is_done: boolean;
}

/** An enquiry that nobody has worked through yet. */
export class NewEnquiry {
  @Documented({ format: 'uuid' })
  readonly id: string;

  readonly name: string;

  /** How the message begins; empty once it was redacted. */
  readonly beginning: string;

  /** True where the mail server has not taken the mail about it, although it was asked. */
  readonly is_undelivered: boolean;

  @Documented({ format: 'date-time' })
  readonly created_at: string;
}

/** Enquiries that nobody has worked through yet. */
export class NewEnquiries {
  readonly count: number;

  /** The newest five. */
  readonly items: NewEnquiry[];
}

/** Some posts, and how many there are. */
export class CountedPosts {
  readonly count: number;

  /** Five at most. */
  readonly items: AdminPostListItem[];
}

/** A draft of the company's facts or of the texts of pages. */
export class WaitingSettings {
  /** In the address of its screen. */
  readonly document: string;

  /** How many values would become others. */
  readonly changes: number;

  @Documented({ format: 'date-time' })
  readonly changed_at: string | null;

  /** Email address; null for an operator, and where the account is gone. */
  readonly changed_by: string | null;
}

/** The posts that visitors read in the last 30 days. */
export class OverviewReads {
  /** Reads of all posts. */
  readonly total: number;

  /** The five that were read most. */
  readonly posts: ReadPost[];
}

/** Something that needs attention, in words for people who do not run the server. */
export class Attention {
  /** The check of `doctor` that found it. @example "mail" */
  readonly check: string;

  /** False where it only asks to be looked at soon. */
  readonly is_urgent: boolean;

  /** @example "Mail cannot be delivered since Tuesday" */
  readonly title: string;

  /** Advice. */
  readonly advice: string;

  /** A command for whoever runs the server; null where none helps. */
  readonly command: string | null;
}

/** The last findings of `doctor`. */
export class SiteHealth {
  /** Null while the first examination runs. */
  @Documented({ format: 'date-time' })
  readonly checked_at: string | null;

  /** True while an examination runs; asking again brings its result. */
  readonly is_running: boolean;

  readonly items: Attention[];
}

/**
 * The start page of the admin area. A part that is null is named in `failed`, but for
 * reads that are not counted, and what authors do not hear of: `start`, `enquiries`, `settings` and `health`.
 */
export class Overview {
  /** Parts that could not be found out; the others can be shown. */
  readonly failed: OverviewPart[];

  /** The steps of a good start; empty once all of them are done. */
  readonly start: StartStep[] | null;

  readonly enquiries: NewEnquiries | null;

  /** Drafts, and published posts with edits that nobody saved; what changed last comes first. */
  readonly waiting: CountedPosts | null;

  /** Drafts of the company and of pages that wait to be published; empty where none does. */
  readonly settings: WaitingSettings[] | null;

  /** Posts that will be published; the next one comes first. */
  readonly scheduled: CountedPosts | null;

  /** Null also where reads are not counted (`READ_COUNTS`). */
  readonly reads: OverviewReads | null;

  readonly health: SiteHealth | null;
}
