import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { FeedPost, PostDetail, PostSummary, ShareImage } from '../shared/contracts/posts.js';
import { postFields } from '../shared/contracts/post-fields.js';
import { decodeEscapes } from '../shared/decode-escapes.js';
import { CommentsService } from './comments/comments.service.js';
import { PostSlug } from './post-slug.entity.js';
import { Post, type PostRow } from './post.entity.js';
import { PublishedRowsService } from './published-rows.service.js';
import {
  detailFields,
  PRESENTER_CONTEXT,
  summaryFields,
  toFeedPost,
  toPostDetail,
  toPostSummary,
  type PresenterContext,
} from './post.presenter.js';
import { sharedColumns, toShareImage } from './share-image.js';

/** A line of the list of all posts. */
export type PostListItem = Pick<
  PostRow,
  'id' | 'slug' | 'title' | 'author' | 'category' | 'publishedDate' | 'isPublished' | 'scheduledAt'
>;

/** A line of the sitemap. */
export interface PublishedAddress extends Pick<PostRow, 'slug' | 'updatedAt'> {
  readonly image: ShareImage | null;
}

/** Related posts that a post leads to. */
const RELATED_SHOWN = 3;

/** The condition for posts that readers may see. */
const published = { isPublished: true, deletedAt: null };

/** Reads posts for visitors. Visibility is a condition of the query; what sees drafts says so in its name. */
@Injectable()
export class PostsService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly published: PublishedRowsService,
    private readonly comments: CommentsService,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
  ) {}

  /** Every published post, newest first; with a limit, the newest ones. */
  async listPublished(limit?: number): Promise<PostSummary[]> {
    const rows = await this.published.read(summaryFields, limit === undefined ? {} : { limit });
    return rows.map((row) => toPostSummary(row, this.context));
  }

  /** The newest published posts, with their text, for feeds. */
  async listLatestPublished(limit: number): Promise<FeedPost[]> {
    const rows = await this.published.read(detailFields, { limit });
    return Promise.all(rows.map((row) => toFeedPost(row, this.context)));
  }

  /** Finds the slugs at which these posts were published first, by their ids. */
  async findFirstSlugs(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return await this.published.readFirstSlugs(ids);
  }

  /** Lists every published post but those published first elsewhere, for the sitemap. */
  async listPublishedAddresses(): Promise<PublishedAddress[]> {
    const rows = await this.published.read(['id', 'slug', 'updatedAt', 'canonicalUrl', ...sharedColumns]);
    const own = await this.findOwnCanonicals(rows);
    return rows
      .filter(({ id, canonicalUrl }) => canonicalUrl === null || own.has(id))
      .map((row) => ({ slug: row.slug, updatedAt: row.updatedAt, image: toShareImage(row, this.context) }));
  }

  /** The published post of that slug, or null. */
  async findPublishedBySlug(slug: string): Promise<PostDetail | null> {
    if (isNoSlug(slug)) return null;
    const [row] = await this.published.read(detailFields, { slug });
    if (row === undefined) return null;
    const [post, neighbours, related, comments, own] = await Promise.all([
      toPostDetail(row, this.context),
      this.published.readNeighbours(row.publishedDate, row.id),
      this.published.read(summaryFields, { relatedTo: row.id, limit: RELATED_SHOWN }),
      this.comments.readPublished(row.id),
      this.findOwnCanonicals([row]),
    ]);
    return {
      ...post,
      ...(own.has(row.id) ? { canonical_url: null } : {}),
      ...neighbours,
      related: related.map((other) => toPostSummary(other, this.context)),
      comments,
    };
  }

  /**
   * The slug of the published post that had this one before, or has or had it with composed or small letters; or null. Its
   * very letters come first: an address at which a post could be read leads to that post, whatever posts are there since in
   * another spelling.
   */
  async findMovedSlug(slug: string): Promise<string | null> {
    if (isNoSlug(slug)) return null;
    const composed = slug.normalize('NFC');
    for (const spelling of new Set([slug, composed, composed.toLowerCase()])) {
      const isOther = spelling !== slug;
      if (isOther && (await this.published.read(['slug'], { slug: spelling })).length > 0) return spelling;
      const where = { slug: spelling, post: published };
      const moved = await this.reader().findOne(PostSlug, where, { populate: ['post'], fields: ['post.slug'] });
      if (moved !== null) return moved.post.slug;
    }
    return null;
  }

  /** Every post but the trash, the latest written first (product.md 9.3). */
  async listAllIncludingDrafts(actor: Actor): Promise<PostListItem[]> {
    await this.roles.requireAdmin(actor);
    const fields = [
      'id',
      'slug',
      'title',
      'author',
      'category',
      'publishedDate',
      'isPublished',
      'scheduledAt',
    ] as const;
    return await this.reader().find(
      Post,
      { deletedAt: null },
      { fields, orderBy: { createdAt: 'desc', publishedDate: 'desc', id: 'asc' } },
    );
  }

  /**
   * Finds the posts whose canonical address is one that they themselves have here, or had: it says that they were published
   * first here, as none does. It stays as it was typed, and is read so whatever slug the post gets.
   */
  private async findOwnCanonicals(rows: readonly Pick<PostRow, 'id' | 'canonicalUrl'>[]): Promise<ReadonlySet<string>> {
    const named = new Map(
      rows.flatMap(({ id, canonicalUrl }) => {
        const slug = canonicalUrl ? slugAt(canonicalUrl, this.context.siteUrl) : null;
        return slug === null ? [] : [[id, slug] as const];
      }),
    );
    if (named.size === 0) return new Set();
    const slugs = await this.published.readSlugs([...named.keys()]);
    return new Set(slugs.flatMap(({ id, slug }) => (named.get(id) === toOneSpelling(slug) ? id : [])));
  }

  private reader(): EntityManager {
    return this.em.fork({ disableTransactions: true });
  }
}

/** The slug in the address of a post of this site, in one spelling; null for other addresses. */
function slugAt(address: string, siteUrl: string): string | null {
  const url = URL.parse(address);
  // By its host alone: a site that came to https has addresses that were typed before.
  if (url === null || url.host !== new URL(siteUrl).host) return null;
  const [, slug] = /^\/blogs\/([^/]+)\/*$/i.exec(url.pathname) ?? [];
  return slug === undefined ? null : toOneSpelling(decodeEscapes(slug));
}

/** Addresses with other capitals or accents in parts lead to the same post. */
function toOneSpelling(slug: string): string {
  return slug.normalize('NFC').toLowerCase();
}

/** No post can have such a slug, and PostgreSQL refuses the zero character. */
function isNoSlug(slug: string): boolean {
  return slug.includes('\0') || slug.length > postFields.slug.limit * 2;
}
