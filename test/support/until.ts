import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { WAIT_LIMIT_MS } from './wait-limit.js';

const PAUSE_MS = 20;
/** After a look that took long the pause is twice as long, up to this: what is waited for needs the processors more. */
const MAX_PAUSE_MS = 250;

/** Resolves as soon as the condition holds, which something outside of the test brings about; fails after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  let problem: unknown;
  for (;;) {
    const askedAt = performance.now();
    try {
      if (await condition()) return;
      problem = undefined;
    } catch (error) {
      // Until then the thing asked may not be there at all.
      problem = error;
    }
    const now = performance.now();
    if (now > deadline) {
      throw new Error(`Still not true after ${WAIT_LIMIT_MS / 1000} s: ${String(condition)}`, { cause: problem });
    }
    await delay(Math.max(PAUSE_MS, Math.min(2 * (now - askedAt), MAX_PAUSE_MS)));
  }
}

/** Resolves as soon as what is read is that value; after a minute it fails with what it was instead. */
export async function untilEqual<T>(read: () => Promise<T>, value: T): Promise<void> {
  let last: T | undefined;
  await until(async () => isDeepStrictEqual((last = await read()), value)).catch((error: unknown) => {
    expect(last).toEqual(value);
    throw error;
  });
}
