import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../posts/post.entity.js';

/**
 * How often a post was read on a day by people who came from a site. Holds nothing of a person. The first day of a month
 * stands for all of it once its days are no longer kept; `read-upkeep.ts` sums them up.
 */
export const PostRead = defineEntity({
  name: 'PostRead',
  tableName: 'post_reads',
  properties: {
    /** In the zone of the site. */
    day: p.date().primary(),
    post: () => p.manyToOne(Post).primary().deleteRule('cascade').index(),
    /** Host name of the other site; empty for none, 'others' for those above the limits. */
    host: p.string().length(100).primary(),
    count: p.integer(),
  },
});
