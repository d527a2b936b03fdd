import type { EntityManager } from '@mikro-orm/postgresql';
import type { PostScope } from '../shared/post-scope.js';
import { MayNotPublishException, PostNotFoundException } from './post.errors.js';
import { Post, type PostRow } from './post.entity.js';

/** Stands for other people where an author would read their address: who administers is none of their business. */
const COLLEAGUE = 'a colleague';

/** Returns true for a post that somebody reaches. */
export function isWithin({ ownerId }: PostScope, row: Pick<PostRow, 'owner'>): boolean {
  return ownerId === null || row.owner?.id === ownerId;
}

/** The condition for the posts that somebody reaches. */
export function reachedBy({ ownerId }: PostScope): { readonly owner?: string } {
  return ownerId === null ? {} : { owner: ownerId };
}

/** Checks that somebody reaches a post, to read more about it. @throws PostNotFoundException */
export async function requireReached(em: EntityManager, id: string, scope: PostScope): Promise<void> {
  if ((await em.count(Post, { id, ...reachedBy(scope) })) === 0) throw new PostNotFoundException();
}

/** @throws MayNotPublishException unless somebody may decide what readers see */
export function requirePublisher({ mayPublish }: PostScope): void {
  if (!mayPublish) throw new MayNotPublishException();
}

/**
 * Checks that somebody may change the text of a post. That of a published or planned one was agreed to by who decided
 * it, and is as readers see it.
 * @throws MayNotPublishException
 */
export function requireEditable(scope: PostScope, row: Pick<PostRow, 'isPublished' | 'scheduledAt'>): void {
  if (row.isPublished || row.scheduledAt) requirePublisher(scope);
}

/** Checks that somebody may take a post away: one that readers have, had or will have. @throws MayNotPublishException */
export function requireRemovable(
  scope: PostScope,
  row: Pick<PostRow, 'isPublished' | 'scheduledAt' | 'firstPublishedAt'>,
): void {
  if (row.isPublished || row.scheduledAt || row.firstPublishedAt) requirePublisher(scope);
}

/** The name of an account for who reads a post: its address; for an author, everybody else is a colleague. */
export function nameFor(
  { ownerId }: PostScope,
  account: { readonly id: string; readonly email?: string | null; readonly deletedAt?: Date | null } | null | undefined,
): string | null {
  // The address of a deleted account is a hash.
  if (!account || account.deletedAt) return null;
  return ownerId === null || account.id === ownerId ? (account.email ?? null) : COLLEAGUE;
}
