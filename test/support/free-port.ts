import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnReservedPort } from './reserved-port.js';

/** A port of 127.0.0.1 for a program that has to know it beforehand: nobody else takes it meanwhile. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnReservedPort(server);
  server.close();
  await once(server, 'close');
  return port;
}
