import { once } from 'node:events';
import { Readable } from 'node:stream';

/** Bytes that are read ahead of a slow reader, so that most files let go of their connection at once. */
const READ_AHEAD = 256 * 1024;

/**
 * Passes the same bytes on, and ends with an error when the source stays silent for too long although the reader waits.
 * A slow reader is waited for, because then it is not the source that is silent. The source ends with the returned
 * stream, however that ends.
 */
export function limitSilence(source: Readable, silenceMs: number): Readable {
  const limited = Readable.from(read(source, silenceMs), { objectMode: false, highWaterMark: READ_AHEAD });
  const endGenerator = limited._destroy.bind(limited);
  limited._destroy = (error, callback) => {
    // A generator that waits for a byte cannot be told to stop: its source can, and ends with the wait for it.
    source.destroy();
    endGenerator(error, callback);
  };
  return limited;
}

/**
 * Resolves when the first bytes, or the end, have arrived.
 * @throws the error with which the source breaks off before that
 */
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
