import { openTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** A way to a database that a test can close and open, and whatever else a {@link TcpProxy} can do. */
export interface DatabaseGate extends Pick<
  TcpProxy,
  'delay' | 'throttle' | 'silence' | 'stallAfter' | 'cutWhen' | 'cut' | 'reset' | 'close' | 'open'
> {
  /** Address of the database through the gate. */
  readonly url: string;
  /** Nothing passes any more on connections that listen for changes. */
  deafen(): void;
}

/** Opens a gate in front of the database at this address. */
export async function openDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(databaseUrl);
  const proxy = await openTcpProxy({ host: hostname, port: Number(port) });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  return Object.assign(proxy, { url: url.href, deafen: () => proxy.silence('content-listener') });
}
