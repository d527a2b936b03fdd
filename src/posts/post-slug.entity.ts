import { defineEntity, p } from '@mikro-orm/core';
import { Post } from './post.entity.js';

/**
 * An address at which a post is or was published, or that a draft had to which redirects lead: it leads to the post for ever, and no
 * other post can have it.
 */
export const PostSlug = defineEntity({
  name: 'PostSlug',
  tableName: 'post_slugs',
  properties: {
    slug: p.string().length(200).primary(),
    post: () => p.manyToOne(Post).deleteRule('cascade').index(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
