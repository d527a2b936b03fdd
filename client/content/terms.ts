import type { Term, TermKind } from '../../src/shared/contracts/terms.js';

/** The words of the screen of categories and tags. */
export const termMessages = {
  title: 'Categories and tags',
  lede: 'The words that posts are sorted by, and how many posts have them',
  loading: 'Loading categories and tags...',
  fetchFailed: { title: 'Error', text: 'Failed to fetch categories and tags' },
  renamed: 'Renamed',
  merged: 'Merged',
  failed: 'Nothing was renamed',
} as const;

/** A kind in words. */
export const kindWords: Readonly<Record<TermKind, { readonly title: string; readonly none: string }>> = {
  category: { title: 'Categories', none: 'No post has a category yet.' },
  tag: { title: 'Tags', none: 'No post has a tag yet.' },
};

/** Returns a number of posts in words. */
export function countPosts(count: number): string {
  return count === 1 ? '1 post' : `${count} posts`;
}

/** Describes what giving a term this name will do. */
export function describeRenaming(kind: TermKind, term: Term, to: string, others: readonly Term[]): string {
  const name = to.normalize('NFC').trim();
  if (name === '' || name === term.name) return `Type another name. Earlier versions of posts keep “${term.name}”.`;
  const target = others.find((other) => other.name === name);
  if (!target) return `${countPosts(term.count)} will have “${name}” instead of “${term.name}”.`;
  const posts = countPosts(term.count);
  return `There is a ${kind} “${name}”, with ${countPosts(target.count)}: ${posts} of “${term.name}” will have it too. Nothing takes them apart again.`;
}
