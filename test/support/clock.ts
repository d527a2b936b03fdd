let last = 0;

/**
 * The time, but never the same millisecond twice: what a test does one after the other has an order, however fast the
 * machine is.
 */
export function nextMoment(): Date {
  last = Math.max(last + 1, Date.now());
  return new Date(last);
}
