import type { EntityManager } from '@mikro-orm/postgresql';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';

/** The channel on which processes tell each other that posts lead to others. */
export const RELATED_CHANNEL = 'related_posts';
/** Posts that are seen to in one transaction. */
const BATCH_SIZE = 20;
/** Posts that are kept for each: more than are shown, as some may be hidden later. */
const KEPT = 8;
/** Words of title and excerpt that count. */
const MOST_WORDS = 40;
/** The newest posts with a word or a term are compared. One that so many have says little, and costs no more. */
const COMPARED = 200;

/** Those that a writer holds are left for the next round. */
const UNSEEN = `
  select d.post_id as id from search_documents d join blog_posts p on p.id = d.post_id
  where p.is_published and p.deleted_at is null
    and not exists (select from related_posts r where r.post_id = d.post_id and r.other_id = d.post_id)
  order by d.published_date desc limit ${BATCH_SIZE} for no key update of p skip locked`;

/**
 * Posts with the same tags, category, and words in title and excerpt. Each of these counts the less, the more posts have
 * it. The last row says that the post was seen to.
 */
const RELATE = `
  with own as (select ?::uuid as id),
  by_term as (
    select near.post_id, term.kind, term.slug
    from own join post_terms term on term.post_id = own.id and term.kind in ('tag', 'category'),
      lateral (select other.post_id from post_terms other
        where other.kind = term.kind and other.slug = term.slug and other.post_id <> own.id
        order by other.published_date desc limit ${COMPARED}) near),
  words as (
    select word from own join search_documents d on d.post_id = own.id,
      unnest(tsvector_to_array(ts_filter(d.head, '{a,c}'))) as word
    where to_tsvector('english', word) <> ''::tsvector limit ${MOST_WORDS}),
  by_word as (
    select near.post_id, words.word
    from own, words, lateral (select d.post_id from search_documents d
        where d.head @@ quote_literal(words.word)::tsquery and d.post_id <> own.id
        order by d.published_date desc limit ${COMPARED}) near),
  found as (
    select post_id, case kind when 'tag' then 3 else 2 end / ln(2 + count(*) over (partition by kind, slug)) as weight
    from by_term
    union all
    select post_id, 1 / ln(2 + count(*) over (partition by word)) from by_word),
  best as (
    select post_id, sum(weight) as score from found group by post_id order by score desc, post_id limit ${KEPT})
  insert into related_posts (post_id, other_id, score)
  select own.id, best.post_id, best.score from own, best
  union all select own.id, own.id, 0 from own`;

/** Forgets what goes with posts, which changed or which readers no longer see. Rows of other posts stay. */
export async function forgetRelated(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(`delete from related_posts where post_id in (${ids.map(() => '?').join()})`, [...ids]);
}

/** Tells every process that posts lead to others than before. */
export async function tellOfRelated(em: EntityManager): Promise<void> {
  await em.fork().execute(`select pg_notify('${RELATED_CHANNEL}', '')`);
}

/**
 * Finds what goes with some of the published posts that nothing is known of: new ones, changed ones, and all after an
 * upgrade. Who reads a post is shown both what it names and what names it, so older posts get newer ones.
 * @returns false when there is nothing left to do, or another process does it
 */
export async function relatePosts(em: EntityManager): Promise<boolean> {
  return await em.fork().transactional(async (own) => {
    const [lock] = await own.execute<{ free: boolean }[]>('select pg_try_advisory_xact_lock(?) as free', [
      ADVISORY_LOCKS.relatedPosts,
    ]);
    if (!lock?.free) return false;
    const posts = await own.execute<{ id: string }[]>(UNSEEN);
    await forgetRelated(
      own,
      posts.map(({ id }) => id),
    );
    for (const { id } of posts) await own.execute(RELATE, [id]);
    return posts.length > 0;
  });
}
