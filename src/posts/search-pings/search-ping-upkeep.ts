import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ContentListener } from '../../database/content-listener.js';
import { JobQueue } from '../../database/job-queue.js';
import { SEARCH_PING_QUEUE, SearchPingsService } from './search-pings.service.js';

/** After a change: several changes at once are told together. */
const PATIENCE_MS = 5_000;
/** The longest delay of what was noted while a job ran, or by a process that ended. */
const INTERVAL_MS = 60_000;

/** Has search engines told after the start and whenever published content changes anywhere. */
@Injectable()
export class SearchPingUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SearchPingUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private interval: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isEnding = false;

  constructor(
    private readonly pings: SearchPingsService,
    private readonly jobs: JobQueue,
    private readonly listener: ContentListener,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.listener.onChange(() => this.schedule());
    this.interval = setInterval(() => this.schedule(), INTERVAL_MS).unref();
    this.run(true);
    await this.jobs.work(SEARCH_PING_QUEUE, 1, (job) => this.pings.tell(job));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.timer);
    clearInterval(this.interval);
    await this.running;
  }

  private schedule(): void {
    if (this.isEnding || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.run(false);
    }, PATIENCE_MS).unref();
  }

  private run(isAnew: boolean): void {
    this.running = this.running
      .then(() => this.pings.queue(isAnew))
      // The next round has the same to do.
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Telling search engines could not be queued'));
  }
}
