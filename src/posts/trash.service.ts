import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import { SYSTEM, userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { AdminPost } from '../shared/contracts/admin-posts.js';
import { requireRemovable } from './post-rights.js';
import { PostWriter } from './post-writer.js';
import { Post, type PostRow } from './post.entity.js';
import { PostNotTrashedException } from './post.errors.js';
import { withdrawLinks } from './preview-links.js';

/** How long a post stays in the trash. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Deleting posts so that it can be undone. For administrators and authors. */
@Injectable()
export class TrashService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    private readonly roles: RolesService,
  ) {}

  /**
   * Puts a post into the trash: it is gone for readers at once.
   * @throws PostNotFoundException, PostChangedException, MayNotPublishException
   */
  async trash(actor: Actor, id: string, version: number): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      requireRemovable(scope, row);
      if (!row.deletedAt) await this.discard(em, actor, [row]);
      return await this.writer.present(em, row, scope);
    });
  }

  /**
   * Brings a post back as a draft, whatever it was or was planned to be before.
   * @throws PostNotFoundException, PostChangedException, PostNotTrashedException
   */
  async restore(actor: Actor, id: string, version: number): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      if (!row.deletedAt) throw new PostNotTrashedException();
      const change = { deletedAt: null, deletedBy: null, isPublished: false, scheduledAt: null };
      await this.writer.write(em, actor, [{ row, change }]);
      await this.writer.record(em, actor, { row, action: 'post.restored' });
      return await this.writer.present(em, row, scope);
    });
  }

  /**
   * Removes a post of the trash for good, with its revisions and addresses.
   * @throws PostNotFoundException, PostChangedException, PostNotTrashedException, MayNotPublishException
   */
  async deletePermanently(actor: Actor, id: string, version: number): Promise<void> {
    const scope = await this.roles.requireAuthor(actor);
    await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      requireRemovable(scope, row);
      if (!row.deletedAt) throw new PostNotTrashedException();
      await this.remove(em, actor, [row]);
    });
  }

  /**
   * Puts rows that are locked, and not there yet, into the trash, in the transaction of `em`. Plans go with their posts, and
   * are recorded as taken back: when a post is restored, no import plans or publishes it by itself.
   */
  async discard(em: EntityManager, actor: Actor, rows: readonly PostRow[]): Promise<void> {
    const planned = rows.filter(({ isPublished, scheduledAt }) => !isPublished && scheduledAt);
    await this.writer.record(em, actor, ...planned.map((row) => ({ row, action: 'post.unscheduled' }) as const));
    await this.undoCreation(em, actor, rows);
  }

  /** Does what {@link discard} does, but says nothing of plans: an import may make these posts, and their plans, again. */
  async undoCreation(em: EntityManager, actor: Actor, rows: readonly PostRow[]): Promise<void> {
    const deletedAt = this.clock.now();
    // Whoever takes a post away does not expect its links to work again when it comes back.
    const ids = rows.map(({ id }) => id);
    await withdrawLinks(em, ids, deletedAt);
    const change = { deletedAt, deletedBy: userIdOf(actor), isPublished: false, scheduledAt: null };
    await this.writer.write(
      em,
      actor,
      rows.map((row) => ({ row, change })),
    );
    await this.writer.record(em, actor, ...rows.map((row) => ({ row, action: 'post.trashed' }) as const));
  }

  /** Removes rows of the trash that are locked for good, in the transaction of `em`. */
  async remove(em: EntityManager, actor: Actor, rows: readonly PostRow[]): Promise<void> {
    await this.writer.record(em, actor, ...rows.map((row) => ({ row, action: 'post.deleted' }) as const));
    await em.remove([...rows]).flush();
  }

  /** Removes what has been in the trash for 30 days. @returns how many */
  async purge(): Promise<number> {
    let count = 0;
    while (await this.purgeNext()) count += 1;
    return count;
  }

  private async purgeNext(): Promise<boolean> {
    return await this.writer.transaction(async (em) => {
      const before = new Date(this.clock.now().getTime() - KEPT_MS);
      const lockMode = LockMode.PESSIMISTIC_PARTIAL_WRITE;
      const [row] = await em.find(Post, { deletedAt: { $lte: before } }, { lockMode, limit: 1 });
      if (row === undefined) return false;
      await this.remove(em, SYSTEM, [row]);
      return true;
    });
  }
}
