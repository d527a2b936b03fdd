import { paths } from '../shared/paths.js';

/** The longest address that is recorded, in characters as browsers send it. */
export const ADDRESS_MAX_LENGTH = 2000;

/** Says why an address cannot be part of a redirect, in words for people. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

/** Addresses of WordPress whose query alone says which post they are; no page of this site has such a query. */
const numberedAddress = /^((?:\/[^?#]*)?)\/\?(p|page_id)=([1-9]\d{0,19}|0)$/;
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f]/;
/** The router finds pages in any case, and old addresses that differ from ours in nothing else lead there already. */
const pagesHere: ReadonlySet<string> = new Set([
  ...Object.values(paths).filter((path) => typeof path === 'string'),
  paths.search(),
  '/robots.txt',
]);
/** Paths that are no pages, with everything below them. */
const foldersHere = ['/api', '/auth/v1', '/assets', '/media', '/admin', '/preview', '/functions/v1', '/dev/mail'];

/**
 * Returns the one spelling of a redirect's path: slashes neither doubled nor at the end, percent-encoding as
 * `encodeURIComponent` writes it but for signs that paths may hold, Unicode composed. The host of an absolute address
 * is left out.
 * @throws AddressRefusedError for a path that no visitor can ask for, or that this site answers itself
 */
export function toPath(text: string): string {
  const written = text.trim().replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '');
  const [, folder, name, number] = numberedAddress.exec(written) ?? [];
  if (folder !== undefined && name !== undefined && number !== undefined) {
    const start = folder === '' || folder === '/' ? '' : toPath(folder);
    return `${start}/?${name}=${number}`;
  }
  const path = toPlainPath(written);
  const lower = path.toLowerCase();
  if (pagesHere.has(lower)) throw new AddressRefusedError('it is a page of this site');
  const taken = foldersHere.find((name) => lower === name || lower.startsWith(`${name}/`));
  if (taken !== undefined) throw new AddressRefusedError(`the site answers everything under ${taken} itself`);
  return path;
}

/**
 * Returns the one spelling of a redirect's target: a path of this site with query and fragment, or an absolute address.
 * @param siteUrl address of this site: absolute addresses of it become paths
 * @throws AddressRefusedError
 */
export function toTarget(text: string, siteUrl: string): string {
  const trimmed = text.trim();
  if (CONTROL_CHARACTERS.test(trimmed)) throw new AddressRefusedError('the target has control characters');
  const url = URL.parse(trimmed, 'http://site.invalid');
  const isOwn = isPathLike(trimmed) || url?.origin === new URL(siteUrl).origin;
  if (url === null || !(isOwn || /^https?:\/\//i.test(trimmed))) {
    throw new AddressRefusedError('the target must be a path of this site or begin with https://');
  }
  if (url.username !== '' || url.password !== '') throw new AddressRefusedError('the target has a name or password');
  const target = isOwn ? `${toPlainPath(url.pathname)}${url.search}${url.hash}` : url.href;
  if (target.length > ADDRESS_MAX_LENGTH) throw new AddressRefusedError('the target is too long');
  return target;
}

/**
 * Returns a recorded target as {@link toTarget} would write it today: what was another site's address when it was recorded may
 * have become this one's.
 * @param siteUrl address of this site
 */
export function toPresentTarget(target: string, siteUrl: string): string {
  if (isPathLike(target) || URL.parse(target)?.origin !== new URL(siteUrl).origin) return target;
  try {
    return toTarget(target, siteUrl);
  } catch (error) {
    // No path here is written so: nothing is found there, and no redirect.
    if (error instanceof AddressRefusedError) return target;
    throw error;
  }
}

/** The path that a target leads to on this site; null when it leads elsewhere. */
export function pathOfTarget(target: string): string | null {
  return isPathLike(target) ? (target.split(/[?#]/, 1)[0] ?? null) : null;
}

/** Browsers take two slashes, and a backslash, for the beginning of another host. */
function isPathLike(text: string): boolean {
  return /^\/(?![/\\])/.test(text);
}

function toPlainPath(text: string): string {
  if (!text.startsWith('/')) throw new AddressRefusedError('the path must begin with a slash');
  if (/[?#]/.test(text)) throw new AddressRefusedError('the path must end before a ? or #');
  const parts = text.split('/').filter((part) => part !== '');
  const path = `/${parts.map(toSegment).join('/')}`;
  if (path.length > ADDRESS_MAX_LENGTH) throw new AddressRefusedError('the path is too long');
  return path;
}

function toSegment(part: string): string {
  const { plain, encoded } = recode(part);
  if (CONTROL_CHARACTERS.test(plain)) throw new AddressRefusedError('the path has control characters');
  if (plain === '.' || plain === '..') throw new AddressRefusedError('the path has dots in the place of a name');
  // RFC 3986, section 3.3: what a part of a path may hold as it is.
  return encoded.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

function recode(part: string): { readonly plain: string; readonly encoded: string } {
  try {
    const plain = decodeURIComponent(part).normalize('NFC');
    return { plain, encoded: encodeURIComponent(plain) };
  } catch {
    throw new AddressRefusedError('the path is not in the percent-encoding of UTF-8');
  }
}
