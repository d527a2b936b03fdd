import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import type { ArchivePage, ArchivePlace, BlogList } from '../shared/contracts/blog-list.js';
import { toDay } from '../shared/dates.js';
import { findPeriod } from '../shared/moments.js';
import {
  CARDS,
  countLines,
  MAX_POSTS,
  placeCards,
  toArchivePage,
  toYears,
  type ArchivedPost,
} from './archive-pages.js';
import { PostsService } from './posts.service.js';

interface ArchiveRow {
  readonly slug: string;
  readonly title: string;
  /** As PostgreSQL writes it. */
  readonly published_date: string;
}

/** Readers see these posts. */
const VISIBLE = 'is_published and deleted_at is null';
const NEWEST_FIRST = 'order by published_date desc, id';
const DAY_MS = 86_400_000;
/** No post is older or newer, and PostgreSQL writes and reads years beyond in another way. */
const [FIRST_MS, LAST_MS] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Pages name no more years, for their size. */
const MAX_YEARS = 40;

/**
 * The years of UTC that have posts, each found by the newest post before the year that was found: as many readings of an
 * index as there are years. Two of them can have the posts of one year of the site.
 */
const YEARS_OF_UTC = `
  with recursive found as (
    (select date_trunc('year', published_date at time zone 'UTC') as year from blog_posts where ${VISIBLE}
     order by published_date desc limit 1)
    union all
    select (select date_trunc('year', published_date at time zone 'UTC') from blog_posts
            where ${VISIBLE} and published_date < found.year at time zone 'UTC' order by published_date desc limit 1)
    from found where year is not null)
  select to_char(year, 'YYYY') as year from found where year is not null limit ${2 * MAX_YEARS}`;

/** Those of some years that have posts. */
const YEARS = `
  select name from jsonb_to_recordset($1::jsonb) as asked (name text, since float8, until float8)
  where exists (select from blog_posts where ${VISIBLE}
                and published_date >= to_timestamp(since) and published_date < to_timestamp(until))
  order by name desc limit ${MAX_YEARS}`;

/** The blog list and its archive (product.md 2.9): cards, lines by year, and pages of years and months. */
@Injectable()
export class BlogListService {
  private readonly timeZone: string;

  constructor(
    private readonly em: EntityManager,
    private readonly pool: ConnectionPool,
    private readonly posts: PostsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.timeZone = config.site.timeZone;
  }

  /** Every published post: the newest as cards, older ones as lines, the rest as links to pages of their years. */
  async list(): Promise<BlogList> {
    const archive = await this.readYears();
    const latest = await this.posts.listPublished(CARDS);
    const { count, left } = placeCards(latest);
    const posts = latest.slice(0, count);
    if (latest.length < CARDS && posts.length === latest.length) return { posts, years: [], archive };
    const cards = new Set(posts.map(({ slug }) => slug));
    const newest = await this.read(`select slug, title, published_date from blog_posts where ${VISIBLE}
      ${NEWEST_FIRST} limit ${MAX_POSTS + 1}`);
    const older = newest.filter(({ slug }) => !cards.has(slug));
    const shown = older.slice(0, countLines(older, left));
    if (shown.length === older.length && newest.length <= MAX_POSTS)
      return { posts, years: toYears(shown, new Map()), archive };
    const onPage = new Map<string, number>();
    const days = [...posts.map(({ published_date }) => this.dayOf(published_date)), ...shown.map(({ day }) => day)];
    for (const day of days) add(onPage, day);
    const totals = [...(await this.countByYear())].filter(([year, count]) => count > (onPage.get(year) ?? 0));
    return { posts, years: toYears(shown, new Map(totals)), archive };
  }

  /** A page of the archive, or null if there is none. */
  async find(place: ArchivePlace): Promise<ArchivePage | null> {
    const page = toArchivePage(await this.readYear(place.year), place);
    return page && { ...page, archive: await this.readYears() };
  }

  /** Every page of the archive that the blog list leads to. */
  async listPlaces(): Promise<ArchivePlace[]> {
    const { years } = await this.list();
    const places: ArchivePlace[] = [];
    for (const { year } of years.filter(({ total }) => total > 0)) {
      const posts = await this.readYear(year);
      const page = toArchivePage(posts, { year, month: null, part: 1 });
      places.push({ year, month: null, part: 1 });
      for (const { month } of page?.months ?? []) {
        const { parts = 0 } = toArchivePage(posts, { year, month, part: 1 }) ?? {};
        for (let part = 1; part <= parts; part += 1) places.push({ year, month, part });
      }
    }
    return places;
  }

  private async countByYear(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { day } of await this.read(
      `select '' as slug, '' as title, published_date from blog_posts where ${VISIBLE}`,
    ))
      add(counts, day);
    return counts;
  }

  private async readYears(): Promise<string[]> {
    const found = await this.pool.read<{ year: string }>(YEARS_OF_UTC);
    // A year of the site begins and ends hours from that of UTC. The zone itself is not told to the database, which may not
    // know a name that Node knows.
    const near = new Set(found.flatMap(({ year }) => [-1, 0, 1].map((other) => Number(year) + other)));
    const periods = [...near].flatMap((year) => findPeriod(String(year).padStart(4, '0'), this.timeZone) ?? []);
    const rows = await this.pool.read<{ name: string }>(YEARS, [JSON.stringify(periods)]);
    return rows.map(({ name }) => name);
  }

  private async readYear(year: string): Promise<ArchivedPost[]> {
    const [start, end] = [`${year}-01-01T00:00:00Z`, `${year}-12-31T23:59:59Z`].map((time) => Date.parse(time));
    if (start === undefined || end === undefined || Number.isNaN(start) || Number(year) === 0) return [];
    // A day more at both ends, as the site's year begins and ends at another hour.
    const limits = [Math.max(start - DAY_MS, FIRST_MS), Math.min(end + DAY_MS, LAST_MS)];
    const rows = await this.read(
      `select slug, title, published_date from blog_posts
       where ${VISIBLE} and published_date between $1 and $2 ${NEWEST_FIRST}`,
      limits.map((time) => new Date(time).toISOString()),
    );
    return rows.filter(({ day }) => day.startsWith(year));
  }

  private async read(sql: string, values: readonly string[] = []): Promise<ArchivedPost[]> {
    const rows = await this.pool.read<ArchiveRow>(sql, values);
    return rows.map(({ slug, title, published_date }) => ({ slug, title, day: this.dayOf(published_date) }));
  }

  private dayOf(date: string): string {
    // `new Date` knows neither the year 0026 nor offsets with seconds, as zones had them once, and takes 0099 for 1999.
    return toDay(this.em.getPlatform().parseDate(date), this.timeZone);
  }
}

function add(counts: Map<string, number>, day: string): void {
  const year = day.slice(0, 4);
  counts.set(year, (counts.get(year) ?? 0) + 1);
}
