import { EntityManager, LockMode, raw, type FilterQuery } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { AuditDataService } from '../audit/audit-data.service.js';
import { AuditService, type AuditEvent } from '../audit/audit.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { JobQueue } from '../database/job-queue.js';
import { withTimeForPart } from '../database/pool/database-limits.js';
import { RateLimitsService } from '../http/rate-limits/rate-limits.service.js';
import { SEARCH_TEXTS } from '../shared/search-texts.js';
import { CapturedMailsService } from '../mail/captured-mails.service.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import {
  NO_ASSIGNEE,
  type EnquiryAssignee,
  type EnquiryCounts,
  type EnquiryPage,
  type EnquiryRecord,
  type EnquiryState,
} from '../shared/contracts/enquiries.js';
import type {
  ChangeEnquiryInput,
  EnquiryExportQuery,
  EnquiryFilterQuery,
  EnquiryQuery,
} from '../shared/contracts/enquiry-queries.js';
import { Clock } from '../shared/clock.js';
import { isUuid } from '../shared/uuid.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import { BYTE_ORDER_MARK, CSV_HEAD, toCsvLine } from './enquiry-csv.js';
import { EnquiryAnswer } from './enquiry-answer.entity.js';
import { toEnquiryEvent, toNewEnquiryMessage } from './enquiry-events.js';
import { toRecipientKey } from './enquiry-input.js';
import { ENQUIRY_QUEUE } from './enquiry-jobs.js';
import { toCursor, toPosition } from './enquiry-cursor.js';
import { Enquiry, type EnquiryRow } from './enquiry.entity.js';
import {
  EnquiryChangedException,
  RedactedEnquiryException,
  UnknownAssigneeException,
  UnknownEnquiryException,
} from './enquiry.errors.js';
import { stateOf, toEnquiryRecord } from './enquiry.presenter.js';

