import { EntityManager, LockMode, type FilterQuery } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { JobQueue } from '../database/job-queue.js';
import { CapturedMailsService } from '../mail/captured-mails.service.js';
import { Clock } from '../shared/clock.js';
import { SILENCING_REASONS } from '../shared/contracts/enquiries.js';
import { EnquiryAnswer } from './enquiry-answer.entity.js';
import { ANSWER_QUEUE, ENQUIRY_QUEUE } from './enquiry-jobs.js';
import { Enquiry, type EnquiryRow } from './enquiry.entity.js';

const ROUND_MS = 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;
const BATCH = 500;
/** The mails of those that a person has marked as spam, and of those whose sender is blocked, are held back. */
const isMailed: FilterQuery<EnquiryRow> = {
  $or: [{ spamReason: null }, { spamReason: { $nin: [...SILENCING_REASONS] } }],
};

/**
 * Runs when the server starts and every hour. Redacts messages whose retention has ended, and queues enquiries again
 * that are neither delivered nor in the queue, whatever happened to their jobs.
 */
@Injectable()
export class EnquiryUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(EnquiryUpkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: JobQueue,
    private readonly captured: CapturedMailsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const begin = () => {
      this.round = this.runAll().catch((error: unknown) => {
        // The next one comes.
        this.logger.error({ err: error }, 'The round over the enquiries failed');
      });
    };
    begin();
    this.timer = setInterval(begin, ROUND_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }

  /** Redacts and queues what is due now. */
  async runAll(): Promise<void> {
    await this.redactOld();
    await this.queueLost();
  }

  /** Removes the text of enquiries after their retention, the notes on it, and the keys that were made of it. */
  private async redactOld(): Promise<void> {
    const limit = new Date(this.clock.now().getTime() - this.config.contact.retentionDays * DAY_MS);
    await this.redact({ isKeptWhileOpen: true, closedAt: { $lt: limit } }, 'closedAt');
    // What was promised to those who wrote before the days counted from closing.
    await this.redact({ isKeptWhileOpen: false, sentAt: { $lt: limit } }, 'sentAt');
  }

  private async redact(where: FilterQuery<EnquiryRow>, since: 'closedAt' | 'sentAt'): Promise<void> {
    const redactedAt = this.clock.now();
    for (;;) {
      const messageIds = await this.em.fork().transactional(async (em) => {
        const rows = await em.find(
          Enquiry,
          { $and: [where, { redactedAt: null }] },
          { orderBy: { [since]: 'asc' }, limit: BATCH, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
        );
        for (const row of rows)
          Object.assign(row, { message: '', note: '', redactedAt, idempotencyKey: blankKey(row.id) });
        // Their mails may be under way still: there is nothing left to send.
        const ids = rows.map(({ id }) => id);
        await this.jobs.forget(em, 'enquiryId', ids);
        const answers = await em.find(EnquiryAnswer, { enquiry: { $in: ids } });
        for (const answer of answers) {
          answer.text = '';
          if (answer.delivery === 'sent') continue;
          Object.assign(answer, { delivery: 'refused', lastError: 'Its time was over before the mail could leave' });
        }
        return [...rows, ...answers].map(({ messageId }) => messageId);
      });
      await this.captured.removeByMessageId(messageIds);
      if (messageIds.length === 0) return;
    }
  }

  private async queueLost(): Promise<void> {
    let last: string | undefined;
    do last = await this.em.fork().transactional((em) => this.queueLostAfter(em, last));
    while (last !== undefined);
    await this.em.fork().transactional((em) => this.queueLostAnswers(em));
  }

  private async queueLostAnswers(em: EntityManager): Promise<void> {
    const where = { delivery: { $in: ['waiting' as const, 'failing' as const] } };
    const options = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE } as const;
    const rows = await em.find(EnquiryAnswer, where, options);
    const ids = rows.map(({ id }) => id);
    const queued = await this.jobs.findUnfinished(em, ANSWER_QUEUE, 'answerId', ids);
    for (const { id, enquiry } of rows) {
      if (!queued.has(id)) await this.jobs.send(em, ANSWER_QUEUE, { enquiryId: enquiry, answerId: id });
    }
  }

  /** @returns the id of the last enquiry of this batch, or undefined when there are no more */
  private async queueLostAfter(em: EntityManager, last: string | undefined): Promise<string | undefined> {
    const rows = await em.find(
      Enquiry,
      {
        $and: [
          isMailed,
          { delivery: { $ne: 'sent' }, redactedAt: null },
          last === undefined ? {} : { id: { $gt: last } },
        ],
      },
      // Rows that another process has locked are skipped: it takes care of them.
      { orderBy: { id: 'asc' }, limit: BATCH, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    const messageIds = rows.map(({ messageId }) => messageId);
    const queued = await this.jobs.findUnfinished(em, ENQUIRY_QUEUE, 'messageId', messageIds);
    for (const { id, messageId } of rows) {
      if (!queued.has(messageId)) await this.jobs.send(em, ENQUIRY_QUEUE, { enquiryId: id, messageId });
    }
    return rows.length < BATCH ? undefined : rows.at(-1)?.id;
  }
}

/** Replaces a key that was made of the message: unique, and tells nothing. */
function blankKey(id: string): string {
  return id.replaceAll('-', '').padEnd(64, '0');
}
