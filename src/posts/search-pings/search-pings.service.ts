import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import type { IndexNowConfig } from '../../config/index-now.js';
import { SEARCH_PING_MS } from '../../config/time-limits.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { JobQueue, PermanentJobError, type QueueDefinition, type RunningJob } from '../../database/job-queue.js';
import { UPKEEP_LIMITS, withDatabaseLimits } from '../../database/pool/database-limits.js';
import { Clock } from '../../shared/clock.js';
import { keyFilePath } from '../../shared/paths.js';
import { readRetryAfter } from './retry-after.js';
import { areSearchPingsNoted, readSearchPings, removeSearchPings, type PingRow } from './search-ping-rows.js';

/** Tells search engines; tried again for two days: after a minute, then after twice as long each time, at last every six hours. */
export const SEARCH_PING_QUEUE: QueueDefinition = {
  name: 'search-pings',
  options: {
    retryLimit: 15,
    retryDelay: 60,
    retryDelayMax: 6 * 3600,
    expireInSeconds: 600,
    deleteAfterSeconds: 7 * 24 * 3600,
  },
};

/** Addresses in one request (indexnow.org, 'Submitting set of URLs'). */
const MOST = 10_000;

/** Tells search engines which addresses of posts appeared, changed or went (IndexNow). */
@Injectable()
export class SearchPingsService {
  private readonly logger = new Logger(SearchPingsService.name);
  private readonly siteUrl: string;
  private readonly settings: IndexNowConfig | null;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    @Inject(CONFIG) { server, indexNow }: Config,
  ) {
    this.siteUrl = server.publicUrl;
    this.settings = indexNow;
  }

  /**
   * Queues the job that tells them, if something is noted and no such job waits. What they refused, or could not be told
   * for days, goes along with what is noted later.
   * @param isAnew true to try again what was given up, as when the server starts: its settings may be others
   */
  async queue(isAnew = false): Promise<void> {
    await withDatabaseLimits(UPKEEP_LIMITS, () =>
      this.em.fork().transactional(async (em) => {
        const sql = 'select pg_try_advisory_xact_lock(?) as held';
        const [lock] = await em.execute<{ held: boolean }[]>(sql, [ADVISORY_LOCKS.searchPings]);
        if (!lock?.held) return;
        const { isAtWork, givenUpAt } = await this.jobs.findState(em, SEARCH_PING_QUEUE);
        if (isAtWork || !(await areSearchPingsNoted(em, isAnew ? null : givenUpAt))) return;
        await this.jobs.send(em, SEARCH_PING_QUEUE, {});
      }),
    );
  }

  /**
   * Tells of all that is noted, in requests of 10,000 addresses at most; of nothing where no key is set any more.
   * @throws PermanentJobError when they refuse it
   */
  async tell({ signal }: Pick<RunningJob<object>, 'signal'>): Promise<void> {
    const { settings } = this;
    if (settings === null) return;
    let last: PingRow | null = null;
    for (;;) {
      const em = this.em.fork({ disableTransactions: true });
      const rows = await readSearchPings(em, last, MOST);
      if (rows.length === 0) return;
      const isTold = await this.post(settings, rows, signal);
      if (!isTold) return;
      await removeSearchPings(em, rows);
      if (rows.length < MOST) return;
      last = rows.at(-1) ?? null;
    }
  }

  /** @returns false when they are to be told later, which another job is queued for */
  private async post(
    { key, endpoint }: IndexNowConfig,
    rows: readonly PingRow[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const body = {
      host: new URL(this.siteUrl).host,
      key,
      keyLocation: `${this.siteUrl}${keyFilePath(key)}`,
      urlList: rows.map(({ path }) => `${this.siteUrl}${path}`),
    };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(SEARCH_PING_MS)]),
    }).catch((error: unknown) => {
      throw this.complain(new Error(`no answer (${describe(error)})`), rows.length);
    });
    // Nothing but the status counts.
    await response.body?.cancel();
    if (response.ok) return true;
    const reason = `answered ${response.status}`;
    const waitMs = readRetryAfter(response.headers.get('retry-after'), this.clock.now());
    const isBusy = response.status === 429 || response.status === 503;
    if (isBusy && waitMs !== null) {
      const startAfter = new Date(this.clock.now().getTime() + waitMs);
      await this.em.fork().transactional((em) => this.jobs.send(em, SEARCH_PING_QUEUE, {}, { startAfter }));
      return false;
    }
    const isLater = response.status >= 500 || response.status === 408 || response.status === 429;
    throw this.complain(isLater ? new Error(reason) : new PermanentJobError(reason), rows.length);
  }

  private complain(error: Error, addresses: number): Error {
    const isFinal = error instanceof PermanentJobError;
    this.logger.warn(
      { reason: error.message, addresses },
      isFinal
        ? 'Search engines refused to be told of posts (see INDEXNOW_KEY)'
        : 'Search engines could not be told of posts yet',
    );
    return error;
  }
}

/** Failed requests name their cause one level down. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  return error.message;
}
