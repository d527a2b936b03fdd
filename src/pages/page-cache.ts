import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ContentListener } from '../database/content-listener.js';
import { DatabaseUnavailableError } from '../database/database-unavailable.js';
import { SiteService } from '../site/site.service.js';
import { CompletePage } from './complete-page.js';
import { isCacheableAddress, isCacheableMove, showsPosts } from './cacheable-addresses.js';
import { PageStore, type StoredPage } from './page-store.js';
import type { PageStream } from './page-stream.js';

/** A page to answer with at once: as fresh as can be known, or the last one there was while the database is down. */
export interface FoundPage {
  readonly page: CompletePage;
  readonly state: 'hit' | 'stale';
}

/** A cached page, or a new one that may still be streaming. */
export type AnsweredPage = FoundPage | { readonly page: CompletePage | PageStream; readonly state: 'miss' };

/** The result of rendering a page. */
export interface RenderedPage {
  readonly page: CompletePage | PageStream;
  /** True when the page may be cached for everyone. */
  readonly isPublic: boolean;
}

interface Flight {
  readonly generation: number;
  readonly result: Promise<AnsweredPage>;
  /** Resolves when the page is complete and compressed, if that was begun, or has failed. */
  readonly end: Promise<void>;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** How long a page may live while changes cannot be heard. */
const UNHEARD_LIFETIME_MS = 5000;
/** Pages say which year it is. */
const MAX_LIFETIME_MS = 3_600_000;
/** While the database is down: how long after one try the next one begins. */
const RETRY_MS = 1000;
/** How long pages are kept that may show what was taken back unheard. */
const DOUBTED_LIFETIME_MS = 60_000;

/**
 * Rendered pages, good until any published content changes: then none is, because a list shows parts of many posts and
 * rendering is cheap. Old pages are kept for the time in which the database is down, unless a post was taken back, or may
 * have been while changes went unheard.
 */
@Injectable()
export class PageCache {
  private readonly store = new PageStore(MAX_BYTES);
  private readonly flights = new Map<string, Flight>();
  private generation = 0;
  /** The database did not answer; until it does nobody waits for it where there is a last good page. */
  private isDown = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly listener: ContentListener,
    site: SiteService,
  ) {
    listener.onChange((isTakenBack) => {
      this.generation += 1;
      // Pages of before would show it while the database is away, however long ago it was.
      if (isTakenBack) this.store.deleteAll(showsPosts);
    });
    listener.onConnect(async () => this.doubt());
    // When it is known and not when it is announced: a page in between would be an old one that counts as new.
    site.onChange(() => (this.generation += 1));
  }

  /** The page at an address if there is one to answer with at once. */
  find(address: string): FoundPage | undefined {
    const entry = this.store.get(address);
    if (!entry) return undefined;
    if (this.isFresh(entry)) return { page: entry.page, state: 'hit' };
    return this.isDown ? { page: entry.page, state: 'stale' } : undefined;
  }

  /** Returns true when a page of any age is cached at an address, which can be shown while the database is away. */
  holds(address: string): boolean {
    return this.store.get(address) !== undefined;
  }

  /**
   * Resolves when the render in flight for this address ends; undefined if none is, or if nothing was cached there
   * before.
   */
  coming(address: string): Promise<void> | undefined {
    if (this.isDown) return undefined;
    const flight = this.flights.get(address);
    return flight?.generation === this.generation && this.store.get(address) ? flight.end : undefined;
  }

  /**
   * Returns the page at an address, rendered if necessary: once for everybody who asks meanwhile.
   * @throws DatabaseUnavailableError if there is no last good page; else what `render` throws
   */
  async answer(address: string, render: () => Promise<RenderedPage>): Promise<AnsweredPage> {
    const found = this.find(address);
    if (found) return found;
    return this.join(address, render);
  }

