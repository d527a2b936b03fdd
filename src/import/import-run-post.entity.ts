import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Post } from '../posts/post.entity.js';
import type { KeptRedirect } from '../shared/contracts/redirects.js';
import { ImportRunRecord } from './import-run-record.entity.js';

/** The work of an import on one post, and the post before it. Goes with its post. */
export const ImportRunPost = defineEntity({
  name: 'ImportRunPost',
  tableName: 'import_run_posts',
  properties: {
    run: () => p.manyToOne(ImportRunRecord).primary().deleteRule('cascade').index(false),
    post: () => p.manyToOne(Post).primary().deleteRule('cascade').index(),
    isCreated: p.boolean(),
    /** Columns of the post before, by their properties; null for one that was created. */
    before: p.json<Readonly<Record<string, unknown>>>().nullable(),
    /** The versions of the post before and after; 0 before its creation. */
    versionBefore: p.integer(),
    versionAfter: p.integer(),
    redirects: p.json<readonly KeptRedirect[]>(),
    /** The version that the undoing left; null until then. */
    undoneVersion: p.integer().nullable(),
  },
});

/** A row of {@link ImportRunPost}. */
export type ImportRunPostRow = InferEntity<typeof ImportRunPost>;
