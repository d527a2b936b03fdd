import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
import type { RevisionReason, StoredPostForm } from '../shared/contracts/admin-posts.js';
import { Post } from './post.entity.js';

/** A kept version of a post. Goes with its post. */
export const PostRevision = defineEntity({
  name: 'PostRevision',
  tableName: 'post_revisions',
  indexes: [{ properties: ['post', 'id'] }],
  properties: {
    id: p.bigint().primary().autoincrement(),
    post: () => p.manyToOne(Post).deleteRule('cascade').index(false),
    /** The version that the post had then. */
    version: p.integer(),
    reason: p.string().length(20).$type<RevisionReason>(),
    title: p.text(),
    fields: p.json<StoredPostForm>(),
    isPublished: p.boolean(),
    author: () => p.manyToOne(User).nullable().fieldName('author_id').deleteRule('set null'),
    createdAt: p.datetime(),
    /** When the first of the autosaves was made that it stands for; null when no further ones go into it. */
    begunAt: p.datetime().nullable(),
  },
});

/** A row of {@link PostRevision}. */
export type PostRevisionRow = InferEntity<typeof PostRevision>;
