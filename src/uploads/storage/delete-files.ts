import type { Storage } from './storage.js';

/**
 * Deletes files, as many of them as can be.
 * @returns why others could not be; they stay behind
 */
export async function deleteFiles(storage: Storage, names: readonly string[]): Promise<unknown[]> {
  const results = await Promise.allSettled(names.map((name) => storage.delete(name)));
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
}
