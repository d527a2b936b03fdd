import type { RateLimit } from '../../config/auth-config.js';
import { isAhead } from '../../shared/clock.js';

/** SQL that finds buckets by an array of their keys, for those who look without drawing. */
export const FIND_BUCKETS = 'select key, tokens, updated_at from auth.rate_limits where key = any($1)';

/** A row of {@link FIND_BUCKETS}. */
export interface BucketRow {
  readonly key: string;
  readonly tokens: number;
  readonly updated_at: Date;
}

/**
 * The tokens that a draw would find in a bucket, as `rate-limits.service.ts` reckons them; below 0 after an overdraft.
 * @param bucket undefined where nobody has drawn from it
 */
export function levelOf(bucket: BucketRow | undefined, { count, seconds, burst }: RateLimit, now: Date): number {
  if (count === 0) return Infinity;
  if (bucket === undefined || isAhead(bucket.updated_at, now)) return burst;
  const passed = Math.max(0, now.getTime() - bucket.updated_at.getTime()) / 1000;
  return Math.min(burst, bucket.tokens + (passed * count) / seconds);
}
