import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { AuditEntry, AuditPage } from '../shared/contracts/admin-posts.js';
import { AuditRecord, type AuditRecordRow } from './audit-entry.entity.js';

/** Which lines of the audit log are wanted; what is undefined narrows nothing. */
export interface AuditQuery {
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  /** An email address as it was at the time, or `operator` or `system`. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** The last line of the page before. */
  readonly cursor?: string | undefined;
  /** 50 unless it says otherwise. */
  readonly limit?: number | undefined;
}

const PAGE_SIZE = 50;
const ID = /^[1-9]\d{0,17}$/;

/** Reads the audit log. For administrators. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
  ) {}

  /** Some lines, newest first. @throws UnprocessableEntityException `invalid_query` for a cursor that is none */
  async list(actor: Actor, query: AuditQuery): Promise<AuditPage> {
    await this.roles.requireAdmin(actor);
    const limit = query.limit ?? PAGE_SIZE;
    const rows = await this.em
      .fork({ disableTransactions: true })
      .find(AuditRecord, toConditions(query), { orderBy: { id: 'desc' }, limit: limit + 1 });
    const items = rows.slice(0, limit).map(toAuditEntry);
    return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }
}

function toConditions({ subjectType, subjectId, actor, action, cursor }: AuditQuery) {
  if (cursor !== undefined && !ID.test(cursor)) {
    throw new UnprocessableEntityException({ code: 'invalid_query', message: 'The cursor is not valid' });
  }
  return {
    ...(subjectType === undefined ? {} : { subjectType }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(actor === undefined ? {} : toActorCondition(actor)),
    ...(action === undefined ? {} : { action }),
    ...(cursor === undefined ? {} : { id: { $lt: BigInt(cursor) } }),
  };
}

function toActorCondition(actor: string) {
  if (actor === 'operator' || actor === 'system') return { actorKind: actor } as const;
  return { actorEmail: actor.toLowerCase() };
}

function toAuditEntry(row: AuditRecordRow): AuditEntry {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    actor: row.actorEmail ?? null,
    actor_kind: row.actorKind,
    action: row.action,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    subject: row.subject,
    details: row.details,
  };
}
