import { decodeEscapes } from '../shared/decode-escapes.js';

/** Signs that steer a terminal, which JSON leaves as they are from 7F on. */
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f]/g;
const PREVIEW = /^(\/preview|\/api\/previews)\/.*/i;

/**
 * Returns the part of an address that a log may show: no query, which carries the tokens of mailed links, and no token
 * of a preview, however its address is spelled, because routers accept escaped letters and capitals. What no router has seen
 * may hold any byte.
 */
export function toLoggedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const preview = PREVIEW.exec(decodeEscapes(path).replace(/\/{2,}/g, '/'))?.[1];
  return preview === undefined ? path.replace(CONTROL_CHARACTERS, encodeURIComponent) : `${preview.toLowerCase()}/...`;
}
