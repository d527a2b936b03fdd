import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import {
  ENQUIRY_DELIVERIES,
  ENQUIRY_STATES,
  type EnquiryAssignee,
  type EnquiryDelivery,
  type EnquiryPage,
  type EnquiryRecord,
  type EnquiryState,
} from '../../../src/shared/contracts/enquiries.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { isHeldBack } from '../../content/enquiries.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { shownPages } from '../../lib/admin-queries.js';
import { useAddressParams } from '../../lib/use-address-params.js';

/** Filters of the list, as in the address of the page; empty texts filter nothing. */
export interface EnquiryFilter {
  readonly search: string;
  readonly state: EnquiryState | '';
  /** Id of an administrator, or `none`. */
  readonly assignee: string;
  readonly delivery: EnquiryDelivery | '';
}

/** Cache key of all lists of enquiries. */
export const ENQUIRIES = 'enquiries';
const LISTS_KEY = [ENQUIRIES, 'list'] as const;
/** How soon to look again while a mail is on its way, in milliseconds. */
const LOOK_AGAIN_MS = 4000;

/** The filter in the address of the page, and a way to change parts of it. */
export function useEnquiryFilter(): readonly [EnquiryFilter, (change: Partial<EnquiryFilter>) => void] {
  const [params, setParams] = useAddressParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = useCallback(
    (parts: Partial<EnquiryFilter>) => setParams((now) => toParams({ ...readFilter(now), ...parts })),
    [setParams],
  );
  return [filter, change];
}

function readFilter(params: URLSearchParams): EnquiryFilter {
  const state = ENQUIRY_STATES.find((known) => known === params.get('state')) ?? '';
  const delivery = ENQUIRY_DELIVERIES.find((known) => known === params.get('delivery')) ?? '';
  return { search: params.get('search') ?? '', state, assignee: params.get('assignee') ?? '', delivery };
}

/** A filter as a query; empty texts are left out. */
export function toParams(filter: EnquiryFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The enquiries of a filter, the newest first, page by page. */
export function useEnquiries(filter: EnquiryFilter) {
  const api = useAdminApi();
  const list = useInfiniteQuery({
    queryKey: [...LISTS_KEY, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<EnquiryPage>(adminPaths.enquiries, {
        signal,
        query: { ...filter, cursor: pageParam },
        // Or whoever wants no dialog for the password would get it again every few seconds.
        isBackground: true,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isOnItsWay)) ? LOOK_AGAIN_MS : false,
  });
  return { ...list, enquiries: shownPages(list).flatMap(({ items }) => items) };
}

/** Hands out what brings a changed enquiry into the lists at once: the next answer of the server comes a moment later. */
export function useShowInLists() {
  const queries = useQueryClient();
  /** @param now null for one that was erased */
  return (id: string, now: EnquiryRecord | null) => {
    const change = (items: readonly EnquiryRecord[]) =>
      items.flatMap((enquiry) => (enquiry.id === id ? (now ?? []) : enquiry));
    queries.setQueriesData<InfiniteData<EnquiryPage>>({ queryKey: LISTS_KEY }, (list) =>
      list ? { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) } : list,
    );
  };
}

/** Returns true while the mail to the company may change its state by itself. */
function isOnItsWay(enquiry: EnquiryRecord): boolean {
  return enquiry.delivery === 'waiting' && !isHeldBack(enquiry);
}

const NOBODY: readonly EnquiryAssignee[] = [];

/** The administrators whom enquiries can be assigned to, and how to call the one who looks after an enquiry. */
export function useAssignees() {
  const api = useAdminApi();
  const { data: assignees } = useQuery({
    queryKey: ['enquiry-assignees'],
    queryFn: ({ signal }) => api.get<EnquiryAssignee[]>(adminPaths.enquiryAssignees, { signal, isBackground: true }),
    staleTime: 60_000,
  });
  const nameOf = (id: string | null) => {
    if (id === null) return 'nobody';
    if (id === api.person.userId) return 'you';
    // Nothing is known yet, or could not be had.
    if (assignees === undefined) return 'somebody else';
    return assignees.find((assignee) => assignee.id === id)?.email ?? 'somebody who is no administrator now';
  };
  return { assignees: assignees ?? NOBODY, nameOf };
}
