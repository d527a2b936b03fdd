import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { AuditPage } from '../../../src/shared/contracts/audit.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { shownPages } from '../../lib/admin-queries.js';
import { useAddressParams } from '../../lib/use-address-params.js';

/** The filters of the audit log, by their names in the address and in the API. */
export const AUDIT_FILTERS = ['actor', 'action', 'subject_type', 'subject_id'] as const;

/** Values of the filters; empty texts filter nothing. */
export type AuditFilter = Readonly<Record<(typeof AUDIT_FILTERS)[number], string>>;

/** The filter in the address of the page, a way to change parts of it, and one to drop all of it. */
export function useAuditFilter() {
  const [params, setParams] = useAddressParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = useCallback(
    (parts: Partial<AuditFilter>) => setParams((now) => toParams({ ...readFilter(now), ...parts })),
    [setParams],
  );
  const clear = useCallback(() => setParams(() => new URLSearchParams()), [setParams]);
  return { filter, change, clear };
}

function readFilter(params: URLSearchParams): AuditFilter {
  return Object.fromEntries(AUDIT_FILTERS.map((name) => [name, params.get(name) ?? ''])) as AuditFilter;
}

function toParams(filter: AuditFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The lines of the audit log, newest first, page by page. */
export function useAudit(filter: AuditFilter) {
  const api = useAdminApi();
  const log = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>(adminPaths.audit, {
        signal,
        query: { ...filter, cursor: pageParam },
        isBackground: true,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
  return { ...log, entries: shownPages(log).flatMap(({ items }) => items) };
}
