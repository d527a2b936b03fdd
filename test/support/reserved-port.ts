import { once } from 'node:events';
import type { Server } from 'node:net';

/** Below the ports that the system lends to whoever asks for any (net.ipv4.ip_local_port_range). */
const FIRST = 10_000;
const COUNT = 20_000;
const PORTS_OF_A_PROCESS = 16;

let taken = 0;

/** Processes that run at the same time begin at different places. */
function nextPort(): number {
  return FIRST + ((process.pid * PORTS_OF_A_PROCESS + taken++) % COUNT);
}

/**
 * Lets a server listen on a port of 127.0.0.1 that is still free when it is given up and taken again; the system would
 * lend another one to somebody else meanwhile.
 * @param port the one that it had; 0 for a new one
 * @returns the port
 */
export async function listenOnReservedPort(server: Server, port = 0): Promise<number> {
  for (;;) {
    const candidate = port === 0 ? nextPort() : port;
    try {
      server.listen(candidate, '127.0.0.1');
      await once(server, 'listening');
      return candidate;
    } catch (error) {
      if (port !== 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
