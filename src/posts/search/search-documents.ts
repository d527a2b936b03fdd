import type { EntityManager } from '@mikro-orm/postgresql';
import { toPlainText } from '../content/plain-text.js';
import type { PostRow } from '../post.entity.js';
import { toTitleKeys, wordsOf } from './search-words.js';

/** Raise it with every change of what a document holds: all of them are made anew then. */
const RULES = 1;
/**
 * Bytes of words that are looked through, of the text and of each other part. PostgreSQL refuses a column with a megabyte
 * of them, which four times as many bytes of short words can make.
 */
const TEXT_BYTES = 150_000;
const PART_BYTES = 10_000;
/** Characters of the text that pieces are cut from. */
const KEPT_TEXT = 20_000;
/** Documents that are made in one transaction. */
const BATCH_SIZE = 50;
/** Key of the lock under which one process makes documents. */
const LOCK = 7_217_018;

/** The columns of a post that its document is made of. */
export const documentSources = ['id', 'title', 'excerpt', 'category', 'tags', 'content'] as const;

type Source = Pick<PostRow, (typeof documentSources)[number]>;

/** English for its endings, simple for names, other languages and the words that English leaves out. */
const bothOf = (place: string) => `to_tsvector('english', ${place}) || to_tsvector('simple', ${place})`;

const UPSERT = `
  insert into search_documents (post_id, head, words, text, title_keys, published_date, rules, changed_at)
  select id, head, head || ${bothOf('given.body')}, given.text, given.keys, published_date, ${RULES}, updated_at
  from blog_posts,
    (select ?::text as title, ?::text as terms, ?::text as excerpt, ?::text as body, ?::text as text,
      string_to_array(?, ' ') as keys) given,
    lateral (select setweight(${bothOf('given.title')}, 'A') || setweight(${bothOf('given.terms')}, 'B') ||
      setweight(${bothOf('given.excerpt')}, 'C') as head) made
  where id = ?::uuid
  on conflict (post_id) do update set head = excluded.head, words = excluded.words, text = excluded.text,
    title_keys = excluded.title_keys, published_date = excluded.published_date, rules = excluded.rules, changed_at = excluded.changed_at`;

const STALE = `
  select p.id, p.title, p.excerpt, p.category, p.tags, p.content
  from blog_posts p left join search_documents d on d.post_id = p.id
  where p.is_published and p.deleted_at is null
    and (d.changed_at is distinct from p.updated_at or d.rules is distinct from ${RULES})
  order by p.published_date desc limit ${BATCH_SIZE}`;

const HIDDEN = `
  delete from search_documents d using blog_posts p
  where p.id = d.post_id and not (p.is_published and p.deleted_at is null)`;

/** Removes the document of a post that readers no longer see. */
export async function removeSearchDocument(em: EntityManager, { id }: Pick<Source, 'id'>): Promise<void> {
  await em.execute('delete from search_documents where post_id = ?', [id]);
}

/** Makes the document of a post that readers see, in the transaction that writes the post. */
export async function writeSearchDocument(em: EntityManager, post: Source): Promise<void> {
  const text = toPlainText(post.content);
  const terms = [...(post.tags ?? []), post.category ?? ''].join(' ');
  await em.execute(UPSERT, [
    toIndexed(post.title, PART_BYTES),
    toIndexed(terms, PART_BYTES),
    toIndexed(post.excerpt ?? '', PART_BYTES),
    toIndexed(text, TEXT_BYTES),
    text.slice(0, KEPT_TEXT).toWellFormed(),
    toTitleKeys(post.title).join(' '),
    post.id,
  ]);
}

/**
 * Makes documents that are missing or not of the post as it is, and removes those of hidden posts: after an upgrade or a restore, and beside a release that
 * knows of none.
 * @returns false when there is nothing left to do, or another process does it
 */
export async function refreshSearchDocuments(em: EntityManager): Promise<boolean> {
  return await em.fork().transactional(async (own) => {
    const [lock] = await own.execute<{ free: boolean }[]>('select pg_try_advisory_xact_lock(?) as free', [LOCK]);
    if (!lock?.free) return false;
    await own.execute(HIDDEN);
    const posts = await own.execute<Source[]>(STALE);
    for (const post of posts) await writeSearchDocument(own, post);
    return posts.length > 0;
  });
}

/** The words of a text as PostgreSQL gets them: one after the other, so that its own rules for addresses stay out. */
function toIndexed(text: string, bytes: number): string {
  const words = Buffer.from(wordsOf(text.slice(0, bytes)).join(' '));
  return words
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');
}
