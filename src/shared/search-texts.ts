import { fieldNames, specOf } from './contracts/post-fields.js';

/** The columns of every text of a post that is no HTML, and the title of edits that wait. */
const postColumns = [
  ...fieldNames(({ kind }) => kind === 'text').map((name) =>
    specOf(name).isRequired ? name : `coalesce(${name}, '')`,
  ),
  `coalesce(working_title, '')`,
];

/** Tags that can stand within a word. Statements take question marks for values. */
const INLINE_TAGS = '</{0,1}(a|b|strong|em|i|u|s|span|code|sub|sup)( [^>]*){0,1}>';

function toPlain(html: string): string {
  return `regexp_replace(regexp_replace(${html}, '${INLINE_TAGS}', '', 'g'), '<[^>]*>', ' ', 'g')`;
}

/**
 * The expressions over which searches have indexes of trigrams. A query must say one in exactly these words, or it
 * reads the whole table.
 */
export const SEARCH_TEXTS = {
  /** Text of `blog_posts` that administrators search. A new text field changes the index: its migration says so. */
  posts: `(${postColumns.join(` || ' ' || `)})`,
  /**
   * The written words of a post: its content, and that of edits that wait, without the tags of HTML. Those within a word
   * leave nothing, all others a blank. Signs are as HTML spells them (`&amp;`).
   */
  postContents: toPlain(`content || ' ' || coalesce(working_copy #>> '{fields,content}', '')`),
  /** Text of `images` that administrators search. */
  images: `(coalesce(file_name, '') || ' ' || coalesce(alternative_text, ''))`,
  /** Text of `enquiries` that administrators search. */
  enquiries: `(name || ' ' || email || ' ' || message)`,
} as const;