  /**
   * Something may have been taken back while nothing was heard, and pages of before still show it. They go a while later,
   * unless they were rendered since: at once, a database that comes and goes would take all of them with it.
   */
  private doubt(): void {
    const { generation } = this;
    const isDoubted = (address: string, entry: StoredPage) => entry.generation < generation && showsPosts(address);
    setTimeout(() => this.store.deleteAll(isDoubted), DOUBTED_LIFETIME_MS).unref();
  }

  /** The rendering of an address that is under way, or a new one. */
  private join(address: string, render: () => Promise<RenderedPage>): Promise<AnsweredPage> {
    const { generation } = this;
    const running = this.flights.get(address);
    // A visitor who comes after a change must not see a page that was rendered before it.
    if (running?.generation === generation) return running.result;
    const result = this.render(address, render);
    const flight = { generation, result, end: whenOver(result) };
    this.flights.set(address, flight);
    // Until then everybody shares this rendering.
    void flight.end.then(() => {
      if (this.flights.get(address) === flight) this.flights.delete(address);
    });
    return result;
  }

  private async render(address: string, render: () => Promise<RenderedPage>): Promise<AnsweredPage> {
    const { generation } = this;
    const begunAt = performance.now();
    try {
      const { page: made, isPublic } = await render();
      const page = (isPublic ? this.findSame(address, made) : undefined) ?? made;
      const put = (whole: CompletePage) => {
        if (generation === this.generation) this.put(address, { page: whole, generation, begunAt }, isPublic);
      };
      if (page instanceof CompletePage) put(page);
      else finish(page, put);
      return { page, state: 'miss' };
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      const last = this.store.get(address);
      if (!last) throw error;
      if (!this.isDown) void this.waitForDatabase(() => this.join(address, render));
      return { page: last.page, state: 'stale' };
    }
  }

  /** Tries the page that found the database down until it succeeds, so that no visitor has to be the one who tries. */
  private async waitForDatabase(tryPage: () => Promise<AnsweredPage>): Promise<void> {
    this.isDown = true;
    while (this.isDown) {
      await new Promise<void>((resolve) => void setTimeout(resolve, RETRY_MS).unref());
      try {
        this.isDown = (await tryPage()).state === 'stale';
      } catch (error) {
        // The last good page may have gone meanwhile.
        this.isDown = error instanceof DatabaseUnavailableError;
      }
    }
  }

  /** The page that was there if a change left it as it was: it is rendered and compressed already. */
  private findSame(address: string, { status, etag }: CompletePage | PageStream): CompletePage | undefined {
    const last = this.store.get(address)?.page;
    // A redirect has no tag of its own.
    return status === 200 && last?.status === 200 && last.etag === etag ? last : undefined;
  }

  /** Caches only existing pages, each at its one address: made-up addresses must not push pages out. */
  private put(address: string, entry: StoredPage, isPublic: boolean): void {
    const { status } = entry.page;
    const isAtItsAddress = status === 301 ? isCacheableMove(address) : status === 200 && isCacheableAddress(address);
    if (isPublic && isAtItsAddress && this.config.mode !== 'development') this.store.set(address, entry);
    else this.store.delete(address);
  }

  private isFresh({ generation, begunAt }: StoredPage): boolean {
    const age = performance.now() - begunAt;
    if (generation !== this.generation || age > MAX_LIFETIME_MS) return false;
    return age <= UNHEARD_LIFETIME_MS || performance.now() - this.listener.heardAt <= UNHEARD_LIFETIME_MS;
  }
}

/** Resolves when the page is complete and compressed, if that was begun, or has failed. */
async function whenOver(result: Promise<AnsweredPage>): Promise<void> {
  try {
    const { page } = await result;
    await (page instanceof CompletePage ? page : await page.whole).gzipped();
  } catch {
    // Those who wait for the page are told.
  }
}

/** Renders the page even if nobody waits for its body: the next visitor finds it. Only complete pages are cached. */
function finish(page: PageStream, put: (whole: CompletePage) => void): void {
  page.whole.then(put, () => undefined);
  // After waiting visitors were told that nothing has changed.
  setImmediate(() => page.start());
}
