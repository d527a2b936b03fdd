import { Documented } from './documented.js';

/** Names of everything that other systems are told of. */
export const WEBHOOK_TYPES = ['enquiry.created', 'alarm.began', 'alarm.ended', 'webhook.test'] as const;
/** The name of something that other systems are told of. */
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** How far a delivery is. */
export const WEBHOOK_STATES = ['waiting', 'delivered', 'failed'] as const;
/** `waiting` for its first or next try, `delivered`, or `failed` for good. */
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** One message to the other system. */
export class WebhookDeliveryItem {
  /** The same at every try: the receiver knows by it what it has got already. */
  @Documented({ format: 'uuid' })
  readonly id: string;

  readonly type: WebhookType;

  /** The sentence of the message, as it was sent. */
  readonly text: string;

  readonly state: WebhookState;

  readonly attempts: number;

  /** The status of the last answer; null without an answer. */
  readonly last_status: number | null;

  /** Why the last try failed; null after a success, and before the first one. */
  readonly last_error: string | null;

  @Documented({ format: 'date-time' })
  readonly created_at: string;

  /** Null before the first try. */
  @Documented({ format: 'date-time' })
  readonly last_tried_at: string | null;
}

/** The webhook and what was sent lately. */
export class WebhookLog {
  /** The host of NOTIFY_WEBHOOK_URL, whose path may be a secret; null where nobody is told. */
  readonly host: string | null;

  /** The newest first. */
  readonly deliveries: WebhookDeliveryItem[];
}
