import type { EntityManager } from '@mikro-orm/postgresql';
import { isAhead } from '../shared/clock.js';
import type { PostForm, RevisionReason } from '../shared/contracts/admin-posts.js';
import { PostRevision } from './post-revision.entity.js';
import type { PostRow } from './post.entity.js';

/** Autosaves of one author within this time are kept as one version. */
const AUTOSAVES_TOGETHER_MS = 10 * 60_000;

/** A version to keep. */
export interface NewRevision {
  readonly reason: RevisionReason;
  readonly fields: PostForm;
  readonly isPublished: boolean;
  /** Id of the account; null for an operator. */
  readonly author: string | null;
  readonly createdAt: Date;
  /** When the first autosave was made that it stands for; null when no further ones may go into it. */
  readonly begunAt: Date | null;
}

/** Adds a version of a post to those that are kept. */
export async function recordRevision(em: EntityManager, row: PostRow, revision: NewRevision): Promise<void> {
  await recordRevisions(em, [{ row, revision }]);
}

/** Adds a version of each post to those that are kept. */
export async function recordRevisions(
  em: EntityManager,
  entries: readonly { readonly row: PostRow; readonly revision: NewRevision }[],
): Promise<void> {
  if (entries.length === 0) return;
  await em.insertMany(
    PostRevision,
    entries.map(({ row: { id, version }, revision }) => ({
      post: id,
      version,
      title: revision.fields.title,
      ...revision,
    })),
  );
}

/**
 * Keeps an autosaved version; it takes the place of the one that the same author began just before. One that a wrong clock
 * began would be just before until that time comes, and every text of then would replace the last one.
 */
export async function recordAutosave(
  em: EntityManager,
  row: PostRow,
  revision: Omit<NewRevision, 'reason' | 'begunAt'>,
): Promise<void> {
  const { author, fields, isPublished, createdAt } = revision;
  const [latest] = await em.find(
    PostRevision,
    { post: row.id },
    { orderBy: { id: 'desc' }, limit: 1, fields: ['id', 'author', 'begunAt'], disableIdentityMap: true },
  );
  const begunAt = latest?.begunAt;
  const isContinued =
    begunAt != null &&
    (latest?.author?.id ?? null) === author &&
    !isAhead(begunAt, createdAt) &&
    createdAt.getTime() - begunAt.getTime() < AUTOSAVES_TOGETHER_MS;
  if (!isContinued) {
    await recordRevision(em, row, { ...revision, reason: 'autosaved', begunAt: createdAt });
    return;
  }
  const data = { fields, title: fields.title, isPublished, createdAt, version: row.version };
  await em.nativeUpdate(PostRevision, { id: latest?.id }, data);
}

/** Keeps the autosaved versions of posts as they are: none that comes later takes their place. */
export async function closeVersions(em: EntityManager, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return;
  await em.nativeUpdate(PostRevision, { post: { $in: [...postIds] }, begunAt: { $ne: null } }, { begunAt: null });
}
