import type { DeadLink } from '../../src/shared/contracts/links.js';

/** The words of the screen of dead links. */
export const linkMessages = {
  title: 'Links',
  lede: 'Posts that are live or planned, and edits that wait, with links or pictures that lead nowhere',
  loading: 'Looking at links...',
  none: 'Every link and picture within this site leads somewhere.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch dead links' },
} as const;

/** Returns a number of posts with dead links in words. */
export function countDeadPosts(count: number): string {
  return count === 1 ? '1 post has dead links.' : `${count} posts have dead links.`;
}

/** Returns a number of dead links in words, for a mark. */
export function countDeadLinks(count: number): string {
  return count === 1 ? '1 dead link' : `${count} dead links`;
}

const problems: Readonly<Record<DeadLink['state'], string>> = {
  missing: 'leads to no page',
  draft: 'leads to a draft, which readers cannot open',
  scheduled: 'leads to a post that is not live yet',
  'no-anchor': 'names a heading or place that its page does not have',
  unreachable: 'cannot be reached',
};

/** Describes what is wrong with an address, to be read after it. */
export function describeDeadLink({ kind, state, reason }: DeadLink): string {
  if (reason !== null) return reason;
  return kind === 'image' && state === 'missing' ? 'is no picture that is stored here' : problems[state];
}
