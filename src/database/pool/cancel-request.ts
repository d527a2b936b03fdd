import { connect } from 'node:net';
import { DATABASE_CONNECT_MS } from '../../config/time-limits.js';

/** Number of a cancel request (PostgreSQL documentation, 'Message Formats', CancelRequest). */
const CANCEL_REQUEST_CODE = 80_877_102;

/** The server process behind a connection, as it told when the connection was opened. */
export interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Asks the server to cancel a connection's statement, which would otherwise go on after the connection is gone. A
 * connection pooler passes the request on. Nobody waits for the outcome: the server may not answer at all.
 */
export function requestCancel({ host, port, processId, secretKey }: Backend): void {
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(DATABASE_CONNECT_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('connect', () => socket.end(message));
  socket.unref();
}
