import { setTimeout as pause } from 'node:timers/promises';
import { Gate } from '../../shared/gate.js';
import { IMAGE_MAX_BYTES } from '../../shared/limits.js';
import { whenAborted } from '../../shared/when-aborted.js';
import { download, toSeconds, type Answer, type DownloadLimits } from './http-download.js';
import { ImageUnavailableError, InnerSiteError, PassingTroubleError } from './image-unavailable.error.js';
import { findPublicAddresses, resolveBySystem, type Resolve } from './public-address.js';

const MAX_REDIRECTS = 5;
const AT_ONCE_PER_HOST = 2;
/** Images in a row for which a site gave no sign of life before it is not asked any more. */
const PATIENCE = 3;
const PAUSE_MS = 1000;
/** A site that asks for more is not waited for. */
const MAX_PAUSE_MS = 5000;

const LIMITS: DownloadLimits = { maxBytes: IMAGE_MAX_BYTES, totalMs: 30_000, idleMs: 10_000 };

interface Options {
  /** Host names, as in addresses and without ports, that may be at private addresses: a blog in the intranet. */
  readonly privateHosts?: readonly string[];
  readonly limits?: Partial<DownloadLimits>;
  /** Before the second attempt, unless the site names another time. */
  readonly pauseMs?: number;
  readonly resolve?: Resolve;
}

/** State of a site during the import. */
interface Site {
  readonly gate: Gate;
  silences: number;
}

/**
 * Fetches images from other sites. Addresses come from files and texts that strangers may have written, so that nothing is reached this way but the public internet: decision 25 says how.
 */
export class RemoteImageFetcher {
  private readonly privateHosts: ReadonlySet<string>;
  private readonly limits: DownloadLimits;
  private readonly sites = new Map<string, Site>();

  constructor(private readonly options: Options = {}) {
    this.privateHosts = new Set(options.privateHosts?.map((host) => host.toLowerCase()));
    this.limits = { ...LIMITS, ...options.limits };
  }

  /**
   * The bytes at an address, at most IMAGE_MAX_BYTES of them; nobody has looked at them yet.
   * @param signal ends it; its reason is thrown
   * @throws ImageUnavailableError
   */
  async fetch(address: string, signal?: AbortSignal): Promise<Buffer> {
    const url = readAddress(address);
    const site = this.siteOf(url);
    return await site.gate.run(async () => {
      if (site.silences >= PATIENCE) throw new ImageUnavailableError(`is on a site that does not answer (${url.host})`);
      try {
        const bytes = await this.tryTwice(url, signal);
        site.silences = 0;
        return bytes;
      } catch (error) {
        site.silences = error instanceof PassingTroubleError && error.isSilence ? site.silences + 1 : 0;
        throw error;
      }
    });
  }

  private siteOf({ host }: URL): Site {
    const known = this.sites.get(host);
    if (known !== undefined) return known;
    const site = { gate: new Gate(AT_ONCE_PER_HOST), silences: 0 };
    this.sites.set(host, site);
    return site;
  }

  private async tryTwice(url: URL, signal: AbortSignal | undefined): Promise<Buffer> {
    try {
      return await this.tryOnce(url, signal);
    } catch (error) {
      if (!(error instanceof PassingTroubleError)) throw error;
      const pauseMs = error.pauseMs ?? this.options.pauseMs ?? PAUSE_MS;
      if (pauseMs > MAX_PAUSE_MS) throw error;
      // Only its end breaks it off, which the next attempt tells.
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      return await this.tryOnce(url, signal);
    }
  }

  private async tryOnce(url: URL, signal: AbortSignal | undefined): Promise<Buffer> {
    signal?.throwIfAborted();
    const { totalMs } = this.limits;
    const ending = new AbortController();
    const tooLong = new PassingTroubleError(`took longer than ${toSeconds(totalMs)}`, { isSilence: true });
    const timer = setTimeout(() => ending.abort(tooLong), totalMs);
    const either = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
    try {
      // The system's resolver cannot be interrupted.
      return await Promise.race([this.follow(url, either), whenAborted(either)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Every address on the way is checked as the first. */
  private async follow(first: URL, signal: AbortSignal): Promise<Buffer> {
    let answer = await this.ask(first, signal);
    let url = first;
    for (let redirects = 0; 'location' in answer; redirects += 1) {
      if (redirects === MAX_REDIRECTS) throw new ImageUnavailableError(`redirects more than ${MAX_REDIRECTS} times`);
      const { location } = answer;
      try {
        url = readAddress(location, url);
        answer = await this.ask(url, signal);
      } catch (error) {
        throw signal.aborted ? error : onTheWay(error, location);
      }
    }
    return answer.body;
  }

  private async ask(url: URL, signal: AbortSignal): Promise<Answer> {
    const resolve = this.options.resolve ?? resolveBySystem;
    const addresses = await findPublicAddresses(url.hostname, this.privateHosts, resolve);
    signal.throwIfAborted();
    return await download(url, addresses, this.limits, signal);
  }
}

/** @throws ImageUnavailableError for what is not fetched, whoever it leads to */
function readAddress(address: string, base?: URL): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ImageUnavailableError('is no http or https address');
  if (url.username !== '' || url.password !== '') {
    throw new ImageUnavailableError('has a user name or password in its address, which is refused');
  }
  url.hash = '';
  return url;
}

function onTheWay(error: unknown, location: string): unknown {
  if (!(error instanceof ImageUnavailableError)) return error;
  const message = `redirects to ${location.slice(0, 200)}, which ${error.message}`;
  if (error instanceof InnerSiteError) return new InnerSiteError(message, { cause: error });
  if (!(error instanceof PassingTroubleError)) return new ImageUnavailableError(message, { cause: error });
  const { isSilence, pauseMs } = error;
  return new PassingTroubleError(message, { isSilence, cause: error, ...(pauseMs === undefined ? {} : { pauseMs }) });
}
