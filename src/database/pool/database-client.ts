import { Socket } from 'node:net';
import pg from 'pg';
import { DATABASE_COMMAND_CONNECT_MS, DATABASE_CONNECT_MS } from '../../config/time-limits.js';
import type { Backend } from './cancel-request.js';

/** After as long a silence the peer is asked whether it is still there, then every second, ten times. */
const KEEP_ALIVE_DELAY_MS = 1000;

const GOODBYE_MS = 500;

/** Options of every connection to the database, of the pool and of its own. */
export const CONNECTION_OPTIONS = {
  connectionTimeoutMillis: DATABASE_CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
} as const satisfies pg.ClientConfig;

/**
 * Options of connections that a backup, a restore or a migration uses for minutes, and has nothing to say on meanwhile: a
 * database that is gone without a word would be waited for for ever, and a firewall would forget them.
 */
export const COMMAND_CONNECTION_OPTIONS = {
  ...CONNECTION_OPTIONS,
  connectionTimeoutMillis: DATABASE_COMMAND_CONNECT_MS,
} as const satisfies pg.ClientConfig;

/**
 * Lets a connection live that holds a lock for as long as something else takes, and has nothing to say meanwhile: where
 * a database ends idle sessions (idle_session_timeout), the lock would go without a word.
 */
export async function stayWhileIdle(client: pg.ClientBase): Promise<void> {
  await client.query('set idle_session_timeout to 0');
}

/** A connection whose socket can be destroyed: one that is silent does not end in any other way. */
export class DatabaseClient extends pg.Client {
  readonly socket: Socket;
  /** Set by the driver when the connection is open; its types do not tell. */
  declare readonly processID: number;
  declare readonly secretKey: number;
  /** Set by the pool while the connection is lent. */
  declare readonly release: (isBroken: boolean) => void;

  /** @param connectMs how long opening the connection may take, in milliseconds */
  constructor(config: pg.ClientConfig, connectMs = DATABASE_CONNECT_MS) {
    const socket = new Socket();
    super({ ...config, ...CONNECTION_OPTIONS, connectionTimeoutMillis: connectMs, stream: () => socket });
    this.socket = socket;
  }

  /** Says goodbye; a server that does not answer is left without one. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.socket.destroy(), GOODBYE_MS);
    await this.end().finally(() => clearTimeout(timer));
  }

  /** How to reach the server process that works for this connection. */
  get backend(): Backend {
    return { host: this.host, port: this.port, processId: this.processID, secretKey: this.secretKey };
  }
}
