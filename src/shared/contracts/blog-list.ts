import type { TermAddress } from '../term-addresses.js';
import type { PostSummary } from './posts.js';

/** A post in the archive: its slug, its title, and its day as 'MM-DD'. A list of names would double its bytes. */
export type ArchiveLine = readonly [slug: string, title: string, day: string];

/**
 * Lines in the data of the page on which they stand: none. The browser leaves them as the server sent them, and needs
 * them as data only when it draws the page itself.
 */
export type KeptLines = null;

/** The older posts of one year on the blog list. */
export interface ArchiveYear<Lines = readonly ArchiveLine[]> {
  /** Four digits. */
  readonly year: string;
  readonly posts: Lines;
  /** How many posts the year has, if some are only on its own page; otherwise 0. */
  readonly total: number;
}

/** Posts, newest first. */
export interface ListedPosts<Lines = readonly ArchiveLine[]> {
  /** The newest posts, as cards. */
  readonly posts: readonly PostSummary[];
  /** All older ones. */
  readonly years: readonly ArchiveYear<Lines>[];
}

/** The blog list (product.md 2.9): every published post, newest first. */
export interface BlogList<Lines = readonly ArchiveLine[]> extends ListedPosts<Lines> {
  /** The years that have published posts, four digits each, the newest first; 40 at most. */
  readonly archive: readonly string[];
}

/** A page of a category, a tag or an author: their posts, newest first, in parts. */
export interface TermPage<Lines = readonly ArchiveLine[]> extends ListedPosts<Lines>, TermAddress {
  /** As the newest post has it. */
  readonly name: string;
  /** From 1. */
  readonly part: number;
  /** True when another part follows. */
  readonly hasOlder: boolean;
}

/** Which page of the archive: a year, a month of it, a further part of that month. */
export interface ArchivePlace {
  /** Four digits. */
  readonly year: string;
  /** Two digits; null for the whole year. */
  readonly month: string | null;
  /** From 1. */
  readonly part: number;
}

/** A page of the archive. It has either posts or, for a year that is too large for one page, months. */
export interface ArchivePage<Lines = readonly ArchiveLine[]> extends ArchivePlace {
  readonly posts: Lines;
  readonly months: readonly { readonly month: string; readonly count: number }[];
  /** How many parts the month has. */
  readonly parts: number;
  /** As {@link BlogList} has it. */
  readonly archive: readonly string[];
}
