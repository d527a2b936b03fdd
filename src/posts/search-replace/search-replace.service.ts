import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../../roles/roles.service.js';
import type { Actor } from '../../shared/actor.js';
import { titleOf } from '../admin-post.presenter.js';
import { selectedBy, type PostSelection } from '../batch.service.js';
import { PostWriter, type RowWrite } from '../post-writer.js';
import { Post, type PostRow } from '../post.entity.js';
import { replaceInPost, type PostReplacement, type PostReplacing, type ReplacedPlace } from './replace-in-post.js';
import { toPattern } from './text-pattern.js';

export { replaceableFields, type PostReplacing, type ReplacedPart, type ReplacedPlace } from './replace-in-post.js';

/** A post in which words were found. */
export interface SearchedPost {
  readonly slug: string;
  readonly title: string;
  /** True when readers see it. */
  readonly isPublished: boolean;
  readonly places: readonly ReplacedPlace[];
  /** Why it stays as it is; null if it does not. */
  readonly refusal: string | null;
  /** Places that are left as they are, in words. */
  readonly notes: readonly string[];
}

/** Posts that are read, and changed, in one transaction: their texts are in memory together. */
const BATCH_SIZE = 50;

/** Replaces words in posts. For administrators. */
@Injectable()
export class SearchReplaceService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly writer: PostWriter,
  ) {}

  /**
   * Replaces words in the chosen posts but the trash, in edits of them that nobody saved too, and gives each post in
   * which there are some. Published posts stay published, as they read then; planned ones stay planned. The former text
   * is a version of the post, and so are former edits.
   * @param isDryRun only says what would be replaced
   * @throws Error for a pattern that is none, or finds nothing at all
   */
  async *replace(
    actor: Actor,
    replacing: PostReplacing,
    selection: PostSelection,
    isDryRun: boolean,
  ): AsyncGenerator<SearchedPost> {
    await this.roles.requireAdmin(actor);
    const pattern = toPattern(replacing);
    let last: string | null = null;
    for (;;) {
      const rows: PostRow[] = await this.read(selection, last);
      const results = rows.map((row) => ({ row, result: replaceInPost(row, replacing, pattern) }));
      const found = results.filter(({ result }) => hasSomething(result));
      if (isDryRun) yield* found.map(({ row, result }) => toSearched(row, result));
      else if (found.length > 0) {
        yield* await this.write(
          actor,
          found.map(({ row }) => row.id),
          replacing,
          pattern,
        );
      }
      if (rows.length < BATCH_SIZE) return;
      last = rows.at(-1)?.id ?? null;
    }
  }

  /** Returns the slugs that no post has, but for those in the trash. */
  async findUnknown(actor: Actor, slugs: readonly string[]): Promise<string[]> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const found = await em.find(Post, { slug: { $in: [...slugs] }, deletedAt: null }, { fields: ['slug'] });
    const known = new Set(found.map(({ slug }) => slug));
    return [...new Set(slugs)].filter((slug) => !known.has(slug));
  }

  private async read(selection: PostSelection, last: string | null): Promise<PostRow[]> {
    const after: FilterQuery<PostRow>[] = last === null ? [] : [{ id: { $gt: last } }];
    return await this.em
      .fork({ disableTransactions: true })
      .find(
        Post,
        { $and: [{ deletedAt: null }, ...selectedBy(selection), ...after] },
        { orderBy: { id: 'asc' }, limit: BATCH_SIZE },
      );
  }

  /** Replaces in the posts as they are once they are locked, whatever they were when they were read. */
  private async write(
    actor: Actor,
    ids: readonly string[],
    replacing: PostReplacing,
    pattern: RegExp,
  ): Promise<SearchedPost[]> {
    return await this.writer.transaction(async (em) => {
      const rows = (await this.writer.lock(em, ids)).filter(({ deletedAt }) => !deletedAt);
      const results = rows.map((row) => ({ row, result: replaceInPost(row, replacing, pattern) }));
      const searched = results.map(({ row, result }) => toSearched(row, result));
      const changing = results.flatMap(({ row, result: { change } }) => (change === null ? [] : [{ row, change }]));
      await this.keepFormer(
        em,
        actor,
        changing.map(({ row }) => row),
      );
      // Former edits become a version, as after every save over them.
      const writes = changing.map(({ row, change }): RowWrite => ({ row, change, isDiscarding: true }));
      const written = await this.writer.write(em, actor, writes);
      await this.writer.recordVersions(em, actor, written, 'saved');
      await this.writer.record(em, actor, ...written.map((row) => ({ row, action: 'post.words_replaced' as const })));
      return searched.filter(({ places, notes }) => places.length + notes.length > 0);
    });
  }

  /** Makes versions of texts that are none yet, as changes of all posts at once leave them. */
  private async keepFormer(em: EntityManager, actor: Actor, rows: readonly PostRow[]): Promise<void> {
    const ids = rows.filter(({ title }) => title !== '').map(({ id }) => id);
    const known = await em.execute<{ id: string }[]>(
      `select p.id from blog_posts p where p.id = any(?::uuid[]) and exists (
         select from post_revisions r where r.post_id = p.id
           and r.fields ->> 'content' = p.content and r.fields ->> 'title' = p.title
           and coalesce(r.fields ->> 'excerpt', '') = coalesce(p.excerpt, ''))`,
      [`{${ids.join(',')}}`],
    );
    const kept = new Set(known.map(({ id }) => id));
    const lost = rows.filter(({ id }) => ids.includes(id) && !kept.has(id));
    await this.writer.recordVersions(em, actor, lost, 'saved');
  }
}

function hasSomething({ places, notes }: PostReplacement): boolean {
  return places.length + notes.length > 0;
}

function toSearched(row: PostRow, { places, refusal, notes }: PostReplacement): SearchedPost {
  return { slug: row.slug, title: titleOf(row), isPublished: row.isPublished, places, refusal, notes };
}
