import { fieldNames, specOf } from './contracts/post-fields.js';

/** The columns of every text of a post that is no HTML, and the title of edits that wait. */
const postColumns = [
  ...fieldNames(({ kind }) => kind === 'text').map((name) =>
    specOf(name).isRequired ? name : `coalesce(${name}, '')`,
  ),
  `coalesce(working_title, '')`,
];

/**
 * The expressions over which searches have indexes of trigrams. A query must say one in exactly these words, or it
 * reads the whole table.
 */
export const SEARCH_TEXTS = {
  /** Text of `blog_posts` that administrators search. A new text field changes the index: its migration says so. */
  posts: `(${postColumns.join(` || ' ' || `)})`,
  /** Text of `enquiries` that administrators search. */
  enquiries: `(name || ' ' || email || ' ' || message)`,
} as const;
