import { useCallback, useState, type ReactNode } from 'react';
import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { FetchFailure } from '../../../components/fetch-failure.js';
import { LoadMore } from '../../../components/load-more.js';
import type { Outcome } from '../../../components/outcome.js';
import { postListMessages as messages } from '../../../content/admin-posts.js';
import { BulkBar } from './bulk-bar.js';
import { isNarrowed, toSearch, type ListFilter } from './list-filter.js';
import { PostRow } from './post-row.js';
import { useBulkActions } from './use-bulk-actions.js';
import { usePostActions } from './use-post-actions.js';
import { usePostList } from './use-post-list.js';

interface PostListProps {
  readonly filter: ListFilter;
  /** Shows an outcome on the page. */
  readonly tell: (outcome: Outcome | null) => void;
}

/** The posts that match a filter, with their actions. */
export function PostList({ filter, tell }: PostListProps) {
  const list = usePostList(filter);
  const { posts, error, isPlaceholderData } = list;
  return (
    <div className="managed-posts" aria-busy={list.isFetching}>
      <FetchFailure
        error={error}
        message={messages.fetchFailed}
        isListShown={posts.length > 0}
        onRetry={() => void list.refetch()}
      />
      {list.isPending ? (
        <p role="status" className="list-note">
          {list.isPaused ? messages.offline : messages.loading}
        </p>
      ) : null}
      {list.isSuccess && posts.length === 0 && !isPlaceholderData ? <Empty filter={filter} /> : null}
      {posts.length > 0 ? (
        // Another filter is another list: what was selected in the last one is not meant any more.
        <Rows key={toSearch(filter)} posts={posts} isTrash={filter.state === 'trashed'} tell={tell}>
          <More list={list} />
        </Rows>
      ) : null}
    </div>
  );
}

function Empty({ filter }: { readonly filter: ListFilter }) {
  const isAll = filter.state === '' && !isNarrowed(filter);
  const isTrash = filter.state === 'trashed' && !isNarrowed(filter);
  const text = isTrash ? messages.emptyTrash : messages.nothingFound;
  return (
    <p role="status" className="list-note">
      {isAll ? messages.empty : text}
    </p>
  );
}

interface RowsProps {
  readonly posts: readonly AdminPostListItem[];
  readonly isTrash: boolean;
  readonly tell: PostListProps['tell'];
  readonly children: ReactNode;
}

function Rows({ posts, isTrash, tell, children }: RowsProps) {
  const { actions, busy } = usePostActions(tell);
  const bulk = useBulkActions(tell);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Posts that left the list are not selected any more.
  const chosen = posts.filter(({ id }) => selected.has(id));

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

  return (
    <>
      <label className="select-all">
        <input
          type="checkbox"
          checked={chosen.length === posts.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen.length > 0 && chosen.length < posts.length;
          }}
          onChange={({ target }) =>
            select(
              posts.map(({ id }) => id),
              target.checked,
            )
          }
        />
        <span>Select all shown</span>
      </label>
      <ul role="list" className="post-rows">
        {posts.map((post) => (
          <li key={post.id}>
            <PostRow
              post={post}
              actions={actions}
              isBusy={busy.includes(post.id)}
              isSelected={selected.has(post.id)}
              onSelect={select}
            />
          </li>
        ))}
      </ul>
      {children}
      <BulkBar
        count={chosen.length}
        isTrash={isTrash}
        isBusy={bulk.isBusy}
        onApply={(action) => bulk.apply(action, chosen)}
        onClear={() => setSelected(new Set())}
      />
    </>
  );
}

/** Loads the next part of the list. */
function More({ list }: { readonly list: ReturnType<typeof usePostList> }) {
  return (
    <LoadMore
      count={list.posts.length}
      nouns={['post', 'posts']}
      itemSelector=".post-row"
      hasMore={list.hasNextPage}
      isLoading={list.isFetchingNextPage}
      onLoad={() => void list.fetchNextPage()}
    />
  );
}
