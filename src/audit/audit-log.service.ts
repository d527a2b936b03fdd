import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { AuditQuery } from '../shared/contracts/audit-query.js';
import type { AuditEntry, AuditPage } from '../shared/contracts/audit.js';
import { AuditRecord, type AuditRecordRow } from './audit-entry.entity.js';

const PAGE_SIZE = 50;

/** Reads the audit log. For administrators. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
  ) {}

  /** Some lines, newest first. */
  async list(actor: Actor, query: AuditQuery, limit = PAGE_SIZE): Promise<AuditPage> {
    await this.roles.requireAdmin(actor);
    const rows = await this.em
      .fork({ disableTransactions: true })
      .find(AuditRecord, toConditions(query), { orderBy: { id: 'desc' }, limit: limit + 1 });
    const items = rows.slice(0, limit).map(toAuditEntry);
    return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }
}

function toConditions({ subject_type: subjectType, subject_id: subjectId, actor, action, cursor }: AuditQuery) {
  return {
    ...(subjectType === undefined ? {} : { subjectType }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(actor === undefined ? {} : toActorCondition(actor)),
    ...(action === undefined ? {} : { action }),
    ...(cursor === undefined ? {} : { id: { $lt: BigInt(cursor) } }),
  };
}

/** Addresses are stored in small letters; people type them, and the words for machines, as they like. */
function toActorCondition(typed: string) {
  const actor = typed.trim().toLowerCase();
  if (actor === 'operator' || actor === 'program' || actor === 'system') return { actorKind: actor } as const;
  return { actorEmail: actor };
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
