import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../post.entity.js';

/**
 * The words of a reader below a post of another site, which came with it (decision 113). Goes with its post. There is no mail address
 * and no IP address in it.
 */
export const PostComment = defineEntity({
  name: 'PostComment',
  tableName: 'post_comments',
  properties: {
    post: () => p.manyToOne(Post).primary().fieldName('post_id').deleteRule('cascade').index(false),
    /** Its name at the source. */
    sourceId: p.string().length(50).primary(),
    /** The one that it answers; null for none. That one need not be there. */
    parentId: p.string().length(50).nullable(),
    /** Empty for one that was removed. */
    author: p.string().length(200),
    authorUrl: p.text().nullable(),
    writtenAt: p.datetime(),
    html: p.text(),
    /** When it was removed here: its row stays without what was written, so that no import brings it again. */
    removedAt: p.datetime().nullable(),
  },
});
