import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import type { AuditEntry } from '../shared/contracts/audit.js';

/** Values by name, as a document and its draft hold them. Names that a release does not know stay where they are. */
export type SettingsContent = Readonly<Record<string, unknown>>;

/** A setting that is edited, published and kept as a whole, such as the facts of the company. */
export const SettingsDocument = defineEntity({
  name: 'SettingsDocument',
  tableName: 'settings_documents',
  properties: {
    name: p.string().length(40).primary(),
    /** Rises with every change of draft or published content: who writes says which one they have seen. */
    revision: p.integer(),
    /** The published content. */
    content: p.json<SettingsContent>(),
    /** The number of the published content among the versions of the document. */
    version: p.integer(),
    /** The values that wait for being published, and only these; null where none do. */
    draft: p.json<SettingsContent>().nullable(),
    changedAt: p.datetime(),
    changedByKind: p.string().length(10).$type<AuditEntry['actor_kind']>(),
    changedBy: () => p.manyToOne(User).nullable().fieldName('changed_by').deleteRule('set null'),
  },
});
