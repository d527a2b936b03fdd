import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { FLOWS_KEPT_MS } from '../external/provider-flows.service.js';
import { CHALLENGES_KEPT_MS } from '../factors/factor-verification.service.js';
import { ATTEMPTS_KEPT_MS } from '../guesses/attempts.service.js';
import { overCondition } from './session-limits.js';

const FIRST_MS = 60_000;
const ROUND_MS = 3_600_000;
/** Sessions that are over are kept for a day, so that whoever comes back is told so. */
const KEPT_MS = 24 * 3_600_000;
const CLEAN_AT_ONCE = 1_000;

/**
 * Removes sessions that have been over for a day, with their tokens, and what else of signing in is kept for a time, in
 * processes that serve. The next sign-in of each kind removes that as well, but may never come.
 */
@Injectable()
export class SessionUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SessionUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private hasEnded = false;

  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule(FIRST_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.hasEnded = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Removes all that are due now, a part at a time. @param atOnce how many a part may have */
  async runAll(atOnce = CLEAN_AT_ONCE): Promise<void> {
    const { session, jwt } = this.config.auth;
    // The last access token of a session opens the API for as long as it is good.
    const keptMs = Math.max(KEPT_MS, jwt.expiresIn * 1000);
    const now = this.clock.now();
    const { sql, values } = overCondition(session, now, keptMs);
    await this.remove('auth.sessions', 'id', sql, values, atOnce);
    const before = (ms: number) => [new Date(now.getTime() - ms)];
    await this.remove('auth.provider_flows', 'id', 'created_at < ?', before(FLOWS_KEPT_MS), atOnce);
    await this.remove('auth.mfa_challenges', 'id', 'created_at < ?', before(CHALLENGES_KEPT_MS), atOnce);
    const key = 'subject, purpose, source';
    await this.remove('auth.attempts', key, 'touched_at < ?', before(ATTEMPTS_KEPT_MS), atOnce);
  }

  private async remove(
    table: string,
    key: string,
    condition: string,
    values: readonly unknown[],
    atOnce: number,
  ): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    let count: number;
    do {
      // Those that somebody holds are in use, or another process removes them.
      const removed = await em.execute<unknown[]>(
        `delete from ${table} where (${key}) in (
           select ${key} from ${table} where ${condition} limit ? for update skip locked) returning 1`,
        [...values, atOnce],
      );
      count = removed.length;
    } while (count === atOnce && !this.hasEnded);
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.round = this.runAll()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'Sessions that are over could not be removed'))
        .finally(() => this.hasEnded || this.schedule(ROUND_MS));
    }, delayMs).unref();
  }
}
