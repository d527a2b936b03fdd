import { once } from 'node:events';
import { Readable } from 'node:stream';

/** Bytes that are read ahead of a slow reader, so that most files let go of their connection at once. */
const READ_AHEAD = 256 * 1024;

/**
 * The same bytes; ended with an error when none comes for so long although somebody wants it. Whoever reads slowly is
 * waited for, as it is not the source that is silent then. The source ends with what is returned, however that ends.
 */
export function limitSilence(source: Readable, silenceMs: number): Readable {
  const limited = Readable.from(read(source, silenceMs), { objectMode: false, highWaterMark: READ_AHEAD });
  // A generator that waits for a byte cannot be told to stop.
  limited.once('close', () => source.destroy());
  return limited;
}

/** Resolves when the first bytes are there, or the end is. @throws what the source breaks with before that */
export async function beginReading(body: Readable): Promise<void> {
  if (body.readableLength === 0 && !body.readableEnded) await once(body, 'readable');
}

async function* read(source: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => source.destroy(new Error(`not a byte came for ${silenceMs / 1000} s`)), silenceMs);
    const next = await chunks.next().finally(() => clearTimeout(timer));
    if (next.done === true) return;
    yield next.value;
  }
}
