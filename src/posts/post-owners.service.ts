import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { PostOwner, PostState } from '../shared/contracts/admin-posts.js';
import { twiceIfRaced } from '../database/twice-if-raced.js';
import { stateOf, titleOf } from './admin-post.presenter.js';
import { Post } from './post.entity.js';
import { PostInputError, PostNotFoundException } from './post.errors.js';
import { withdrawLinks } from './preview-links.js';

/** A post that belongs to somebody, for who asks what is kept about them. Moments are ISO 8601, UTC. */
export interface OwnedPost {
  readonly id: string;
  readonly title: string;
  readonly state: PostState;
  readonly created_at: string;
}

/**
 * Gives posts to people (decision 102). An owner is no part of a post's contents: giving a post away raises no version,
 * so nobody who writes it meets a conflict. For administrators.
 */
@Injectable()
export class PostOwnersService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives a post to somebody with a role, or to nobody, and withdraws its preview links where it was somebody else's. Of two
   * at once, the last one counts; the activity has both.
   * @throws PostNotFoundException
   * @throws PostInputError for an account without a role
   */
  async give(actor: Actor, id: string, userId: string | null): Promise<PostOwner | null> {
    await this.roles.requireAdmin(actor);
    return await twiceIfRaced(() =>
      this.em.fork().transactional(async (em) => {
        if (userId !== null && (await this.roles.findStanding(userId, em)) === null) {
          throw new PostInputError([{ field: 'user_id', message: 'This account is neither administrator nor author' }]);
        }
        const fields = ['title', 'workingTitle', 'owner'] as const;
        const post = await em.findOne(Post, { id }, { fields });
        if (post === null) throw new PostNotFoundException();
        const [owner = null] =
          userId === null
            ? []
            : await em.execute<PostOwner[]>('select id, email from auth.users where id = ?::uuid', [userId]);
        if ((post.owner?.id ?? null) === userId) return owner;
        await em.nativeUpdate(Post, { id }, { owner: userId });
        // Whoever had it may have kept a link, by which they would go on reading it.
        if (post.owner) await withdrawLinks(em, [id], this.clock.now());
        await this.audit.record(em, actor, {
          action: 'post.given',
          subjectType: 'post',
          subjectId: id,
          subject: titleOf(post) || 'Untitled',
          details: { to: owner?.email ?? null },
        });
        return owner;
      }),
    );
  }

  /** Lists the posts that belong to these accounts, those in the trash among them, the oldest first. The caller has checked the actor. */
  async listOwned(userIds: readonly string[]): Promise<OwnedPost[]> {
    const em = this.em.fork({ disableTransactions: true });
    const fields = ['title', 'workingTitle', 'deletedAt', 'isPublished', 'scheduledAt', 'createdAt'] as const;
    const orderBy = { createdAt: 'asc', id: 'asc' } as const;
    const posts = await em.find(Post, { owner: { $in: [...userIds] } }, { fields, orderBy });
    return posts.map((post) => ({
      id: post.id,
      title: titleOf(post),
      state: stateOf(post),
      created_at: post.createdAt.toISOString(),
    }));
  }

  /**
   * Gives everything of one account that is not published to another one, also what is planned or in the trash, in the
   * transaction of `em`. Published posts stay whose they are. The preview links of all of them are withdrawn, as those of
   * published posts show edits that wait. The caller has checked the actor.
   * @param to null for nobody
   * @returns how many posts have a new owner
   */
  async handOver(em: EntityManager, from: string, to: string | null): Promise<number> {
    // Locked, so that no link is made at this moment.
    const posts = await em.find(
      Post,
      { owner: from },
      { fields: ['id'], orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
    );
    const ids = posts.map(({ id }) => id);
    await withdrawLinks(em, ids, this.clock.now());
    return await em.nativeUpdate(Post, { owner: from, isPublished: false }, { owner: to });
  }
}
