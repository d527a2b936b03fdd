/**
 * The expressions over which searches have indexes of trigrams. A query must say one in exactly these words, or it
 * reads the whole table.
 */
export const SEARCH_TEXTS = {
  /** Text of `blog_posts` that administrators search. */
  posts: `(title || ' ' || slug || ' ' || coalesce(excerpt, '') || ' ' || author || ' ' || coalesce(working_title, ''))`,
  /** Text of `enquiries` that administrators search. */
  enquiries: `(name || ' ' || email || ' ' || message)`,
} as const;
