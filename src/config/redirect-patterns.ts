import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** A pattern of AUTH_REDIRECT_URLS: addresses that links in mails may lead to. */
export interface RedirectPattern {
  readonly text: string;
  matches(address: URL): boolean;
}

/** Patterns that can be read, and one sentence for each of the others. */
export interface RedirectPatterns {
  readonly patterns: readonly RedirectPattern[];
  readonly problems: readonly string[];
}

/** Schemes whose hosts are names or addresses of the network, by the rules of browsers; with their usual ports. */
const NETWORK_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
  'ftp:': '21',
};
/** Scheme, then perhaps host and port, then path and query; a scheme may have wildcards as well. */
const PARTS = /^((?:[a-z0-9+.*?-]|\[[^\]/]*\])+):(?:\/\/([^/]*))?(.*)$/is;
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|(?:\[[^\]]*\]|[^:[])*)(?::(.*))?$/is;
const PORT = /^(?!.*\*\*)(?:[\d*?]|\[[\d!^-]+\])+$/;
/** An IPv4 address, whose last numbers may be left open. */
const OPEN_IPV4 = /^\d{1,3}(?:\.(?:\d{1,3}|\*)){3}$/;
const GLOB_PART = /\*\*|\[[!^]?[^\]]+\]|\\.|./gsu;

class UnreadablePatternError extends Error {}

/** True for an IP address in the form in which a parsed URL has it. */
export function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) === 4;
}

/** True for an address whose host a browser would look up or connect to. */
export function isNetworkAddress({ protocol }: URL): boolean {
  return protocol in NETWORK_PORTS;
}

/**
 * Reads patterns (auth-api.md 1.1). They are compared with the parts of a parsed address, never with its text, so that no
 * wildcard reaches from one part into another.
 */
export function readRedirectPatterns(texts: readonly string[]): RedirectPatterns {
  const patterns: RedirectPattern[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    try {
      const choices = expandChoices(text).map(readPattern);
      patterns.push({ text, matches: (address) => choices.some((matches) => matches(address)) });
    } catch (error) {
      if (!(error instanceof UnreadablePatternError)) throw error;
      problems.push(`${text} admits nothing: ${error.message}`);
    }
  }
  return { patterns, problems };
}

/** One pattern for each of the choices in braces, from the innermost on. */
function expandChoices(text: string): string[] {
  const found = /\{([^{}]*)\}/.exec(text);
  if (found === null) {
    if (/[{}]/.test(text)) throw new UnreadablePatternError('it has half a pair of braces');
    return [text];
  }
  const [all, choices = ''] = found;
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + all.length)];
  return choices.split(',').flatMap((choice) => expandChoices(before + choice + after));
}

function readPattern(text: string): (address: URL) => boolean {
  if (text === '**') return isNamed;
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? [];
  if (scheme === '' || /^\d/.test(rest)) {
    throw new UnreadablePatternError('it has no scheme; put https:// or another one in front');
  }
  const schemePattern = toRegExp(scheme, '.', 'i');
  const hasScheme = ({ protocol }: URL) => schemePattern.test(protocol.slice(0, -1));
  if (/^\/{0,2}\*\*$/.test(text.slice(scheme.length + 1))) return (address) => hasScheme(address) && isNamed(address);
  const [, host = '', port] = HOST_AND_PORT.exec(authority) ?? [];
  const isHost = readHost(host);
  const isPort = readPort(port, host.endsWith('*'));
  const path = toRegExp(rest, './', '');
  // An address of the network has a path, though nobody wrote it.
  const hasPath = (address: URL) => {
    const found = address.pathname + address.search;
    return path.test(found) || (found === '/' && isNetworkAddress(address) && path.test(''));
  };
  return (address) => hasScheme(address) && isHost(address) && isPort(address) && hasPath(address);
}

/** True for hosts that wildcards may mean: nobody knows who has a bare IP address. */
function isNamed(address: URL): boolean {
  return !isNetworkAddress(address) || !isIpLiteral(address.hostname);
}

function readHost(host: string): (address: URL) => boolean {
  if (host.includes('@')) throw new UnreadablePatternError('it has a user name');
  if (host.startsWith('[') && host.includes(':')) {
    if (!URL.canParse(`http://${host}`)) throw new UnreadablePatternError('its host is no IPv6 address');
    const { hostname } = new URL(`http://${host}`);
    return (address) => address.hostname === hostname;
  }
  if (host === '**') return isNamed;
  const labels = host.split('.').map(toAsciiLabel);
  const source = labels.map((label) => {
    if (label === '**') return '[^.]+(?:\\.[^.]+)*';
    return label === '*' ? '[^.]+' : toSource(label, '.');
  });
  const pattern = new RegExp(`^${source.join('\\.')}$`, 'i');
  const isOfAddresses = OPEN_IPV4.test(host);
  const isOfThatKind = (address: URL) => isIpLiteral(address.hostname) === isOfAddresses || !isNetworkAddress(address);
  return (address) => isOfThatKind(address) && pattern.test(address.hostname);
}

/** The letters of other scripts as addresses have them. */
function toAsciiLabel(label: string): string {
  if (label.includes('**') && label !== '**') {
    throw new UnreadablePatternError(
      'in a host, ** stands for whole names, as in **.example.com; a path begins with /',
    );
  }
  const isAscii = /^[\x20-\x7e]*$/.test(label);
  const ascii = isAscii ? label : domainToASCII(label);
  if (!isAscii && !/^[\w-]+$/.test(ascii)) throw new UnreadablePatternError(`${label} cannot be part of a host`);
  if (!/^(?:[\w~%*?-]|\[[\w!^-]+\])*$/.test(ascii)) throw new UnreadablePatternError('its host cannot be read');
  return ascii;
}

/** A wildcard at the end of a host has always covered the port, as in `http://localhost*`. */
function readPort(port: string | undefined, hasOpenEnd: boolean): (address: URL) => boolean {
  if (port === undefined) return (address) => hasOpenEnd || address.port === '';
  if (!PORT.test(port)) throw new UnreadablePatternError('its port cannot be read; a path begins with /');
  const pattern = toRegExp(port, '.', '');
  return (address) => pattern.test(address.port || (NETWORK_PORTS[address.protocol] ?? ''));
}

function toRegExp(glob: string, separators: string, flags: string): RegExp {
  return new RegExp(`^${toSource(glob, separators)}$`, flags);
}

/** `*`, `?` and `[a-z]` stop at the separators, `**` does not; what follows a backslash is meant as it stands. */
function toSource(glob: string, separators: string): string {
  const inside = `(?![${separators}])`;
  return glob.replace(GLOB_PART, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return `[^${separators}]*`;
    if (part === '?') return `[^${separators}]`;
    if (part.length > 2 && part.startsWith('[')) return inside + toClass(part);
    const literal = part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
    // An address has such letters in their encoded form.
    return /^[\x20-\x7e]$/.test(literal)
      ? literal.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&')
      : encodeURIComponent(literal);
  });
}

function toClass(glob: string): string {
  const source = glob.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  if (!isRegExp(source)) throw new UnreadablePatternError(`${glob} is no choice of characters`);
  return source;
}

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
