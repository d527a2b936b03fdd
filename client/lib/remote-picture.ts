import { parseUrl } from '../../src/shared/parse-url.js';

/** Hosts with longer names are cut in drawings. */
const LONGEST_HOST = 44;

/** Returns true for a picture on another site, which the page's policy does not load. */
export function isRemotePicture(address: string): boolean {
  return /^https?:/i.test(address) && parseUrl(address)?.origin !== location.origin;
}

/** The address at which a picture is shown: that of a drawing that names the host, for one on another site. */
export function toShownAddress(address: string): string {
  if (!isRemotePicture(address)) return address;
  const host = parseUrl(address)?.host.slice(0, LONGEST_HOST) ?? 'another site';
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120" viewBox="0 0 480 120">' +
    '<rect x="1" y="1" width="478" height="118" rx="8" fill="#f1f1ec" stroke="#767c78" stroke-dasharray="6 4"/>' +
    '<g font-family="sans-serif" font-size="17" text-anchor="middle" fill="#2b332f">' +
    `<text x="240" y="54">Picture on ${host},</text><text x="240" y="80">not fetched</text></g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}
