import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { JOB_LIMITS, withDatabaseLimits } from '../database/pool/database-limits.js';
import { householdOf } from '../http/network-of.js';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { ReadInput, ReadReport } from '../shared/contracts/reads.js';
import { toDay } from '../shared/dates.js';
import { isCounted, toReferrer } from './read-request.js';
import { ReadTally, type CountedRead } from './read-tally.js';

/** How long reads wait in memory: as many are lost with a process that is killed. */
const FLUSH_MS = 5000;
const MINUTE_MS = 60_000;
/** Reads of an address in a minute, in one process. */
const READS_PER_MINUTE = 30;
/** Addresses that are known for that minute; of more of them nobody is counted. */
const ADDRESSES = 20_000;
/** Different sites, and rows that name one, on a day: those above are 'others'. */
const HOSTS_PER_DAY = 200;
const HOST_ROWS_PER_DAY = 10_000;
const OTHERS = 'others';

const SHOWN_DAYS = 30;
const SHOWN_MONTHS = 24;
const LONGEST_LIST = 20;

const WRITE = `
  insert into post_reads (day, post_id, host, count)
  select day, post.id, host, least(sum(line.count), 1000000)::int
  from jsonb_to_recordset(?::jsonb) as line (day date, slug text, host text, count int)
  join post_slugs on post_slugs.slug = line.slug
  join blog_posts post on post.id = post_slugs.post_id and is_published and deleted_at is null
  group by day, post.id, host
  on conflict (day, post_id, host) do update set count = least(post_reads.count::bigint + excluded.count, 2000000000)::int`;

/** Months before the given one: their days become one row per post. */
const SUM_UP = `
  with gone as (
    delete from post_reads where day < ?::date and (host <> '' or day <> date_trunc('month', day))
    returning day, post_id, count)
  insert into post_reads (day, post_id, host, count)
  select date_trunc('month', day)::date, post_id, '', least(sum(count), 2000000000)::int from gone group by 1, 2
  on conflict (day, post_id, host) do update set count = least(post_reads.count::bigint + excluded.count, 2000000000)::int`;

