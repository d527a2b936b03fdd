import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StreamedFile } from './storage.js';

/**
 * The bytes of a file on its way into a storage. It breaks off with an error, instead of ending, when they are not those
 * that were announced: so a source that was cut off, or changed meanwhile, is never stored.
 */
export function toCheckedStream(file: StreamedFile): Readable {
  return Readable.from(check(file), { objectMode: false });
}

async function* check({ size, sha256, open }: StreamedFile): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of open()) {
    hash.update(chunk);
    read += chunk.length;
    if (read > size) throw new Error('the file is longer than it was');
    // The last piece is held back until all of it is known to be right.
    if (read < size) yield chunk;
    else if (hash.copy().digest('hex') !== sha256) throw new Error('the file is not the same as before');
    else yield chunk;
  }
  if (read < size) throw new Error('the file is shorter than it was');
}
