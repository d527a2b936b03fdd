import { QueryClient } from '@tanstack/react-query';
import { ApiError, SessionExpiredError } from './api-errors.js';

/** The library's own number (product.md 9.4), which a condition would otherwise replace. */
const RETRIES = 3;

/**
 * Returns true when a failed query should be tried again: not when the answer would be the same. The pauses (from one
 * second, doubling, 30 seconds at most) and the time for which unused data is kept (five minutes) are the library's.
 */
export function isWorthRetrying(failures: number, error: Error): boolean {
  const isFinal = error instanceof SessionExpiredError || (error instanceof ApiError && error.status < 500);
  return !isFinal && failures < RETRIES;
}

/** Creates the cache of the admin area's data, one for each user. */
export function createAdminQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: isWorthRetrying } } });
}
