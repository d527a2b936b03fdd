import { MEDIA_PATH } from '../../shared/media.js';
import { replaceLoneSurrogates } from './clean-characters.js';

/** What a link of a forbidden scheme leads to (specification section 5). */
export const BLANK_ADDRESS = 'about:blank';

const schemePattern = /^[a-z][a-z0-9+.-]*:/i;
const linkSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const webScheme = /^https?:\/\/[^/?#\s]/i;

/**
 * The address of a link: http, https, mailto, tel, an address on this site or a fragment; {@link BLANK_ADDRESS} for
 * any other scheme; null when there is none at all.
 */
export function toLinkAddress(written: string): string | null {
  const address = asBrowsersRead(written);
  if (address === null) return BLANK_ADDRESS;
  if (address === '') return null;
  const scheme = schemePattern.exec(address)?.[0].toLowerCase();
  if (scheme !== undefined) return linkSchemes.has(scheme) ? address : BLANK_ADDRESS;
  if (/^[/\\]{2}/.test(address)) return toWebAddress(address) ?? BLANK_ADDRESS;
  return address;
}

/** The address of an image: one of ours (`/media/...`), http or https; null for anything else. */
export function toImageAddress(written: string): string | null {
  const address = asBrowsersRead(written);
  if (address === null) return null;
  if (address.startsWith(MEDIA_PATH)) {
    return /^[A-Za-z0-9._-]+$/.test(address.slice(MEDIA_PATH.length)) ? address : null;
  }
  return toWebAddress(address);
}

/**
 * The embeddable address of a video from one of the named hosts, in the form that sets the fewest cookies; null for
 * any other host.
 */
export function toVideoAddress(written: string): string | null {
  const address = toWebAddress(asBrowsersRead(written) ?? '');
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  if (host === 'youtu.be') return toYouTube(url.pathname.slice(1), url);
  if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    const inPath = /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(url.pathname)?.[1];
    return toYouTube(inPath ?? url.searchParams.get('v') ?? '', url);
  }
  if (host === 'vimeo.com' || host === 'player.vimeo.com') {
    const id = /^\/(?:video\/)?(\d{1,15})(?:\/([0-9a-f]{1,20}))?$/.exec(url.pathname);
    if (id === null) return null;
    const key = /^[0-9a-f]{1,20}$/.exec(url.searchParams.get('h') ?? id[2] ?? '')?.[0];
    return `https://player.vimeo.com/video/${id[1]}${key === undefined ? '' : `?h=${key}`}`;
  }
  return null;
}

function toYouTube(id: string, url: URL): string | null {
  if (!/^[A-Za-z0-9_-]{6,20}$/.test(id)) return null;
  const start = /^(\d{1,6})s?$/.exec(url.searchParams.get('start') ?? url.searchParams.get('t') ?? '')?.[1];
  return `https://www.youtube-nocookie.com/embed/${id}${start === undefined ? '' : `?start=${start}`}`;
}

/** An http or https address with a host, `//host/...` made https; null otherwise. */
function toWebAddress(address: string): string | null {
  const absolute = address.startsWith('//') ? `https:${address}` : address;
  return webScheme.test(absolute) && !absolute.includes('\\') ? absolute : null;
}

/**
 * Browsers drop tabs and line breaks anywhere in an address and blanks and control characters around it before they
 * look for a scheme. Null when a control character is left over inside.
 */
function asBrowsersRead(written: string): string | null {
  const address = written.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  return /[\0-\x1f\x7f]/.test(address) ? null : replaceLoneSurrogates(address);
}
