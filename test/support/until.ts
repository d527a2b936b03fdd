import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 30_000;

/** Resolves as soon as the condition holds, which something outside this process brings about; fails after 30 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    // Until then the thing asked may not be there at all.
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return;
    if (Date.now() > deadline) throw new Error(`Still not true after ${LIMIT_MS / 1000} s: ${condition}`);
    await delay(20);
  }
}
