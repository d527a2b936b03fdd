import type { EntityManager } from '@mikro-orm/postgresql';
import { searchedFields, specOf, type PostFieldSpec } from '../../shared/contracts/post-fields.js';
import { toPlainLine } from '../content/plain-text.js';
import { propertyOf, type PropertyOf } from '../post-columns.js';
import type { PostRow } from '../post.entity.js';
import { toTitleKeys, wordsOf } from './search-words.js';

/** Raise it with every change of what is derived from posts: what was made by lower ones is made anew then. */
export const SEARCH_RULES = 6;
/**
 * Bytes of words that are looked through, of the text and of each other part. PostgreSQL refuses a column with a megabyte
 * of them, which four times as many bytes of short words can make.
 */
const TEXT_BYTES = 150_000;
const PART_BYTES = 10_000;
/** Characters of the text that pieces are cut from. */
const KEPT_TEXT = 20_000;

/** The columns of a post that its document is made of. */
export type SearchSource = Pick<PostRow, 'id' | 'content' | PropertyOf<(typeof searchedFields)[number]>>;

/** English for its endings, simple for names, other languages and the words that English leaves out. */
const bothOf = (place: string) => `to_tsvector('english', ${place}) || to_tsvector('simple', ${place})`;

const UPSERT = `
  insert into search_documents (post_id, head, words, text, title_keys, published_date, rules, changed_at)
  select id, head, head || ${bothOf('given.body')}, given.text, given.keys, published_date, ${SEARCH_RULES}, updated_at
  from jsonb_to_recordset(?::jsonb)
      as given (id uuid, a text, b text, c text, body text, text text, keys text[])
    join blog_posts using (id),
    lateral (select setweight(${bothOf('given.a')}, 'A') || setweight(${bothOf('given.b')}, 'B') ||
      setweight(${bothOf('given.c')}, 'C') as head) made
  on conflict (post_id) do update set head = excluded.head, words = excluded.words, text = excluded.text,
    title_keys = excluded.title_keys, published_date = excluded.published_date, rules = excluded.rules, changed_at = excluded.changed_at`;

/** Makes the documents of posts that readers see, each named once, in the transaction that writes the posts. */
export async function writeSearchDocuments(em: EntityManager, posts: readonly SearchSource[]): Promise<void> {
  if (posts.length > 0) await em.execute(UPSERT, [JSON.stringify(posts.map(toGiven))]);
}

function toGiven(post: SearchSource) {
  const text = toPlainLine(post.content);
  return {
    id: post.id,
    a: toIndexed(wordsOfWeight(post, 'A'), PART_BYTES),
    b: toIndexed(wordsOfWeight(post, 'B'), PART_BYTES),
    c: toIndexed(wordsOfWeight(post, 'C'), PART_BYTES),
    body: toIndexed(text, TEXT_BYTES),
    text: text.slice(0, KEPT_TEXT).toWellFormed(),
    keys: toTitleKeys(post.title),
  };
}

/** The values of the fields that count so much, in one text. */
function wordsOfWeight(post: SearchSource, weight: NonNullable<PostFieldSpec['searchWeight']>): string {
  const names = searchedFields.filter((name) => specOf(name).searchWeight === weight);
  return names.flatMap((name) => post[propertyOf(name)] ?? []).join(' ');
}

/** The words of a text as PostgreSQL gets them: one after the other, so that its own rules for addresses stay out. */
function toIndexed(text: string, bytes: number): string {
  const words = Buffer.from(wordsOf(text.slice(0, bytes)).join(' '));
  return words
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');
}
