import { dateOf, type ExportedRow } from '../exported-post.js';

/** The state of a post on the other site: no post is public there that is not public here. */
export interface ForeignState {
  readonly status: 'published' | 'scheduled' | 'draft';
  /** When it was, or will be, published; null for a draft. */
  readonly date: Date | null;
  /** See `WrittenPost`. */
  readonly losses: readonly string[];
}

/** Reads the state of a post; what other systems do not keep apart is named. */
export function stateOf(row: ExportedRow, now: Date): ForeignState {
  const chosen = dateOf(row);
  if (row.isPublished) {
    const isAhead = row.publishedDate > now;
    const losses = isAhead ? ['a date in the future of a published post, which is not public there until then'] : [];
    return { status: 'published', date: row.publishedDate, losses };
  }
  if (row.scheduledAt) {
    const isOther = chosen !== null && chosen.getTime() !== row.scheduledAt.getTime();
    return {
      status: 'scheduled',
      date: row.scheduledAt,
      losses: isOther ? ['the date shown of a scheduled post, which differs from when it is published'] : [],
    };
  }
  return { status: 'draft', date: null, losses: chosen === null ? [] : ['the date chosen for a draft'] };
}
