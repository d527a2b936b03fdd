import type { EntityManager } from '@mikro-orm/postgresql';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { searchedFields } from '../shared/contracts/post-fields.js';
import { propertyOf } from './post-columns.js';
import type { PostRow } from './post.entity.js';
import { forgetRelated } from './related/related-posts.js';
import { SEARCH_RULES, writeSearchDocuments, type SearchSource } from './search/search-documents.js';
import { writePostTerms } from './term-pages/post-terms.js';

/** Posts whose rows are made in one transaction. */
const BATCH_SIZE = 50;

/** The columns of a post that its rows are made of. */
type Source = SearchSource & Pick<PostRow, 'category' | 'tags' | 'author'>;

const sourceFields = [...new Set([...searchedFields, 'content', 'category', 'tags', 'author'] as const)];

/**
 * Documents of newer rules are those of a release beside this one: two servers would make each other's anew for ever.
 * Locked, so that no writer changes one meanwhile; those that a writer holds are left for the next round, so that nobody
 * waits for each other.
 */
const STALE = `
  select p.id, ${sourceFields.map((name) => `p.${name} as "${propertyOf(name)}"`).join(', ')}
  from blog_posts p left join search_documents d on d.post_id = p.id
  where p.is_published and p.deleted_at is null
    and (d.changed_at is distinct from p.updated_at or d.rules < ${SEARCH_RULES})
  order by p.published_date desc limit ${BATCH_SIZE} for no key update of p skip locked`;

const HIDDEN = `
  select p.id from blog_posts p
  where not (p.is_published and p.deleted_at is null) and exists (select from search_documents d where d.post_id = p.id)
  for no key update of p skip locked`;

/**
 * Makes what is derived from posts that readers see, in the transaction that writes them: their documents of the search,
 * and their terms. Related posts are found again afterwards. The version of a document says of which post all of it was made.
 */
export async function writeDerivedRows(em: EntityManager, posts: readonly Source[]): Promise<void> {
  const each = [...new Map(posts.map((post) => [post.id, post])).values()];
  await writeSearchDocuments(em, each);
  await writePostTerms(em, each);
  await forgetRelated(
    em,
    each.map(({ id }) => id),
  );
}

/** Removes what is derived from posts that readers no longer see. */
export async function removeDerivedRows(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const places = ids.map(() => '?').join();
  for (const table of ['search_documents', 'post_terms', 'related_posts']) {
    await em.execute(`delete from ${table} where post_id in (${places})`, [...ids]);
  }
}

/**
 * Makes rows that are missing or not of the post as it is, and removes those of hidden posts: after an upgrade or a
 * restore, and beside a release that knows of none.
 * @param notify called in the transaction, if pages may show something else afterwards
 * @returns false when there is nothing left to do, or another process does it
 */
export async function refreshDerivedRows(
  em: EntityManager,
  notify: (em: EntityManager) => Promise<void>,
): Promise<boolean> {
  return await em.fork().transactional(async (own) => {
    const [lock] = await own.execute<{ free: boolean }[]>('select pg_try_advisory_xact_lock(?) as free', [
      ADVISORY_LOCKS.searchDocuments,
    ]);
    if (!lock?.free) return false;
    const hidden = await own.execute<{ id: string }[]>(HIDDEN);
    await removeDerivedRows(
      own,
      hidden.map(({ id }) => id),
    );
    const posts = await own.execute<Source[]>(STALE);
    await writeDerivedRows(own, posts);
    if (hidden.length + posts.length > 0) await notify(own);
    return posts.length > 0;
  });
}
