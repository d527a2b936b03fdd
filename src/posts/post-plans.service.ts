import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { CountedPosts } from '../shared/contracts/overview.js';
import { PostListService } from './post-list.service.js';

const SHOWN = 5;
const WAITING = 'deleted_at is null and scheduled_at is null and (not is_published or kept_at is not null)';
const SCHEDULED = 'deleted_at is null and not is_published and scheduled_at is not null';

/** Says which posts wait for somebody, and which for their time, for the start page of the admin area. */
@Injectable()
export class PostPlansService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly list: PostListService,
  ) {}

  /** Returns drafts, and published posts with edits that nobody saved; what changed last comes first. */
  async findWaiting(actor: Actor): Promise<CountedPosts> {
    return await this.find(actor, WAITING, 'greatest(updated_at, kept_at) desc');
  }

  /** Returns posts that will be published; the next one comes first. */
  async findScheduled(actor: Actor): Promise<CountedPosts> {
    return await this.find(actor, SCHEDULED, 'scheduled_at');
  }

  private async find(actor: Actor, condition: string, order: string): Promise<CountedPosts> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const [own, values] = ownerId === null ? ['', []] : ['and owner_id = ?', [ownerId]];
    const rows = await this.em.fork({ disableTransactions: true }).execute<{ id: string; count: number }[]>(
      `select id, (count(*) over ())::int as count from blog_posts where ${condition} ${own}
         order by ${order}, id limit ${SHOWN}`,
      values,
    );
    const found = await this.list.findItems(
      actor,
      rows.map(({ id }) => id),
    );
    const items = new Map(found.map((item) => [item.id, item]));
    // What went in between is left out.
    return { count: rows[0]?.count ?? 0, items: rows.flatMap(({ id }) => items.get(id) ?? []) };
  }
}
