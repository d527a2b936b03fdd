import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { RateLimit } from '../../config/auth-config.js';
import { Clock, CLOCK_TOLERANCE_MS } from '../../shared/clock.js';
import { householdOf } from '../network-of.js';

/** About one in so many draws removes buckets that are full again, and no more of them than a request may wait for. */
const CLEAN_EVERY = 100;
const CLEAN_AT_ONCE = 2_000;
/** Buckets of an earlier version do not say when they are full. */
const FULL_AFTER_MS = 24 * 3600 * 1000;

/** SQL for a bucket that was drawn from by a clock that was wrong. It would not fill up before that time. */
const IS_AHEAD = `bucket.updated_at > ?::timestamptz`;
/** SQL for the tokens in a bucket at the time of the draw. */
const LEVEL = `case when ${IS_AHEAD} then ?::float8 else
  least(?::float8, bucket.tokens + greatest(0, extract(epoch from ?::timestamptz - bucket.updated_at)) * ?::float8) end`;
/** One statement, so that processes that draw from one bucket at once cannot overdraw it. No row: it was too empty. */
const DRAW = `
  insert into auth.rate_limits as bucket (key, tokens, updated_at, full_at)
  values (?, ?::float8 - 1, ?::timestamptz, ?::timestamptz)
  on conflict (key) do update set
    tokens = ${LEVEL} - 1,
    updated_at = case when ${IS_AHEAD} then excluded.updated_at else greatest(bucket.updated_at, excluded.updated_at) end,
    full_at = excluded.full_at
  where ${LEVEL} - 1 >= ?::float8
  returning tokens`;

/** The result of drawing from a bucket. */
export type Draw =
  | {
      readonly isGranted: true;
      /** Tokens left; below 0 where an overdraft was allowed. */
      readonly tokens: number;
    }
  | {
      readonly isGranted: false;
      /** Seconds until the bucket holds enough. */
      readonly retryAfter: number;
    };

/** Limits requests, mails and enquiries with token buckets in the database, which all processes share. */
@Injectable()
export class RateLimitsService {
  constructor(private readonly clock: Clock) {}

  /**
   * Takes from a bucket, as part of the transaction of `em` if it has one.
   * @param key names the limit and its subject; at most 200 characters
   * @returns false when the bucket is empty
   */
  async take(em: EntityManager, limit: RateLimit, key: string): Promise<boolean> {
    return (await this.draw(em, limit, key)).isGranted;
  }

  /**
   * Draws from a bucket and returns the rest, or the time to wait.
   * @param floor the least rest: above 0 keeps a part for others, below 0 draws in advance on tokens that will flow
   * back
   */
  async draw(em: EntityManager, { count, seconds, burst }: RateLimit, key: string, floor = 0): Promise<Draw> {
    if (count === 0) return { isGranted: true, tokens: Infinity };
    const now = this.clock.now();
    const rate = count / seconds;
    // Not within a transaction, whose end others would wait for.
    if (!em.isInTransaction() && Math.random() * CLEAN_EVERY < 1) await this.clean(em, now);
    if (burst - 1 < floor) return { isGranted: false, retryAfter: Math.ceil(seconds) };
    const ahead = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
    const level = [ahead, burst, burst, now, rate];
    // Also after the largest overdraft.
    const fullAt = new Date(now.getTime() + Math.ceil(((2 * burst) / rate) * 1000));
    const values = [key, burst, now, fullAt, ...level, ahead, ...level, floor];
    const [row] = await em.execute<{ tokens: number }[]>(DRAW, values);
    if (row !== undefined) return { isGranted: true, tokens: row.tokens };
    const select = `select ${LEVEL} as level from auth.rate_limits as bucket where key = ?`;
    const [present] = await em.execute<{ level: number }[]>(select, [...level, key]);
    const missing = floor + 1 - (present?.level ?? burst);
    return { isGranted: false, retryAfter: Math.max(1, Math.ceil(missing / rate)) };
  }

  /** Fills a bucket. */
  async refill(em: EntityManager, key: string): Promise<void> {
    await em.execute('delete from auth.rate_limits where key = ?', [key]);
  }

  /** Returns the key for requests of a client's address: the address, or its /64 for IPv6. */
  keyOf(ip: string): string {
    return householdOf(ip);
  }

  private async clean(em: EntityManager, now: Date): Promise<void> {
    // Rows that others hold are left for the next time, instead of waiting for them.
    await em.execute(
      `delete from auth.rate_limits where key in (
         select key from auth.rate_limits where full_at < ? or (full_at is null and updated_at < ?) or updated_at > ?
         limit ${CLEAN_AT_ONCE} for update skip locked)`,
      [now, new Date(now.getTime() - FULL_AFTER_MS), new Date(now.getTime() + CLOCK_TOLERANCE_MS)],
    );
  }
}
