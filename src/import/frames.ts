import { readVideoAddress } from '../shared/video-address.js';
import { splitAtCode, unescapeHtml } from './html-text.js';
import { linkTo } from './media-links.js';

const frame = /<!--[^]*?(?:-->|$)|<iframe(?=\s)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;
/** Frames that nobody sees count visits. */
const hidden =
  /\s(?:width|height)\s{0,5}=\s{0,5}["']?[01](?:px)?["'\s]|\shidden(?=[\s=]|$)|display\s{0,5}:\s{0,5}none/i;
const MAX_NAMED = 5;

/**
 * Makes links of frames in which other sites show something (maps, music, forms), as posts show videos alone; these stay, as do frames that
 * nobody could see, which the sanitizer takes out. Takes time in proportion to the length.
 */
export function linkFrames(html: string, warnings: string[]): string {
  if (!/<iframe\s/i.test(html)) return html;
  const hosts = new Set<string>();
  const parts = splitAtCode(html).map(({ text, isRaw }) => (isRaw ? text : linkAmong(text, hosts)));
  noteLinks(hosts, warnings);
  return parts.join('');
}

/** Names the sites of which links are made although they showed something there. */
export function noteLinks(hosts: ReadonlySet<string>, warnings: string[]): void {
  if (hosts.size === 0) return;
  const named = [...hosts].slice(0, MAX_NAMED).join(', ');
  const rest = hosts.size > MAX_NAMED ? ` and ${hosts.size - MAX_NAMED} more` : '';
  warnings.push(`what other sites showed in frames are links here: ${named}${rest}`);
}

function linkAmong(text: string, hosts: Set<string>): string {
  const lower = text.toLowerCase();
  const pattern = new RegExp(frame);
  let linked = '';
  let at = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [written, attributes] = match;
    const url = attributes === undefined ? null : readAddress(attributes);
    if (attributes === undefined || url === null) continue;
    const isClosed = attributes.trimEnd().endsWith('/');
    const close = lower.indexOf('</iframe', pattern.lastIndex);
    // One that never ends takes the rest of the text with it, in a browser too.
    if (close < 0 && !isClosed) break;
    hosts.add(url.host);
    const words = valueIn(attributes, 'title') ?? url.host;
    linked += text.slice(at, match.index) + linkTo(toPage(url), words);
    at = isClosed ? match.index + written.length : endOfTag(text, close);
    pattern.lastIndex = at;
  }
  return linked + text.slice(at);
}

function endOfTag(text: string, start: number): number {
  const end = text.indexOf('>', start);
  return end < 0 ? text.length : end + 1;
}

/** The address of a frame that becomes a link; null for others. */
function readAddress(attributes: string): URL | null {
  if (hidden.test(`${attributes} `)) return null;
  const names = ['src', 'data-src', 'data-lazy-src', 'data-litespeed-src'];
  const written = names
    .map((name) => valueIn(attributes, name))
    .find((value) => /^(?:https?:)?\/\//i.test(value ?? ''));
  const address = written?.startsWith('//') === true ? `https:${written}` : (written ?? '');
  return URL.canParse(address) && readVideoAddress(address) === null ? new URL(address) : null;
}

/** The page of what a player shows, where that can be told: many players show nothing outside a frame. */
function toPage(url: URL): string {
  const { host, pathname } = url;
  const track = host === 'w.soundcloud.com' ? url.searchParams.get('url') : null;
  if (track !== null && /^https:\/\/(?:api\.)?soundcloud\.com\//.test(track)) return track;
  if (host === 'open.spotify.com') return url.href.replace('/embed/', '/');
  if (host === 'codepen.io') return `https://codepen.io${pathname.replace('/embed/', '/pen/')}`;
  return url.href;
}

function valueIn(attributes: string, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s{0,5}=\\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
  const match = pattern.exec(attributes);
  const value = unescapeHtml((match?.[1] ?? match?.[2] ?? match?.[3] ?? '').replaceAll('&#038;', '&')).trim();
  return value === '' ? undefined : value;
}
