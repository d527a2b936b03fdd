import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { toLookup } from '../import/images/http-download.js';
import { ImageUnavailableError } from '../import/images/image-unavailable.error.js';
import { findPublicAddresses, resolveBySystem, type CheckedAddress } from '../import/images/public-address.js';
import { mapConcurrently } from '../import/map-concurrently.js';

const HOSTS_AT_ONCE = 8;
const PAUSE_MS = 1000;
const LIMIT_MS = 10_000;
const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16 * 1024;
/** Addresses in a row for which a site gave no sign of life before it is not asked any more. */
const PATIENCE = 3;
/** Answers of sites that have the page, and do not show it to everybody or to programs. */
const guarded: ReadonlySet<number> = new Set([401, 402, 403, 407, 429, 451, 999]);
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How other sites are asked. */
export interface OuterOptions {
  /** Host names, as in addresses and without ports, that may be at private addresses. */
  readonly privateHosts?: readonly string[];
  /** Between two questions to a site. */
  readonly pauseMs?: number;
  readonly limitMs?: number;
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
}

/** A site during one run. */
interface Host {
  readyAt: number;
  silences: number;
}

/**
 * Asks other sites whether they have pages, by the rules for pictures of other sites (decision 25): nothing is reached
 * but the public internet. No more than the head of an answer is read.
 */
export class OuterLinks {
  private readonly privateHosts: ReadonlySet<string>;
  private readonly hosts = new Map<string, Host>();
  private readonly reasons = new Map<string, string | null>();

  constructor(private readonly options: OuterOptions = {}) {
    this.privateHosts = new Set(options.privateHosts?.map((host) => host.toLowerCase()));
  }

  /**
   * Asks for each address once, one after the other on each site.
   * @returns by address why it is dead, and null for those that are there
   */
  async ask(addresses: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const open = [...new Set(addresses)].filter((address) => !this.reasons.has(address));
    const sites = Map.groupBy(open, (address) => new URL(address).host);
    await mapConcurrently([...sites], HOSTS_AT_ONCE, async ([host, asked]) => {
      for (const address of asked) this.reasons.set(address, await this.askSite(host, address));
    });
    return this.reasons;
  }

  private async askSite(name: string, address: string): Promise<string | null> {
    const host = this.hosts.get(name) ?? { readyAt: 0, silences: 0 };
    this.hosts.set(name, host);
    if (host.silences >= PATIENCE) return 'is on a site that does not answer';
    await pause(Math.max(0, host.readyAt - performance.now()));
    try {
      const status = await this.findStatus(address);
      host.silences = 0;
      host.readyAt = this.nextTime();
      return status < 400 || guarded.has(status) ? null : `answers ${status}`;
    } catch (error) {
      // Refused before anything was asked, or on the way.
      if (error instanceof ImageUnavailableError) return error.message;
      host.silences += 1;
      host.readyAt = this.nextTime();
      return `cannot be reached (${describe(error)})`;
    }
  }

  private nextTime(): number {
    return performance.now() + (this.options.pauseMs ?? PAUSE_MS);
  }

  /** Some sites do not know HEAD, break off, or answer it otherwise than what people send. */
  private async findStatus(address: string): Promise<number> {
    const status = await this.follow('HEAD', new URL(address)).catch(nullIfBrokenOff);
    return status !== null && status < 400 ? status : await this.follow('GET', new URL(address));
  }

  /** Every address on the way is checked as the first. */
  private async follow(method: 'HEAD' | 'GET', first: URL): Promise<number> {
    const signal = AbortSignal.timeout(this.options.limitMs ?? LIMIT_MS);
    let url = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      if (!/^https?:$/.test(url.protocol))
        throw new ImageUnavailableError('redirects to what is no http or https address');
      if (url.username !== '' || url.password !== '')
        throw new ImageUnavailableError('has a user name or password in its address, which is refused');
      const addresses = await findPublicAddresses(url.hostname, this.privateHosts, resolveBySystem);
      const { status, location } = await askOnce(method, url, addresses, signal);
      if (!redirects.has(status) || location === undefined || !URL.canParse(location, url)) return status;
      url = new URL(location, url);
    }
    throw new ImageUnavailableError(`redirects more than ${MAX_REDIRECTS} times`);
  }
}

/** Connects to nothing but the addresses that were checked: what the name means by then is not asked. */
async function askOnce(
  method: string,
  url: URL,
  addresses: readonly CheckedAddress[],
  signal: AbortSignal,
): Promise<Answer> {
  const options: RequestOptions = {
    method,
    headers: { 'user-agent': 'it-support-website (check of links)', accept: '*/*' },
    agent: false,
    lookup: toLookup(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  };
  return await new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.on('response', ({ statusCode = 0, headers }) => {
      resolve({ status: statusCode, location: headers.location });
      request.destroy();
    });
    request.on('error', reject);
    request.end();
  });
}

/** A site that is silent, or not there, is so whatever it is asked. */
function nullIfBrokenOff(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || code.startsWith('HPE_')) return null;
  throw error;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
