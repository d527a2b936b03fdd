import { MEDIA_PATH } from '../../shared/media.js';
import { parsePlayableName } from '../../shared/media-files.js';
import { readVideoAddress } from '../../shared/video-address.js';
import { replaceLoneSurrogates } from '../../shared/clean-characters.js';

/** The address in place of one with a forbidden scheme (product.md 5.7). */
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

/** The placeholder of a file that an import is about to store. */
const PENDING_FILE = /^pending-\d{1,7}$/;

/**
 * The address of sound, a film or captions, which are always ours (`/media/...`); null for anything else.
 * @param isCaptions true for captions, false for what is played
 */
export function toPlayableAddress(written: string, isCaptions: boolean): string | null {
  const address = asBrowsersRead(written);
  if (address?.startsWith(MEDIA_PATH) !== true) return null;
  const name = address.slice(MEDIA_PATH.length);
  const kind = parsePlayableName(name)?.kind;
  if (kind === undefined) return PENDING_FILE.test(name) ? address : null;
  return (kind === 'captions') === isCaptions ? address : null;
}

/** The embeddable address of a video from one of the named hosts; null for any other host. */
export function toVideoAddress(written: string): string | null {
  const address = toWebAddress(asBrowsersRead(written) ?? '');
  return address === null ? null : (readVideoAddress(address)?.player ?? null);
}

/** An http or https address with a host, `//host/...` made https; null otherwise. */
function toWebAddress(address: string): string | null {
  const absolute = address.startsWith('//') ? `https:${address}` : address;
  return webScheme.test(absolute) && !absolute.includes('\\') ? absolute : null;
}

/**
 * Browsers drop tabs and line breaks anywhere in an address and blanks and control characters around it before they
 * look for a scheme. Signs that no XML can hold go before that, as from all text: one in a link would make the feed of all
 * posts unreadable. Null when a control character is left over inside.
 */
function asBrowsersRead(written: string): string | null {
  // Blanks at the end are looked for at the first of a row alone, as an address may have millions inside.
  const address = written
    .replace(/[\t\n\r\ufeff\ufffe\uffff]/g, '')
    .replace(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$/g, '');
  return /[\0-\x1f\x7f]/.test(address) ? null : replaceLoneSurrogates(address);
}
