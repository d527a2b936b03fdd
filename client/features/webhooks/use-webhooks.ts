import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookLog } from '../../../src/shared/contracts/webhooks.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import type { Outcome } from '../../components/outcome.js';
import { webhookMessages as messages } from '../../content/webhooks.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../lib/api-errors.js';

const WEBHOOKS_KEY = ['webhooks'] as const;
/** While a message is on its way. */
const LOOK_MS = 2000;

/** The messages to another system; looks again while a message is on its way for the first time. */
export function useWebhooks() {
  const api = useAdminApi();
  return useQuery({
    queryKey: WEBHOOKS_KEY,
    queryFn: ({ signal }) => api.get<WebhookLog>(adminPaths.webhooks, { signal, isBackground: true }),
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some(({ state, attempts }) => state === 'waiting' && attempts === 0) ? LOOK_MS : false,
  });
}

/** Sends a test, and tells how that ended. */
export function useWebhookTest() {
  const api = useAdminApi();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const send = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setOutcome(null);
    try {
      await api.post(adminPaths.webhookTest, {});
      setOutcome(messages.tested);
    } catch (error) {
      if (!isAccessDenied(error)) setOutcome({ kind: 'error', title: messages.testFailed, text: describeError(error) });
    } finally {
      setIsBusy(false);
      await queries.invalidateQueries({ queryKey: WEBHOOKS_KEY });
    }
  };

  return { send, isBusy, outcome, dismiss: () => setOutcome(null) };
}
