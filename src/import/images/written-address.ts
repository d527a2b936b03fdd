import type { SourcePost } from '../source-post.js';

/** The parts of a post that show images. */
export type Showing = Pick<SourcePost, 'image' | 'named' | 'html' | 'folder' | 'baseUrl' | 'siteUrl' | 'isExact'>;

/**
 * An absolute address of the web, `//host/...` made https; null for everything else.
 * @param base the address to which it is relative; null when there is none
 */
export function toWebAddress(written: string, base: string | null): URL | null {
  const isAbsolute = /^(?:https?:)?[/\\]{2}/i.test(written);
  if (!isAbsolute && base === null) return null;
  const relativeTo = isAbsolute ? 'https://unused.invalid/' : (base ?? undefined);
  if (!URL.canParse(written, relativeTo)) return null;
  const url = new URL(written, relativeTo);
  return /^https?:$/.test(url.protocol) ? url : null;
}

/**
 * The path below the root of its site of a file that the post names by the whole address, or below the path at which the site begins, such
 * as `/blog`; null for all other addresses.
 */
export function toSitePath(written: string, siteUrl: string | undefined): string | null {
  if (siteUrl === undefined || !URL.canParse(siteUrl)) return null;
  const site = new URL(siteUrl);
  const web = toWebAddress(written, null);
  if (web !== null && hostOf(web) !== hostOf(site)) return null;
  const path = web?.pathname ?? written.replace(/[?#].*$/s, '');
  const base = site.pathname.replace(/\/+$/, '');
  if (base !== '' && path.startsWith(`${base}/`)) return path.slice(base.length);
  return web === null ? null : path;
}

/** With and without `www.` it is one site. */
export function hostOf({ host }: URL): string {
  return host.replace(/^www\./, '');
}

/** Shortens an address for reports. */
export function shortenAddress(written: string): string {
  // A copy: a part of the text would keep all of it in memory.
  return written.length > 200 ? `${Buffer.from(written.slice(0, 60)).toString()}...` : written;
}
