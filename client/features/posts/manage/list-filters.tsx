import { useCallback } from 'react';
import { paths } from '../../../../src/shared/paths.js';
import type { AdminPostFacets, PostState } from '../../../../src/shared/contracts/admin-posts.js';
import { SearchField } from '../../../components/search-field.js';
import { isNarrowed, listOrders, toSearch, type ListFilter, type ListOrder } from './list-filter.js';

interface FiltersProps {
  readonly filter: ListFilter;
  readonly facets: AdminPostFacets | undefined;
  readonly onChange: (change: Partial<ListFilter>) => void;
}

/** Filters and order of the list. Every change takes effect at once. */
export function ListFilters({ filter, facets, onChange }: FiltersProps) {
  const search = useCallback((q: string) => onChange({ q }), [onChange]);
  return (
    <>
      <StateLinks filter={filter} facets={facets} />
      <div role="search" className="filters">
        <SearchField label="Search" placeholder="Search titles, texts, authors" value={filter.q} onSearch={search} />
        <FilterSelect
          label="Category"
          everything="All categories"
          values={facets?.categories ?? []}
          value={filter.category}
          onChange={(category) => onChange({ category })}
        />
        <FilterSelect
          label="Tag"
          everything="All tags"
          values={facets?.tags ?? []}
          value={filter.tag}
          onChange={(tag) => onChange({ tag })}
        />
        <label>
          <span className="visually-hidden">Order</span>
          <select value={filter.order} onChange={({ target }) => onChange({ order: target.value as ListOrder })}>
            {Object.entries(listOrders).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

const stateLinks: readonly { readonly state: PostState | ''; readonly label: string }[] = [
  { state: '', label: 'All' },
  { state: 'published', label: 'Published' },
  { state: 'draft', label: 'Drafts' },
  { state: 'scheduled', label: 'Scheduled' },
  { state: 'trashed', label: 'Trash' },
];

function StateLinks({ filter, facets }: Omit<FiltersProps, 'onChange'>) {
  const count = (state: PostState | '') => {
    // They are of all posts: beside links to a list that is narrowed they would be those of another one.
    if (!facets || isNarrowed(filter)) return null;
    const { draft, scheduled, published } = facets.counts;
    return state === '' ? draft + scheduled + published : facets.counts[state];
  };
  return (
    <nav aria-label="States" className="state-links">
      <ul role="list">
        {stateLinks.map(({ state, label }) => (
          <li key={state}>
            <a
              className="nav-link"
              href={paths.admin.blogs + toSearch({ ...filter, state })}
              aria-current={filter.state === state ? 'page' : undefined}
            >
              {label} <span className="numeric quiet">{count(state)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface FilterSelectProps {
  readonly label: string;
  /** The choice that narrows nothing. */
  readonly everything: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterSelect({ label, everything, values, value, onChange }: FilterSelectProps) {
  // The address may name a value that no post has (any more).
  const shown = value === '' || values.includes(value) ? values : [value, ...values];
  return (
    <label>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{everything}</option>
        {shown.map((name) => (
          // Without a value, it would be what a browser that translates the page calls it.
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
