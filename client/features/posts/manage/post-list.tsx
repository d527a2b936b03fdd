import type { ReactNode } from 'react';
import { FetchFailure } from '../../../components/fetch-failure.js';
import { LoadMore } from '../../../components/load-more.js';
import type { Outcome } from '../../../components/outcome.js';
import { postListMessages as messages } from '../../../content/admin-posts.js';
import { BulkBar } from './bulk-bar.js';
import { isNarrowed, toSearch, toShownDate, type ListFilter } from './list-filter.js';
import { PostRow } from './post-row.js';
import { SelectMatching } from './select-matching.js';
import { useBulkActions } from './use-bulk-actions.js';
import { usePostActions } from './use-post-actions.js';
import { usePostList } from './use-post-list.js';
import { useSelection } from './use-selection.js';
import { useUndoOffers } from './use-undo-offers.js';

interface PostListProps {
  readonly filter: ListFilter;
  /** Shows an outcome on the page. */
  readonly tell: (outcome: Outcome | null) => void;
}

/** The posts that match a filter, with their actions. */
export function PostList({ filter, tell }: PostListProps) {
  const list = usePostList(filter);
  const offers = useUndoOffers(list.posts, toSearch(filter));
  const { rows } = offers;
  return (
    <div className="managed-posts" aria-busy={list.isFetching}>
      <FetchFailure query={list} message={messages.fetchFailed} isListShown={rows.length > 0} />
      {list.isPending && !list.isPaused ? (
        <p role="status" className="list-note">
          {messages.loading}
        </p>
      ) : null}
      {list.isSuccess && rows.length === 0 && !list.isPlaceholderData ? <Empty filter={filter} /> : null}
      {rows.length > 0 ? (
        // Another filter is another list: what was selected in the last one is not meant any more.
        <Rows
          key={toSearch(filter)}
          filter={filter}
          offers={offers}
          dead={list.dead}
          hasMore={list.hasNextPage}
          tell={tell}
        >
          <LoadMore count={list.posts.length} nouns={['post', 'posts']} itemSelector=".post-row" list={list} />
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
  readonly filter: ListFilter;
  readonly offers: ReturnType<typeof useUndoOffers>;
  /** Dead links by the id of the post. */
  readonly dead: ReadonlyMap<string, number>;
  /** True when posts match that are not shown yet. */
  readonly hasMore: boolean;
  readonly tell: PostListProps['tell'];
  readonly children: ReactNode;
}

function Rows({ filter, offers, dead, hasMore, tell, children }: RowsProps) {
  const { rows: posts, offer, end, offerOf } = offers;
  const { actions, busy } = usePostActions(tell, offer);
  const { chosen, isSelected, select, selectMatching, follow, clear } = useSelection(posts);
  const bulk = useBulkActions(tell, (results) => follow(results, filter));
  const shownDate = toShownDate(filter.order);
  const isEachSelected = posts.every(({ id }) => isSelected(id));

  return (
    <>
      <div className="select-all">
        <label>
          <input
            type="checkbox"
            checked={isEachSelected}
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !isEachSelected;
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
        {isEachSelected && hasMore ? <SelectMatching filter={filter} onSelect={selectMatching} /> : null}
      </div>
      <ul role="list" className="post-rows">
        {posts.map((post) => (
          <li key={post.id}>
            <PostRow
              post={post}
              deadLinks={dead.get(post.id) ?? 0}
              actions={actions}
              isBusy={busy.includes(post.id)}
              isSelected={isSelected(post.id)}
              onSelect={select}
              shownDate={shownDate}
              decision={offerOf(post)}
              onOfferEnd={end}
            />
          </li>
        ))}
      </ul>
      {children}
      <BulkBar
        posts={chosen}
        isTrash={filter.state === 'trashed'}
        isBusy={bulk.isBusy}
        onApply={(action) => bulk.apply(action, chosen)}
        onClear={clear}
      />
    </>
  );
}
