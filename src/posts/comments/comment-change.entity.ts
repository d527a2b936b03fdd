import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../post.entity.js';

/**
 * The work of an import on a comment, kept so that it can be undone (decision 127). Goes with its post, and with the comment when
 * that is removed.
 */
export const CommentChange = defineEntity({
  name: 'CommentChange',
  tableName: 'comment_changes',
  indexes: [{ name: 'comment_changes_run', properties: ['runId'] }],
  uniques: [{ name: 'comment_changes_unique', properties: ['post', 'sourceId', 'runId'] }],
  properties: {
    /** Later changes have higher ones. */
    id: p.integer().primary().autoincrement(),
    runId: p.integer(),
    post: () => p.manyToOne(Post).fieldName('post_id').deleteRule('cascade').index(false),
    /** The name of the comment at the source. */
    sourceId: p.string().length(50),
    /** The columns of the comment before; null for one that the import brought. */
    before: p.json<Readonly<Record<string, unknown>>>().nullable(),
  },
});
