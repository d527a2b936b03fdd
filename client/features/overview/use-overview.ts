import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Overview } from '../../../src/shared/contracts/overview.js';
import { OVERVIEW_API } from '../../../src/shared/overview-api.js';
import { useAdminApi } from '../../lib/admin-context.js';

/** While the first examination of the server runs, and while nothing happens. */
const SOON_MS = 2500;
const LATER_MS = 60_000;

/** The start page's facts, which are read again from time to time while somebody looks at them. */
export function useOverview(): UseQueryResult<Overview> {
  const api = useAdminApi();
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => api.get<Overview>(OVERVIEW_API, { signal, isBackground: true }),
    refetchInterval: ({ state }) => (state.data?.health?.is_running === true ? SOON_MS : LATER_MS),
  });
}
