import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookLog } from '../../../src/shared/contracts/webhooks.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import type { Outcome } from '../../components/outcome.js';
import { webhookMessages as messages } from '../../content/webhooks.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../lib/api-errors.js';

const WEBHOOKS_KEY = ['webhooks'] as const;
/** While a message is on its way for the first time, and while it is to be tried again. */
const LOOK_MS = { first: 2000, again: 10_000 } as const;

/** The messages to another system; looks again while one is on its way. */
export function useWebhooks() {
  const api = useAdminApi();
  return useQuery({
    queryKey: WEBHOOKS_KEY,
    queryFn: ({ signal }) => api.get<WebhookLog>(adminPaths.webhooks, { signal, isBackground: true }),
    refetchInterval: ({ state: { data } }) => {
      const waiting = data?.deliveries.filter(({ state }) => state === 'waiting') ?? [];
      if (waiting.length === 0) return false;
      return waiting.some(({ attempts }) => attempts === 0) ? LOOK_MS.first : LOOK_MS.again;
    },
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
