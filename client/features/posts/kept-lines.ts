import type { ArchiveLine, ArchivePage, KeptLines, ListedPosts } from '../../../src/shared/contracts/blog-list.js';
import type { SplitData } from '../../lib/split-data.js';

/** Lines as a page draws them; null where they stand in the page already. */
export type Lines = readonly ArchiveLine[] | KeptLines;

/** Takes the lines of the archive out of the data of the blog list, or of the page of a term. */
export function splitBlogList({ result: list }: { readonly result: ListedPosts | null }): SplitData {
  // A year without lines has no element for them.
  const kept = list?.years.map((year) => (year.posts.length > 0 ? { ...year, posts: null } : year));
  const result = (list && { ...list, years: kept ?? [] }) satisfies ListedPosts<Lines> | null;
  return { forBrowser: { result }, serverOnly: list?.years.map((year) => year.posts) };
}

/** Takes the lines out of the data of a page of the archive. */
export function splitArchivePage({ result: page }: { readonly result: ArchivePage | null }): SplitData {
  const result = (page && { ...page, posts: null }) satisfies ArchivePage<Lines> | null;
  return { forBrowser: { result }, serverOnly: page?.posts };
}
