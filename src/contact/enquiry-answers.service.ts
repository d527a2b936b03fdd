import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { JobQueue } from '../database/job-queue.js';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { EnquiryRecord } from '../shared/contracts/enquiries.js';
import type { EnquiryAnswerInput } from '../shared/contracts/enquiry-queries.js';
import { EnquiriesService } from './enquiries.service.js';
import { EnquiryAnswer } from './enquiry-answer.entity.js';
import { toEnquiryEvent } from './enquiry-events.js';
import { ANSWER_QUEUE } from './enquiry-jobs.js';
import { Enquiry, type EnquiryRow } from './enquiry.entity.js';
import { stateOf } from './enquiry.presenter.js';
import {
  AnswerExistsException,
  EnquiryChangedException,
  RedactedEnquiryException,
  UnknownAnswerException,
  UnknownEnquiryException,
} from './enquiry.errors.js';

/** An answer that somebody sent, for who asks what is kept about them; its words are about somebody else. */
export interface WrittenAnswer {
  readonly id: string;
  readonly enquiry_id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** Answers enquiries by mail. A worker of a server process sends the mails. */
@Injectable()
export class EnquiryAnswersService {
  constructor(
    private readonly em: EntityManager,
    private readonly enquiries: EnquiriesService,
    private readonly jobs: JobQueue,
    private readonly sender: MailSenderService,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends an answer to whoever wrote; the enquiry is answered from now on, also one that was closed. Sent again with
   * the same id and words, it changes nothing.
   * @param answerId made by the writer
   * @throws UnknownEnquiryException, EnquiryChangedException, RedactedEnquiryException, AnswerExistsException
   */
  async answer(actor: Actor, id: string, answerId: string, input: EnquiryAnswerInput): Promise<EnquiryRecord> {
    await this.roles.requireAdmin(actor);
    const text = input.text.replace(/\r\n?/g, '\n').trim();
    await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        const row = await lock(em, id);
        const sent = await em.findOne(EnquiryAnswer, { id: answerId });
        if (sent?.enquiry === row.id && sent.text === text) return;
        if (sent !== null) throw new AnswerExistsException();
        if (row.redactedAt != null) throw new RedactedEnquiryException();
        if (input.version !== row.version) throw new EnquiryChangedException(await this.enquiries.present(em, row));
        const now = this.clock.now();
        em.create(EnquiryAnswer, {
          id: answerId,
          enquiry: row.id,
          author: actor.kind === 'user' ? actor.userId : null,
          text,
          delivery: 'waiting',
          messageId: this.sender.newMessageId(),
          createdAt: now,
        });
        // Nobody answers spam.
        if (stateOf(row) === 'spam') await this.enquiries.release(em, row);
        row.openedAt ??= now;
        Object.assign(row, { answeredAt: now, closedAt: null, closedBy: null, version: row.version + 1 });
        await em.flush();
        await this.audit.record(em, actor, toEnquiryEvent(row, 'enquiry.answered_by_mail'));
        await this.jobs.send(em, ANSWER_QUEUE, { enquiryId: row.id, answerId });
      }),
    );
    return await this.enquiries.find(actor, id);
  }

  /** Lists the answers that these accounts sent, the oldest first. The caller has checked the actor. */
  async listWritten(userIds: readonly string[]): Promise<WrittenAnswer[]> {
    const em = this.em.fork({ disableTransactions: true });
    const orderBy = { createdAt: 'asc', id: 'asc' } as const;
    const answers = await em.find(EnquiryAnswer, { author: { $in: [...userIds] } }, { orderBy });
    return answers.map(({ id, enquiry, createdAt }) => ({
      id,
      enquiry_id: enquiry,
      created_at: createdAt.toISOString(),
    }));
  }

  /**
   * Sends an answer that did not leave yet now; one that was refused is tried once more.
   * @throws UnknownEnquiryException, UnknownAnswerException, RedactedEnquiryException
   */
  async retry(actor: Actor, id: string, answerId: string): Promise<EnquiryRecord> {
    await this.roles.requireAdmin(actor);
    await this.em.fork().transactional(async (em) => {
      const row = await lock(em, id);
      if (row.redactedAt != null) throw new RedactedEnquiryException();
      const answer = await em.findOne(EnquiryAnswer, { id: answerId, enquiry: id });
      if (answer === null) throw new UnknownAnswerException();
      if (answer.delivery === 'sent') return;
      if (answer.delivery === 'refused') answer.delivery = 'waiting';
      await em.flush();
      const queued = await this.jobs.findUnfinished(em, ANSWER_QUEUE, 'answerId', [answerId]);
      if (queued.has(answerId)) await this.jobs.hasten(em, ANSWER_QUEUE);
      else await this.jobs.send(em, ANSWER_QUEUE, { enquiryId: id, answerId });
    });
    return await this.enquiries.find(actor, id);
  }
}

async function lock(em: EntityManager, id: string): Promise<EnquiryRow> {
  const row = await em.findOne(Enquiry, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (row === null) throw new UnknownEnquiryException();
  return row;
}
