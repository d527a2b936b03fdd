import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import { Clock } from '../shared/clock.js';
import { SiteService } from '../site/site.service.js';
import { EnquiryAnswer, type EnquiryAnswerRow } from './enquiry-answer.entity.js';
import { ANSWER_QUEUE, type AnswerJob } from './enquiry-jobs.js';
import { answerLetter } from './enquiry-letters.js';
import { Enquiry, type EnquiryRow } from './enquiry.entity.js';

/** Delivers the answers of administrators to those who wrote. */
@Injectable()
export class AnswerWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(AnswerWorker.name);

  constructor(
    private readonly em: EntityManager,
    private readonly site: SiteService,
    private readonly jobs: JobQueue,
    private readonly sender: MailSenderService,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<AnswerJob>(ANSWER_QUEUE, 1, (job) => this.deliver(job));
  }

  private async deliver({ data: { enquiryId, answerId }, signal }: RunningJob<AnswerJob>): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    const wanted = { id: answerId, delivery: { $in: ['waiting' as const, 'failing' as const] } };
    const answer = await em.findOne(EnquiryAnswer, wanted);
    const enquiry = await em.findOne(Enquiry, { id: enquiryId, redactedAt: null });
    // It was erased, or its time is over, or the mail is out already.
    if (answer === null || enquiry === null) return;
    const attempts = raw<number>('attempts + 1');
    try {
      await this.send(em, enquiry, answer, signal);
    } catch (error) {
      // Without the cause: what servers answer repeats addresses.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ answer: answerId, reason }, 'An answer could not be delivered');
      const delivery = error instanceof PermanentJobError ? 'refused' : 'failing';
      await em.nativeUpdate(EnquiryAnswer, wanted, { delivery, attempts, lastError: reason });
      throw error;
    }
    await em.nativeUpdate(EnquiryAnswer, wanted, {
      delivery: 'sent',
      sentAt: this.clock.now(),
      attempts,
      lastError: null,
    });
    await this.jobs.hasten(em, ANSWER_QUEUE);
  }

  private async send(
    em: EntityManager,
    enquiry: EnquiryRow,
    { text, messageId, createdAt }: EnquiryAnswerRow,
    signal: AbortSignal,
  ): Promise<void> {
    const site = this.site.current;
    const where = { enquiry: enquiry.id, createdAt: { $lt: createdAt } };
    const earlier = await em.find(EnquiryAnswer, where, { orderBy: { createdAt: 'asc' } });
    await this.sender.sendLetter(
      {
        to: enquiry.email,
        // Where enquiries arrive. The mail programs of the company know the first of these mails and show them together.
        replyTo: { name: site.name, address: this.site.enquiriesTo },
        messageId,
        answers: [enquiry.messageId, ...earlier.map((one) => one.messageId)],
        isPersonal: true,
      },
      answerLetter(text, enquiry, site),
      signal,
    );
  }
}
