import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ContentNotifier } from '../database/content-notifier.js';
import { RolesService } from '../roles/roles.service.js';
import type { PostDetail, PostSummary } from '../shared/contracts/posts.js';
import { POST_LIMITS } from '../shared/limits.js';
import { findMediaNames } from '../shared/media.js';
import type { Actor } from '../shared/actor.js';
import { UploadsService } from '../uploads/uploads.service.js';
import type { PostFields } from './post-preparation.js';
import { Post, type PostRow } from './post.entity.js';
import { PostChangedError } from './post.errors.js';
import { detailFields, summaryFields, toPostDetail, toPostSummary, type PresenterContext } from './post.presenter.js';

/** A line of the list of all posts. */
export type PostListItem = Pick<PostRow, 'slug' | 'title' | 'author' | 'category' | 'publishedDate' | 'isPublished'>;

/** What an importer must know of a post that it may be about to write over. */
export type ImportedPost = Pick<
  PostRow,
  'id' | 'version' | 'isPublished' | 'sourceKey' | 'sourceFingerprint' | Exclude<keyof PostFields, symbol>
>;

/** One post to write. */
export interface PostWrite {
  /** The post to change, as it was read; null for a new one. */
  readonly target: Pick<PostRow, 'id' | 'version'> | null;
  /** New contents, from `preparePost`; null to leave them as they are. */
  readonly fields: PostFields | null;
  /** Where the contents come from, for posts that are imported. */
  readonly source?: { readonly key: string; readonly fingerprint: string };
  /** Undefined leaves it as it is; a new post is a draft then. */
  readonly isPublished?: boolean;
}

/** What became of each slug that was to be published or unpublished. */
export interface PublishResult {
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly unknown: readonly string[];
}

const published = { isPublished: true };
const newestFirst = { publishedDate: 'desc', id: 'asc' } as const;

/** Reading and writing posts. Visibility is a condition of the query; what sees drafts says so in its name. */
@Injectable()
export class PostsService {
  private readonly context: PresenterContext;

  constructor(
    private readonly em: EntityManager,
    private readonly notifier: ContentNotifier,
    private readonly roles: RolesService,
    private readonly uploads: UploadsService,
    @Inject(CONFIG) config: Config,
  ) {
    const publicBase = config.storage.driver === 's3' ? config.storage.publicUrl : undefined;
    this.context = { timeZone: config.site.timeZone, publicBase };
  }

  /** Every published post, newest first. */
  async listPublished(): Promise<PostSummary[]> {
    const rows = await this.reader().find(Post, published, { fields: summaryFields, orderBy: newestFirst });
    return rows.map((row) => toPostSummary(row, this.context));
  }

  /** The newest published posts, with their text. */
  async listLatestPublished(limit: number): Promise<PostDetail[]> {
    const rows = await this.reader().find(Post, published, { fields: detailFields, orderBy: newestFirst, limit });
    return rows.map((row) => toPostDetail(row, this.context));
  }

  /** What a sitemap says of every published post. */
  async listPublishedAddresses(): Promise<Pick<PostRow, 'slug' | 'updatedAt'>[]> {
    const rows = await this.reader().find(Post, published, { fields: ['slug', 'updatedAt'], orderBy: newestFirst });
    return rows.map(({ slug, updatedAt }) => ({ slug, updatedAt }));
  }

  /** The published post of that slug, or null. */
  async findPublishedBySlug(slug: string): Promise<PostDetail | null> {
    // No post can have such a slug, and PostgreSQL refuses the zero character.
    if (slug.includes('\0') || slug.length > POST_LIMITS.slug * 2) return null;
    const row = await this.reader().findOne(Post, { slug, ...published }, { fields: detailFields });
    return row === null ? null : toPostDetail(row, this.context);
  }

  /** Every post, the latest written first (specification section 7). */
  async listAllIncludingDrafts(actor: Actor): Promise<PostListItem[]> {
    await this.roles.requireAdmin(actor);
    const fields = ['slug', 'title', 'author', 'category', 'publishedDate', 'isPublished'] as const;
    return await this.reader().find(
      Post,
      {},
      { fields, orderBy: { createdAt: 'desc', publishedDate: 'desc', id: 'asc' } },
    );
  }

