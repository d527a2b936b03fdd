import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onCleanup } from './cleanup.js';

/** A way to a database that a test can close and open. */
export interface DatabaseGate {
  /** Address of the database through the gate. */
  readonly url: string;
  /** Nothing passes any more on connections that listen for changes. */
  deafen(): void;
  /** The way is there, but nothing passes any more. */
  silence(): void;
  /** Whoever is connected is cut off, and nobody can connect. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Opens a gate in front of the database at this address. */
export async function openDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let isDeaf = false;
  const listeners = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => {
      // The first words of a connection say what it is for.
      if (chunk.includes('content-listener')) listeners.add(from).add(to);
      if (!isSilent && !(isDeaf && listeners.has(from))) to.write(chunk);
    });
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  };
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const database = connect(Number(target.port), target.hostname);
      pass(client, database);
      pass(database, client);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  onCleanup(close);
  return {
    url: url.href,
    deafen: () => void (isDeaf = true),
    silence: () => void (isSilent = true),
    close,
    open: async () => {
      isSilent = false;
      isDeaf = false;
      if (!server.listening) server = await listen(port);
    },
  };
}
