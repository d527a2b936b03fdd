import { defineEntity, p } from '@mikro-orm/core';
import type { ImportOutcome } from '../shared/contracts/import-report.js';

/** An import that wrote, or may have written, posts. What it did to each is in {@link ImportRunPost}. */
export const ImportRunRecord = defineEntity({
  name: 'ImportRunRecord',
  tableName: 'import_runs',
  properties: {
    id: p.integer().primary().autoincrement(),
    startedAt: p.datetime(),
    /** Null while it runs, and for one that was broken off. */
    endedAt: p.datetime().nullable(),
    /** The file or folder, as an absolute path. */
    path: p.text(),
    /** Null for sources whose posts can be told from others without a name. */
    sourceName: p.text().nullable(),
    /** The options that decide what it does, by their names. */
    options: p.json<Readonly<Record<string, unknown>>>(),
    /** Null until it has ended. */
    counts: p.json<Readonly<Record<ImportOutcome, number>>>().nullable(),
  },
});
