import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { auditSubjectTypes } from '../shared/contracts/audit.js';
import type { AuditDetails } from './audit-entry.entity.js';

export type { AuditDetails } from './audit-entry.entity.js';

/** An action and its subject, as the audit log records it. */
export interface AuditEvent {
  /** Like `post.published`. */
  readonly action: string;
  readonly subjectType: (typeof auditSubjectTypes)[number];
  readonly subjectId: string;
  /** A name for people: the post's title, the user's address, the redirect's path. */
  readonly subject: string;
  readonly details?: AuditDetails;
}

/** Writes the audit log. Rooms that change something worth telling call it; audit-log.service.ts reads. */
@Injectable()
export class AuditService {
  constructor(private readonly clock: Clock) {}

  /** Records events in the transaction of `em`: if it fails, nothing was done and nothing is recorded. */
  async record(em: EntityManager, actor: Actor, ...events: readonly AuditEvent[]): Promise<void> {
    await this.recordAll(em, actor, events);
  }

  /** Records events as {@link record} does, of which there may be more than a function can be given. */
  async recordAll(em: EntityManager, actor: Actor, events: readonly AuditEvent[]): Promise<void> {
    if (events.length === 0) return;
    const userId = userIdOf(actor);
    const lines = events.map(({ action, subjectType, subjectId, subject, details = {} }) => ({
      action,
      subject_type: subjectType,
      subject_id: subjectId,
      subject,
      details,
    }));
    await em.execute(
      `insert into audit_log (at, actor_kind, actor_id, actor_email, action, subject_type, subject_id, subject, details)
       select ?::timestamptz, ?::text, ?::uuid, (select email from auth.users where id = ?::uuid), line.*
       from jsonb_to_recordset(?::jsonb)
         as line (action text, subject_type text, subject_id text, subject text, details jsonb)`,
      [this.clock.now().toISOString(), actor.kind, userId, userId, JSON.stringify(lines)],
    );
  }

  /** Returns the posts on which people carried out the action; actions of imports are left out. */
  async findPostsWith(em: EntityManager, action: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await em.execute<{ subject_id: string }[]>(
      `select distinct subject_id from audit_log
       where subject_type = 'post' and subject_id in (select jsonb_array_elements_text(?::jsonb)) and action = ?::text
         and details->>'source' is null`,
      [JSON.stringify(ids), action],
    );
    return new Set(rows.map((row) => row.subject_id));
  }

  /** Returns those of the posts that were published by their plan the last time that they were. */
  async findPublishedByPlan(em: EntityManager, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await em.execute<{ subject_id: string }[]>(
      `select subject_id from (
         select distinct on (subject_id) subject_id, actor_kind from audit_log
         where subject_type = 'post' and subject_id in (select jsonb_array_elements_text(?::jsonb))
           and action = 'post.published' order by subject_id, id desc
       ) last where actor_kind = 'system'`,
      [JSON.stringify(ids)],
    );
    return new Set(rows.map((row) => row.subject_id));
  }

  /** Records an action on an account, under its address. */
  async recordForUser(
    em: EntityManager,
    actor: Actor,
    action: string,
    userId: string,
    details: AuditDetails = {},
  ): Promise<void> {
    const [user] = await em.execute<{ email: string | null }[]>('select email from auth.users where id = ?::uuid', [
      userId,
    ]);
    await this.record(em, actor, {
      action,
      subjectType: 'user',
      subjectId: userId,
      subject: user?.email ?? userId,
      details,
    });
  }
}
