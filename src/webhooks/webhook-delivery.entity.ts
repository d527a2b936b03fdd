import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { WEBHOOK_STATES, type WebhookType } from '../shared/contracts/webhooks.js';

/** A message to another system, and what came of it (decision 111). */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  indexes: [{ properties: ['createdAt', 'id'] }],
  properties: {
    /** The header `webhook-id`, the same at every try. */
    id: p.uuid().primary(),
    type: p.string().length(40).$type<WebhookType>(),
    /** The text of `body`, for people. */
    text: p.text(),
    /** JSON, to the letter as it is sent at every try. */
    body: p.text(),
    /** The enquiry that it is about, with which it goes. */
    enquiryId: p.uuid().nullable(),
    state: p.enum(WEBHOOK_STATES),
    attempts: p.integer().default(0),
    lastStatus: p.integer().nullable(),
    lastError: p.text().nullable(),
    createdAt: p.datetime(),
    lastTriedAt: p.datetime().nullable(),
  },
});

/** A row of {@link WebhookDelivery}. */
export type WebhookDeliveryRow = InferEntity<typeof WebhookDelivery>;