const EXPORT_BATCH = 500;
const NO_SUBJECT = { subjectType: 'enquiry', subjectId: '', subject: '' } as const;
const STATE_EVENTS = { open: 'reopened', answered: 'answered', closed: 'closed', spam: 'marked_spam' } as const;
const IN_STATE: Readonly<Record<EnquiryState, FilterQuery<EnquiryRow>>> = {
  new: { closedAt: null, answeredAt: null, openedAt: null },
  open: { closedAt: null, answeredAt: null, openedAt: { $ne: null } },
  answered: { closedAt: null, answeredAt: { $ne: null } },
  closed: { closedAt: { $ne: null }, spamReason: null },
  spam: { closedAt: { $ne: null }, spamReason: { $ne: null } },
};
/** The enquiries that lists show when nobody asks for a state. */
const NO_SPAM: FilterQuery<EnquiryRow> = { $or: [{ closedAt: null }, { spamReason: null }] };
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
    private readonly audit: AuditService,
    private readonly auditData: AuditDataService,
    private readonly webhooks: WebhooksService,
    private readonly limits: RateLimitsService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A part of the enquiries, the newest first; spam only where that is asked for. @throws InvalidCursorException */
  async list(actor: Actor, query: EnquiryQuery): Promise<EnquiryPage> {
    return await this.listAll(actor, query, query.state === undefined ? NO_SPAM : {});
  }

  private async listAll(
    actor: Actor,
    { cursor, limit, ...filter }: EnquiryQuery,
    condition: FilterQuery<EnquiryRow>,
  ): Promise<EnquiryPage> {
    await this.roles.requireAdmin(actor);
    const conditions = [condition, ...conditionsOf(filter), cursor === undefined ? {} : olderThan(cursor)];
    const options = { orderBy: newestFirst, limit: limit + 1 };
    const rows = await this.reader().find(Enquiry, { $and: conditions }, options);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      items: await this.presentAll(this.reader(), page),
      next_cursor: rows.length > limit && last !== undefined ? toCursor(last) : null,
    };
  }

  /** Counts the enquiries that wait for somebody. */
  async count(actor: Actor): Promise<EnquiryCounts> {
    await this.roles.requireAdmin(actor);
    const [row] = await this.reader().execute<{ new: number; open: number }[]>(
      `select count(*) filter (where opened_at is null)::int as new, count(opened_at)::int as open
       from enquiries where handled_at is null and answered_at is null`,
    );
    return { new: row?.new ?? 0, open: row?.open ?? 0 };
  }

  /** Everybody whom enquiries can be assigned to. */
  async listAssignees(actor: Actor): Promise<EnquiryAssignee[]> {
    const admins = await this.roles.listAdmins(actor);
    return admins.map(({ userId, email }) => ({ id: userId, email }));
  }

  /** @throws UnknownEnquiryException */
  async find(actor: Actor, id: string): Promise<EnquiryRecord> {
    await this.roles.requireAdmin(actor);
    const row = isUuid(id.toLowerCase()) ? await this.reader().findOne(Enquiry, { id }) : null;
    if (row === null) throw new UnknownEnquiryException();
    return await this.present(this.reader(), row);
  }

  /** An enquiry as administrators see it, with its answers. */
  async present(em: EntityManager, row: EnquiryRow): Promise<EnquiryRecord> {
    const [record] = await this.presentAll(em, [row]);
    return record as EnquiryRecord;
  }

  /**
   * Sends the mail now: one that the mail server has not taken yet is tried at once, one that it took goes out again,
   * as another mail, which takes the place of a captured one.
   * @throws UnknownEnquiryException, RedactedEnquiryException
   */
  async resend(actor: Actor, id: string): Promise<EnquiryRecord> {
    let replaced: readonly string[] = [];
    const record = await this.change(actor, id, async (em, row) => {
      if (row.redactedAt != null) throw new RedactedEnquiryException();
      if (row.delivery === 'sent') {
        replaced = [row.messageId];
        // For those from before the present rule, the days count from the first delivery, as they were promised.
        const sentAt = row.isKeptWhileOpen ? null : row.sentAt;
        Object.assign(row, { delivery: 'waiting', messageId: this.sender.newMessageId(), sentAt });
        await em.flush();
      }
      await this.audit.record(em, actor, toEnquiryEvent(row, 'enquiry.resent'));
      const { messageId } = row;
      const queued = await this.jobs.findUnfinished(em, ENQUIRY_QUEUE, 'messageId', [messageId]);
      if (queued.has(messageId)) await this.jobs.hasten(em, ENQUIRY_QUEUE);
      else await this.jobs.send(em, ENQUIRY_QUEUE, { enquiryId: id, messageId });
    });
    // Nothing names the former mail any more, so its copy would stay for good; its text is in the row.
    await this.captured.removeByMessageId(replaced);
    return record;
  }

  /** Notes that an administrator has opened an enquiry: it is no longer new. @throws UnknownEnquiryException */
  async open(actor: Actor, id: string): Promise<EnquiryRecord> {
    return await this.change(actor, id, async (_em, row) => {
      row.openedAt ??= this.clock.now();
    });
  }

  /**
   * Changes state, assignee and note.
   * @throws UnknownEnquiryException, EnquiryChangedException, UnknownAssigneeException, RedactedEnquiryException
   */
  async update(actor: Actor, id: string, input: ChangeEnquiryInput): Promise<EnquiryRecord> {
    return await this.change(actor, id, async (em, row) => {
      if (input.version !== row.version) throw new EnquiryChangedException(await this.present(em, row));
      const events = [
        ...(await this.changeState(em, actor, row, input.state)),
        ...(await this.changeAssignee(em, row, input.assignee_id)),
        ...changeNote(row, input.note),
      ];
      if (events.length === 0) return;
      row.openedAt ??= this.clock.now();
      row.version += 1;
      await this.audit.record(em, actor, ...events);
    });
  }

  /** Removes an enquiry, its jobs and its captured mails for good. @throws UnknownEnquiryException */
  async erase(actor: Actor, id: string): Promise<void> {
    await this.roles.requireAdmin(actor);
    if (!isUuid(id.toLowerCase()) || (await this.eraseAll({ id }, actor)) === 0) throw new UnknownEnquiryException();
  }

  /** Every enquiry from an address. */
  async listFrom(actor: Actor, email: string): Promise<EnquiryRecord[]> {
    await this.roles.requireAdmin(actor);
    const rows = await this.reader().find(Enquiry, from(email), { orderBy: newestFirst });
    return await this.presentAll(this.reader(), rows);
  }

  /** Erases every enquiry from an address. @returns how many there were */
  async eraseFrom(actor: Actor, email: string): Promise<number> {
    await this.roles.requireAdmin(actor);
    return await this.eraseAll(from(email), actor);
  }

  /**
   * The enquiries of a filter, spam among them, the newest first, as text in parts; CSV is safe to open in a spreadsheet. The activity
   * says so first.
   * @param isFile true for a file that is opened later: CSV begins with a byte order mark then
   */
  async *export(
    actor: Actor,
    { format, ...filter }: EnquiryExportQuery,
    isFile: boolean,
  ): AsyncGenerator<string, void> {
    await this.roles.requireAdmin(actor);
    await this.em.fork().transactional((em) => this.audit.record(em, actor, exportEventOf(format, filter)));
    const isCsv = format === 'csv';
    if (isCsv && isFile) yield BYTE_ORDER_MARK;
    yield isCsv ? CSV_HEAD : '[';
    let cursor: string | undefined;
    let count = 0;
    do {
      const part = { ...filter, cursor, limit: EXPORT_BATCH };
      const page: EnquiryPage = await withTimeForPart(() => this.listAll(actor, part, {}));
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
    const run = async (em: EntityManager) => {
      const row = !isUuid(id.toLowerCase())
        ? null
        : await em.findOne(Enquiry, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (row === null) throw new UnknownEnquiryException();
      await task(em, row);
      await em.flush();
      return await this.present(em, row);
    };
    return await twiceIfRaced(() => this.em.fork().transactional(run));
  }

  private async presentAll(em: EntityManager, rows: readonly EnquiryRow[]): Promise<EnquiryRecord[]> {
    if (rows.length === 0) return [];
    const where = { enquiry: { $in: rows.map(({ id }) => id) } };
    const answers = await em.find(EnquiryAnswer, where, { orderBy: { createdAt: 'asc', id: 'asc' } });
    const byEnquiry = Map.groupBy(answers, ({ enquiry }) => enquiry);
    const { retentionDays } = this.config.contact;
    return rows.map((row) => toEnquiryRecord(row, byEnquiry.get(row.id) ?? [], retentionDays));
  }

  private async changeState(
    em: EntityManager,
    actor: Actor,
    row: EnquiryRow,
    state: ChangeEnquiryInput['state'],
  ): Promise<AuditEvent[]> {
    const before = stateOf(row);
    if (state === undefined || state === before) return [];
    const now = this.clock.now();
    row.openedAt ??= now;
    const closedBy = actor.kind === 'user' ? actor.userId : null;
    if (before === 'spam') await this.release(em, row);
    if (state === 'spam') await this.markSpam(em, row, now);
    if (state === 'closed' || state === 'spam') Object.assign(row, { closedAt: now, closedBy });
    else Object.assign(row, { closedAt: null, closedBy: null, answeredAt: state === 'answered' ? now : null });
    // Opening a new one is no decision.
    if (before === 'new' && state === 'open') return [];
    return [toEnquiryEvent(row, before === 'spam' ? 'enquiry.unmarked_spam' : `enquiry.${STATE_EVENTS[state]}`)];
  }

  /** A mail that has not left is held back: nobody wants it, and what waits raises the alarm. */
  private async markSpam(em: EntityManager, row: EnquiryRow, now: Date): Promise<void> {
    Object.assign(row, { spamReason: 'marked', spamDecidedAt: now });
    if (row.delivery === 'sent') return;
    Object.assign(row, { delivery: 'waiting', lastError: null });
    await this.jobs.forget(em, 'messageId', [row.messageId]);
  }

  /** Takes an enquiry out of the spam; its mail leaves now, and the other system is told, where both were held back. */
  async release(em: EntityManager, row: EnquiryRow): Promise<void> {
    // What an administrator marked had been told when it came in.
    const isUntold = row.spamReason != null && row.spamReason !== 'marked';
    if (isUntold) await this.webhooks.enqueue(em, toNewEnquiryMessage(row.id, this.config.site.url));
    Object.assign(row, { spamReason: null, spamDecidedAt: this.clock.now() });
    if (row.delivery === 'sent' || row.redactedAt != null) return;
    const { id, messageId } = row;
    const queued = await this.jobs.findUnfinished(em, ENQUIRY_QUEUE, 'messageId', [messageId]);
    if (!queued.has(messageId)) await this.jobs.send(em, ENQUIRY_QUEUE, { enquiryId: id, messageId });
  }

  private async changeAssignee(
    em: EntityManager,
    row: EnquiryRow,
    assignee: string | null | undefined,
  ): Promise<AuditEvent[]> {
    if (assignee === undefined || assignee === (row.assignee ?? null)) return [];
    if (assignee !== null && !(await this.roles.isAdmin(assignee, em))) throw new UnknownAssigneeException();
    row.assignee = assignee;
    if (assignee === null) return [toEnquiryEvent(row, 'enquiry.unassigned')];
    const [user] = await em.execute<{ email: string | null }[]>('select email from auth.users where id = ?', [
      assignee,
    ]);
    return [toEnquiryEvent(row, 'enquiry.assigned', { to: user?.email ?? assignee })];
  }

  /** Erases; the log still says what was done and when, without a trace of the enquiry. */
  private async eraseAll(where: FilterQuery<EnquiryRow>, actor: Actor): Promise<number> {
    const { count, messageIds } = await this.em.fork().transactional(async (em) => {
      const found = await em.find(Enquiry, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const ids = found.map(({ id }) => id);
      const answers = await em.find(EnquiryAnswer, { enquiry: { $in: ids } });
      await this.jobs.forget(em, 'enquiryId', ids);
      await this.auditData.forgetEnquiries(em, ids);
      await this.webhooks.forgetEnquiries(em, ids);
      const events = ids.map(() => ({ action: 'enquiry.erased', ...NO_SUBJECT }));
      await this.audit.recordAll(em, actor, events);
      await em.nativeDelete(Enquiry, { id: { $in: ids } });
      for (const key of new Set(found.map(({ email }) => toRecipientKey(email)))) await this.limits.refill(em, key);
      const acknowledgements = ids.map((id) => this.sender.toMessageId(id));
      const messageIds = [...found, ...answers].map(({ messageId }) => messageId);
      return { count: ids.length, messageIds: [...messageIds, ...acknowledgements] };
    });
    await this.captured.removeByMessageId(messageIds);
    return count;
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

function from(email: string): FilterQuery<EnquiryRow> {
  return { [raw('lower(email)')]: email.trim().toLowerCase() };
}

function matching(search: string | undefined): FilterQuery<EnquiryRow> {
  const words = search?.replaceAll('\0', '').trim();
  if (!words) return {};
  return { [raw(SEARCH_TEXTS.enquiries)]: { $ilike: `%${words.replace(/[\\%_]/g, '\\$&')}%` } };
}

function conditionsOf({ search, state, assignee, delivery }: EnquiryFilterQuery): FilterQuery<EnquiryRow>[] {
  return [
    matching(search),
    state === undefined ? {} : IN_STATE[state],
    assignee === undefined ? {} : { assignee: assignee.toLowerCase() === NO_ASSIGNEE ? null : assignee },
    delivery === undefined ? {} : { delivery },
  ];
}

/** Says that words were searched for, and not which: they may be somebody's name. */
function exportEventOf(format: string, { search, state, assignee, delivery }: EnquiryFilterQuery): AuditEvent {
  const filter = { state, assignee, delivery, is_searched: search === undefined ? undefined : true };
  const entries = Object.entries({ format, ...filter }).filter((entry): entry is [string, string] => entry[1] != null);
  return { action: 'enquiry.exported', ...NO_SUBJECT, details: Object.fromEntries(entries) };
}

function changeNote(row: EnquiryRow, note: string | undefined): AuditEvent[] {
  const text = note?.replace(/\r\n?/g, '\n').trim();
  if (text === undefined || text === row.note) return [];
  if (row.redactedAt != null) throw new RedactedEnquiryException();
  row.note = text;
  return [toEnquiryEvent(row, 'enquiry.noted')];
}

function olderThan(cursor: string): FilterQuery<EnquiryRow> {
  const { createdAt, id } = toPosition(cursor);
  // As one comparison of rows it is where the index is read from; as two conditions, all that is newer was read as well.
  return { [raw('(created_at, id) < (?, ?)', [createdAt, id])]: [] };
}
