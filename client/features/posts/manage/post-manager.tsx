import { useState } from 'react';
import { ListFilters } from './list-filters.js';
import { useListFilter } from './list-filter.js';
import { OutcomeNotice, type Outcome } from '../../../components/outcome.js';
import { PostList } from './post-list.js';
import { useFacets } from './use-post-list.js';

/** Posts in every state: search, order, and changes of one or of many. */
export function PostManager() {
  const [filter, changeFilter] = useListFilter();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const facets = useFacets();
  return (
    <>
      <ListFilters filter={filter} facets={facets} onChange={changeFilter} />
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(null)} />
      <PostList filter={filter} tell={setOutcome} />
    </>
  );
}
