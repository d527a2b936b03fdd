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
  if (address.startsWith('#') || !URL.canParse(address, siteUrl + POST)) return null;
  const { origin, pathname, protocol } = new URL(address, siteUrl + POST);
  if (!/^https?:$/.test(protocol) || origin !== new URL(siteUrl).origin) return null;
  return isPagePath(pathname) ? pathname : null;
}

/** Returns the path of such a link with the place on the page that it names, as '/blogs/tips#costs'. */
export function toInnerPlace(address: string, siteUrl: string): string | null {
  const path = toInnerPath(address, siteUrl);
  return path === null ? null : path + new URL(address, siteUrl + POST).hash;
}

/** Returns true for a path at which there can be a page, as browsers write it. */
export function isPagePath(path: string): boolean {
  const base = 'http://localhost';
  // Any other spelling could lead to a place that is not meant.
  const isSpelled = URL.canParse(path, base) && new URL(path, base).pathname === path;
  return isSpelled && !/^\/(?:api|auth\/v1|media|admin)(?:\/|$)/.test(path);
}
