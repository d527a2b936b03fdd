import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ENQUIRY_STATES, type EnquiryPage, type EnquiryState } from '../../../src/shared/contracts/enquiries.js';
import { paths } from '../../../src/shared/paths.js';
import { useAdminApi } from '../../lib/admin-context.js';

/** Filters of the list, as in the address of the page; empty texts filter nothing. */
export interface EnquiryFilter {
  readonly search: string;
  readonly state: EnquiryState | '';
}

/** Cache key of all lists of enquiries. */
export const ENQUIRIES = 'enquiries';
/** How soon to look again while a mail is on its way, in milliseconds. */
const LOOK_AGAIN_MS = 4000;

/** The filter in the address of the page, and a way to change parts of it. */
export function useEnquiryFilter(): readonly [EnquiryFilter, (change: Partial<EnquiryFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = useCallback(
    (parts: Partial<EnquiryFilter>) =>
      setParams((now) => toParams({ ...readFilter(now), ...parts }), { replace: true }),
    [setParams],
  );
  return [filter, change];
}

function readFilter(params: URLSearchParams): EnquiryFilter {
  const state = ENQUIRY_STATES.find((known) => known === params.get('state')) ?? '';
  return { search: params.get('search') ?? '', state };
}

function toParams(filter: EnquiryFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The enquiries of a filter, the newest first, page by page. */
export function useEnquiries({ search, state }: EnquiryFilter) {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: [ENQUIRIES, search, state],
    queryFn: ({ pageParam, signal }) =>
      api.get<EnquiryPage>(paths.api.admin.enquiries, { signal, query: { search, state, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ delivery }) => delivery === 'waiting')) ? LOOK_AGAIN_MS : false,
  });
  return { ...list, enquiries: list.data?.pages.flatMap(({ items }) => items) ?? [] };
}
