import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { PostFilterQuery, PostListQuery } from '../shared/contracts/admin-post-inputs.js';
import type {
  AdminPostCount,
  AdminPostFacets,
  AdminPostListItem,
  AdminPostPage,
  PostState,
} from '../shared/contracts/admin-posts.js';
import type { PostScope } from '../shared/post-scope.js';
import { listFields, toAdminPostListItem } from './admin-post.presenter.js';
import { buildCountQuery, buildListQuery, nextCursor, type ListKey } from './post-list-query.js';
import { reachedBy } from './post-rights.js';
import { Post } from './post.entity.js';
import { PRESENTER_CONTEXT, type PresenterContext } from './post.presenter.js';

/** The list of administrators, and that of authors, which has their own posts alone. */
@Injectable()
export class PostListService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
  ) {}

  /**
   * A part of the list, found by where the last one ended, so that no post is missed or shown twice while others
   * come and go.
   */
  async list(actor: Actor, query: PostListQuery): Promise<AdminPostPage> {
    const scope = await this.roles.requireAuthor(actor);
    const { sql, values } = buildListQuery(query, scope);
    const em = this.em.fork({ disableTransactions: true });
    const all = await em.execute<ListKey[]>(sql, values);
    const keys = all.slice(0, query.limit);
    const ids = keys.map(({ id }) => id);
    const found = await this.itemsOf(em, ids, scope);
    const items = new Map(found.map((item) => [item.id, item]));
    return {
      // What went in between is left out.
      items: keys.flatMap(({ id }) => items.get(id) ?? []),
      next_cursor: all.length > query.limit ? nextCursor(keys.at(-1)) : null,
    };
  }

  /** Returns how many posts a filter has, for who wants to choose them all. */
  async count(actor: Actor, filter: PostFilterQuery): Promise<AdminPostCount> {
    const scope = await this.roles.requireAuthor(actor);
    const { sql, values } = buildCountQuery(filter, scope);
    const [row] = await this.em.fork({ disableTransactions: true }).execute<AdminPostCount[]>(sql, values);
    return { count: row?.count ?? 0 };
  }

  /** These posts as the list shows them, in no order. */
  async findItems(actor: Actor, ids: readonly string[]): Promise<AdminPostListItem[]> {
    const scope = await this.roles.requireAuthor(actor);
    return await this.itemsOf(this.em.fork({ disableTransactions: true }), ids, scope);
  }

  /** Returns the values by which the list can be filtered. */
  async listFacets(actor: Actor): Promise<AdminPostFacets> {
    const scope = await this.roles.requireAuthor(actor);
    const em = this.em.fork({ disableTransactions: true });
    const [own, values] = scope.ownerId === null ? ['true', []] : ['owner_id = ?', [scope.ownerId]];
    const [categories, tags, [counts]] = await Promise.all([
      em.execute<{ value: string }[]>(
        `select distinct category as value from blog_posts
         where deleted_at is null and category is not null and ${own}`,
        values,
      ),
      em.execute<{ value: string }[]>(
        `select distinct unnest(tags) as value from blog_posts where deleted_at is null and tags is not null and ${own}`,
        values,
      ),
      em.execute<Record<PostState, string>[]>(
        `select count(*) filter (where deleted_at is not null) as trashed,
                count(*) filter (where deleted_at is null and is_published) as published,
                count(*) filter (where deleted_at is null and not is_published and scheduled_at is not null) as scheduled,
                count(*) filter (where deleted_at is null and not is_published and scheduled_at is null) as draft
         from blog_posts where ${own}`,
        values,
      ),
    ]);
    return { categories: inOrder(categories), tags: inOrder(tags), counts: toCounts(counts) };
  }

  private async itemsOf(em: EntityManager, ids: readonly string[], scope: PostScope): Promise<AdminPostListItem[]> {
    const rows = await em.find(Post, { id: { $in: [...ids] }, ...reachedBy(scope) }, { fields: listFields });
    return rows.map((row) => toAdminPostListItem(row, this.context));
  }
}

function inOrder(rows: readonly { readonly value: string }[]): string[] {
  return rows.map(({ value }) => value).sort((a, b) => a.localeCompare(b, 'en'));
}

function toCounts(row: Record<PostState, string> | undefined): Record<PostState, number> {
  const countOf = (state: PostState) => Number(row?.[state] ?? 0);
  return {
    draft: countOf('draft'),
    scheduled: countOf('scheduled'),
    published: countOf('published'),
    trashed: countOf('trashed'),
  };
}
