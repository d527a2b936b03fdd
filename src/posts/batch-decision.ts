import type { BulkOutcome, PostState } from '../shared/contracts/admin-posts.js';
import { stateOf, wasSaved } from './admin-post.presenter.js';
import type { PostRow } from './post.entity.js';
import { isAsWanted } from './publishing.service.js';

/** One change that many posts are to undergo. */
export type BatchChange =
  | { readonly kind: 'publish' | 'unpublish' | 'trash' | 'delete-forever' }
  | { readonly kind: 'schedule'; readonly publishAt: Date };

/** The outcome of a change for one post. */
export type BatchOutcome =
  | Exclude<BulkOutcome, 'too-late' | 'not-allowed'>
  /** It cannot be planned any more. */
  | 'published';

/** The state of a post, and the time until which it lasts. */
export interface PostStanding {
  /** Null when it is removed for good. */
  readonly state: PostState | null;
  readonly scheduledAt: Date | null;
}

/** The columns that a decision depends on. */
export type DecisionRow = Pick<PostRow, 'title' | 'isPublished' | 'scheduledAt' | 'deletedAt' | 'keptAt'>;

/** Decides about a change of one post. The plan and the change itself share this decision. */
export function decideChange(change: BatchChange, row: DecisionRow): BatchOutcome {
  if (change.kind === 'delete-forever') return row.deletedAt ? 'done' : 'gone';
  if (change.kind === 'trash') return row.deletedAt ? 'unchanged' : 'done';
  if (row.deletedAt) return 'gone';
  if (change.kind === 'unpublish') return isAsWanted(row, false) ? 'unchanged' : 'done';
  if (change.kind === 'publish' && row.isPublished) return 'unchanged';
  if (change.kind === 'schedule' && row.isPublished) return 'published';
  if (!wasSaved(row)) return 'invalid';
  if (row.keptAt) return 'unsaved-changes';
  if (change.kind === 'schedule')
    return row.scheduledAt?.getTime() === change.publishAt.getTime() ? 'unchanged' : 'done';
  return 'done';
}

/** Returns the present state of a post. */
export function standingOf(row: DecisionRow): PostStanding {
  return { state: stateOf(row), scheduledAt: row.scheduledAt ?? null };
}

/** Returns the state of a post after a change. */
export function standingAfter(change: BatchChange): PostStanding {
  switch (change.kind) {
    case 'publish':
      return { state: 'published', scheduledAt: null };
    case 'unpublish':
      return { state: 'draft', scheduledAt: null };
    case 'schedule':
      return { state: 'scheduled', scheduledAt: change.publishAt };
    case 'trash':
      return { state: 'trashed', scheduledAt: null };
    case 'delete-forever':
      return { state: null, scheduledAt: null };
  }
}
