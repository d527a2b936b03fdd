import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { User } from '../auth/accounts/user.entity.js';
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
    /**
     * The account whose access to the post the link does not outlive (decision 145). Null for a link from before this column, and once the
     * account is gone, which has ended the link.
     */
    createdBy: () => p.manyToOne(User).mapToPk().fieldName('created_by').nullable().deleteRule('set null'),
    /** A whole second, as addresses have it. */
    expiresAt: p.datetime(),
    withdrawnAt: p.datetime().nullable(),
  },
});

/** A row of {@link PostPreviewLink}. */
export type PostPreviewLinkRow = InferEntity<typeof PostPreviewLink>;
