import { isIP } from 'node:net';
import { isNetworkAddress, type RedirectPattern } from '../../config/redirect-patterns.js';

/** Schemes that run or read something where they are opened: no list of allowed addresses can mean them. */
const DANGEROUS_SCHEMES = new Set(['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'view-source']);
const NETWORK_AUTHORITY = /^[a-z]+:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;
const MAX_LENGTH = 2048;

/** The addresses that links may lead to. */
export interface RedirectRules {
  /** The application that accounts are for, and the target of links that name no other. */
  readonly siteUrl: string;
  /** The pages of this site, which send mails too. */
  readonly publicUrl: string;
  readonly redirects: readonly RedirectPattern[];
}

/** Returns the first of these addresses that links may lead to, else AUTH_SITE_URL (auth-api.md 1.1). */
export function chooseRedirect(candidates: readonly (string | undefined)[], rules: RedirectRules): string {
  return candidates.find((candidate) => candidate && isRedirectAllowed(candidate, rules)) ?? rules.siteUrl;
}

/**
 * Returns true for an address that links may lead to: the site, its application, this machine, or a match of the list.
 * Refuses addresses that two programs may read differently (decimal hosts, user names, backslashes).
 */
export function isRedirectAllowed(address: string, rules: RedirectRules): boolean {
  if (address.length > MAX_LENGTH || /[\s\\\u0000-\u001f\u007f]/.test(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  if (DANGEROUS_SCHEMES.has(url.protocol.slice(0, -1))) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (isNetworkAddress(url)) {
    const host = NETWORK_AUTHORITY.exec(address)?.[1]?.toLowerCase();
    // A host that the parser had to rewrite (2130706433, 0x7f.1, 127.1) was meant to deceive somebody.
    if (host === undefined || host !== url.hostname) return false;
    const sites = [rules.siteUrl, rules.publicUrl];
    if (isLoopback(url) || sites.some((site) => isSameSite(url, new URL(site)))) return true;
  }
  return rules.redirects.some((pattern) => pattern.matches(url));
}

function isSameSite(url: URL, site: URL): boolean {
  if (url.protocol !== site.protocol || url.hostname !== site.hostname) return false;
  return url.port === site.port || url.hostname === 'localhost' || isLoopbackLiteral(url.hostname);
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && isLoopbackLiteral(hostname);
}

function isLoopbackLiteral(host: string): boolean {
  return host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}
