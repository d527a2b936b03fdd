import type { BulkOutcome, PostState } from '../../src/shared/contracts/admin-posts.js';

/** The words of the list of posts (product.md 2.12 and 8.3). */
export const postListMessages = {
  loading: 'Loading posts...',
  empty: 'No blog posts yet. Create your first one!',
  nothingFound: 'No posts match. Try other words, or fewer filters.',
  emptyTrash: 'The trash is empty. Deleted posts stay here for 30 days.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch blog posts' },
  published: 'Post published',
  unpublished: 'Post unpublished',
  planned: 'Post scheduled again',
  toggleFailed: 'Failed to update post status',
  deleted: 'Post deleted successfully',
  deleteFailed: 'Failed to delete post',
  restored: 'Post restored as a draft',
  restoreFailed: 'Failed to restore post',
  removed: 'Post deleted for good',
  duplicated: 'Post duplicated',
  duplicateFailed: 'Failed to duplicate post',
  bulkFailed: 'Failed to change the posts',
  confirmDelete: 'Are you sure you want to delete this post?',
  confirmRemoval: 'Delete this post for good? This cannot be undone.',
} as const;

/** The question before several posts are deleted. */
export function confirmDeleteMany(count: number): string {
  return count === 1 ? postListMessages.confirmDelete : `Are you sure you want to delete these ${count} posts?`;
}

/** Says where posts with these titles are once they were deleted, and what 'Undo' makes of them. */
export function describeTrashed(titles: readonly string[]): string {
  return titles.length === 1
    ? `“${titles[0]}” stays in the trash for 30 days. Undo brings it back as a draft.`
    : 'They stay in the trash for 30 days. Undo brings them back as drafts.';
}

/** A state in words: never told by color alone. */
export const stateWords: Readonly<Record<PostState, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  trashed: 'In the trash',
};

/** Changes of many posts at once. */
export type BulkAction = 'publish' | 'unpublish' | 'trash' | 'restore';

interface BulkWords {
  readonly button: string;
  /** After a number of posts. */
  readonly done: string;
}

/** Labels of the buttons for many posts, and words for the result. */
export const bulkWords: Readonly<Record<BulkAction, BulkWords>> = {
  publish: { button: 'Publish', done: 'published' },
  unpublish: { button: 'Unpublish', done: 'unpublished' },
  trash: { button: 'Delete', done: 'deleted' },
  restore: { button: 'Restore', done: 'restored as drafts' },
};

/** Why a post was left as it is, or null when there is nothing to tell. */
export const bulkOutcomeWords: Readonly<Record<BulkOutcome, string | null>> = {
  done: null,
  unchanged: 'was so already',
  'changed-meanwhile': 'was changed since this list was loaded, so it was left alone',
  'unsaved-changes': 'has unsaved changes: open it and save or discard them first',
  invalid: 'was never saved: open it and complete it first',
  'too-late': 'stays public: the time that it was planned for is over',
  'not-allowed': 'was left alone: an administrator decides what readers see',
  gone: 'no longer exists',
};
