import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../post.entity.js';

/**
 * How well another post goes with a published one: derived by `related-posts.ts` after the post changed. A post that has
 * a row with itself was seen to. Whether readers may see the other one is asked of that one.
 */
export const RelatedPost = defineEntity({
  name: 'RelatedPost',
  tableName: 'related_posts',
  indexes: [{ name: 'related_posts_other', properties: ['otherId', 'score'] }],
  properties: {
    post: () => p.manyToOne(Post).primary().fieldName('post_id').deleteRule('cascade'),
    /** Without a foreign key: nobody who writes one post waits for who writes the other. */
    otherId: p.uuid().primary(),
    score: p.float(),
  },
});
