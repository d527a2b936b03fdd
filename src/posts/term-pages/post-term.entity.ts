import { defineEntity, p } from '@mikro-orm/core';
import type { ListedKind } from '../../shared/term-addresses.js';
import { Post } from '../post.entity.js';

/**
 * A category, a tag or the author of a published post, by the spelling that its page has: derived from the row of the
 * post by `post-terms.ts`. Whether readers may see the post is asked of the post.
 */
export const PostTerm = defineEntity({
  name: 'PostTerm',
  tableName: 'post_terms',
  indexes: [
    {
      // The order of a page, so that it reads no more posts than it shows.
      name: 'post_terms_newest',
      expression: `create index "post_terms_newest" on "post_terms" (kind, slug, published_date desc, post_id)`,
    },
  ],
  properties: {
    post: () => p.manyToOne(Post).primary().fieldName('post_id').deleteRule('cascade'),
    kind: p.string().length(10).primary().$type<ListedKind>(),
    /** In the spelling of `toTermSlug`. */
    slug: p.text().primary(),
    /** As the post has it. */
    name: p.text(),
    /** The post's own. */
    publishedDate: p.datetime(),
  },
});
