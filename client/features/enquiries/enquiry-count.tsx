import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EnquiryCounts } from '../../../src/shared/contracts/enquiries.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeCounts } from '../../content/enquiries.js';
import { ENQUIRIES } from './use-enquiries.js';

/** How soon to look again, in milliseconds; a tab behind others does not look. */
const LOOK_AGAIN_MS = 15_000;

interface EnquiryCountProps {
  readonly onCount: (count: ReturnType<typeof describeCounts>) => void;
}

/** Counts the enquiries that wait for somebody, as long as it is rendered. It shows nothing by itself. */
export function EnquiryCount({ onCount }: EnquiryCountProps) {
  const api = useAdminApi();
  const { data } = useQuery({
    queryKey: [ENQUIRIES, 'counts'],
    queryFn: ({ signal }) => api.get<EnquiryCounts>(adminPaths.enquiryCounts, { signal, isBackground: true }),
    refetchInterval: LOOK_AGAIN_MS,
    // The next look is soon, and a number that is missing stops nobody.
    retry: false,
  });
  useEffect(() => {
    if (data) onCount(describeCounts(data));
  }, [data, onCount]);
  return null;
}
