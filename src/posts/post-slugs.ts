import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { postFields } from '../shared/contracts/post-fields.js';
import { paths } from '../shared/paths.js';
import type { PostChange } from './post-change.js';
import type { PostRow } from './post.entity.js';
import { SlugTakenException } from './post.errors.js';

/** Numbers that are tried behind an address before it gets random characters. */
const NUMBERS_TRIED = 50;
/** Room for what goes behind it. */
const SLUG_LENGTH = postFields.slug.limit - 20;

interface Claim {
  readonly row: PostRow | null;
  /** Id of a post that does not exist yet: an earlier attempt to create it is no other post. */
  readonly id?: string | undefined;
  readonly change: PostChange;
}

/** A post that has an address, or was published at it. */
interface Holder {
  readonly slug: string;
  readonly id: string;
}

/**
 * Sees to it that no other post has the addresses that posts are to have, or was published at them, until the
 * transaction ends.
 * @throws SlugTakenException
 */
export async function claimSlugs(em: EntityManager, claims: readonly Claim[]): Promise<void> {
  const moves = claims.filter(({ row, change }) => change.slug !== undefined && change.slug !== row?.slug);
  if (moves.length === 0) return;
  const slugs = moves.flatMap(({ change }) => change.slug ?? []);
  const holders = await lockSlugs(em, slugs);
  for (const { row, id, change } of moves) {
    const isTaken = holders.some((holder) => holder.slug === change.slug && holder.id !== (row?.id ?? id));
    if (isTaken) throw new SlugTakenException(change.slug ?? '', await findFreeSlug(em, change.slug ?? ''));
  }
}

/** Returns true when a post could have the address. Holds until the transaction ends. */
export async function isSlugFree(em: EntityManager, slug: string, id: string | null): Promise<boolean> {
  return (await lockSlugs(em, [slug])).every((holder) => holder.id === id);
}

/** The slug itself, or with a number behind it. */
export async function findFreeSlug(em: EntityManager, wanted: string): Promise<string> {
  const base = wanted.slice(0, SLUG_LENGTH);
  for (let number = 1; number <= NUMBERS_TRIED; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (await isSlugFree(em, slug, null)) return slug;
  }
  return `${base}-${randomBytes(4).toString('hex')}`;
}

/** Nobody else can claim these addresses until the transaction ends; @returns who has or had them. */
async function lockSlugs(em: EntityManager, slugs: readonly string[]): Promise<Holder[]> {
  const list = JSON.stringify(slugs);
  // In one order, so that no two wait for each other.
  await em.execute(
    `select pg_advisory_xact_lock(?, hashtext(slug))
     from (select distinct value as slug from jsonb_array_elements_text(?::jsonb) order by 1) as claimed`,
    [ADVISORY_LOCKS.slug, list],
  );
  const places = slugs.map(() => '?').join();
  return await em.execute<Holder[]>(
    // Values that the planner can count, or it reads all of both tables.
    `select slug, id from blog_posts where slug in (${places})
     union all
     select slug, post_id from post_slugs where slug in (${places})`,
    [...slugs, ...slugs],
  );
}

/** Readers know these posts by the addresses that they have now, which lead to them for ever. */
export async function keepAddresses(em: EntityManager, rows: readonly PostRow[]): Promise<void> {
  if (rows.length === 0) return;
  await em.execute(
    `insert into post_slugs (slug, post_id)
     select slug, id from jsonb_to_recordset(?::jsonb) as shown (slug text, id uuid) on conflict do nothing`,
    [JSON.stringify(rows.map(({ slug, id }) => ({ slug, id })))],
  );
}

/**
 * Keeps the addresses that posts had until now where redirects lead to them and no other post has them now. An import
 * brings drafts with the addresses of their old site: one that is renamed before anybody saw it would lose them.
 * @param spell returns a path as targets of redirects are recorded
 */
export async function keepLedAddresses(
  em: EntityManager,
  former: readonly Holder[],
  spell: (path: string) => string,
): Promise<void> {
  if (former.length === 0) return;
  const places = former.map(() => '(?, ?::uuid, ?)').join();
  await em.execute(
    `insert into post_slugs (slug, post_id)
     select former.slug, former.id from (values ${places}) as former (slug, id, path)
     where exists (select from redirects where split_part(target, '#', 1) = former.path)
       and not exists (select from blog_posts where blog_posts.slug = former.slug)
     on conflict do nothing`,
    former.flatMap(({ slug, id }) => [slug, id, spell(paths.blog(slug))]),
  );
}
