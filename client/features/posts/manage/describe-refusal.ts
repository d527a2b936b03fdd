import type { AdminPostListItem, PostConflict } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import { stateWords } from '../../../content/admin-posts.js';
import { ApiError, describeError } from '../../../lib/api-errors.js';
import type { Outcome } from '../../../components/outcome.js';

/** Returns the title of a post, or words for a missing one. */
export function titleOf({ title }: Pick<AdminPostListItem, 'title'>): string {
  return title || '(no title yet)';
}

/** How a post stands that somebody else has changed meanwhile. */
export function currentOf(error: unknown): PostConflict['current'] | null {
  return error instanceof ApiError && error.code === 'post_changed' ? (error.body as PostConflict).current : null;
}

/** Describes the refusal of a change of one post, with a remedy. */
export function describeRefusal(what: string, post: AdminPostListItem, error: unknown): Outcome {
  const failure = { kind: 'error', title: what } as const;
  const name = `“${titleOf(post)}”`;
  if (!(error instanceof ApiError)) return { ...failure, text: describeError(error) };
  const open = { label: 'Open the post', to: paths.admin.blog(post.id) };
  switch (error.code) {
    case 'post_changed': {
      const { current } = error.body as PostConflict;
      const by = current.saved_by ? ` (last saved by ${current.saved_by})` : '';
      const text = `${name} was changed meanwhile${by} and is now: ${stateWords[current.state]}. Nothing was done; the list shows how it stands.`;
      return { ...failure, text };
    }
    case 'post_not_found':
      return { ...failure, text: `${name} no longer exists. The list has been reloaded.` };
    case 'unsaved_changes':
      return { ...failure, text: `${name} has unsaved changes. Save or discard them first.`, link: open };
    case 'invalid_post':
      return { ...failure, text: `${name} is not complete: ${error.message}.`, link: open };
    default:
      return { ...failure, text: error.message };
  }
}
