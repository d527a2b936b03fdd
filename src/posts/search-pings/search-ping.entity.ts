import { defineEntity, p } from '@mikro-orm/core';

/**
 * The path of a post that appeared, changed or went, until search engines were told. The migration makes the table
 * unlogged: what a crash or a restore loses, they find in the sitemap, so no backup has it.
 */
export const SearchPing = defineEntity({
  name: 'SearchPing',
  tableName: 'search_pings',
  properties: {
    path: p.text().primary(),
    /** When it did so last. Only the row of that time goes when search engines were told. */
    at: p.datetime(6),
  },
});
