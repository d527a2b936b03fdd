import type { EntityManager } from '@mikro-orm/postgresql';
import { CLOCK_TOLERANCE_MS } from '../shared/clock.js';
import { PostPreviewLink, type PostPreviewLinkRow } from './post-preview-link.entity.js';

const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 7 * DAY_MS;

/** The latest end that a link may have: a later one was made by a clock that was ahead, and would work until then. */
export function latestEnd(now: Date): Date {
  return new Date(now.getTime() + LIFETIME_MS + CLOCK_TOLERANCE_MS);
}

/**
 * The newest link that an account has made to a post if it was made within a day, else a new one: opening a dialog again makes
 * no further one. Somebody else's would end with their access.
 */
export async function findOrCreateLink(
  em: EntityManager,
  postId: string,
  createdBy: string | null,
  now: Date,
): Promise<{ readonly link: PostPreviewLinkRow; readonly isNew: boolean }> {
  const wanted = Math.floor((now.getTime() + LIFETIME_MS) / 1000) * 1000;
  const believed = { post: postId, expiresAt: { $lte: latestEnd(now) } };
  const links = await em.find(PostPreviewLink, believed, { orderBy: { expiresAt: 'desc' } });
  const own = links.find((link) => (link.createdBy ?? null) === createdBy);
  if (own?.withdrawnAt === null && own.expiresAt.getTime() > wanted - DAY_MS) return { link: own, isNew: false };
  // Two links of a post that end in one second would be the same.
  const last = links[0]?.expiresAt.getTime() ?? 0;
  const expiresAt = new Date(Math.max(wanted, last + 1000));
  const link = em.create(PostPreviewLink, { post: postId, createdAt: now, createdBy, expiresAt, withdrawnAt: null });
  await em.nativeDelete(PostPreviewLink, { expiresAt: { $lt: new Date(now.getTime() - LIFETIME_MS) } });
  await em.persist(link).flush();
  return { link, isNew: true };
}

/** Lists the links of a post that can be used, the newest first. */
export async function listLinks(em: EntityManager, postId: string, now: Date): Promise<PostPreviewLinkRow[]> {
  const usable = { post: postId, withdrawnAt: null, expiresAt: { $gt: now, $lte: latestEnd(now) } };
  return await em.find(PostPreviewLink, usable, { orderBy: { expiresAt: 'desc' } });
}

/** Returns true for a link that was withdrawn. Links of version 0.1.0 have no row: they end with any withdrawal. */
export async function isWithdrawn(em: EntityManager, postId: string, expiresAt: Date): Promise<boolean> {
  const issuedAt = new Date(expiresAt.getTime() - LIFETIME_MS);
  const related = { post: postId, $or: [{ expiresAt }, { withdrawnAt: { $gte: issuedAt } }] };
  const links = await em.find(PostPreviewLink, related);
  const own = links.find((link) => link.expiresAt.getTime() === expiresAt.getTime());
  return own === undefined ? links.length > 0 : own.withdrawnAt !== null;
}

/** Withdraws all links of posts, those without a row too: what is noted has ended already and is removed in a week. */
export async function withdrawLinks(em: EntityManager, postIds: readonly string[], now: Date): Promise<void> {
  if (postIds.length === 0) return;
  await em.nativeUpdate(PostPreviewLink, { post: { $in: [...postIds] }, withdrawnAt: null }, { withdrawnAt: now });
  await em.execute(
    `insert into post_preview_links (post_id, created_at, expires_at, withdrawn_at)
     select value::uuid, ?, date_trunc('second', ?::timestamptz), ? from jsonb_array_elements_text(?::jsonb)
     on conflict do nothing`,
    [now, now, now, JSON.stringify(postIds)],
  );
}
