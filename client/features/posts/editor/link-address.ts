import { LINK_PROTOCOLS } from './formats/inline-formats.js';

/** The address in place of one with another scheme (product.md 5.7). */
export const BLANK_ADDRESS = 'about:blank';

/** Four numbers up to 255 with points between them, as routers and printers have. */
const IP_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/**
 * The address that an author means: a bare domain is a web site, a word without a dot a page of this site, `a@b.example`
 * a mail address, a number a telephone, and four of them with points between a machine.
 * @returns {@link BLANK_ADDRESS} for a scheme that links may not have
 */
export function toLinkAddress(written: string): string {
  const address = written.replace(/[\t\n\r]/g, '').trim();
  if (/^[/\\]{2}/.test(address)) return `https:${address.replaceAll('\\', '/')}`;
  if (address === '' || /^[/#?.]/.test(address)) return address;
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(address)) return `mailto:${address}`;
  // A machine of the network has numbers, too.
  if (IP_ADDRESS.test(address)) return `https://${address}`;
  if (/^\+?\d[\d ()./-]{5,}$/.test(address)) return `tel:${address.replace(/[^\d+]/g, '')}`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  // A host with a port looks like a scheme.
  const isHost = scheme !== undefined && /\.|^localhost$/.test(scheme);
  // `pricing` and `blogs/a-post`; who means a computer of the office writes its scheme.
  if (scheme === undefined && !/^[^/?#]*[.]/.test(address) && !/\s/.test(address)) return `/${address}`;
  if (scheme === undefined || isHost) return `https://${address}`;
  return (LINK_PROTOCOLS as readonly string[]).includes(scheme) ? address : BLANK_ADDRESS;
}

/** Said of an address with a scheme that links may not have. */
export const NOWHERE = 'Links lead to http, https, mailto and tel addresses only: this one would lead nowhere.';

/** Tells where a written address leads, where that is not what is written; null otherwise. */
export function describeAddress(written: string): string | null {
  const address = toLinkAddress(written);
  if (address === BLANK_ADDRESS && written.trim() !== '') return NOWHERE;
  if (address === '' || address === written.trim()) return null;
  return `Leads to ${address}${address.startsWith('/') ? ', a page of this site' : ''}`;
}
