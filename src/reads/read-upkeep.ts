import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ReadsService } from './reads.service.js';

const INTERVAL_MS = 6 * 3_600_000;
const FIRST_MS = 60_000;

/** Sums up the reads of months that are over, in processes that serve. */
@Injectable()
export class ReadUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ReadUpkeep.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly reads: ReadsService) {}

  onApplicationBootstrap(): void {
    this.schedule(FIRST_MS);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.reads
        .sumUp()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'Reads of earlier months could not be summed up'))
        .finally(() => this.schedule(INTERVAL_MS));
    }, delayMs).unref();
  }
}
