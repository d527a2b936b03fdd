import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnquiryRecord } from '../../../src/shared/contracts/enquiries.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { enquiryMessages as messages } from '../../content/enquiries.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { ApiError, describeError, isAccessDenied } from '../../lib/api-errors.js';
import { showToast } from '../../lib/toast.js';
import { ENQUIRIES, useShowInLists } from './use-enquiries.js';
import { currentOf } from './use-enquiry.js';

/** Actions on one enquiry of the list. */
export interface EnquiryActions {
  readonly toggleClosed: (enquiry: EnquiryRecord) => void;
  readonly toggleSpam: (enquiry: EnquiryRecord) => void;
  readonly resend: (enquiry: EnquiryRecord) => void;
  readonly erase: (enquiry: EnquiryRecord) => void;
  readonly isBusy: (id: string) => boolean;
}

/** The actions, and the sentence about the one that failed last. */
export function useEnquiryActions(): EnquiryActions & { readonly failure: string | null } {
  const api = useAdminApi();
  const queries = useQueryClient();
  const show = useShowInLists();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<string | null>(null);

  /** `task` returns the enquiry as it is now; null once it is erased. */
  const run = async ({ id, name }: EnquiryRecord, task: () => Promise<EnquiryRecord | null>, done: string) => {
    if (busy.has(id)) return;
    setBusy((current) => new Set(current).add(id));
    setFailure(null);
    try {
      // Before it is told: whoever reads that goes on from there, and does not wait for the list.
      show(id, await task());
      showToast({ kind: 'success', title: done });
      void queries.invalidateQueries({ queryKey: [ENQUIRIES] });
    } catch (error) {
      const current = currentOf(error);
      if (current) show(id, current);
      if (!isAccessDenied(error)) setFailure(`${name}: ${describeError(error)}`);
      // As it stands now.
      if (error instanceof ApiError) void queries.invalidateQueries({ queryKey: [ENQUIRIES] });
    } finally {
      setBusy((current) => new Set([...current].filter((other) => other !== id)));
    }
  };

  return {
    failure,
    isBusy: (id) => busy.has(id),
    toggleClosed: (enquiry) => {
      const isClosed = enquiry.state === 'closed';
      const change = { version: enquiry.version, state: isClosed ? 'open' : 'closed' };
      const task = () => api.put<EnquiryRecord>(adminPaths.enquiry(enquiry.id), change);
      void run(enquiry, task, isClosed ? messages.reopened : messages.closed);
    },
    toggleSpam: (enquiry) => {
      const isSpam = enquiry.state === 'spam';
      const change = { version: enquiry.version, state: isSpam ? 'open' : 'spam' };
      const task = () => api.put<EnquiryRecord>(adminPaths.enquiry(enquiry.id), change);
      void run(enquiry, task, isSpam ? messages.unmarkedSpam : messages.markedSpam);
    },
    resend: (enquiry) => {
      if (enquiry.delivery === 'sent' && !window.confirm(messages.confirmResend)) return;
      void run(enquiry, () => api.post<EnquiryRecord>(adminPaths.enquiryResend(enquiry.id)), messages.resent);
    },
    erase: (enquiry) => {
      if (!window.confirm(messages.confirmErase)) return;
      const task = async () => {
        await api.delete(adminPaths.enquiry(enquiry.id));
        return null;
      };
      void run(enquiry, task, messages.erased);
    },
  };
}
