import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { RateLimit, RateLimitName } from '../config/auth-config.js';
import { CONFIG, type Config } from '../config/config.js';
import { Clock } from '../shared/clock.js';
import { AuthError } from './auth.error.js';

/** About one in so many requests removes the buckets that have long been full again. */
const CLEAN_EVERY = 1000;
const FULL_AFTER_MS = 24 * 3600 * 1000;

/** One statement, so that processes that take from one bucket at once cannot overdraw it. No row: it was empty. */
const TAKE = `
  insert into auth.rate_limits as bucket (key, tokens, updated_at) values (?, ?::float8 - 1, ?::timestamptz)
  on conflict (key) do update set
    tokens = least(?::float8, bucket.tokens + greatest(0, extract(epoch from excluded.updated_at - bucket.updated_at)) * ?::float8) - 1,
    updated_at = greatest(bucket.updated_at, excluded.updated_at)
  where least(?::float8, bucket.tokens + greatest(0, extract(epoch from excluded.updated_at - bucket.updated_at)) * ?::float8) >= 1
  returning tokens`;

/** The limits of section 1.9: token buckets in the database, which all processes share. */
@Injectable()
export class RateLimitsService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a request of a client.
   * @param ip the client's address
   * @throws AuthError 429 over_request_rate_limit
   */
  async countRequest(name: RateLimitName, ip: string): Promise<void> {
    if (await this.take(this.em.fork({ disableTransactions: true }), name, networkOf(ip))) return;
    throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached');
  }

  /**
   * Takes from the bucket of that limit and key, as part of the transaction of `em` if it has one.
   * @returns false when it is empty
   */
  async take(em: EntityManager, name: RateLimitName, key: string): Promise<boolean> {
    return await this.takeFrom(em, this.config.auth.limits[name], `${name}:${key}`);
  }

  /**
   * The same for a limit of another room.
   * @param key names the limit and what it counts; at most 200 characters
   */
  async takeFrom(em: EntityManager, { count, seconds, burst }: RateLimit, key: string): Promise<boolean> {
    if (count === 0) return true;
    const now = this.clock.now();
    const rate = count / seconds;
    const values = [key, burst, now, burst, rate, burst, rate];
    const rows = await em.execute<{ tokens: number }[]>(TAKE, values);
    if (Math.random() * CLEAN_EVERY < 1) await this.clean(em, now);
    return rows.length > 0;
  }

  /** What the requests of a client's address are counted under. */
  keyOf(ip: string): string {
    return networkOf(ip);
  }

  private async clean(em: EntityManager, now: Date): Promise<void> {
    // Rows that others hold are left for the next time, instead of waiting for them.
    await em.execute(
      `delete from auth.rate_limits where key in (
         select key from auth.rate_limits where updated_at < ? for update skip locked)`,
      [new Date(now.getTime() - FULL_AFTER_MS)],
    );
  }
}

/** One household has a /64 of IPv6, and with it more addresses than there are buckets. */
function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
