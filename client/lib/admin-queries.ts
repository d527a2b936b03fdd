import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
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

/** The part of a list read page by page that tells which pages are there. */
interface PagedList<Page> {
  readonly data: InfiniteData<Page, unknown> | undefined;
  readonly isPaused: boolean;
  readonly isPlaceholderData: boolean;
}

/**
 * The pages of a list that are shown: while another filter loads, those of the one before, and none while it waits for a
 * network, as they would look like its own for as long as that takes.
 */
export function shownPages<Page>({ data, isPaused, isPlaceholderData }: PagedList<Page>): readonly Page[] {
  return data === undefined || (isPaused && isPlaceholderData) ? [] : data.pages;
}

/**
 * Takes over how something stands now, as the answer to an action says. A reading that is on its way may have been
 * answered before the action was: it is given up, or it would bring back how it stood.
 */
export function takeOver<T>(queries: QueryClient, queryKey: QueryKey, now: T): void {
  void queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData(queryKey, now);
}
