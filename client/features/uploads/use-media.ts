import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { MediaPage } from '../../../src/shared/contracts/media.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { shownPages } from '../../lib/admin-queries.js';
import { useAddressParams } from '../../lib/use-address-params.js';

/** Everything that was read about images is under this key. */
const MEDIA_KEY = ['media'] as const;

/** Which images are listed. */
export interface MediaFilter {
  /** Part of the title of a post that shows them. */
  readonly search: string;
  readonly isUnused: boolean;
}

/** The filter in the address of the page, and a way to change parts of it. */
export function useMediaFilter() {
  const [params, setParams] = useAddressParams();
  const shown = useMemo(() => readFilter(params), [params]);
  // The router shows a change a moment later: until then, a box that was ticked would be empty.
  const [asked, setAsked] = useState({ filter: shown, at: params });
  const change = useCallback(
    (parts: Partial<MediaFilter>) => {
      setAsked(({ filter, at }) => ({ filter: { ...(at === params ? filter : shown), ...parts }, at: params }));
      setParams((now) => toParams({ ...readFilter(now), ...parts }));
    },
    [params, shown, setParams],
  );
  return { filter: asked.at === params ? asked.filter : shown, change };
}

function readFilter(params: URLSearchParams): MediaFilter {
  return { search: params.get('search') ?? '', isUnused: params.get('unused') === 'true' };
}

function toParams({ search, isUnused }: MediaFilter): URLSearchParams {
  return new URLSearchParams({ ...(search === '' ? {} : { search }), ...(isUnused ? { unused: 'true' } : {}) });
}

/**
 * The images of a filter, page by page. Where they are shown changes elsewhere, so every visit reads them anew.
 * @param isAskedFor true for a dialog, above which nothing can be pressed that says that the session has ended
 */
export function useMedia({ search, isUnused }: MediaFilter, isAskedFor = false) {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: [...MEDIA_KEY, search, isUnused],
    queryFn: ({ pageParam, signal }) =>
      api.get<MediaPage>(adminPaths.media, {
        signal,
        query: { cursor: pageParam, search, unused: isUnused ? 'true' : undefined },
        isBackground: !isAskedFor,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    // While another filter loads, the list stays where it is instead of flickering.
    placeholderData: keepPreviousData,
  });
  return { ...list, images: shownPages(list).flatMap(({ items }) => items) };
}

/**
 * Reads everything about images anew. A reading that is on its way may have been answered before: it is given up, also the
 * first one, which the library would go on to wait for.
 */
export function useReloadMedia(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    await queries.cancelQueries({ queryKey: MEDIA_KEY });
    await queries.invalidateQueries({ queryKey: MEDIA_KEY });
  }, [queries]);
}
