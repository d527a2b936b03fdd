import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ContentListener } from '../database/content-listener.js';
import { GateFullError } from '../shared/gate.js';
import { SiteService } from '../site/site.service.js';
import { ShareImagesService } from './share-images.service.js';

/** After a change, or the start: several changes at once are seen to together. */
const PATIENCE_MS = 2_000;
/** The longest delay of what was left over: by a failure, by too many uploads, or by a process that ended. */
const INTERVAL_MS = 60_000;
/** The longest pause between two groups of images. */
const MAX_PAUSE_MS = 5_000;

/** Has share images drawn after the start and whenever published content changes anywhere, in one process at a time. */
@Injectable()
export class ShareImageUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ShareImageUpkeep.name);
  private readonly stopping = new AbortController();
  private readonly isOn: boolean;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private running: Promise<void> | undefined;
  private lastReason = '';

  constructor(
    private readonly images: ShareImagesService,
    private readonly listener: ContentListener,
    private readonly site: SiteService,
    @Inject(CONFIG) config: Config,
  ) {
    this.isOn = config.site.hasShareImages;
  }

  onApplicationBootstrap(): void {
    if (!this.isOn) return;
    this.listener.onChange(() => this.schedule(PATIENCE_MS));
    // All of them say what the company is called.
    this.site.onChange(() => this.schedule(PATIENCE_MS));
    this.schedule(PATIENCE_MS);
  }

  /** Ends a drawing, which the next process takes up. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Keeps the earlier one of two times. A run that is under way is followed by the next. */
  private schedule(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (this.stopping.signal.aborted || dueAt >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(() => void this.start(), delayMs).unref();
  }

  private async start(): Promise<void> {
    await this.running;
    this.dueAt = Infinity;
    this.running = this.drawAll();
    await this.running;
    this.running = undefined;
    this.schedule(INTERVAL_MS);
  }

  /** Pauses for as long as it drew: thousands of imported posts take half a processor at most. */
  private async drawAll(): Promise<void> {
    const { signal } = this.stopping;
    try {
      while (!signal.aborted) {
        const startedAt = performance.now();
        if ((await this.images.drawSome(signal)) === 0) return;
        const pauseMs = Math.min(performance.now() - startedAt, MAX_PAUSE_MS);
        await delay(pauseMs, undefined, { signal, ref: false });
      }
    } catch (error) {
      if (!signal.aborted && !(error instanceof GateFullError)) this.complain(error);
    }
  }

  /** While the database is away the same is the case every minute. */
  private complain(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.lastReason) this.logger.warn({ err: error }, 'Share images could not be drawn');
    this.lastReason = reason;
  }
}
