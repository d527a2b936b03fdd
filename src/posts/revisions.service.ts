import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { PostScope } from '../shared/post-scope.js';
import type { Revision, RevisionPage, RevisionSummary } from '../shared/contracts/admin-posts.js';
import { toForm } from './admin-post.presenter.js';
import { withDateOfPost } from './chosen-date.js';
import { PostRevision, type PostRevisionRow } from './post-revision.entity.js';
import { Post } from './post.entity.js';
import { completeForm } from './post-texts.js';
import { nameFor, reachedBy, requireReached } from './post-rights.js';
import { RevisionNotFoundException } from './post.errors.js';

const PAGE_SIZE = 50;
const ID = /^[1-9]\d{0,17}$/;

const summaryFields = [
  ...(['version', 'reason', 'title', 'isPublished', 'createdAt'] as const),
  ...(['author.email', 'author.deletedAt'] as const),
] as const;

type SummaryRow = Pick<PostRevisionRow, 'id' | 'version' | 'reason' | 'title' | 'isPublished' | 'createdAt'> & {
  readonly author?: { readonly id: string; readonly email?: string | null; readonly deletedAt?: Date | null } | null;
};

/** The versions of posts that were kept. For administrators and authors. */
@Injectable()
export class RevisionsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
  ) {}

  /**
   * The kept versions of a post, newest first.
   * @param cursor of the page before; undefined for the first one
   * @throws PostNotFoundException
   */
  async list(actor: Actor, postId: string, cursor: string | undefined): Promise<RevisionPage> {
    const scope = await this.roles.requireAuthor(actor);
    const em = this.em.fork({ disableTransactions: true });
    await requireReached(em, postId, scope);
    const where = { post: postId, ...(cursor === undefined ? {} : { id: { $lt: BigInt(cursor) } }) };
    const options = {
      fields: summaryFields,
      populate: ['author'],
      orderBy: { id: 'desc' },
      limit: PAGE_SIZE + 1,
    } as const;
    const rows = await em.find(PostRevision, where, options);
    const items = rows.slice(0, PAGE_SIZE).map((row) => toSummary(row, scope));
    return { items, next_cursor: rows.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null };
  }

  /** @throws RevisionNotFoundException */
  async find(actor: Actor, postId: string, id: string): Promise<Revision> {
    const scope = await this.roles.requireAuthor(actor);
    const em = this.em.fork({ disableTransactions: true });
    const options = { fields: [...summaryFields, 'fields'], populate: ['author'] } as const;
    const row = ID.test(id) ? await em.findOne(PostRevision, { id: BigInt(id), post: postId }, options) : null;
    const post = await em.findOne(Post, { id: postId, ...reachedBy(scope) });
    if (row === null || post === null) throw new RevisionNotFoundException();
    return { ...toSummary(row, scope), fields: withDateOfPost(completeForm(row.fields, toForm(post)), post) };
  }
}

function toSummary(row: SummaryRow, scope: PostScope): RevisionSummary {
  return {
    id: String(row.id),
    version: row.version,
    reason: row.reason,
    title: row.title,
    is_published: row.isPublished,
    author: nameFor(scope, row.author),
    created_at: row.createdAt.toISOString(),
  };
}
