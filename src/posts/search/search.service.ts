import { EntityManager } from '@mikro-orm/postgresql';
import { HttpException, HttpStatus, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { ConnectionPool } from '../../database/pool/connection-pool.js';
import { RateLimitsService } from '../../http/rate-limits/rate-limits.service.js';
import { toDisplayDate } from '../../shared/dates.js';
import type { SearchAnswer, SearchResult } from '../../shared/contracts/search.js';
import { cutSnippet, markWords } from './mark-words.js';
import { readQuery, toTolerantKeys, type SearchQuery } from './search-words.js';

/** Results of an answer. */
const MOST_RESULTS = 20;
/** Finds among which the best are chosen, the newest ones: a word of every post costs no more than a rare one. */
const CANDIDATES = 200;
/** The same for words that stand in the text alone; a phrase is looked for in these. */
const TEXT_CANDIDATES = 500;

interface Found {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string | null;
  readonly category: string | null;
  readonly author: string;
  /** As PostgreSQL writes it. */
  readonly published_date: string;
  /** Null where the excerpt is enough. */
  readonly text: string | null;
  /** The words of the query without their English endings; null for titles that are alike. */
  readonly stems: string | null;
}

const COLUMNS = 'p.slug, p.title, p.excerpt, p.category, p.author, p.published_date';
/** Readers see these posts. */
const VISIBLE = 'p.is_published and p.deleted_at is null';
const NEWEST_FIRST = 'order by p.published_date desc, p.id';

/**
 * `$1` is the query, `$2` its words without marks, `$3` is ':*' where the last one may be unfinished. Then `$4` is those before
 * it, which may have other endings in the post, and `$5` that beginning; both are null otherwise.
 */
const queryOf = (text: '$1' | '$2') => `(websearch_to_tsquery('english', ${text}) ||
  coalesce((nullif(websearch_to_tsquery('simple', ${text})::text, '') || $3)::tsquery, '') ||
  coalesce(websearch_to_tsquery('english', $4) && $5::text::tsquery, ''))`;

/**
 * Posts found by their head come first, the best in front; those found by their text follow, the newest in front. What is
 * read of a post before it is chosen is small: neither its row nor all of its words.
 */
const findOf = (isPhrase: boolean) => `
  with headed as materialized (
    select post_id, published_date from search_documents where head @@ ${queryOf('$1')}
    order by published_date desc limit ${CANDIDATES}),
  ranked as materialized (
    select h.post_id, ts_rank(d.head, ${queryOf('$1')}) as rank, h.published_date
    from headed h join search_documents d using (post_id)
    order by rank desc, h.published_date desc limit ${MOST_RESULTS + 1}),
  texts as materialized (
    select post_id, published_date from search_documents
    where words @@ ${queryOf('$2')} and (select count(*) from ranked) <= ${MOST_RESULTS}
    order by published_date desc limit ${TEXT_CANDIDATES}),
  further as materialized (
    select t.post_id from texts t ${isPhrase ? `join search_documents d using (post_id)` : ''}
    where t.post_id not in (select post_id from headed) ${isPhrase ? `and d.words @@ ${queryOf('$1')}` : ''}
    order by t.published_date desc limit ${MOST_RESULTS + 1}),
  found as (select post_id, rank from ranked union all select post_id, 0 from further)
  select ${COLUMNS}, case when f.rank = 0 or p.excerpt is null then d.text end as text,
    array_to_string(tsvector_to_array(to_tsvector('english', $2)), ' ') as stems
  from found f join blog_posts p on p.id = f.post_id join search_documents d using (post_id)
  where ${VISIBLE} order by f.rank desc, p.published_date desc, p.id limit ${MOST_RESULTS + 1}`;

/** Posts whose titles have words like these. */
const findAlike = (words: number) => `
  select ${COLUMNS}, null as text, null as stems from search_documents d join blog_posts p on p.id = d.post_id
  where ${VISIBLE} and ${Array.from({ length: words }, (_, index) => `d.title_keys && $${index + 1}::text[]`).join(' and ')}
  ${NEWEST_FIRST} limit ${MOST_RESULTS + 1}`;

/** Too many searches from one network. */
export class TooManySearchesException extends HttpException {
  /** @param retryAfter seconds until the next one is answered */
  constructor(readonly retryAfter: number) {
    const message = 'That was a lot of searches. Please wait a moment and try again.';
    super({ code: 'over_search_limit', message }, HttpStatus.TOO_MANY_REQUESTS);
  }
}

/** Searches published posts (product.md 2.16). Visibility is a condition of every query. */
@Injectable()
export class SearchService {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: ConnectionPool,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Finds posts for somebody at an address, the best ones first; for words that no post has, posts whose titles have
   * words like them.
   * @throws TooManySearchesException
   */
  async search(typed: string, ip: string): Promise<SearchAnswer> {
    const query = readQuery(typed);
    if (query === null) return { query: typed.trim(), results: [], has_more: false, is_similar: false };
    await this.count(ip);
    const { text, plain, words, before, isUnfinished } = query;
    const hasOthers = isUnfinished && words.length > 1;
    const parts = hasOthers ? [before, `'${words.at(-1) ?? ''}':*`] : [null, null];
    const values = [text, plain, isUnfinished ? ':*' : '', ...parts];
    const found = await this.pool.read<Found>(findOf(text !== plain), values);
    const alike = found.length === 0 ? await this.findAlike(query) : [];
    const results = [...found, ...alike];
    return {
      query: typed.trim(),
      results: results.slice(0, MOST_RESULTS).map((row) => this.present(row, query)),
      has_more: results.length > MOST_RESULTS,
      is_similar: alike.length > 0,
    };
  }

  private async findAlike(query: SearchQuery): Promise<Found[]> {
    const keys = toTolerantKeys(query);
    return keys === null ? [] : await this.pool.read<Found>(findAlike(keys.length), keys);
  }

  private async count(ip: string): Promise<void> {
    const em = this.em.fork({ disableTransactions: true });
    const draw = await this.limits.draw(em, this.config.search.limit, `search:${this.limits.keyOf(ip)}`);
    if (!draw.isGranted) throw new TooManySearchesException(draw.retryAfter);
  }

  private present({ text, stems, ...row }: Found, { words }: SearchQuery): SearchResult {
    // English leaves out words such as 'the'; where nothing else was asked for, they count.
    const marked = stems === '' ? words : (stems ?? '').split(' ').filter(Boolean);
    return {
      slug: row.slug,
      title: markWords(row.title, marked),
      text: markWords(cutSnippet(text ?? row.excerpt ?? '', marked), marked),
      category: row.category,
      author: row.author,
      published: toDisplayDate(this.em.getPlatform().parseDate(row.published_date), this.config.site.timeZone),
    };
  }
}
