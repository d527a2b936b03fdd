import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DeferredJobError, JobQueue, PermanentJobError, type RunningJob } from '../database/job-queue.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import { Clock } from '../shared/clock.js';
import { needsSmtpUtf8 } from '../shared/smtp-utf8.js';
import { SiteService } from '../site/site.service.js';
import { ACKNOWLEDGEMENT_QUEUE, ENQUIRY_QUEUE, type AcknowledgementJob, type EnquiryJob } from './enquiry-jobs.js';
import { acknowledgementLetter, enquiryLetter } from './enquiry-letters.js';
import { Enquiry, type EnquiryRow } from './enquiry.entity.js';
import { stateOf } from './enquiry.presenter.js';

/** As many as the transport has connections. */
const CONCURRENCY = 2;

/** Delivers enquiries to the company, and acknowledgements to those who wrote. */
@Injectable()
export class EnquiryWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(EnquiryWorker.name);

  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: JobQueue,
    private readonly sender: MailSenderService,
    private readonly site: SiteService,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work<EnquiryJob>(ENQUIRY_QUEUE, CONCURRENCY, (job) => this.deliver(job));
    // Also where acknowledgements are off: one that waits from before would count as a mail that is never delivered.
    await this.jobs.work<AcknowledgementJob>(ACKNOWLEDGEMENT_QUEUE, 1, (job) => this.acknowledge(job));
  }

  private async deliver({ data: { enquiryId, messageId }, signal }: RunningJob<EnquiryJob>): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    const wanted = { id: enquiryId, messageId, delivery: { $ne: 'sent' as const }, redactedAt: null };
    const enquiry = await em.findOne(Enquiry, wanted);
    // It was erased, or its time is over, or its mail is out already, or another mail took the place of this one.
    if (enquiry === null) return;
    try {
      await this.send(enquiry, signal);
    } catch (error) {
      // Without the cause: what servers answer repeats addresses.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ enquiry: enquiryId, reason }, 'An enquiry could not be delivered yet');
      const attempts = raw<number>('attempts + 1');
      await em.nativeUpdate(Enquiry, wanted, { delivery: 'failing', attempts, lastError: reason });
      if (error instanceof DeferredJobError) throw error;
      // Also what the server refused for good: its operator can mend that, and then the enquiry arrives.
      throw new Error(reason, { cause: error });
    }
    const attempts = raw<number>('attempts + 1');
    const sentAt = enquiry.sentAt ?? this.clock.now();
    await em.nativeUpdate(Enquiry, wanted, { delivery: 'sent', sentAt, attempts, lastError: null });
    // The mail server works: what waits for its next attempt need not wait longer.
    await this.jobs.hasten(em, ENQUIRY_QUEUE);
  }

  private async send(enquiry: EnquiryRow, signal: AbortSignal): Promise<void> {
    const { name, email, messageId } = enquiry;
    // The mail comes before the convenience: its letter says whom to write to.
    const replyTo = needsSmtpUtf8(email) ? {} : { replyTo: { name, address: email } };
    const envelope = { to: this.site.enquiriesTo, messageId, ...replyTo };
    await this.sender.sendLetter(envelope, enquiryLetter(enquiry, this.site.current), signal);
  }

  private async acknowledge({ id, data, signal }: RunningJob<AcknowledgementJob>): Promise<void> {
    if (!this.config.contact.isAcknowledged) return;
    const enquiry = await this.em.fork({ disableTransactions: true }).findOne(Enquiry, data.enquiryId);
    // It was erased, or marked as spam while the mail waited.
    if (enquiry === null || stateOf(enquiry) === 'spam') return;
    // Of the enquiry, which is known for longer than its job is: erasing it removes the captured mail by that.
    const envelope = { to: enquiry.email, messageId: this.sender.toMessageId(enquiry.id) };
    try {
      await this.sender.sendLetter(envelope, acknowledgementLetter(this.site.current), signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof PermanentJobError;
      this.logger.warn({ job: id, reason }, isFinal ? 'A mail was given up' : 'A mail could not be sent yet');
      throw error;
    }
  }
}
