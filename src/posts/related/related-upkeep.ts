import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ContentListener } from '../../database/content-listener.js';
import { RELATED_CHANNEL, relatePosts, tellOfRelated } from './related-posts.js';

/** After a change, or the start: several changes at once are seen to together. */
const PATIENCE_MS = 1_000;
/** The longest delay of what was left over: by a failure, or by a process that ended. */
const INTERVAL_MS = 60_000;

/** Finds related posts after the start and whenever published content changes anywhere, in one process at a time. */
@Injectable()
export class RelatedUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RelatedUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private interval: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isEnding = false;
  /** True while other processes do not know of posts that were found. */
  private isUntold = false;

  constructor(
    private readonly em: EntityManager,
    private readonly listener: ContentListener,
  ) {
    // Pages show something else then, though no post was changed.
    listener.onMessage(RELATED_CHANNEL, () => listener.tell());
  }

  onApplicationBootstrap(): void {
    this.listener.onChange(() => this.schedule());
    this.interval = setInterval(() => this.schedule(), INTERVAL_MS).unref();
    this.schedule();
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
      this.running = this.running.then(() => this.relate());
    }, PATIENCE_MS).unref();
  }

  private async relate(): Promise<void> {
    try {
      // Kept pages are made anew when all is done: after an upgrade that is every post there is.
      while (!this.isEnding && (await relatePosts(this.em))) this.isUntold = true;
      if (this.isUntold) await tellOfRelated(this.em);
      this.isUntold = false;
    } catch (error) {
      // The next round has the same to do.
      this.logger.warn({ err: error }, 'Related posts could not be found');
    }
  }
}
