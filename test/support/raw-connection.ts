import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onCleanup } from './cleanup.js';

/** One connection to a server on which a test says what it likes, byte by byte. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly heard: string;
  /** Resolves with all that was heard when the server has closed the connection. */
  readonly closed: Promise<string>;
  say(text: string | Buffer): void;
}

/** Connects to a server and says something; the connection ends with the tests of this file. */
export async function speakTo(url: string, text: string | Buffer = ''): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  onCleanup(() => void socket.destroy());
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  // A connection that is reset has closed too.
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
  await once(socket, 'connect');
  socket.write(text);
  return {
    socket,
    get heard() {
      return heard;
    },
    closed,
    say: (more) => void socket.write(more),
  };
}
