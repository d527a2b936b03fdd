import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { JobQueue, type QueueDefinition } from '../database/job-queue.js';
import { RolesService } from '../roles/roles.service.js';
import { SYSTEM, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { ScheduleInput } from '../shared/contracts/admin-post-inputs.js';
import type { AdminPost } from '../shared/contracts/admin-posts.js';
import { toChange } from './post-change.js';
import { requirePublisher } from './post-rights.js';
import { PostWriter, type PostEvent } from './post-writer.js';
import { Post, type PostRow } from './post.entity.js';
import { PostTrashedException, ScheduleException } from './post.errors.js';
import { assertPublishable, PublishingService } from './publishing.service.js';

/** Wakes a process when a post may be due. The posts themselves tell if one is. */
export const PUBLISH_QUEUE: QueueDefinition = {
  name: 'publish-posts',
  options: { retryLimit: 20, retryDelay: 1, retryDelayMax: 60, expireInSeconds: 120, deleteAfterSeconds: 24 * 3600 },
};

/** A job of {@link PUBLISH_QUEUE}. */
export interface PublishJob {
  readonly postId: string;
  /** ISO 8601. */
  readonly publishAt: string;
}

/** Has a process look for due posts then, as soon as the transaction of `em` is done. */
export async function wakeForPost(em: EntityManager, jobs: JobQueue, postId: string, at: Date): Promise<void> {
  const job: PublishJob = { postId, publishAt: at.toISOString() };
  await jobs.send(em, PUBLISH_QUEUE, job, { startAfter: at });
}

/** For the activity: a post was planned. */
export function toScheduledEvent(row: PostRow, at: Date): PostEvent {
  return { row, action: 'post.scheduled', details: { publish_at: at.toISOString() } };
}

/** Publishing at a time. For administrators and authors who may, but for the work itself. */
@Injectable()
export class SchedulingService {
  constructor(
    private readonly writer: PostWriter,
    private readonly clock: Clock,
    private readonly roles: RolesService,
    private readonly jobs: JobQueue,
    private readonly publishing: PublishingService,
  ) {}

  /**
   * Plans when a post is published, or takes the plan back, and chooses the date that it will have.
   * @throws PostChangedException, PostTrashedException, UnsavedChangesException, ScheduleException
   * @throws PostInputError for a draft that was never saved
   */
  async schedule(actor: Actor, id: string, input: ScheduleInput): Promise<AdminPost> {
    const scope = await this.roles.requireAuthor(actor);
    const { version, publish_at, published_date } = input;
    const publishAt = publish_at === null ? null : this.readTime(publish_at);
    return await this.writer.transaction(async (em) => {
      const row = await this.writer.lockVersion(em, id, version, scope);
      requirePublisher(scope);
      if (row.deletedAt) throw new PostTrashedException();
      if (publishAt !== null) {
        if (row.isPublished) throw new ScheduleException('The post is published already');
        assertPublishable(row);
        await this.publishing.setDate(em, actor, row, published_date);
        await this.plan(em, actor, [row], publishAt);
      } else {
        await this.publishing.setDate(em, actor, row, published_date);
        await this.unplan(em, actor, row);
      }
      return await this.writer.present(em, row, scope);
    });
  }

  /**
   * Publishes every post that is due, each in a transaction of its own; what another process is publishing is left
   * to it, and what somebody is writing to the next round.
   * @returns how many
   */
  async publishDue(): Promise<number> {
    let count = 0;
    while (await this.publishNext()) count += 1;
    return count;
  }

  /** Returns true for a post that is due and not published: somebody who writes it at this moment has it locked. */
  async isDue(id: string): Promise<boolean> {
    return await this.writer.transaction(async (em) => (await em.count(Post, { ...this.due(), id })) > 0);
  }

  /** @throws ScheduleException for a time that is over */
  requireFuture(time: Date): void {
    if (time <= this.clock.now()) throw new ScheduleException('The time must be in the future');
  }

  /**
   * Plans when rows that are locked and can be published are, in the transaction of `em`.
   * @throws ScheduleException
   */
  async plan(em: EntityManager, actor: Actor, rows: readonly PostRow[], scheduledAt: Date): Promise<void> {
    this.requireFuture(scheduledAt);
    await this.writer.write(
      em,
      actor,
      rows.map((row) => ({ row, change: { scheduledAt } })),
    );
    await this.writer.record(em, actor, ...rows.map((row) => toScheduledEvent(row, scheduledAt)));
    for (const { id } of rows) await wakeForPost(em, this.jobs, id, scheduledAt);
  }

  private async unplan(em: EntityManager, actor: Actor, row: PostRow): Promise<void> {
    if (!row.scheduledAt) return;
    await this.writer.write(em, actor, [{ row, change: { scheduledAt: null } }]);
    await this.writer.record(em, actor, { row, action: 'post.unscheduled' });
  }

  private readTime(text: string): Date {
    const time = new Date(text);
    if (Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999) throw new ScheduleException('This is no time');
    this.requireFuture(time);
    return time;
  }

  /** The condition for posts whose time has come. */
  private due() {
    return { scheduledAt: { $lte: this.clock.now() }, isPublished: false, deletedAt: null };
  }

  private async publishNext(): Promise<boolean> {
    return await this.writer.transaction(async (em) => {
      const lockMode = LockMode.PESSIMISTIC_PARTIAL_WRITE;
      const [row] = await em.find(Post, this.due(), { lockMode, orderBy: { scheduledAt: 'asc' }, limit: 1 });
      if (!row?.scheduledAt) return false;
      const change = toChange(row, {}, true, row.scheduledAt);
      await this.writer.write(em, SYSTEM, [{ row, change }]);
      await this.writer.record(em, SYSTEM, { row, action: 'post.published' });
      return true;
    });
  }
}
