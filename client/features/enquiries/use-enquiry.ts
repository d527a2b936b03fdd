import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import type { ChangeEnquiryInput } from '../../../src/shared/contracts/enquiry-queries.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { takeOver } from '../../lib/admin-queries.js';
import { ApiError, describeError, isAccessDenied } from '../../lib/api-errors.js';
import { logError } from '../../lib/log-error.js';
import { showToast } from '../../lib/toast.js';
import { ENQUIRIES } from './use-enquiries.js';

/** How soon to look again, in milliseconds. */
const LOOK_AGAIN_MS = 5000;

/** The failure of the last change; of a lost race, how the enquiry stands. */
export interface ChangeFailure {
  readonly sentence: string;
  readonly current: EnquiryRecord | null;
}

/** One enquiry, which is no longer new from now on, and a way to change it. */
export function useEnquiry(id: string) {
  const api = useAdminApi();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<ChangeFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const queryKey = [ENQUIRIES, 'one', id];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get<EnquiryRecord>(adminPaths.enquiry(id), { signal, isBackground: true }),
    refetchInterval: ({ state: { error } }) => (isUnknown(error) ? false : LOOK_AGAIN_MS),
  });
  const isNew = query.data?.opened_at === null;

  useEffect(() => {
    if (!isNew) return;
    const open = async () => {
      await api.put(adminPaths.enquiryOpened(id), undefined, { isBackground: true });
      await queries.invalidateQueries({ queryKey: [ENQUIRIES] });
    };
    // It stays new, and the screen is of use nevertheless.
    open().catch((error: unknown) => {
      // One that was erased meanwhile has nothing to mark.
      if (!isUnknown(error)) logError('An enquiry could not be marked as opened:', error);
    });
  }, [api, id, isNew, queries]);

  /**
   * Runs a task whose answer is the enquiry as it is now.
   * @param settle called together with the new enquiry: what was typed must not stand beside it as if somebody else had
   * been faster
   * @returns the enquiry; null after a failure, which is told
   */
  const run = async (
    task: () => Promise<EnquiryRecord>,
    done: string,
    settle?: (enquiry: EnquiryRecord) => void,
  ): Promise<EnquiryRecord | null> => {
    if (isBusy) return null;
    setIsBusy(true);
    setFailure(null);
    try {
      const enquiry = await task();
      // In one batch, and before the end: by itself the new enquiry is shown a task later than what settle changes.
      await new Promise<void>((shown) => {
        notifyManager.batch(() => {
          takeOver(queries, queryKey, enquiry);
          notifyManager.schedule(() => {
            settle?.(enquiry);
            shown();
          });
        });
      });
      showToast({ kind: 'success', title: done });
      // Not waited for: what is known goes on to the next action, also while lists are not answered.
      void queries.invalidateQueries({ queryKey: [ENQUIRIES] });
      return enquiry;
    } catch (error) {
      const current = currentOf(error);
      if (isUnknown(error)) void queries.invalidateQueries({ queryKey: [ENQUIRIES] });
      if (current) takeOver(queries, queryKey, current);
      if (!isAccessDenied(error)) setFailure({ sentence: describeError(error), current });
      return null;
    } finally {
      setIsBusy(false);
    }
  };

  const change = (input: ChangeEnquiryInput, done: string, settle?: (enquiry: EnquiryRecord) => void) =>
    run(() => api.put<EnquiryRecord>(adminPaths.enquiry(id), input), done, settle);
  // Somebody else erased it: nothing of it stays on the screens of others.
  const isGone = isUnknown(query.error);
  return { ...query, enquiry: isGone ? undefined : query.data, isGone, failure, isBusy, run, change };
}

function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'enquiry_not_found';
}

/** How an enquiry stands that somebody else has changed meanwhile. */
export function currentOf(error: unknown): EnquiryRecord | null {
  if (!(error instanceof ApiError) || error.code !== 'enquiry_changed') return null;
  return (error.body as { readonly current?: EnquiryRecord }).current ?? null;
}
