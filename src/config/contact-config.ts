import type { RateLimit } from './auth-config.js';
import type { Environment } from './environment.js';

/** Everything that can be set about enquiries. */
export interface ContactConfig {
  /** Recipient of enquiries; null is the company's address. */
  readonly to: string | null;
  /** How long the message of an enquiry is kept after its delivery. */
  readonly retentionDays: number;
  /** True when senders get a mail that their message has arrived. */
  readonly isAcknowledged: boolean;
  readonly limits: {
    /** Per internet address. */
    readonly address: RateLimit;
    readonly overall: RateLimit;
    /** Acknowledgements per recipient, who may never have written to us. */
    readonly recipient: RateLimit;
  };
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The settings of enquiries from their variables. */
export function toContactConfig(env: Environment): ContactConfig {
  // An hourly limit may be used up at once.
  const perHour = (count: number): RateLimit => ({ count, seconds: HOUR, burst: count });
  return {
    to: env.CONTACT_TO ?? null,
    retentionDays: env.CONTACT_RETENTION_DAYS,
    isAcknowledged: env.CONTACT_ACKNOWLEDGE,
    limits: {
      address: perHour(env.CONTACT_RATE_LIMIT_ADDRESS),
      overall: perHour(env.CONTACT_RATE_LIMIT_OVERALL),
      recipient: { count: 1, seconds: DAY, burst: 1 },
    },
  };
}
