/**
 * The expressions over which searches have indexes of trigrams. A query must say one in exactly these words, or it
 * reads the whole table.
 */
export const SEARCH_TEXTS = {
  /** Of `blog_posts`: what administrators look for a post by. */
  posts: `(title || ' ' || slug || ' ' || coalesce(excerpt, '') || ' ' || author || ' ' || coalesce(working_title, ''))`,
  /** Of `enquiries`. */
  enquiries: `(name || ' ' || email || ' ' || message)`,
} as const;
