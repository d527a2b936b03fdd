import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import { isPlainAddress } from './mail-address.js';
import type { MailJob } from './mail-job.js';
import { MAIL_QUEUE, MailService } from './mail.service.js';
import { renderAuthMail } from './templates/auth-mail.js';
import { MAIL_TRANSPORT, type MailContent, type MailTransport } from './transport/mail-transport.js';

const CONCURRENCY = 2;

/** Turns queued jobs into mails and hands them to the transport. */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MailWorker.name);

  constructor(
    private readonly jobs: JobQueue,
    private readonly mails: MailService,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<MailJob>(MAIL_QUEUE, CONCURRENCY, (job) => this.deliver(job));
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  private async deliver(job: RunningJob<MailJob>): Promise<void> {
    try {
      const mail = await this.compose(job);
      if (!mail) return;
      // Also what was accepted into the database long ago, by other rules, gets no further.
      if (!isPlainAddress(mail.to)) throw new PermanentJobError('The address is not a plain one');
      const { from } = this.config.mail;
      const messageId = `<${job.id}@${from.address.split('@').at(-1)}>`;
      await this.transport.send({ ...mail, id: job.id, messageId, from }, job.signal);
    } catch (error) {
      // Without the cause: what servers answer repeats addresses.
      const reason = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof PermanentJobError;
      this.logger.warn({ job: job.id, reason }, isFinal ? 'A mail was given up' : 'A mail could not be sent yet');
      throw error;
    }
  }

  /** @returns null when the mail is no longer wanted */
  private async compose({ id, data }: RunningJob<MailJob>): Promise<(MailContent & { readonly to: string }) | null> {
    const token = await this.mails.mintToken(data, id);
    return token && { ...renderAuthMail(data, token, this.config.site), to: token.to };
  }
}