  /** The posts, drafts too, that came from one of these sources or hold one of these slugs. */
  async findForImportIncludingDrafts(
    actor: Actor,
    sourceKeys: readonly string[],
    slugs: readonly string[],
  ): Promise<ImportedPost[]> {
    await this.roles.requireAdmin(actor);
    const where = { $or: [{ sourceKey: { $in: [...sourceKeys] } }, { slug: { $in: [...slugs] } }] };
    return await this.reader().find(Post, where);
  }

  /**
   * Writes all of the posts or, if anything fails, none, and tells every process once.
   * @throws PostChangedError if a target was changed since it was read
   * @throws UniqueConstraintViolationException if a slug or a source is taken
   * @throws ImageGoneException if a post shows an image that was removed
   */
  async savePosts(actor: Actor, writes: readonly PostWrite[]): Promise<void> {
    await this.roles.requireAdmin(actor);
    if (writes.length === 0) return;
    await this.em.fork().transactional(async (em) => {
      const ids = writes.flatMap(({ target }) => (target === null ? [] : [target.id]));
      const rows = await em.find(Post, { id: { $in: ids } }, { lockMode: 4 });
      const rowsById = new Map(rows.map((row) => [row.id, row]));
      const written = writes.map((write) => ({ write, row: this.apply(em, write, rowsById) }));
      await em.flush();
      for (const { write, row } of written) await this.recordImages(em, write, row);
      await this.notifier.notifyChanged(em);
    });
  }

  /** Publishes or unpublishes posts by slug, or all of them; changes nothing about those that are as wanted. */
  async setPublished(actor: Actor, slugs: readonly string[] | 'all', isPublished: boolean): Promise<PublishResult> {
    await this.roles.requireAdmin(actor);
    return await this.em.fork().transactional(async (em) => {
      const where = slugs === 'all' ? {} : { slug: { $in: [...slugs] } };
      const options = {
        fields: ['id', 'slug', 'isPublished'],
        orderBy: { slug: 'asc' },
        disableIdentityMap: true,
      } as const;
      const rows = await em.find(Post, where, options);
      const toChange = rows.filter((row) => row.isPublished !== isPublished);
      if (toChange.length > 0) {
        const data = { isPublished, version: raw('version + 1'), updatedAt: new Date() };
        await em.nativeUpdate(Post, { id: { $in: toChange.map((row) => row.id) } }, data);
        await this.notifier.notifyChanged(em);
      }
      const known = new Set(rows.map((row) => row.slug));
      return {
        changed: toChange.map((row) => row.slug),
        unchanged: rows.filter((row) => row.isPublished === isPublished).map((row) => row.slug),
        unknown: slugs === 'all' ? [] : slugs.filter((slug) => !known.has(slug)),
      };
    });
  }

  private async recordImages(em: EntityManager, { target, fields }: PostWrite, row: PostRow): Promise<void> {
    if (fields === null) return;
    const names = findMediaNames(fields.content, fields.imageUrl);
    if (target !== null || names.length > 0) await this.uploads.recordUses(em, row.id, 'post', names);
  }

  private apply(em: EntityManager, write: PostWrite, rows: ReadonlyMap<string, PostRow>): PostRow {
    const { target, fields, source, isPublished } = write;
    const data = {
      ...(fields === null ? {} : { ...fields, publishedDate: fields.publishedDate ?? new Date() }),
      ...(source === undefined ? {} : { sourceKey: source.key, sourceFingerprint: source.fingerprint }),
      ...(isPublished === undefined ? {} : { isPublished }),
    };
    if (target === null) {
      if (fields === null) throw new Error('A new post needs contents');
      const publishedDate = fields.publishedDate ?? new Date();
      const created = em.create(Post, { isPublished: false, ...data, ...fields, publishedDate });
      em.persist(created);
      return created;
    }
    const row = rows.get(target.id);
    if (row?.version !== target.version) throw new PostChangedError('The post was changed in the meantime');
    return em.assign(row, data);
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}
