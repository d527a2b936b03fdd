import type { EntityManager } from '@mikro-orm/postgresql';
import type { PostChange } from './post-change.js';
import type { PostRow } from './post.entity.js';
import { SlugTakenException } from './post.errors.js';

/** First key of the advisory locks under which addresses are claimed; the second one is the address. */
const SLUG_LOCK = 7_217_002;

interface Claim {
  readonly row: PostRow | null;
  readonly change: PostChange;
}

/** A post that has an address, or had it while it was published. */
interface Holder {
  readonly slug: string;
  readonly id: string;
}

/**
 * Sees to it that no other post has, or had, the addresses that posts are to have, until the transaction ends, and
 * keeps the address of a post that was published when it gets another one.
 * @throws SlugTakenException
 */
export async function claimSlugs(em: EntityManager, claims: readonly Claim[]): Promise<void> {
  const moves = claims.filter(({ row, change }) => change.slug !== undefined && change.slug !== row?.slug);
  if (moves.length === 0) return;
  const slugs = moves.flatMap(({ change }) => change.slug ?? []);
  const holders = await lockSlugs(em, slugs);
  for (const { row, change } of moves) {
    const isTaken = holders.some(({ slug, id }) => slug === change.slug && id !== row?.id);
    if (isTaken) throw new SlugTakenException(change.slug ?? '');
  }
  for (const { row, change } of moves) if (row !== null) await keepAddress(em, row, change.slug ?? '');
}

/** Whether a post could have the address. Holds until the transaction ends. */
export async function isSlugFree(em: EntityManager, slug: string, id: string | null): Promise<boolean> {
  return (await lockSlugs(em, [slug])).every((holder) => holder.id === id);
}

/** Nobody else can claim these addresses until the transaction ends; @returns who has or had them. */
async function lockSlugs(em: EntityManager, slugs: readonly string[]): Promise<Holder[]> {
  const list = JSON.stringify(slugs);
  // In one order, so that no two wait for each other.
  await em.execute(
    `select pg_advisory_xact_lock(?, hashtext(slug))
     from (select distinct value as slug from jsonb_array_elements_text(?::jsonb) order by 1) as claimed`,
    [SLUG_LOCK, list],
  );
  return await em.execute<Holder[]>(
    `with claimed as (select value as slug from jsonb_array_elements_text(?::jsonb))
     select slug, id from blog_posts where slug in (select slug from claimed)
     union all
     select slug, post_id from post_slugs where slug in (select slug from claimed)`,
    [list],
  );
}

/** An address that readers know leads on for ever; one that the post takes back is its own again. */
async function keepAddress(em: EntityManager, row: PostRow, next: string): Promise<void> {
  if (row.firstPublishedAt) {
    await em.execute('insert into post_slugs (slug, post_id) values (?, ?) on conflict do nothing', [row.slug, row.id]);
  }
  await em.execute('delete from post_slugs where slug = ? and post_id = ?', [next, row.id]);
}
