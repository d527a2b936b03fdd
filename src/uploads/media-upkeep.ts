import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { MediaCheckService } from './media-check.service.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { UPKEEP_LIMITS, withDatabaseLimits } from '../database/pool/database-limits.js';
import { MediaSweepService } from './media-sweep.service.js';

/** After the start, when the process has better things to do. */
const FIRST_MS = 60_000;
const INTERVAL_MS = 86_400_000;

/** Sweeps and checks the media soon after the start and then once a day, in one process at a time. */
@Injectable()
export class MediaUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MediaUpkeep.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly sweeper: MediaSweepService,
    private readonly checker: MediaCheckService,
  ) {}

  onApplicationBootstrap(): void {
    // Removes files that a killed process left half written.
    this.running = this.sweeper
      .removeAbandoned()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Unfinished files could not be removed'));
    this.schedule(FIRST_MS);
  }

  /** Lets a sweep end at its next step. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Sweeps, unless another process does at this moment. */
  async sweepAlone(): Promise<void> {
    await withDatabaseLimits(UPKEEP_LIMITS, () => this.sweepLocked());
  }

  private async sweepLocked(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [lock] = await em.execute<{ held: boolean }[]>('select pg_try_advisory_xact_lock(?) as held', [
        ADVISORY_LOCKS.mediaSweep,
      ]);
      if (!lock?.held) return;
      await this.sweeper.sweep(this.stopping.signal);
      const { images, lacking } = await this.checker.check({ isQuick: true, signal: this.stopping.signal });
      const advice = 'npm run cli -- media check names them';
      if (lacking > 0) this.logger.error({ images, lacking, advice }, 'Images have lost files');
    });
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.sweepAlone().catch((error: unknown) => {
        // The next one has the same to do.
        if (!this.stopping.signal.aborted) this.logger.warn({ err: error }, 'The media could not be swept and checked');
      });
      this.schedule(INTERVAL_MS);
    }, delayMs).unref();
  }
}
