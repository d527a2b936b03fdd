import { decodeEscapes } from '../../shared/decode-escapes.js';
import { toNumberedAddress } from '../../shared/numbered-address.js';
import { escapeHtml, unescapeHtml } from '../html-text.js';

const anchor = /(<a\s(?:[^<>"']|"[^"]*"|'[^']*')*?href\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;
const MAX_NAMED = 5;

/** The addresses of a site: where posts were, and where they are. */
export interface InnerAddresses {
  /** The future path of the post that was at this address (a path, or `/?p=12`); undefined for others. */
  find(path: string): string | undefined;
  /** Returns true for links that are led on or named elsewhere, as they are written. */
  isKnown?(href: string): boolean;
  /** Hosts of the site. */
  readonly hosts: ReadonlySet<string>;
}

/** The one spelling of an address of a site: without the ending and the slash that servers add. */
export function toAddressKey(path: string): string {
  const text = decodeEscapes(path);
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/\/index\.html?$|\.html?$/, '')
      .replace(/\/+$/, '') || '/'
  );
}

/**
 * Leads links between posts of a site to where these posts are now. Links to other pages and to files of the site, which are not
 * here, are named.
 * @param ownPath where the post was; null when that is not known, so that links relative to it stay
 */
export function leadLinksOn(
  html: string,
  ownPath: string | null,
  addresses: InnerAddresses,
  warnings: string[],
): string {
  if (!/<a\s/i.test(html)) return html;
  const left = new Set<string>();
  const files = new Set<string>();
  const text = html.replace(anchor, (written, before: string, quoted?: string, single?: string, bare?: string) => {
    const entities = (quoted ?? single ?? bare ?? '').replace(/&#0{0,4}38;/g, '&amp;');
    const href = unescapeHtml(entities).trim();
    const url = toInnerUrl(href, ownPath, addresses.hosts);
    if (url === null) return written;
    const number = toNumberedAddress(url.pathname + url.search);
    const numbered = number === null ? undefined : addresses.find(number);
    const target = numbered ?? addresses.find(url.pathname);
    if (target === undefined) {
      if (addresses.isKnown?.(href) === true) return written;
      if (number !== null) left.add(number);
      else if (/\.(?!html?$)[a-z0-9]{2,5}$/i.test(url.pathname)) files.add(url.pathname);
      else if (url.pathname !== '/') left.add(url.pathname);
      return written;
    }
    const search = numbered === undefined ? url.search : '';
    return `${before}"${escapeHtml(target + search + url.hash)}"`;
  });
  if (left.size > 0) warnings.push(`leads to pages of the old site that are no posts: ${nameSome(left)}`);
  if (files.size > 0) warnings.push(`leads to files of the old site, which stay there: ${nameSome(files)}`);
  return text;
}

function nameSome(names: ReadonlySet<string>): string {
  const some = [...names].slice(0, MAX_NAMED).join(', ');
  return names.size > MAX_NAMED ? `${some} and ${names.size - MAX_NAMED} more` : some;
}

/** Null for what leads to another site, to a place in the same page, or to what is here already. */
function toInnerUrl(href: string, ownPath: string | null, hosts: ReadonlySet<string>): URL | null {
  if (href === '' || /^[#?]|^\/(?:blogs|media)(?:\/|$)|\{[{%]/.test(href)) return null;
  const isRelative = !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(href);
  if (isRelative && ownPath === null) return null;
  const base = `https://inner.invalid${ownPath ?? '/'}`;
  if (!URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  const isInner = url.host === 'inner.invalid' || hosts.has(url.host.replace(/^www\./, ''));
  return isInner && /^https?:$/.test(url.protocol) ? url : null;
}
