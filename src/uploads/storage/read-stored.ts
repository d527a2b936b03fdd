import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
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
  return await readAgain(storage, key, buffer);
}

/** Reads a file as {@link readStored} does, for its size and checksum, holding none of it in memory. */
export async function readStoredFacts(
  storage: Pick<Storage, 'open'>,
  key: string,
): Promise<{ readonly size: number; readonly sha256: string } | null> {
  return await readAgain(storage, key, async (stream) => {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
    return { size, sha256: hash.digest('hex') };
  });
}

/**
 * Opens a file and reads it, from its beginning again if that breaks off; null if there is none.
 * @param read reads the stream to its end
 * @throws StorageError
 */
export async function readAgain<T>(
  storage: Pick<Storage, 'open'>,
  key: string,
  read: (stream: Readable) => Promise<T>,
): Promise<T | null> {
  for (let attempt = 0; ; attempt += 1) {
    const file = await storage.open(key);
    if (file === null) return null;
    try {
      return await read(file.stream);
    } catch (cause) {
      file.stream.destroy();
      const pauseMs = PAUSES_MS[attempt];
      if (pauseMs === undefined) throw new StorageError(`${key} cannot be read: ${String(cause)}`, { cause });
      await pause(pauseMs);
    }
  }
}
