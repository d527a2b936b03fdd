import { isIP } from 'node:net';

/** Schemes that run or read something where they are opened: no list of allowed addresses can mean them. */
const DANGEROUS_SCHEMES = new Set(['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'view-source']);
const HTTP_AUTHORITY = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;
const MAX_LENGTH = 2048;

/** The site and the further addresses that links may lead to. */
export interface RedirectRules {
  readonly siteUrl: string;
  /** Globs, as AUTH_REDIRECT_URLS has them. */
  readonly redirectUrls: readonly string[];
}

/** Returns the first of these addresses that links may lead to, else the site's (auth-api.md 1.1). */
export function chooseRedirect(candidates: readonly (string | undefined)[], rules: RedirectRules): string {
  return candidates.find((candidate) => candidate && isRedirectAllowed(candidate, rules)) ?? rules.siteUrl;
}

/**
 * Returns true for an address that links may lead to: the site, this machine, or a match of the list. Refuses addresses
 * that two programs may read differently (decimal hosts, user names, backslashes).
 */
export function isRedirectAllowed(address: string, rules: RedirectRules): boolean {
  if (address.length > MAX_LENGTH || /[\s\\\u0000-\u001f\u007f]/.test(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  if (DANGEROUS_SCHEMES.has(url.protocol.slice(0, -1))) return false;
  if (/^https?:$/.test(url.protocol)) {
    const host = HTTP_AUTHORITY.exec(address)?.[1]?.toLowerCase();
    // A host that the parser had to rewrite (2130706433, 0x7f.1, 127.1) was meant to deceive somebody.
    if (host === undefined || host !== url.hostname) return false;
    if (isLoopbackLiteral(host) || isSameSite(url, new URL(rules.siteUrl))) return true;
  }
  const withoutFragment = address.replace(/#.*$/, '');
  return rules.redirectUrls.some((glob) => globToRegExp(glob).test(withoutFragment));
}

function isSameSite(url: URL, site: URL): boolean {
  if (url.protocol !== site.protocol || url.hostname !== site.hostname) return false;
  return url.port === site.port || url.hostname === 'localhost' || isLoopbackLiteral(url.hostname);
}

function isLoopbackLiteral(host: string): boolean {
  return host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Separators are `.` and `/`: `*` and `?` stop at them, `**` does not. `{a,b}` and `[a-z]` are choices. */
function globToRegExp(glob: string): RegExp {
  let depth = 0;
  const source = glob.replace(/\*\*|\[!?[^\]]+\]|\\.|[\s\S]/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^./]*';
    if (part === '?') return '[^./]';
    if (part === '{') return (depth++, '(?:');
    if (part === '}' && depth > 0) return (depth--, ')');
    if (part === ',' && depth > 0) return '|';
    if (part.length > 2 && part.startsWith('[')) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    return part.replace(/^\\/, '').replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  });
  return new RegExp(`^${source}${')'.repeat(depth)}$`);
}
