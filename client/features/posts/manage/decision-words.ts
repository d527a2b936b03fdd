import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../src/shared/paths.js';
import type { BulkAction } from '../../../content/admin-posts.js';

/** Something that a group of posts has in common, in words, and who belongs to it. The first group that fits counts. */
interface Group {
  readonly words: (count: number) => string;
  readonly has: (post: AdminPostListItem) => boolean;
}

const all = () => true;
const was = (one: string, many: string) => (count: number) => `${count} ${count === 1 ? one : many}`;

const groups: Readonly<Record<BulkAction, readonly Group[]>> = {
  publish: [
    { has: ({ is_published }) => is_published, words: was('is public already', 'are public already') },
    {
      has: ({ has_unsaved_changes }) => has_unsaved_changes,
      words: was('has unsaved changes and stays as it is', 'have unsaved changes and stay as they are'),
    },
    {
      has: ({ scheduled_at }) => scheduled_at !== null,
      words: was('becomes public now, not as planned', 'become public now, not as planned'),
    },
    { has: all, words: was('becomes public', 'become public') },
  ],
  unpublish: [
    { has: ({ is_published }) => is_published, words: was('leaves the site', 'leave the site') },
    {
      has: ({ scheduled_at }) => scheduled_at !== null,
      words: was('is not planned any more', 'are not planned any more'),
    },
    { has: all, words: was('is not public', 'are not public') },
  ],
  trash: [
    { has: ({ is_published }) => is_published, words: was('leaves the site', 'leave the site') },
    { has: all, words: was('goes to the trash for 30 days', 'go to the trash for 30 days') },
  ],
  restore: [{ has: all, words: was('becomes a draft', 'become drafts') }],
};

/** Returns what an action on several posts will do, like '3 become public, 1 is public already'. */
export function describePlan(action: BulkAction, posts: readonly AdminPostListItem[]): string {
  let rest = posts;
  const counted = groups[action].map(({ has, words }) => {
    const those = rest.filter(has);
    rest = rest.filter((post) => !those.includes(post));
    return those.length === 0 ? null : words(those.length);
  });
  // What changes comes before what stays.
  return counted
    .filter((words) => words !== null)
    .toReversed()
    .join(', ');
}

/** Returns what publishing this post, or taking it back, will do. */
export function describeToggle(post: AdminPostListItem): string {
  const address = paths.blog(post.slug);
  if (post.is_published) return `Takes it off the site: nobody can read it at ${address} any more`;
  if (post.slug === '') return 'It was never saved: open it and complete it first';
  if (post.has_unsaved_changes) return 'It has unsaved changes: open it and save or discard them first';
  if (post.scheduled_at !== null) return `Everybody can read it at ${address} now, not as planned`;
  return `Everybody can read it at ${address}`;
}

/** Returns what deleting this post will do. */
export function describeDeletion({ is_published }: AdminPostListItem): string {
  return is_published
    ? 'Takes it off the site, and keeps it in the trash for 30 days'
    : 'Keeps it in the trash for 30 days';
}
