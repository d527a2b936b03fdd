import { Clock } from '../../src/shared/clock.js';
import type { AuthServer } from './auth-server.js';

/** A clock that stands still between calls of `advance`, for answers that say how long to wait. */
export interface StoppedClock {
  advance(seconds: number): void;
}

/** Makes the time stand still for servers, together. */
export function stopClock(...servers: readonly AuthServer[]): StoppedClock {
  let now = Date.now();
  for (const { app } of servers) app.get(Clock).now = () => new Date(now);
  return { advance: (seconds) => void (now += seconds * 1000) };
}
