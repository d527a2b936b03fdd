import { useCallback, useState } from 'react';
import type { AdminPostListItem, BulkResult } from '../../../../src/shared/contracts/admin-posts.js';
import { isIn, type ListFilter } from './list-filter.js';

type Changed = Pick<BulkResult['results'][number], 'id' | 'post'>;

/**
 * Returns posts that match a filter as a change left them, without those that match no longer. They are not loaded: no
 * answer of the list brings them up to date.
 */
export function withChanged(
  matching: readonly AdminPostListItem[],
  changed: readonly Changed[],
  filter: ListFilter,
): AdminPostListItem[] {
  const now = new Map(changed.map(({ id, post }) => [id, post]));
  return matching.flatMap((before) => {
    const post = now.has(before.id) ? now.get(before.id) : before;
    return post && isIn(filter, post.state) ? [post] : [];
  });
}

/** The posts that were chosen: of those that are shown, and of those that match but are not loaded. */
export function useSelection(posts: readonly AdminPostListItem[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [matching, setMatching] = useState<readonly AdminPostListItem[]>([]);

  const select = useCallback((ids: readonly string[], isSelected: boolean) => {
    setSelected((current) => {
      const next = new Set(current);
      for (const id of ids) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);

  const selectMatching = (all: readonly AdminPostListItem[]) => {
    setMatching(all);
    select(
      all.map(({ id }) => id),
      true,
    );
  };

  const follow = (changed: readonly Changed[], filter: ListFilter) =>
    setMatching((all) => withChanged(all, changed, filter));

  const clear = () => {
    setMatching([]);
    setSelected(new Set());
  };

  const shown = new Set(posts.map(({ id }) => id));
  // Posts that left the list are not selected any more.
  const chosen = [...posts, ...matching.filter(({ id }) => !shown.has(id))].filter(({ id }) => selected.has(id));
  return { chosen, isSelected: (id: string) => selected.has(id), select, selectMatching, follow, clear };
}
