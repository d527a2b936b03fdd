import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminPostCount, AdminPostListItem, AdminPostPage } from '../../../../src/shared/contracts/admin-posts.js';
import { adminPaths } from '../../../../src/shared/admin-paths.js';
import { Button } from '../../../components/button.js';
import { postListMessages as messages } from '../../../content/admin-posts.js';
import type { AdminApi } from '../../../lib/admin-api.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { isAccessDenied } from '../../../lib/api-errors.js';
import { showToast } from '../../../lib/toast.js';
import { toCountQuery, toQuery, type ListFilter } from './list-filter.js';
import { POSTS_KEY } from './use-post-list.js';

/** The API gives no more at once. */
const MOST = 200;

interface SelectMatchingProps {
  readonly filter: ListFilter;
  /** Hears of all posts that match, as they are now. */
  readonly onSelect: (posts: readonly AdminPostListItem[]) => void;
}

/** Selects the posts that match but are not loaded. */
export function SelectMatching({ filter, onSelect }: SelectMatchingProps) {
  const api = useAdminApi();
  const [isBusy, setIsBusy] = useState(false);
  const { data } = useQuery({
    queryKey: [...POSTS_KEY, 'count', filter],
    queryFn: ({ signal }) =>
      api.get<AdminPostCount>(adminPaths.postCount, { signal, query: toCountQuery(filter), isBackground: true }),
  });
  if (!data) return null;

  const handleClick = async () => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      onSelect(await fetchMatching(api, filter));
    } catch (error) {
      if (!isAccessDenied(error)) showToast({ kind: 'error', ...messages.fetchFailed });
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Button kind="line" isSmall aria-disabled={isBusy} onClick={() => void handleClick()}>
      {isBusy ? `Selecting ${data.count}...` : `Select all ${data.count} that match`}
    </Button>
  );
}

async function fetchMatching(api: AdminApi, filter: ListFilter): Promise<AdminPostListItem[]> {
  const all: AdminPostListItem[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = { ...toQuery(filter), limit: MOST, cursor };
    const page: AdminPostPage = await api.get<AdminPostPage>(adminPaths.posts, { query });
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}
