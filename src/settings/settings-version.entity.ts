import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import type { AuditEntry } from '../shared/contracts/audit.js';
import { SettingsDocument, type SettingsContent } from './settings-document.entity.js';

/** A content that was published, kept so that it can come back. */
export const SettingsVersion = defineEntity({
  name: 'SettingsVersion',
  tableName: 'settings_versions',
  properties: {
    document: () => p.manyToOne(SettingsDocument).primary().fieldName('document').deleteRule('cascade').index(false),
    version: p.integer().primary(),
    content: p.json<SettingsContent>(),
    publishedAt: p.datetime(),
    publishedByKind: p.string().length(10).$type<AuditEntry['actor_kind']>(),
    publishedBy: () => p.manyToOne(User).nullable().fieldName('published_by').deleteRule('set null'),
  },
});
