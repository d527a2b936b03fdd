import type { WebhookDeliveryItem } from '../../src/shared/contracts/webhooks.js';

export const webhookMessages = {
  lede: 'New enquiries, without their texts, and alarms of the server. Messages of the last 30 days are listed here.',
  test: 'Send a test',
  tested: { kind: 'success', title: 'Sent', text: 'Whether it arrives stands in the list.' },
  testFailed: 'The test was not sent',
  empty: 'Nothing was sent yet.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch the messages to the other system' },
} as const;

/** Says how far a message is. */
export function describeDelivery({ state, attempts, last_error: error }: WebhookDeliveryItem): string {
  if (state === 'delivered') return 'Delivered';
  const why = error === null ? '' : `: ${error}`;
  if (state === 'failed') return `Given up${why}`;
  return attempts === 0 ? 'On its way' : `Not taken yet${why}; it is tried again`;
}
