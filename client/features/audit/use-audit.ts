import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AuditPage } from '../../../src/shared/contracts/audit.js';
import { paths } from '../../../src/shared/paths.js';
import { useAdminApi } from '../../lib/admin-context.js';

/** The filters of the audit log, by their names in the address and in the API. */
export const AUDIT_FILTERS = ['actor', 'action', 'subject_type', 'subject_id'] as const;

/** Values of the filters; empty texts filter nothing. */
export type AuditFilter = Readonly<Record<(typeof AUDIT_FILTERS)[number], string>>;

/** The filter in the address of the page, and a way to change it. */
export function useAuditFilter(): readonly [AuditFilter, (filter: Partial<AuditFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(
    () => Object.fromEntries(AUDIT_FILTERS.map((name) => [name, params.get(name) ?? ''])) as AuditFilter,
    [params],
  );
  const change = (next: Partial<AuditFilter>) =>
    setParams(new URLSearchParams(Object.entries(next).filter(([, value]) => value !== '')));
  return [filter, change];
}

/** The lines of the audit log, newest first, page by page. */
export function useAudit(filter: AuditFilter) {
  const api = useAdminApi();
  const log = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>(paths.api.admin.audit, {
        signal,
        query: { ...filter, cursor: pageParam },
        isBackground: true,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
  return { ...log, entries: log.data?.pages.flatMap(({ items }) => items) ?? [] };
}
