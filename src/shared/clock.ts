/** The time. Code that asks it instead of the system can be tested without waiting. */
export class Clock {
  now(): Date {
    return new Date();
  }
}

/**
 * How far ahead a moment may lie that was noted as the present, in milliseconds: clocks of machines differ a little.
 * Beyond, a clock was wrong when it was noted, and the moment says nothing.
 */
export const CLOCK_TOLERANCE_MS = 3_600_000;

/** Returns true for a moment that was noted as the present by a clock that was wrong: it lies far ahead. */
export function isAhead(moment: Date | number, now: Date | number): boolean {
  return Number(moment) - Number(now) > CLOCK_TOLERANCE_MS;
}

/** Returns true when what began then, for so many milliseconds, is over: also for a beginning that a wrong clock noted. */
export function isOver(begunAt: Date, lastsMs: number, now: Date): boolean {
  return isAhead(begunAt, now) || now.getTime() > begunAt.getTime() + lastsMs;
}
