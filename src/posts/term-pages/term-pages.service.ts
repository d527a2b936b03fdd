import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { ConnectionPool } from '../../database/pool/connection-pool.js';
import type { TermPage } from '../../shared/contracts/blog-list.js';
import type { FeedPost } from '../../shared/contracts/posts.js';
import { toDay } from '../../shared/dates.js';
import type { TermAddress } from '../../shared/term-addresses.js';
import { CARDS, placeAll, toYears } from '../archive-pages.js';
import {
  detailFields,
  PRESENTER_CONTEXT,
  summaryFields,
  toFeedPost,
  toPostSummary,
  type PresenterContext,
} from '../post.presenter.js';
import { PublishedRowsService } from '../published-rows.service.js';

/** Terms that readers see, of a post that they see. */
const VISIBLE = `from post_terms term join blog_posts post on post.id = term.post_id
  where post.is_published and post.deleted_at is null`;

/** A term and its newest posts, for its feed. */
interface TermFeedPosts {
  readonly name: string;
  readonly posts: readonly FeedPost[];
}

/** A line of the sitemap. */
interface TermEntry extends TermAddress {
  /** When the post of the term that was changed last was changed. */
  readonly changedAt: Date;
}

/** The pages of categories, tags and authors (product.md 2.17). Visibility is a condition of every query. */
@Injectable()
export class TermPagesService {
  private readonly timeZone: string;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly published: PublishedRowsService,
    @Inject(PRESENTER_CONTEXT) private readonly context: PresenterContext,
    @Inject(CONFIG) config: Config,
  ) {
    this.timeZone = config.site.timeZone;
  }

  /** A part of the posts that have a term, or null if there is none. @param part from 1 */
  async find(term: TermAddress, part: number): Promise<TermPage | null> {
    const [name, rows] = await Promise.all([
      this.findName(term),
      this.published.read(summaryFields, { term, limit: CARDS + 1, offset: (part - 1) * CARDS }),
    ]);
    if (name === null || rows.length === 0) return null;
    const posts = rows.slice(0, CARDS).map((row) => toPostSummary(row, this.context));
    const lines = rows
      .slice(0, CARDS)
      .map(({ slug, title, publishedDate }) => ({ slug, title, day: toDay(publishedDate, this.timeZone) }));
    const count = placeAll(posts, lines);
    return {
      kind: term.kind,
      slug: term.slug,
      name,
      part,
      posts: posts.slice(0, count),
      years: toYears(lines.slice(count), new Map()),
      hasOlder: rows.length > CARDS,
    };
  }

  /** The newest posts that have a term, with their text; null if no public post has it. */
  async findLatest(term: TermAddress, limit: number): Promise<TermFeedPosts | null> {
    const [name, rows] = await Promise.all([this.findName(term), this.published.read(detailFields, { term, limit })]);
    if (name === null) return null;
    return { name, posts: await Promise.all(rows.map((row) => toFeedPost(row, this.context))) };
  }

  /** The name of a term as the newest public post has it; null if none has it. */
  async findName({ kind, slug }: TermAddress): Promise<string | null> {
    const rows = await this.pool.read<{ name: string }>(
      `select term.name ${VISIBLE} and term.kind = $1 and term.slug = $2
       order by term.published_date desc, term.post_id limit 1`,
      [kind, slug],
    );
    return rows[0]?.name ?? null;
  }

  /** Lists the terms that have a page, for the sitemap, those of the most posts where there are more than `limit`. */
  async listAddresses(limit: number): Promise<TermEntry[]> {
    const rows = await this.pool.read<TermAddress & { changed_at: Date | string }>(
      `select term.kind, term.slug, max(post.updated_at) as changed_at ${VISIBLE}
       group by term.kind, term.slug order by count(*) desc, term.kind, term.slug limit $1`,
      [limit],
    );
    return rows.map(({ kind, slug, changed_at: changedAt }) => ({ kind, slug, changedAt: new Date(changedAt) }));
  }
}
