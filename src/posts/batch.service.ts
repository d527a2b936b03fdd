import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { PostState } from '../shared/contracts/admin-posts.js';
import { titleOf } from './admin-post.presenter.js';
import {
  decideChange,
  standingAfter,
  standingOf,
  type BatchChange,
  type BatchOutcome,
  type PostStanding,
} from './batch-decision.js';
import { PostWriter } from './post-writer.js';
import { Post, type PostRow } from './post.entity.js';
import { PublishingService } from './publishing.service.js';
import { SchedulingService } from './scheduling.service.js';
import { TrashService } from './trash.service.js';

export type { BatchChange, BatchOutcome, PostStanding } from './batch-decision.js';

/** Which posts are meant: those to which all of it applies. What is undefined narrows nothing. */
export interface PostSelection {
  readonly slugs?: readonly string[] | undefined;
  readonly tag?: string | undefined;
  readonly category?: string | undefined;
  /** Selects posts of this date or later, as readers see it. */
  readonly from?: Date | undefined;
  /** Selects posts of an earlier date. */
  readonly before?: Date | undefined;
  readonly state?: Exclude<PostState, 'trashed'> | undefined;
}

/** A post that a change would be about. */
export interface PlannedChange {
  readonly id: string;
  readonly version: number;
  readonly slug: string;
  readonly title: string;
  /** 'done' where the change would be made. */
  readonly outcome: BatchOutcome;
  readonly now: PostStanding;
  readonly then: PostStanding;
}

/** The prediction of a change. */
export interface BatchPlan {
  /** By slug. */
  readonly posts: readonly PlannedChange[];
  /** Slugs that were named, and that none of the chosen posts has. */
  readonly unknown: readonly string[];
  /** The places of the posts that have them all the same, by slug. */
  readonly places: ReadonlyMap<string, PostPlace>;
}

/** A post is in the trash, or among those that are not. */
export type PostPlace = 'trash' | 'blog';

/** The result for one post. */
export interface BatchResult {
  readonly id: string;
  readonly outcome: BatchOutcome;
}

/** Posts that are changed in one transaction: their texts are in memory together. */
export const BATCH_SIZE = 200;

const planFields = [
  'id',
  'version',
  'slug',
  'title',
  'workingTitle',
  'isPublished',
  'scheduledAt',
  'deletedAt',
  'keptAt',
] as const;

const conditionsOfStates: Readonly<Record<Exclude<PostState, 'trashed'>, FilterQuery<PostRow>>> = {
  draft: { isPublished: false, scheduledAt: null },
  scheduled: { isPublished: false, scheduledAt: { $ne: null } },
  published: { isPublished: true },
};

/** One change of many posts that are chosen by what they have in common. For administrators. */
@Injectable()
export class BatchService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
    private readonly publishing: PublishingService,
    private readonly scheduling: SchedulingService,
    private readonly trash: TrashService,
  ) {}

  /**
   * Predicts a change of the chosen posts. Posts in the trash are chosen for their final removal only, and other posts
   * for every other change only.
   * @throws ScheduleException when they would be published at a time that is over
   */
  async plan(actor: Actor, change: BatchChange, selection: PostSelection): Promise<BatchPlan> {
    await this.roles.requireAdmin(actor);
    if (change.kind === 'schedule') this.scheduling.requireFuture(change.publishAt);
    const rows = await this.em
      .fork({ disableTransactions: true })
      .find(Post, toConditions(change, selection), { fields: planFields });
    const posts = rows.map((row): PlannedChange => {
      const outcome = decideChange(change, row);
      const now = standingOf(row);
      const then = outcome === 'done' ? standingAfter(change) : now;
      return { id: row.id, version: row.version, slug: row.slug, title: titleOf(row), outcome, now, then };
    });
    posts.sort((a, b) => (a.slug < b.slug ? -1 : 1));
    const found = new Set(posts.map(({ slug }) => slug));
    const unknown = [...new Set(selection.slugs)].filter((slug) => !found.has(slug));
    return { posts, unknown, places: await this.findPlaces(unknown) };
  }

  private async findPlaces(slugs: readonly string[]): Promise<Map<string, PostPlace>> {
    if (slugs.length === 0) return new Map();
    const em = this.em.fork({ disableTransactions: true });
    const rows = await em.find(Post, { slug: { $in: [...slugs] } }, { fields: ['slug', 'deletedAt'] });
    return new Map(rows.map(({ slug, deletedAt }) => [slug, deletedAt ? 'trash' : 'blog']));
  }

  /**
   * Changes those posts that can be changed, all of them or, if anything fails, none.
   * @param posts at most {@link BATCH_SIZE}, as they were when the change was planned
   */
  async apply(
    actor: Actor,
    change: BatchChange,
    posts: readonly Pick<PlannedChange, 'id' | 'version'>[],
  ): Promise<BatchResult[]> {
    await this.roles.requireAdmin(actor);
    return await this.writer.transaction(async (em) => {
      const ids = posts.map(({ id }) => id);
      const rows = new Map((await this.writer.lock(em, ids)).map((row) => [row.id, row]));
      const results = posts.map(({ id, version }) => ({ id, outcome: outcomeOf(change, rows.get(id), version) }));
      const changing = results.flatMap(({ id, outcome }) => (outcome === 'done' ? (rows.get(id) ?? []) : []));
      await this.change(em, actor, change, changing);
      return results;
    });
  }

  private async change(em: EntityManager, actor: Actor, change: BatchChange, rows: readonly PostRow[]): Promise<void> {
    if (rows.length === 0) return;
    switch (change.kind) {
      case 'publish':
      case 'unpublish':
        return await this.publishing.publish(em, actor, rows, change.kind === 'publish');
      case 'schedule':
        return await this.scheduling.plan(em, actor, rows, change.publishAt);
      case 'trash':
        return await this.trash.discard(em, actor, rows);
      case 'delete-forever':
        return await this.trash.remove(em, actor, rows);
    }
  }
}

function outcomeOf(change: BatchChange, row: PostRow | undefined, version: number): BatchOutcome {
  if (row === undefined) return 'gone';
  return row.version === version ? decideChange(change, row) : 'changed-meanwhile';
}

function toConditions(change: BatchChange, selection: PostSelection): FilterQuery<PostRow> {
  const place = { deletedAt: change.kind === 'delete-forever' ? { $ne: null } : null };
  return { $and: [place, ...selectedBy(selection)] };
}

/** The conditions that a selection is; none for all posts. */
export function selectedBy({ slugs, tag, category, from, before, state }: PostSelection): FilterQuery<PostRow>[] {
  const conditions: FilterQuery<PostRow>[] = [];
  if (slugs !== undefined) conditions.push({ slug: { $in: [...slugs] } });
  if (tag !== undefined) conditions.push({ tags: { $contains: [tag] } });
  if (category !== undefined) conditions.push({ category });
  if (from !== undefined) conditions.push({ publishedDate: { $gte: from } });
  if (before !== undefined) conditions.push({ publishedDate: { $lt: before } });
  if (state !== undefined) conditions.push(conditionsOfStates[state]);
  return conditions;
}
