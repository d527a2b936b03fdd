import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { ChangeRounds } from '../../database/change-rounds.js';
import { ContentListener } from '../../database/content-listener.js';
import { JobQueue } from '../../database/job-queue.js';
import { SEARCH_PING_QUEUE, SearchPingsService } from './search-pings.service.js';

/** Has search engines told after the start and whenever published content changes anywhere, if anybody is told. */
@Injectable()
export class SearchPingUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SearchPingUpkeep.name);
  private readonly rounds: ChangeRounds;
  private isFirst = true;

  constructor(
    private readonly pings: SearchPingsService,
    private readonly jobs: JobQueue,
    @Inject(CONFIG) private readonly config: Config,
    listener: ContentListener,
  ) {
    this.rounds = new ChangeRounds(listener, { patience: 5_000, interval: 60_000 }, () => this.queue());
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.indexNow !== null) this.rounds.start(0);
    await this.jobs.work(SEARCH_PING_QUEUE, 1, (job) => this.pings.tell(job));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.end();
  }

  private async queue(): Promise<void> {
    try {
      await this.pings.queue(this.isFirst);
      this.isFirst = false;
    } catch (error) {
      this.logger.warn({ err: error }, 'Telling search engines could not be queued');
    }
  }
}
