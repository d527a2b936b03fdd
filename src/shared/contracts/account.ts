import { Documented } from './documented.js';

/** A sign-in on one device. */
export class AccountSession {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** True for the session that asks. */
  readonly is_current: boolean;

  /** Null when the device did not say, as programs do. @example "Firefox" */
  readonly browser: string | null;

  /** @example "Windows" */
  readonly system: string | null;

  /** Address that the session was last refreshed from. @example "203.0.113.7" */
  readonly ip: string | null;

  /** @example "203.0.113.0/24" */
  readonly network: string | null;

  /** True when a second factor was shown. */
  readonly has_second_factor: boolean;

  /** ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly created_at: string;

  /** Time of the last refresh, which devices in use make once an hour. ISO 8601, UTC. */
  @Documented({ format: 'date-time' })
  readonly last_used_at: string;
}

/** The sessions of an account, the last used first. */
export class AccountSessionList {
  readonly items: AccountSession[];

  /** How many there are; `items` has up to 100. */
  readonly total: number;
}

/** How many sessions were ended. */
export class EndedSessions {
  readonly ended: number;
}
