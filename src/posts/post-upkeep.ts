import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { JobQueue } from '../database/job-queue.js';
import { Clock } from '../shared/clock.js';
import { ReservedSlugsService } from './reserved-slugs.service.js';
import { PUBLISH_QUEUE, SchedulingService, type PublishJob } from './scheduling.service.js';
import { TrashService } from './trash.service.js';

/** The longest delay of due work that no job announced. */
const INTERVAL_MS = 60_000;

/**
 * Publishes what is due, empties the trash and moves posts whose slugs are reserved now: when a job says so, at the start for what fell due while no process
 * ran, and every minute.
 */
@Injectable()
export class PostUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PostUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly jobs: JobQueue,
    private readonly scheduling: SchedulingService,
    private readonly trash: TrashService,
    private readonly reservedSlugs: ReservedSlugsService,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.runAll();
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.runAll());
    }, INTERVAL_MS).unref();
    await this.jobs.work<PublishJob>(PUBLISH_QUEUE, 1, async ({ data }) => this.handleJob(data));
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async handleJob({ publishAt }: PublishJob): Promise<void> {
    // The clock of the database may be ahead of ours: then the job comes again a second later.
    if (new Date(publishAt) > this.clock.now()) throw new Error('It is not time yet');
    await this.scheduling.publishDue();
  }

  private async runAll(): Promise<void> {
    try {
      await this.scheduling.publishDue();
      await this.trash.purge();
      await this.reservedSlugs.movePosts();
    } catch (error) {
      // The next round has the same to do.
      this.logger.warn({ err: error }, 'Posts that are due could not be seen to');
    }
  }
}
