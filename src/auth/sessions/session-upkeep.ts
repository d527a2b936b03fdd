import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Clock } from '../../shared/clock.js';
import { overCondition } from './session-limits.js';

const FIRST_MS = 60_000;
const ROUND_MS = 3_600_000;
/** Sessions that are over are kept for a day, so that whoever comes back is told so. */
const KEPT_MS = 24 * 3_600_000;
const CLEAN_AT_ONCE = 1_000;

/** Removes sessions that have been over for a day, and their tokens with them, in processes that serve. */
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
    const { sql, values } = overCondition(session, this.clock.now(), keptMs);
    const em = this.em.fork({ disableTransactions: true });
    let count: number;
    do {
      // Those that somebody holds are in use, or another process removes them.
      const removed = await em.execute<unknown[]>(
        `delete from auth.sessions where id in (
           select id from auth.sessions where ${sql} limit ? for update skip locked) returning id`,
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
