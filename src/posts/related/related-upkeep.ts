import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ChangeRounds } from '../../database/change-rounds.js';
import { ContentListener } from '../../database/content-listener.js';
import { RELATED_CHANNEL, relatePosts, tellOfRelated } from './related-posts.js';

/** Finds related posts after the start and whenever published content changes anywhere, in one process at a time. */
@Injectable()
export class RelatedUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RelatedUpkeep.name);
  private readonly rounds: ChangeRounds;
  /** True while other processes do not know of posts that were found. */
  private isUntold = false;

  constructor(
    private readonly em: EntityManager,
    listener: ContentListener,
  ) {
    // Pages show something else then, though no post was changed.
    listener.onMessage(RELATED_CHANNEL, () => listener.tell());
    this.rounds = new ChangeRounds(listener, { patience: 1_000, interval: 60_000 }, () => this.relate());
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.end();
  }

  private async relate(): Promise<void> {
    try {
      // Kept pages are made anew when all is done: after an upgrade that is every post there is.
      while (!this.rounds.isEnding && (await relatePosts(this.em))) this.isUntold = true;
      if (this.isUntold) await tellOfRelated(this.em);
      this.isUntold = false;
    } catch (error) {
      this.logger.warn({ err: error }, 'Related posts could not be found');
    }
  }
}