/** Counts reads of posts, and says what was read. Nothing of a person is kept, and nothing waits for the database. */
@Injectable()
export class ReadsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ReadsService.name);
  private readonly tally = new ReadTally();
  private readonly siteUrl: string;
  private readonly timeZone: string;
  private readonly keptDays: number;
  /** Reads by address, since this minute began. */
  private asked = new Map<string, number>();
  private minute = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    @Inject(CONFIG) { server, site, reads }: Config,
  ) {
    this.siteUrl = server.publicUrl;
    this.timeZone = site.timeZone;
    this.keptDays = reads.keptDays;
  }

  /** Counts a read, if it is one; the database hears of it within seconds. */
  note({ headers, clientAddress }: Pick<FastifyRequest, 'headers' | 'clientAddress'>, { slug, from }: ReadInput): void {
    if (!isCounted(headers, this.siteUrl) || !this.mayCount(clientAddress)) return;
    const day = toDay(this.clock.now(), this.timeZone);
    this.tally.add({ day, slug, host: toReferrer(from, this.siteUrl) });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes what was counted. What cannot be written now is kept for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write(this.tally.take()));
    await this.writing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Makes one row per post of each month whose days are no longer kept. */
  async sumUp(): Promise<void> {
    const oldest = new Date(this.clock.now().getTime() - this.keptDays * 24 * 60 * MINUTE_MS);
    const month = `${toDay(oldest, this.timeZone).slice(0, 7)}-01`;
    await this.exclusively((em) => em.execute(SUM_UP, [month]));
  }

  /**
   * Says how often posts were read, all of them or one; for authors, their own.
   * @returns null for a post that there is not
   */
  async report(actor: Actor, postId?: string): Promise<ReadReport | null> {
    const { ownerId } = await this.roles.requireAuthor(actor);
    const em = this.em.fork({ disableTransactions: true });
    const [post = null] =
      postId === undefined
        ? []
        : await em.execute<{ id: string; title: string }[]>(
            'select id, title from blog_posts where id = ? and (?::uuid is null or owner_id = ?::uuid)',
            [postId, ownerId, ownerId],
          );
    if (postId !== undefined && post === null) return null;
    const today = toDay(this.clock.now(), this.timeZone);
    const recent = `day > ?::date - ${SHOWN_DAYS}`;
    const [ofPost, ids] = narrow(postId, ownerId);
    // Of dates, the series would be in the session's time zone, some of which have days without midnight.
    const days = await em.execute<ReadReport['days']>(
      `select to_char(shown, 'YYYY-MM-DD') as day, coalesce(sum(count), 0)::float8 as count
       from generate_series(?::timestamp - interval '${SHOWN_DAYS - 1} days', ?::timestamp, interval '1 day') shown
       left join post_reads on day = shown::date ${ofPost} group by shown order by shown`,
      [today, today, ...ids],
    );
    const months = await em.execute<ReadReport['months']>(
      `select to_char(day, 'YYYY-MM') as month, sum(count)::float8 as count from post_reads where true ${ofPost}
       group by 1 order by 1 desc limit ${SHOWN_MONTHS}`,
      ids,
    );
    const referrers = await em.execute<ReadReport['referrers']>(
      `select host, sum(count)::float8 as count from post_reads where ${recent} and host <> '' ${ofPost}
       group by host order by count desc, host limit ${LONGEST_LIST}`,
      [today, ...ids],
    );
    const posts = await em.execute<ReadReport['posts']>(
      `select id, title, sum(count)::float8 as count from post_reads join blog_posts on id = post_id
       where ${recent} ${ofPost} group by id, title order by count desc, title limit ${LONGEST_LIST}`,
      [today, ...ids],
    );
    return { post, days, months, referrers, posts };
  }

  /** Addresses are known for a minute, in memory alone. */
  private mayCount(address: string): boolean {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    if (minute !== this.minute) this.asked = new Map();
    this.minute = minute;
    const key = householdOf(address);
    const asked = this.asked.get(key) ?? 0;
    if (asked >= READS_PER_MINUTE || (asked === 0 && this.asked.size >= ADDRESSES)) return false;
    this.asked.set(key, asked + 1);
    return true;
  }

  private async write(reads: readonly CountedRead[]): Promise<void> {
    if (reads.length === 0) return;
    try {
      await this.exclusively(async (em) => {
        const bounded = await boundHosts(em, reads);
        await em.execute(WRITE, [JSON.stringify(bounded)]);
      });
    } catch (error) {
      for (const { count, ...read } of reads) this.tally.add(read, count);
      this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
      this.logger.warn({ err: error }, 'Reads of posts could not be written');
    }
  }

  /** One process at a time: rows are locked in no order, and the limits of a day are counted. */
  private async exclusively(task: (em: EntityManager) => Promise<unknown>): Promise<void> {
    await withDatabaseLimits(JOB_LIMITS, () =>
      this.em.fork().transactional(async (em) => {
        await em.execute('select pg_advisory_xact_lock(?)', [ADVISORY_LOCKS.reads]);
        await task(em);
      }),
    );
  }
}

/** The condition for the reads of one post, of the posts of an author, or of all; and its values. */
function narrow(postId: string | undefined, ownerId: string | null): readonly [string, string[]] {
  if (postId !== undefined) return ['and post_id = ?', [postId]];
  if (ownerId === null) return ['', []];
  return ['and post_id in (select id from blog_posts where owner_id = ?)', [ownerId]];
}

/** Names those sites alone that the limits of their day allow. */
async function boundHosts(em: EntityManager, reads: readonly CountedRead[]): Promise<CountedRead[]> {
  const bounded: CountedRead[] = [];
  for (const [day, ofDay] of Map.groupBy(reads, (read) => read.day)) {
    const rows = await em.execute<{ host: string; rows: number }[]>(
      `select host, count(*)::int as rows from post_reads where day = ? and host <> '' group by host`,
      [day],
    );
    const hosts = new Set(rows.map(({ host }) => host));
    let left = HOST_ROWS_PER_DAY - rows.reduce((sum, { rows: count }) => sum + count, 0);
    for (const read of ofDay) {
      const isNamed = read.host === '' || (left > 0 && (hosts.has(read.host) || hosts.size < HOSTS_PER_DAY));
      if (read.host !== '' && isNamed) {
        hosts.add(read.host);
        left -= 1;
      }
      bounded.push(isNamed ? read : { ...read, host: OTHERS });
    }
  }
  return bounded;
}
