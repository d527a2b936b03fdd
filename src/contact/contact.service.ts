import { randomUUID } from 'node:crypto';
import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { HttpException, Inject, Injectable } from '@nestjs/common';
import { assertStorable } from '../http/input-gate.js';
import { RateLimitsService } from '../http/rate-limits/rate-limits.service.js';
import { OutageException, toAnswerable } from '../http/outage.errors.js';
import type { SubmissionFacts } from '../http/submission.decorator.js';
import { CONFIG, type Config } from '../config/config.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { JobQueue } from '../database/job-queue.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import type { ContactEnquiry } from '../shared/contracts/contact.js';
import type { SpamReason } from '../shared/contracts/enquiries.js';
import type { RefusedForm } from '../shared/contracts/contact-form.js';
import { Clock } from '../shared/clock.js';
import { SiteService } from '../site/site.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { assertPerson } from './person.guard.js';
import { cleanEnquiry, findProblems, toEnquiryNames, toRecipientKey, type EnquiryNames } from './enquiry-input.js';
import { ACKNOWLEDGEMENT_QUEUE, ENQUIRY_QUEUE } from './enquiry-jobs.js';
import { toNewEnquiryMessage } from './enquiry-events.js';
import { Enquiry } from './enquiry.entity.js';
import { SpamService } from './spam.service.js';
import { InvalidEnquiryException, TooManyEnquiriesException } from './enquiry.errors.js';

/** Takes enquiries in. */
@Injectable()
export class ContactService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: JobQueue,
    private readonly sender: MailSenderService,
    private readonly site: SiteService,
    private readonly limits: RateLimitsService,
    private readonly spam: SpamService,
    private readonly webhooks: WebhooksService,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores an enquiry and its delivery in one transaction: when this resolves, it will arrive. One that was handed in
   * already is not stored again.
   * @param enquiry clean and checked
   * @throws TooManyEnquiriesException, OutageException
   */
  async submit(enquiry: ContactEnquiry, submission: SubmissionFacts): Promise<void> {
    try {
      await this.accept(enquiry, submission);
    } catch (thrown) {
      const error = toAnswerable(thrown, this.config);
      throw error instanceof OutageException ? error.inWords(this.otherWays()) : error;
    }
  }

  private async accept(enquiry: ContactEnquiry, submission: SubmissionFacts): Promise<void> {
    const names = toEnquiryNames(enquiry, submission.key, this.clock.now());
    const em = this.em.fork({ disableTransactions: true });
    if (await isStored(em, names)) return;
    await this.count(em, submission.ip);
    const spamReason = await this.spam.judge(em, enquiry);
    try {
      await this.store(enquiry, names, spamReason);
    } catch (error) {
      // The same was stored in the meantime.
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
    }
  }

  /**
   * Takes in what a form without scripts sent: checks it as the pipes and the guard of the API do.
   * @throws UnstorableInputException, SuspectedProgramException, InvalidEnquiryException, TooManyEnquiriesException
   */
  async submitForm(body: unknown, submission: SubmissionFacts): Promise<void> {
    assertStorable(body);
    assertPerson(body, submission);
    const enquiry = cleanEnquiry(body);
    const problems = findProblems(enquiry);
    if (problems !== null) throw new InvalidEnquiryException(problems);
    await this.submit(enquiry, submission);
  }

  /** Describes a refused enquiry for a page without scripts: the status, and everything that was typed. */
  describeRefusal(body: unknown, error: unknown): { readonly status: number; readonly form: RefusedForm } {
    const enquiry = cleanEnquiry(body);
    const { status, message } = explain(toAnswerable(error, this.config));
    return { status, form: { values: { ...enquiry }, problems: findProblems(enquiry) ?? {}, message } };
  }

  private otherWays(): string {
    const { phone, email } = this.site.current;
    return `We couldn’t take your message just now. Please try again in a few minutes, call ${phone}, or write to ${email}.`;
  }

  private async store(enquiry: ContactEnquiry, names: EnquiryNames, spamReason: SpamReason | null) {
    const id = randomUUID();
    const messageId = this.sender.newMessageId();
    const [idempotencyKey] = names.keys;
    await this.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?, hashtext(?))', [ADVISORY_LOCKS.enquiry, names.lock]);
      // The same was stored in the meantime, maybe in another period.
      if (await isStored(em, names)) return;
      const createdAt = this.clock.now();
      const kept = { idempotencyKey, messageId, delivery: 'waiting', createdAt, isKeptWhileOpen: true } as const;
      const closed = spamReason === null ? {} : { spamReason, closedAt: createdAt };
      await em.insert(Enquiry, { id, ...enquiry, ...kept, ...closed });
      if (spamReason === 'sender') return;
      await this.jobs.send(em, ENQUIRY_QUEUE, { enquiryId: id, messageId });
      if (spamReason !== null) return;
      await this.webhooks.enqueue(em, toNewEnquiryMessage(id, this.config.site.url));
      // Last, as others who write from that address wait for it, and here, as what is not stored uses nothing up.
      if (!(await this.mayAcknowledge(em, enquiry.email))) return;
      await this.jobs.send(em, ACKNOWLEDGEMENT_QUEUE, { enquiryId: id });
    });
  }

  /** Counts before the transaction: nobody may wait for the overall bucket until somebody else commits. */
  private async count(em: EntityManager, ip: string): Promise<void> {
    const { address, overall } = this.config.contact.limits;
    const isAdmitted =
      (await this.limits.take(em, address, `contact:${this.limits.keyOf(ip)}`)) &&
      (await this.limits.take(em, overall, 'contact'));
    if (!isAdmitted) throw new TooManyEnquiriesException(this.site.current.phone);
  }

  private async mayAcknowledge(em: EntityManager, email: string): Promise<boolean> {
    const { isAcknowledged, limits } = this.config.contact;
    return isAcknowledged && (await this.limits.take(em, limits.recipient, toRecipientKey(email)));
  }
}

async function isStored(em: EntityManager, { keys }: EnquiryNames): Promise<boolean> {
  return (await em.count(Enquiry, { idempotencyKey: { $in: [...keys] } })) > 0;
}

function explain(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof InvalidEnquiryException) {
    return { status: 400, message: 'Your message was not sent yet. Please look at what is marked below.' };
  }
  if (error instanceof HttpException) return { status: error.getStatus(), message: error.message };
  return { status: 500, message: 'An unexpected error occurred. Please try again later.' };
}
