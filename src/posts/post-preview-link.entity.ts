import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Post } from './post.entity.js';

/** A preview link. Post and end are in its address too, signed: together they name the row. Goes with its post. */
export const PostPreviewLink = defineEntity({
  name: 'PostPreviewLink',
  tableName: 'post_preview_links',
  uniques: [{ properties: ['post', 'expiresAt'] }],
  indexes: [{ properties: ['expiresAt'] }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    post: () => p.manyToOne(Post).deleteRule('cascade').index(false),
    createdAt: p.datetime(),
    /** A whole second, as addresses have it. */
    expiresAt: p.datetime(),
    withdrawnAt: p.datetime().nullable(),
  },
});

/** A row of {@link PostPreviewLink}. */
export type PostPreviewLinkRow = InferEntity<typeof PostPreviewLink>;
