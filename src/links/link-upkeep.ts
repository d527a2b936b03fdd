import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ContentListener } from '../database/content-listener.js';
import { UPKEEP_LIMITS, withDatabaseLimits } from '../database/pool/database-limits.js';
import { LinksService } from './links.service.js';

/** After a change, or the start: several changes at once are seen to together. */
const PATIENCE_MS = 2_000;
/** Between two rounds, for drafts and what a failure left over. */
const INTERVAL_MS = 60_000;
/** Rounds after which links are followed although nobody told of a change. */
const ROUNDS_BETWEEN = 60;

/** Has links followed after the start and whenever published content changes anywhere, in one process at a time. */
@Injectable()
export class LinkUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LinkUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isEnding = false;
  private round = 0;
  /** When something changed that links lead to; null once they were followed since. */
  private changedAt: number | null = null;

  constructor(
    private readonly links: LinksService,
    private readonly listener: ContentListener,
  ) {}

  onApplicationBootstrap(): void {
    this.listener.onChange(() => this.noteChange());
    this.noteChange();
  }

  /** Ends after the posts that are being looked at. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private noteChange(): void {
    const isAwaited = this.changedAt !== null;
    this.changedAt = performance.now();
    if (!isAwaited) this.schedule(PATIENCE_MS);
  }

  /** A round that is under way is followed by the next. */
  private schedule(delayMs: number): void {
    if (this.isEnding) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.running.then(() => this.lookThrough());
    }, delayMs).unref();
  }

  private async lookThrough(): Promise<void> {
    this.round += 1;
    if (this.round % ROUNDS_BETWEEN === 0) this.changedAt ??= performance.now();
    const { changedAt } = this;
    this.changedAt = null;
    try {
      await withDatabaseLimits(UPKEEP_LIMITS, async () => {
        await this.links.readAllChanged(() => !this.isEnding);
        if (changedAt === null) return;
        // Others that heard of the same change, and come later, find nothing left to do.
        const since = await this.links.timeBefore(performance.now() - changedAt);
        while (!this.isEnding && (await this.links.followAgain(since)));
      });
    } catch (error) {
      // The next round has the same to do.
      this.changedAt ??= changedAt;
      this.logger.warn({ err: error }, 'Links of posts could not be followed');
    } finally {
      if (this.changedAt === null || this.changedAt === changedAt) this.schedule(INTERVAL_MS);
    }
  }
}
