import { EntityManager, LockMode, raw, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { JobQueue } from '../database/job-queue.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';
import { CapturedMailsService } from '../mail/captured-mails.service.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { EnquiryPage, EnquiryRecord, EnquiryState } from '../shared/contracts/enquiries.js';
import type { EnquiryQuery } from '../shared/contracts/enquiry-queries.js';
import { Clock } from '../shared/clock.js';
import { CSV_HEAD, toCsvLine } from './enquiry-csv.js';
import { ENQUIRY_QUEUE } from './enquiry-jobs.js';
import { toCursor, toPosition } from './enquiry-cursor.js';
import { Enquiry, type EnquiryRow } from './enquiry.entity.js';
import { RedactedEnquiryException, UnknownEnquiryException } from './enquiry.errors.js';
import { toEnquiryRecord } from './enquiry.presenter.js';

const EXPORT_BATCH = 500;
const newestFirst = { createdAt: 'desc', id: 'desc' } as const;

/** Lists, exports, resends and erases enquiries for administrators and operators. */
@Injectable()
export class EnquiriesService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly sender: MailSenderService,
    private readonly captured: CapturedMailsService,
    private readonly roles: RolesService,
    private readonly clock: Clock,
  ) {}

  /** A part of the enquiries, the newest first. @throws InvalidCursorException */
  async list(actor: Actor, { search, state, cursor, limit }: EnquiryQuery): Promise<EnquiryPage> {
    await this.roles.requireAdmin(actor);
    const conditions = [matching(search), inState(state), cursor === undefined ? {} : olderThan(cursor)];
    const options = { orderBy: newestFirst, limit: limit + 1 };
    const rows = await this.reader().find(Enquiry, { $and: conditions }, options);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map(toEnquiryRecord),
      next_cursor: rows.length > limit && last !== undefined ? toCursor(last) : null,
    };
  }

  /** @throws UnknownEnquiryException */
  async find(actor: Actor, id: string): Promise<EnquiryRecord> {
    await this.roles.requireAdmin(actor);
    const row = isUuid(id) ? await this.reader().findOne(Enquiry, { id }) : null;
    if (row === null) throw new UnknownEnquiryException();
    return toEnquiryRecord(row);
  }

  /**
   * Sends the mail now: one that the mail server has not taken yet is tried at once, one that it took goes out again,
   * as another mail.
   * @throws UnknownEnquiryException, RedactedEnquiryException
   */
  async resend(actor: Actor, id: string): Promise<EnquiryRecord> {
    return await this.change(actor, id, async (em, row) => {
      if (row.redactedAt != null) throw new RedactedEnquiryException();
      if (row.delivery === 'sent') {
        Object.assign(row, { delivery: 'waiting', messageId: this.sender.newMessageId(), sentAt: null });
        await em.flush();
      }
      const { messageId } = row;
      const queued = await this.jobs.findUnfinished(em, ENQUIRY_QUEUE, 'messageId', [messageId]);
      if (queued.has(messageId)) await this.jobs.hasten(em, ENQUIRY_QUEUE);
      else await this.jobs.send(em, ENQUIRY_QUEUE, { enquiryId: id, messageId });
    });
  }

  /** Ticks an enquiry off, or takes the tick back. @throws UnknownEnquiryException */
  async setHandled(actor: Actor, id: string, isHandled: boolean): Promise<EnquiryRecord> {
    return await this.change(actor, id, async (_em, row) => {
      if (isHandled === (row.handledAt != null)) return;
      row.handledAt = isHandled ? this.clock.now() : null;
      row.handledBy = isHandled && actor.kind === 'user' ? actor.userId : null;
    });
  }

  /** Removes an enquiry, its jobs and its captured mails for good. @throws UnknownEnquiryException */
  async erase(actor: Actor, id: string): Promise<void> {
    await this.roles.requireAdmin(actor);
    if (!isUuid(id) || (await this.eraseAll({ id })) === 0) throw new UnknownEnquiryException();
  }

  /** Every enquiry from an address. */
  async listFrom(actor: Actor, email: string): Promise<EnquiryRecord[]> {
    await this.roles.requireAdmin(actor);
    const rows = await this.reader().find(Enquiry, from(email), { orderBy: newestFirst });
    return rows.map(toEnquiryRecord);
  }

  /** Erases every enquiry from an address. @returns how many there were */
  async eraseFrom(actor: Actor, email: string): Promise<number> {
    await this.roles.requireAdmin(actor);
    return await this.eraseAll(from(email));
  }

  /**
   * Every enquiry, the newest first, as text in parts.
   * @param format CSV is safe to open in a spreadsheet
   */
  async *export(actor: Actor, format: 'csv' | 'json'): AsyncGenerator<string, void> {
    const isCsv = format === 'csv';
    yield isCsv ? CSV_HEAD : '[';
    let cursor: string | undefined;
    let count = 0;
    do {
      const page: EnquiryPage = await this.list(actor, { cursor, limit: EXPORT_BATCH });
      for (const record of page.items) {
        yield isCsv ? toCsvLine(record) : `${count === 0 ? '\n' : ',\n'}${JSON.stringify(record)}`;
        count += 1;
      }
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    if (!isCsv) yield count === 0 ? ']\n' : '\n]\n';
  }

  private async change(
    actor: Actor,
    id: string,
    task: (em: EntityManager, row: EnquiryRow) => Promise<void>,
  ): Promise<EnquiryRecord> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      const row = !isUuid(id) ? null : await em.findOne(Enquiry, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (row === null) throw new UnknownEnquiryException();
      await task(em, row);
      await em.flush();
      return toEnquiryRecord(row);
    });
  }

  private async eraseAll(where: FilterQuery<EnquiryRow>): Promise<number> {
    const rows = await this.em.fork().transactional(async (em) => {
      const found = await em.find(Enquiry, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const ids = found.map(({ id }) => id);
      await this.jobs.forget(em, 'enquiryId', ids);
      await em.nativeDelete(Enquiry, { id: { $in: ids } });
      return found;
    });
    await this.captured.removeByMessageId(rows.map(({ messageId }) => messageId));
    return rows.length;
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

/** The database refuses others instead of not finding them. */
function isUuid(id: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(id);
}

function from(email: string): FilterQuery<EnquiryRow> {
  return { [raw('lower(email)')]: email.trim().toLowerCase() };
}

function matching(search: string | undefined): FilterQuery<EnquiryRow> {
  const words = search?.replaceAll('\0', '').trim();
  if (!words) return {};
  return { [raw(SEARCH_TEXTS.enquiries)]: { $ilike: `%${words.replace(/[\\%_]/g, '\\$&')}%` } };
}

function inState(state: EnquiryState | undefined): FilterQuery<EnquiryRow> {
  if (state === undefined) return {};
  return state === 'handled' ? { handledAt: { $ne: null } } : { handledAt: null, delivery: state };
}

function olderThan(cursor: string): FilterQuery<EnquiryRow> {
  const { createdAt, id } = toPosition(cursor);
  return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] };
}
