import { invalid } from '../auth.error.js';

/** Milliseconds of the units of Go's time.ParseDuration, in which clients state a duration. */
const UNIT_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ns: 1e-6,
};
const WHOLE = /^\+?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|s|us|µs|μs|ns))+)$/;
const PART = /(\d+\.?\d*|\.\d+)(h|ms|m|s|us|µs|μs|ns)/g;
/** The longest duration of Go, which counts nanoseconds in 64 bits. */
const LONGEST_MS = 2 ** 63 / 1e6;

/**
 * Reads for how long somebody is banned, as `24h` or `100h30m`.
 * @returns milliseconds; 0 for `none`, which lifts a ban
 * @throws AuthError 400 validation_failed
 */
export function readBanDuration(text: string): number {
  if (text === 'none') return 0;
  const parts = WHOLE.test(text) ? [...text.matchAll(PART)] : null;
  const ms = parts?.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
  if (ms !== undefined && ms < LONGEST_MS) return ms;
  throw invalid(`invalid format for ban duration: "${text}" is neither none nor a duration such as 24h or 100h30m`);
}
