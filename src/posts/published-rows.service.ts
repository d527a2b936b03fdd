import { EntityManager, type EntityProperty } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import type { PostDetail, PostLink } from '../shared/contracts/posts.js';
import type { TermAddress } from '../shared/term-addresses.js';
import { Post, type PostRow } from './post.entity.js';

interface Column {
  readonly name: string;
  readonly isDate: boolean;
}

interface Selection {
  readonly slug?: string;
  /** Reads the posts that have a term. */
  readonly term?: TermAddress;
  /** Reads the posts that go with the one of this id, the best first. */
  readonly relatedTo?: string;
  /** How many of the newest posts to read. */
  readonly limit?: number;
  /** How many newer ones to pass over. */
  readonly offset?: number;
}

/** Posts that one names, and that name it: the best of the latter, as any number of posts may. */
const RELATED = `
  select related_id, max(score) as score
  from (select other_id as related_id, score from related_posts where post_id = $1
    union all
    (select post_id, score from related_posts where other_id = $1 order by score desc limit 20)) found
  where related_id <> $1 group by related_id`;

/** The source of posts, their order, and the values of that. The order of a term is that of its index. */
function toSource({ slug, term, relatedTo }: Selection) {
  if (relatedTo !== undefined) {
    const from = `(${RELATED}) related join blog_posts on id = related_id`;
    return { from, where: '', order: 'score desc, published_date desc, id', values: [relatedTo] };
  }
  if (term === undefined) {
    const where = slug === undefined ? '' : ' and slug = $1';
    return { from: 'blog_posts', where, order: 'published_date desc, id', values: slug === undefined ? [] : [slug] };
  }
  const terms = 'select post_id, published_date as listed_at from post_terms where kind = $1 and slug = $2';
  const from = `(${terms}) term join blog_posts on id = post_id`;
  return { from, where: '', order: 'listed_at desc, post_id', values: [term.kind, term.slug] };
}

/** Posts of the same date follow each other by their ids, as in the list. */
const NEIGHBOURS = `
  (select 'newer' as side, slug, title from blog_posts
    where is_published and deleted_at is null
      and published_date >= $1::timestamptz and (published_date > $1::timestamptz or id < $2::uuid)
    order by published_date, id desc limit 1)
  union all
  (select 'older', slug, title from blog_posts
    where is_published and deleted_at is null
      and published_date <= $1::timestamptz and (published_date < $1::timestamptz or id > $2::uuid)
    order by published_date desc, id limit 1)`;

const FIRST_SLUGS = `
  select shown.id, first.slug
  from blog_posts shown, lateral (
    select slug from post_slugs where post_id = shown.id order by created_at, slug limit 1) first
  where is_published and deleted_at is null
    and shown.id in (select value::uuid from jsonb_array_elements_text($1::jsonb))`;

const SLUGS = `
  select shown.id, had.slug
  from blog_posts shown join post_slugs had on had.post_id = shown.id
  where is_published and deleted_at is null
    and shown.id in (select value::uuid from jsonb_array_elements_text($1::jsonb))`;

/** Reads columns of posts that readers may see. Visibility is a condition of the query. */
@Injectable()
export class PublishedRowsService {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: ConnectionPool,
  ) {}

  /**
   * Reads posts, newest first: plain rows in one written statement. For the few columns of a page, the ORM takes longer
   * to build its query and its entities than all else that is done to read a post (docs/performance.md).
   */
  async read<const F extends keyof PostRow & string>(
    fields: readonly F[],
    selection: Selection = {},
  ): Promise<Pick<PostRow, F>[]> {
    const columns = fields.map((field) => this.columnOf(field));
    const selected = columns.map(({ name }, index) => `"${name}" as "${fields[index]}"`).join(', ');
    const { from, where, order, values } = toSource(selection);
    const { limit, offset } = selection;
    const count = values.length;
    const rows = await this.pool.read<Record<string, unknown>>(
      `select ${selected} from ${from} where is_published and deleted_at is null${where} order by ${order}` +
        (limit === undefined ? '' : ` limit $${count + 1}`) +
        (offset === undefined ? '' : ` offset $${count + 2}`),
      [...values, limit, offset].filter((value) => value !== undefined),
    );
    const dates = fields.filter((_field, index) => columns[index]?.isDate);
    for (const row of rows) for (const date of dates) row[date] = this.em.getPlatform().parseDate(row[date] as string);
    return rows as Pick<PostRow, F>[];
  }

  /** Reads which posts stand before and after one in the order of the blog list. */
  async readNeighbours(date: Date, id: string): Promise<Pick<PostDetail, 'newer' | 'older'>> {
    const rows = await this.pool.read<PostLink & { readonly side: 'newer' | 'older' }>(NEIGHBOURS, [
      date.toISOString(),
      id,
    ]);
    const linkTo = (side: 'newer' | 'older') => {
      const found = rows.find((row) => row.side === side);
      return found ? { slug: found.slug, title: found.title } : null;
    };
    return { newer: linkTo('newer'), older: linkTo('older') };
  }

  /** Reads the slugs at which public ones of these posts were published first, by their ids. */
  async readFirstSlugs(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.pool.read<{ readonly id: string; readonly slug: string }>(FIRST_SLUGS, [
      JSON.stringify(ids),
    ]);
    return new Map(rows.map(({ id, slug }) => [id, slug]));
  }

  /** Reads every slug at which public ones of these posts have been published, each with the id of its post. */
  async readSlugs(ids: readonly string[]): Promise<Pick<PostRow, 'id' | 'slug'>[]> {
    return await this.pool.read<Pick<PostRow, 'id' | 'slug'>>(SLUGS, [JSON.stringify(ids)]);
  }

  private columnOf(field: string): Column {
    const properties: Partial<Record<string, EntityProperty>> = this.em.getMetadata(Post).properties;
    const property = properties[field];
    return { name: property?.fieldNames[0] ?? field, isDate: property?.runtimeType === 'Date' };
  }
}
