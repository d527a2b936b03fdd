import { useCallback, useMemo } from 'react';
import type { PostState } from '../../../../src/shared/contracts/admin-posts.js';
import { useAddressParams } from '../../../lib/use-address-params.js';

/** Orders of the list by the names they have in the address; the first is the default (product.md 9.3). */
export const listOrders = {
  newest: { label: 'Newest first', sort: 'created', direction: 'desc' },
  oldest: { label: 'Oldest first', sort: 'created', direction: 'asc' },
  changed: { label: 'Last changed first', sort: 'updated', direction: 'desc' },
  published: { label: 'By publication date', sort: 'published', direction: 'desc' },
  title: { label: 'By title', sort: 'title', direction: 'asc' },
} as const;

/** Name of an order. */
export type ListOrder = keyof typeof listOrders;

/** A date that the list is sorted by, for its rows. */
export interface ShownDate {
  readonly words: string;
  readonly column: 'created_at' | 'updated_at';
}

const CREATED: ShownDate = { words: 'Created', column: 'created_at' };
const CHANGED: ShownDate = { words: 'Changed', column: 'updated_at' };

/** Returns the date that rows show because the list is sorted by it; null when they show it anyway, or for no date. */
export function toShownDate(order: ListOrder): ShownDate | null {
  const dates = { created: CREATED, updated: CHANGED, published: null, title: null } as const;
  return dates[listOrders[order].sort];
}

/** Filters of the list; empty texts filter nothing. */
export interface ListFilter {
  readonly q: string;
  /** Empty for all but the trash. */
  readonly state: PostState | '';
  readonly category: string;
  readonly tag: string;
  readonly order: ListOrder;
}

const STATES: readonly string[] = ['draft', 'scheduled', 'published', 'trashed'] satisfies readonly PostState[];
const EVERYTHING: ListFilter = { q: '', state: '', category: '', tag: '', order: 'newest' };

function readFilter(params: URLSearchParams): ListFilter {
  const read = (name: string) => params.get(name) ?? '';
  const state = read('state');
  const order = read('order');
  return {
    q: read('q'),
    state: STATES.includes(state) ? (state as PostState) : '',
    category: read('category'),
    tag: read('tag'),
    order: order in listOrders ? (order as ListOrder) : 'newest',
  };
}

/** Returns the query of an address with this filter; empty when nothing is filtered. */
export function toSearch(filter: ListFilter): string {
  const entries = Object.entries(filter).filter(
    ([name, value]) => value !== EVERYTHING[name as keyof ListFilter] && value !== '',
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

/** Parameters of the API for it. */
export function toQuery({ q, state, category, tag, order }: ListFilter) {
  const { sort, direction } = listOrders[order];
  return { q, state, category, tag, sort, direction };
}

/** Parameters of the API for how many there are. */
export function toCountQuery({ q, state, category, tag }: ListFilter) {
  return { q, state, category, tag };
}

/** Returns true when the list of a filter has posts of this state. */
export function isIn(filter: ListFilter, state: PostState): boolean {
  return filter.state === '' ? state !== 'trashed' : state === filter.state;
}

/** Returns true when anything but the state filters the list. */
export function isNarrowed({ q, category, tag }: ListFilter): boolean {
  return q !== '' || category !== '' || tag !== '';
}

/** The filter in the address of the page, so that it survives a reload and can be shared, and a way to change it. */
export function useListFilter(): readonly [ListFilter, (change: Partial<ListFilter>) => void] {
  const [params, setParams] = useAddressParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = useCallback(
    (parts: Partial<ListFilter>) => {
      setParams((current) => new URLSearchParams(toSearch({ ...readFilter(current), ...parts })));
    },
    [setParams],
  );
  return [filter, change];
}
