/** Words of posts that have pages of their own (product.md 2.17). */
export const listedKinds = ['category', 'tag', 'author'] as const;

/** A kind of words of posts that have pages. */
export type ListedKind = (typeof listedKinds)[number];

/** A word that has a page: its kind, and its name as the address has it. */
export interface TermAddress {
  readonly kind: ListedKind;
  /** In the spelling of {@link toTermSlug}. */
  readonly slug: string;
}

/** A feed of a term, as the last part of its address. */
export type TermFeed = 'rss.xml' | 'feed.json';

/** An address below that of a term, as somebody wrote it. */
interface TermPath {
  readonly kind: ListedKind;
  /** As it was written, without its escapes. */
  readonly name: string;
  /** The part after the name: nothing, a number of a part, or a feed. */
  readonly rest: string;
}

/** Longer names have no page; posts cannot have them any more. */
const MAX_LENGTH = 200;

/**
 * The one spelling of a name in addresses, the same for names that people take for the same: small letters, a dash for
 * blanks, and for slashes, which servers on the way do not leave alone. Names that are spelled the same share a page.
 * @returns null for a name that has no page
 */
export function toTermSlug(name: string): string | null {
  const slug = name
    .trim()
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\s/\\]+/g, '-');
  // Not `isWellFormed`, which browsers that are served do not have (product.md 2.18).
  if (slug === '' || slug.length > MAX_LENGTH || /\p{Surrogate}/u.test(slug)) return null;
  // A path cannot hold these as a name.
  return /^\.+$/.test(slug) ? slug.replaceAll('.', '-') : slug;
}

/** The address of a term's page. @param part from 1, which the address does not name */
export function toTermPath({ kind, slug }: TermAddress, part = 1): string {
  return `/blogs/${kind}/${encodeURIComponent(slug)}${part === 1 ? '' : `/${part}`}`;
}

/** The address of a feed of a term. */
export function toTermFeedPath(term: TermAddress, feed: TermFeed): string {
  return `${toTermPath(term)}/${feed}`;
}

/** The address of the page of a name that a post has; null when it has none. */
export function pathOfName(kind: ListedKind, name: string): string | null {
  const slug = toTermSlug(name);
  return slug === null ? null : toTermPath({ kind, slug });
}

/** Reads an address below that of a term, in whatever spelling of its name; null for other addresses. */
export function readTermPath(path: string): TermPath | null {
  const [, kind, encoded = '', rest = ''] = /^\/blogs\/(category|tag|author)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  try {
    return kind === undefined ? null : { kind: kind as ListedKind, name: decodeURIComponent(encoded), rest };
  } catch {
    return null;
  }
}

/** Reads the number of a part, from 2 on, or of the first one where nothing is said; null for anything else. */
export function readPart(text: string | undefined): number | null {
  if (text === undefined || text === '') return 1;
  return /^(?:[2-9]|[1-9]\d{1,3})$/.test(text) ? Number(text) : null;
}
