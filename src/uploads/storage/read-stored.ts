import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError, type Storage } from './storage.js';

/** Between attempts at a file of which only a part came. */
const PAUSES_MS = [200, 1_000];

/**
 * Reads all bytes of a file; null if there is none. Reads again if the stream breaks off, because work over thousands
 * of files must not end at the first failure.
 * @throws StorageError
 */
export async function readStored(storage: Pick<Storage, 'open'>, key: string): Promise<Buffer | null> {
  for (let attempt = 0; ; attempt += 1) {
    const file = await storage.open(key);
    if (file === null) return null;
    try {
      return await buffer(file.stream);
    } catch (cause) {
      const pauseMs = PAUSES_MS[attempt];
      if (pauseMs === undefined) throw new StorageError(`${key} cannot be read: ${String(cause)}`, { cause });
      await pause(pauseMs);
    }
  }
}
