import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { AuditEntry } from '../shared/contracts/audit.js';

/** Further facts of a line of the audit log, by name. */
export type AuditDetails = AuditEntry['details'];

/** A line of the audit log. It has no foreign keys, so that it outlives its actor and its subject. */
export const AuditRecord = defineEntity({
  name: 'AuditRecord',
  tableName: 'audit_log',
  indexes: [
    { properties: ['subjectType', 'subjectId', 'id'] },
    { properties: ['actorEmail', 'id'] },
    { properties: ['action', 'id'] },
    // People do nearly everything; they are found by their address.
    { name: 'audit_log_by_machines', properties: ['actorKind', 'id'], where: "actor_kind <> 'user'" },
  ],
  properties: {
    id: p.bigint().primary().autoincrement(),
    at: p.datetime().defaultRaw('now()'),
    actorKind: p.string().length(10).$type<AuditEntry['actor_kind']>(),
    actorId: p.uuid().nullable(),
    /** As it was at the time. */
    actorEmail: p.string().length(255).nullable(),
    action: p.string().length(50),
    subjectType: p.string().length(20),
    subjectId: p.string().length(100),
    /** The subject's name for people, kept because its row may be gone. */
    subject: p.text(),
    details: p.json<AuditDetails>().default('{}'),
  },
});

/** A row of {@link AuditRecord}. */
export type AuditRecordRow = InferEntity<typeof AuditRecord>;
