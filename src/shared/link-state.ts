import { parseUrl } from './parse-url.js';

/**
 * The end of a link within this site: a page that readers see, none, a post that they do not see (yet), or one without
 * the place that the link names.
 */
export type LinkState = 'found' | 'missing' | 'draft' | 'scheduled' | 'no-anchor';

/** As many links as are looked at. */
export const LINKS_MAX = 100;

/** The path of any post: a link without a slash leads to what is beside it. */
const POST = '/blogs/post';

/** Returns the path of a link that leads to a page of this site; null for others, and for files and programs of this site. */
export function toInnerPath(address: string, siteUrl: string): string | null {
  const url = address.startsWith('#') ? null : parseUrl(address, siteUrl + POST);
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== new URL(siteUrl).origin) return null;
  return isPagePath(url.pathname) ? url.pathname : null;
}

/** Returns the path of such a link with the place on the page that it names, as '/blogs/tips#costs'. */
export function toInnerPlace(address: string, siteUrl: string): string | null {
  const path = toInnerPath(address, siteUrl);
  return path === null ? null : path + new URL(address, siteUrl + POST).hash;
}

/** Returns true for a path at which there can be a page, as browsers write it. */
export function isPagePath(path: string): boolean {
  // Any other spelling could lead to a place that is not meant.
  const isSpelled = parseUrl(path, 'http://localhost')?.pathname === path;
  return isSpelled && !/^\/(?:api|auth\/v1|media|admin)(?:\/|$)/.test(path);
}
