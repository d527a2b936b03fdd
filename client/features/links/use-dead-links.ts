import { useInfiniteQuery } from '@tanstack/react-query';
import { DEAD_LINK_POSTS, type DeadLinkPage } from '../../../src/shared/contracts/links.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../lib/admin-context.js';

/** The posts with dead links, part by part. They are mended elsewhere, so every visit reads them anew. */
export function useDeadLinks() {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: ['dead-links'],
    queryFn: ({ pageParam, signal }) =>
      api.get<DeadLinkPage>(adminPaths.deadLinks, {
        signal,
        query: { page: String(pageParam) },
        isBackground: true,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ items }, all) => (items.length < DEAD_LINK_POSTS ? null : all.length + 1),
  });
  // What was mended meanwhile moved the others up.
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const posts = [...new Map(items.map((post) => [post.id, post])).values()];
  return { ...list, posts, total: list.data?.pages.at(-1)?.total ?? 0 };
}
