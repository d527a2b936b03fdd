import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { WebhooksService } from './webhooks.service.js';

const FIRST_MS = 60_000;
const INTERVAL_MS = 3_600_000;

/** Removes messages that the log keeps no longer, every hour: the next one does so as well, and may never come. */
@Injectable()
export class WebhookUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(WebhookUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private hasEnded = false;

  constructor(private readonly webhooks: WebhooksService) {}

  onApplicationBootstrap(): void {
    this.schedule(FIRST_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.hasEnded = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.round = this.webhooks
        .forgetOld()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'Old messages could not be removed'))
        .finally(() => this.hasEnded || this.schedule(INTERVAL_MS));
    }, delayMs).unref();
  }
}
