import { Documented } from './documented.js';

/** The kinds of subjects that lines of the audit log have. */
export const auditSubjectTypes = [
  'post',
  'user',
  'redirect',
  'category',
  'tag',
  'image',
  'enquiry',
  'settings',
] as const;

/** One line of the audit log. */
export class AuditEntry {
  readonly id: string;

  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly at: string;

  /** Email address at the time; null for an operator at the command line, a program or the system. */
  readonly actor: string | null;

  readonly actor_kind: 'user' | 'operator' | 'program' | 'system';

  /** @example "post.published" */
  readonly action: string;

  /** @example "post" */
  readonly subject_type: string;

  readonly subject_id: string;

  /** The subject's name for people: the post's title, the user's address. */
  readonly subject: string;

  /** Further facts by name. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** Some lines of the audit log, newest first. */
export class AuditPage {
  readonly items: AuditEntry[];

  /** For `cursor` of the next request; null at the end. */
  readonly next_cursor: string | null;
}
