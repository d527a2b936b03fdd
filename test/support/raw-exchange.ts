import { once } from 'node:events';
import { connect } from 'node:net';
import { onCleanup } from './cleanup.js';
import { WAIT_LIMIT_MS } from './wait-limit.js';

/** How a client leaves: with the answer, having said that nothing more comes, or in the middle of everything. */
export type Ending = 'answered' | 'half-closed' | 'reset';

/**
 * Sends bytes on a connection of their own.
 * @returns the status of the answer, 0 when the connection was closed without one
 * @throws Error when neither comes
 */
export async function exchange(url: string, bytes: Buffer, ending: Ending = 'answered'): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  onCleanup(() => void socket.destroy());
  let heard = '';
  const over = Promise.withResolvers<void>();
  socket.once('close', () => over.resolve());
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
    if (statusOf(heard) !== 0) over.resolve();
  });
  const limit = setTimeout(() => over.reject(new Error('no answer, ever')), WAIT_LIMIT_MS);
  try {
    await Promise.race([once(socket, 'connect'), over.promise]);
    if (ending === 'half-closed') socket.end(bytes);
    else socket.write(bytes);
    // The server has the first part of it by then, or not yet: both happen.
    if (ending === 'reset') setImmediate(() => socket.resetAndDestroy());
    await over.promise;
    return statusOf(heard);
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

/** The first that is final: before it, a server may ask a client to go on. */
function statusOf(heard: string): number {
  return Number(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)*HTTP\/1\.1 ([2-5]\d\d) [^]*?\r\n\r\n/.exec(heard)?.[1] ?? 0);
}
