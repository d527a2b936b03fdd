import {
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type {
  AdminPostFacets,
  AdminPostListItem,
  AdminPostPage,
} from '../../../../src/shared/contracts/admin-posts.js';
import type { DeadLinkCounts } from '../../../../src/shared/contracts/links.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { shownPages } from '../../../lib/admin-queries.js';
import { isIn, toQuery, type ListFilter } from './list-filter.js';

/** Cache key of everything read about posts; code that changes posts elsewhere invalidates it. */
export const POSTS_KEY = ['posts'] as const;
const LISTS_KEY = [...POSTS_KEY, 'list'] as const;

/** The posts of a filter, page by page. */
export function usePostList(filter: ListFilter) {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: [...LISTS_KEY, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<AdminPostPage>(adminPaths.posts, {
        signal,
        query: { ...toQuery(filter), cursor: pageParam },
        isBackground: true,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    // While another filter loads, the list stays where it is instead of flickering.
    placeholderData: keepPreviousData,
  });
  const pages = shownPages(list);
  return { ...list, posts: pages.flatMap(({ items }) => items), dead: useDeadLinks(pages) };
}

/** Dead links of the posts of a list by their id, asked part by part as the list is; empty until they are known. */
function useDeadLinks(pages: readonly AdminPostPage[]): ReadonlyMap<string, number> {
  const api = useAdminApi();
  return useQueries({
    queries: pages.map(({ items }) => {
      const ids = items.map(({ id }) => id);
      return {
        // With the versions: a post that was saved has other links.
        queryKey: [...POSTS_KEY, 'dead-links', items.map(({ id, version }) => `${id} ${version}`)],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          api.post<DeadLinkCounts>(`${adminPaths.deadLinks}/counts`, { ids }, { signal, isBackground: true }),
        placeholderData: keepPreviousData,
      };
    }),
    combine: combineCounts,
  });
}

function combineCounts(answers: readonly { readonly data: DeadLinkCounts | undefined }[]): ReadonlyMap<string, number> {
  return new Map(answers.flatMap(({ data }) => data?.posts.map(({ id, links }) => [id, links] as const) ?? []));
}

/** The values that the list can be narrowed to; undefined until they are known. */
export function useFacets(): AdminPostFacets | undefined {
  const api = useAdminApi();
  const { data } = useQuery({
    queryKey: [...POSTS_KEY, 'facets'],
    queryFn: ({ signal }) => api.get<AdminPostFacets>(adminPaths.facets, { signal, isBackground: true }),
  });
  return data;
}

/** Brings changes into the cached lists. */
export function usePostCache() {
  const queries = useQueryClient();

  /** Reads everything anew. */
  const reload = useCallback(() => queries.invalidateQueries({ queryKey: POSTS_KEY }), [queries]);

  /** Puts changed posts into the lists at once: the next answer of the server comes a moment later. */
  const show = useCallback(
    (posts: readonly AdminPostListItem[]) => {
      const changed = new Map(posts.map((post) => [post.id, post]));
      for (const [key, data] of queries.getQueriesData<InfiniteData<AdminPostPage>>({ queryKey: LISTS_KEY })) {
        if (data) queries.setQueryData(key, replaced(data, changed, filterOf(key)));
      }
    },
    [queries],
  );

  return { reload, show };
}

function filterOf(key: QueryKey): ListFilter {
  return key[LISTS_KEY.length] as ListFilter;
}

function replaced(
  data: InfiniteData<AdminPostPage>,
  changed: ReadonlyMap<string, AdminPostListItem>,
  filter: ListFilter,
): InfiniteData<AdminPostPage> {
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((post) => changed.get(post.id) ?? post).filter(({ state }) => isIn(filter, state)),
  }));
  return { ...data, pages };
}
