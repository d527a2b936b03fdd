import { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What began before the end may take so long; process managers kill later than that. */
const LIMIT_MS = 8_000;
const SWEEP_MS = 50;
/** Whoever has just come is about to ask. */
const UNUSED_MS = 500;

/**
 * Prepares a server to end quickly and to leave nobody without the whole answer. Node by itself waits for as long as a
 * connection stays open that could bring another request (`keepAliveTimeout`), for ever for one that never did, and
 * cuts off answers that are written but not sent yet.
 * @returns what ends the connections of a server that is about to stop listening: each as soon as it has its answer,
 * and all of them after 8 seconds
 */
export function prepareToEnd(server: Server): () => void {
  const openedAt = new Map<Socket, number>();
  server.on('connection', (socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  // Also called by close().
  server.closeIdleConnections = () => {
    const now = performance.now();
    // Browsers connect ahead of requests that they may never make.
    for (const [socket, time] of openedAt) if (socket.bytesRead === 0 && now - time > UNUSED_MS) socket.destroy();
    // Who reads slowly is not idle. The others wait with them, and are answered if they ask.
    const isSending = [...openedAt.keys()].some(({ writableLength }) => writableLength > 0);
    if (!isSending) Server.prototype.closeIdleConnections.call(server);
  };
  return () => {
    if (!server.listening) return;
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const limit = setTimeout(() => server.closeAllConnections(), LIMIT_MS);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(limit);
    });
  };
}
