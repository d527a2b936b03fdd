import { QueryClient } from '@tanstack/react-query';
import { ApiError, SessionExpiredError } from './api-errors.js';

/** The library's own number (product.md 9.4), which a condition would otherwise replace. */
const RETRIES = 3;

/**
 * Whether to try a query again: not when the answer would be the same. Pauses between the tries (from one second,
 * doubling, 30 seconds at most) and how long unused data is kept (five minutes) are the library's.
 */
export function isWorthRetrying(failures: number, error: Error): boolean {
  const isFinal = error instanceof SessionExpiredError || (error instanceof ApiError && error.status < 500);
  return !isFinal && failures < RETRIES;
}

/** A cache of what the admin area has read; one for each person who opens it. */
export function createAdminQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: isWorthRetrying } } });
}
