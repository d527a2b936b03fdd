import { useCallback, useState } from 'react';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';

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

  const clear = () => {
    setMatching([]);
    setSelected(new Set());
  };

  const shown = new Set(posts.map(({ id }) => id));
  // Posts that left the list are not selected any more.
  const chosen = [...posts, ...matching.filter(({ id }) => !shown.has(id))].filter(({ id }) => selected.has(id));
  return { chosen, isSelected: (id: string) => selected.has(id), select, selectMatching, clear };
}
