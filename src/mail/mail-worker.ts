import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import type { MailJob } from './mail-job.js';
import { MailSenderService } from './mail-sender.service.js';
import { MAIL_QUEUE, MailService } from './mail.service.js';
import { renderAuthMail } from './templates/auth-mail.js';

const CONCURRENCY = 2;

/** Turns queued jobs into mails and sends them. */
@Injectable()
export class MailWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(MailWorker.name);

  constructor(
    private readonly jobs: JobQueue,
    private readonly mails: MailService,
    private readonly sender: MailSenderService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<MailJob>(MAIL_QUEUE, CONCURRENCY, (job) => this.deliver(job));
  }

  private async deliver({ id, data, signal }: RunningJob<MailJob>): Promise<void> {
    try {
      const token = await this.mails.mintToken(data, id);
      // It is no longer wanted.
      if (token === null) return;
      const envelope = { to: token.to, messageId: this.sender.toMessageId(id) };
      await this.sender.send(envelope, renderAuthMail(data, token, this.config.site), signal);
    } catch (error) {
      // Without the cause: what servers answer repeats addresses.
      const reason = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof PermanentJobError;
      this.logger.warn({ job: id, reason }, isFinal ? 'A mail was given up' : 'A mail could not be sent yet');
      throw error;
    }
  }
}
