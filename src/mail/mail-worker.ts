import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import { SiteService } from '../site/site.service.js';
import type { AccountNoticeJob, AuthMailJob, GuessNoticeJob, MailJob } from './mail-job.js';
import { MailSenderService } from './mail-sender.service.js';
import { MAIL_QUEUE, MailService } from './mail.service.js';
import { renderAccountNotice } from './templates/account-notice.js';
import { renderAuthMail } from './templates/auth-mail.js';
import { renderGuessNotice } from './templates/guess-notice.js';
import type { MailContent } from './transport/mail-transport.js';

const CONCURRENCY = 2;

interface WrittenMail {
  readonly to: string;
  readonly content: MailContent;
}

/** Turns queued jobs into mails and sends them. */
@Injectable()
export class MailWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(MailWorker.name);

  constructor(
    private readonly jobs: JobQueue,
    private readonly mails: MailService,
    private readonly sender: MailSenderService,
    private readonly site: SiteService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<MailJob>(MAIL_QUEUE, CONCURRENCY, (job) => this.deliver(job));
  }

  private async deliver({ id, data, signal }: RunningJob<MailJob>): Promise<void> {
    try {
      const mail = await this.write(data, id);
      // It is no longer wanted.
      if (mail === null) return;
      await this.sender.send({ to: mail.to, messageId: this.sender.toMessageId(id) }, mail.content, signal);
    } catch (error) {
      // Without the cause: what servers answer repeats addresses.
      const reason = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof PermanentJobError;
      this.logger.warn({ job: id, reason }, isFinal ? 'A mail was given up' : 'A mail could not be sent yet');
      throw error;
    }
  }

  private async write(job: MailJob, id: string): Promise<WrittenMail | null> {
    switch (job.kind) {
      case 'auth':
        return await this.writeAuthMail(job, id);
      case 'guesses':
        return await this.writeGuessNotice(job);
      case 'account':
        return await this.writeAccountNotice(job);
    }
  }

  private async writeAuthMail(job: AuthMailJob, id: string): Promise<WrittenMail | null> {
    const token = await this.mails.mintToken(job, id);
    return token && { to: token.to, content: renderAuthMail(job, token, this.site.current) };
  }

  private async writeAccountNotice(job: AccountNoticeJob): Promise<WrittenMail | null> {
    const address = await this.mails.findAddress(job.userId);
    // The address may have gone with the identity that the mail is about.
    const to = address === null && job.event.kind !== 'identity_unlinked' ? null : (job.formerAddress ?? address);
    return to === null ? null : { to, content: renderAccountNotice(job, address, this.site.current) };
  }

  private async writeGuessNotice({ userId }: GuessNoticeJob): Promise<WrittenMail | null> {
    const to = await this.mails.findAddress(userId);
    return to === null ? null : { to, content: renderGuessNotice(this.site.current) };
  }
}
