import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../post.entity.js';

/**
 * A published post as the search reads it: derived from its row by `search-documents.ts`, which makes it anew whenever
 * it is missing or another. Whether readers may see the post is asked of the post.
 */
export const SearchDocument = defineEntity({
  name: 'SearchDocument',
  tableName: 'search_documents',
  // Without the list of what is to be put in later: every search would read all of it, or the whole table instead.
  indexes: ['head', 'words', 'title_keys'].map((column) => ({
    name: `search_documents_${column}`,
    expression: `create index "search_documents_${column}" on "search_documents" using gin ("${column}") with (fastupdate = off)`,
  })),
  properties: {
    post: () => p.oneToOne(Post).primary().fieldName('post_id').owner().deleteRule('cascade'),
    /** Words of the title, tags, category and excerpt, by weight. Small, so that ranking reads nothing else. */
    head: p.text().columnType('tsvector'),
    /**
     * All words, those of the text too. The migration keeps no statistics of it: PostgreSQL would read the words of each post
     * instead of the index, which for a word of every post takes a hundred times as long.
     */
    words: p.text().columnType('tsvector'),
    /** The beginning of the text without markup, to cut pieces from. */
    text: p.text(),
    /** The words of the title and what one letter too few makes of them. */
    titleKeys: p.array(),
    /** The post's own, to choose the newest ones by. */
    publishedDate: p.datetime(),
    /** Which rules made this; see `SEARCH_RULES`. */
    rules: p.smallint(),
    /** `updated_at` of the post from which this was made. */
    changedAt: p.datetime(),
  },
});
