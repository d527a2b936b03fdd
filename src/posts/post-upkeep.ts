import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { ContentNotifier } from '../database/content-notifier.js';
import { JobQueue } from '../database/job-queue.js';
import { Clock } from '../shared/clock.js';
import { refreshDerivedRows } from './derived-rows.js';
import { ReservedSlugsService } from './reserved-slugs.service.js';
import { PUBLISH_QUEUE, SchedulingService, type PublishJob } from './scheduling.service.js';
import { TrashService } from './trash.service.js';

/** The longest delay of due work that no job announced. */
const INTERVAL_MS = 60_000;

/**
 * Publishes what is due, empties the trash, moves posts whose slugs are reserved now and makes posts known to the search
 * and to the pages of their terms: when a job says so, at the start for what fell due while no process ran, and every
 * minute.
 */
@Injectable()
export class PostUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PostUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isEnding = false;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly notifier: ContentNotifier,
    private readonly scheduling: SchedulingService,
    private readonly trash: TrashService,
    private readonly reservedSlugs: ReservedSlugsService,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.runAll();
    // After an upgrade that is every post there is: nobody waits for it.
    this.running = this.refreshDerived();
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.runAll()).then(() => this.refreshDerived());
    }, INTERVAL_MS).unref();
    await this.jobs.work<PublishJob>(PUBLISH_QUEUE, 1, async ({ data }) => this.handleJob(data));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async handleJob({ postId, publishAt }: PublishJob): Promise<void> {
    // The clock of the database may be ahead of ours: then the job comes again a second later.
    if (new Date(publishAt) > this.clock.now()) throw new Error('It is not time yet');
    await this.scheduling.publishDue();
    // No other job announces it, and the next round is up to a minute away.
    if (await this.scheduling.isDue(postId)) throw new Error('Somebody is writing the post');
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

  private async refreshDerived(): Promise<void> {
    try {
      while (!this.isEnding && (await refreshDerivedRows(this.em, (em) => this.notifier.notifyChanged(em))));
    } catch (error) {
      // The next round has the same to do.
      this.logger.warn({ err: error }, 'Posts could not be made known to the search and to pages of their terms');
    }
  }
}
