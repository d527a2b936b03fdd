import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import type { ManagedComment, ManagedCommentPage } from '../../../src/shared/contracts/comments.js';
import type { Outcome } from '../../components/outcome.js';
import { commentMessages as messages } from '../../content/comments.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { shownPages } from '../../lib/admin-queries.js';
import { describeError, isAccessDenied, isGone } from '../../lib/api-errors.js';
import { useAddressParams } from '../../lib/use-address-params.js';
import { useTurns } from '../../lib/use-turns.js';

const KEY = 'comments';

/** Filters by their names in the address and in the API; empty texts filter nothing. */
export interface CommentFilter {
  readonly search: string;
  readonly post: string;
}

/** The filter in the address of the page, and a way to change parts of it. */
export function useCommentFilter() {
  const [params, setParams] = useAddressParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = useCallback(
    (parts: Partial<CommentFilter>) =>
      setParams((now) => {
        const all = Object.entries({ ...readFilter(now), ...parts });
        return new URLSearchParams(all.filter(([, value]) => value !== ''));
      }),
    [setParams],
  );
  return { filter, change };
}

function readFilter(params: URLSearchParams): CommentFilter {
  return { search: params.get('search') ?? '', post: params.get('post') ?? '' };
}

/** The comments, the newest first, part by part. */
export function useComments(filter: CommentFilter) {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: [KEY, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<ManagedCommentPage>(adminPaths.comments, {
        signal,
        query: { ...filter, cursor: pageParam },
        isBackground: true,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
  const pages = shownPages(list);
  return { ...list, comments: pages.flatMap(({ items }) => items), total: pages.at(-1)?.total ?? 0 };
}

/** Removes comments, one after another. The page tells how the last of it ended. */
export function useCommentRemoval() {
  const api = useAdminApi();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const inTurn = useTurns();
  const removeNow = async ({ post_id, id, author, post_title }: ManagedComment) => {
    setOutcome(null);
    try {
      await api.delete<undefined>(adminPaths.comment(post_id, id));
      setOutcome({
        kind: 'success',
        title: messages.removed,
        text: `By ${author}, below ${post_title}`,
        takesFocus: true,
      });
    } catch (error) {
      if (!isAccessDenied(error))
        setOutcome({
          kind: 'error',
          title: messages.removeFailed,
          text: describeError(error),
          takesFocus: isGone(error),
        });
    }
    // Not waited for: the next one may be asked for already.
    void queries.invalidateQueries({ queryKey: [KEY] });
  };
  const remove = (comment: ManagedComment) => inTurn(() => removeNow(comment));
  return { remove, outcome, dismiss: () => setOutcome(null) };
}
