import { Server } from 'node:http';
import type { Socket } from 'node:net';
import { DRAIN_MS } from '../config/time-limits.js';

const SWEEP_MS = 50;
/**
 * Connections that are in use end by themselves with their next answer, which says so, and nobody is asked in vain.
 * Those that are still there after this long are idle.
 */
const GRACE_MS = 500;
/** Between two turns of the event loop in which nothing came. */
const QUIET_MS = 0.2;
const MAX_TURNS = 200;

/**
 * Prepares a server to end quickly and to leave nobody without the whole answer. Node by itself waits for as long as a
 * connection stays open that could bring another request (`keepAliveTimeout`), for ever for one that never did, and
 * cuts off answers that are written but not sent yet.
 * @returns what ends the connections of a server that is about to stop listening: each as soon as it has its answer,
 * idle ones after half a second, and all of them after 8. It resolves in a moment when nobody is on the way in.
 */
export function prepareToEnd(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let isGraceOver = false;
  // Also called by close().
  server.closeIdleConnections = () => {
    if (!isGraceOver) return;
    // Browsers connect ahead of requests that they may never make.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // Who reads slowly is not idle. The others wait with them, and are answered if they ask.
    const isSending = [...sockets].some(({ writableLength }) => writableLength > 0);
    if (!isSending) Server.prototype.closeIdleConnections.call(server);
  };
  return async () => {
    if (!server.listening) return;
    const grace = setTimeout(() => (isGraceOver = true), GRACE_MS);
    // Right after the network was looked at: a request that has arrived makes its connection a busy one.
    const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_MS);
    const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.once('close', () => {
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(limit);
    });
    await findQuietMoment();
  };
}

/**
 * The system accepts connections before the server takes them, and resets those that it has not taken when it stops
 * listening. This resolves right after the network was looked at and had brought nothing that took time.
 */
async function findQuietMoment(): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const begunAt = performance.now();
    await new Promise(setImmediate);
    if (performance.now() - begunAt < QUIET_MS) return;
  }
}
