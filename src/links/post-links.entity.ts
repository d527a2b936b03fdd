import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../posts/post.entity.js';
import type { PostLink } from './found-links.js';

/**
 * The links and images of a post, and which of them are dead: derived from the post by `links.service.ts`, so the
 * migration makes the table unlogged, and no backup has it.
 */
export const PostLinks = defineEntity({
  name: 'PostLinks',
  tableName: 'post_links',
  properties: {
    post: () => p.oneToOne(Post).primary().fieldName('post_id').owner().deleteRule('cascade'),
    /** The version of the post that was read. */
    version: p.integer(),
    /** Which rules found them; see `RULES`. */
    rules: p.smallint(),
    links: p.json<readonly PostLink[]>(),
    /** How many of them are dead. */
    dead: p.integer(),
    /** When it was last looked where those within the site lead. */
    checkedAt: p.datetime(),
  },
});
