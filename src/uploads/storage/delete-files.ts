import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from './storage.js';

/** The longest time that an answer waits for the deletion of unused files. */
const TIDY_MS = 1_000;

/**
 * Deletes files, as many of them as can be.
 * @returns why others could not be; they stay behind
 */
export async function deleteFiles(storage: Storage, names: readonly string[]): Promise<unknown[]> {
  const results = await Promise.allSettled(names.map((name) => storage.delete(name)));
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
}

/**
 * Deletes files without keeping anybody waiting for a storage that hangs: it returns after a second and goes on. The
 * sweep finds files that stay behind.
 * @param handleFailures called with the reason why some files could not be deleted, possibly later
 */
export async function tidyUp(
  storage: Storage,
  names: readonly string[],
  handleFailures: (reasons: readonly unknown[]) => void,
): Promise<void> {
  const done = deleteFiles(storage, names).then((reasons) => {
    if (reasons.length > 0) handleFailures(reasons);
  });
  const enough = new AbortController();
  await Promise.race([done, pause(TIDY_MS, undefined, { signal: enough.signal }).catch(() => undefined)]);
  enough.abort();
}
