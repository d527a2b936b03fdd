import { useState } from 'react';
import { ListFilters } from './list-filters.js';
import { useListFilter } from './list-filter.js';
import { OutcomeNotice, type Outcome } from '../../../components/outcome.js';
import { PostList } from './post-list.js';
import { useFacets } from './use-post-list.js';

/** Every post, whatever its state: found, ordered, and changed one by one or many at once. */
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
