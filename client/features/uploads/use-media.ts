import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { MediaPage } from '../../../src/shared/contracts/media.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../lib/admin-context.js';

/** Everything that was read about images is under this key. */
const MEDIA_KEY = ['media'] as const;

/** Which images are listed. */
export interface MediaFilter {
  /** Part of the title of a post that shows them. */
  readonly search: string;
  readonly isUnused: boolean;
}

/** The images of a filter, page by page. Where they are shown changes elsewhere, so every visit reads them anew. */
export function useMedia({ search, isUnused }: MediaFilter) {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: [...MEDIA_KEY, search, isUnused],
    queryFn: ({ pageParam, signal }) =>
      api.get<MediaPage>(adminPaths.media, {
        signal,
        query: { cursor: pageParam, search, unused: isUnused ? 'true' : undefined },
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    // While another filter loads, the list stays where it is instead of flickering.
    placeholderData: keepPreviousData,
  });
  return { ...list, images: list.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/** Reads everything about images anew. */
export function useReloadMedia(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ queryKey: MEDIA_KEY }), [queries]);
}
