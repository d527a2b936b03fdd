import { paths, toArchivePlace } from '../shared/paths.js';
import { readPart, readTermPath, toTermFeedPath, toTermPath, toTermSlug } from '../shared/term-addresses.js';

const FIXED: ReadonlySet<string> = new Set(Object.values(paths).filter((path) => typeof path === 'string'));

const WITH_POSTS: ReadonlySet<string> = new Set([paths.rss, paths.jsonFeed, paths.sitemap]);

/** Path of the file that tells crawlers what to leave alone. */
export const ROBOTS_PATH = '/robots.txt';

/**
 * Returns true for the one address under which a page may be cached. The router also finds pages under other spellings,
 * in capitals or with escaped letters, of which there is no end.
 */
export function isCacheableAddress(path: string): boolean {
  if (FIXED.has(path) || path === ROBOTS_PATH) return true;
  if (isArchiveAddress(path) || isTermAddress(path)) return true;
  const slug = slugOf(path);
  return slug !== null && path === paths.blog(slug);
}

/**
 * Returns true for an address at which a redirect may be cached. Other spellings of a slug lead on as well, and so do all
 * numbers behind a term that was renamed: there is no end of either.
 */
export function isCacheableMove(path: string): boolean {
  if (!isCacheableAddress(path)) return false;
  const slug = slugOf(path);
  if (slug !== null) return slug === slug.normalize('NFC').toLowerCase();
  const { rest = '' } = readTermPath(path) ?? {};
  return rest === '' || !/^\d+$/.test(rest);
}

/** Returns true for the addresses of pages that show something of posts: below the blog, feeds, and the sitemap. */
export function showsPosts(path: string): boolean {
  return path.startsWith(paths.blogs) || WITH_POSTS.has(path);
}

function isArchiveAddress(path: string): boolean {
  const [, year = '', month, part] = /^\/blogs\/archive\/(\d+)(?:\/(\d+)(?:\/(\d+))?)?$/.exec(path) ?? [];
  return toArchivePlace(year, month, part) !== null;
}

function isTermAddress(path: string): boolean {
  const { kind, name = '', rest = '' } = readTermPath(path) ?? {};
  if (kind === undefined || toTermSlug(name) !== name) return false;
  const term = { kind, slug: name };
  if (rest === 'rss.xml' || rest === 'feed.json') return path === toTermFeedPath(term, rest);
  const part = readPart(rest);
  return part !== null && path === toTermPath(term, part);
}

/** The slug in the address of a post; null for other addresses and those that cannot be read. */
export function slugOf(path: string): string | null {
  const [, encoded] = /^\/blogs\/([^/]+)$/.exec(path) ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
