import { Server, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { DRAIN_MS } from '../config/time-limits.js';

const SWEEP_MS = 50;
/**
 * Connections that are in use end by themselves with their next answer, which says so, and nobody is asked in vain.
 * Those that are still there after this long are idle.
 */
const GRACE_MS = 500;
/** A look at the network, and at all that it brought, that takes longer is out of date at its end. */
const FRESH_MS = 0.2;
/** A process that is too slow for that is content with having seen nobody, after so long. */
const PATIENCE_MS = 1_500;
/** And one that sees somebody whenever it looks closes its door even so. */
const DOOR_LIMIT_MS = 3_000;

/**
 * Prepares a server to end quickly and to leave nobody without the whole answer. Node by itself waits for as long as a
 * connection stays open that could bring another request (`keepAliveTimeout`), for ever for one that never did, and
 * cuts off answers that are written but not sent yet.
 * @param mayStop says whether the server may stop listening already
 * @returns what stops the server from listening, in a moment when nobody is on the way in, and lets its connections end
 * from then on: each as soon as it has its answer, idle ones after half a second, and all of them after 8. It resolves
 * when the door is closed; `server.close()` then waits for the connections.
 */
export function prepareToEnd(server: Server, mayStop: () => boolean = () => true): () => Promise<void> {
  const sockets = new Set<Socket>();
  let arrivals = 0;
  server.on('connection', (socket) => {
    arrivals += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let graceEndsAt = Infinity;
  // Also called by close().
  server.closeIdleConnections = () => {
    if (performance.now() < graceEndsAt) return;
    // Browsers connect ahead of requests that they may never make.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // Who reads slowly is not idle. The others wait with them, and are answered if they ask.
    const isSending = [...sockets].some(({ writableLength }) => writableLength > 0);
    if (!isSending) Server.prototype.closeIdleConnections.call(server);
  };
  return async () => {
    if (!server.listening) return;
    // Right after the network was looked at: a request that has arrived makes its connection a busy one.
    const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_MS);
    const limit = setTimeout(() => {
      server.closeAllConnections();
      // Node forgets those that asked for a tunnel, and waits for them.
      for (const socket of sockets) socket.destroy();
    }, DRAIN_MS);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(limit);
    });
    await closeInQuietMoment(server, () => arrivals, mayStop);
    // Who was the last to come in has said nothing yet.
    graceEndsAt = performance.now() + GRACE_MS;
  };
}

/**
 * The system accepts connections before the server takes them, and resets those that it has not taken when it stops
 * listening: a balancer cannot know then whether their requests were obeyed. So this looks at the network until nobody
 * waits to be taken, and closes the door in the same breath. Whoever comes later is refused, and sent elsewhere.
 * @param arrivals how many connections were taken so far; Node takes one whenever it looks and somebody waits
 */
async function closeInQuietMoment(server: Server, arrivals: () => number, mayStop: () => boolean): Promise<void> {
  // Compiles what closes, which takes longer than closing.
  new NetServer().close();
  const begunAt = performance.now();
  const hasTime = () => performance.now() - begunAt < DOOR_LIMIT_MS;
  while (!mayStop() && hasTime()) await turn();
  const answerHeld = holdRequests(server);
  const lookingSince = performance.now();
  await new Promise<void>((resolve) => {
    const look = (seen: number, lookedAt: number) => {
      const now = performance.now();
      // Node calls this after it looked, and dealt with what it saw; the time tells how long ago that was.
      const isFresh = now - lookedAt < FRESH_MS || now - lookingSince > PATIENCE_MS;
      if ((arrivals() === seen && isFresh) || !hasTime()) {
        NetServer.prototype.close.call(server);
        return resolve();
      }
      setImmediate(look, arrivals(), performance.now());
    };
    // The first turn does not count: it may end without a look.
    setImmediate(() => setImmediate(look, arrivals(), performance.now()));
  });
  answerHeld();
}

/**
 * Lets requests wait: answering takes longer than taking connections, so that under load there would always be somebody
 * at the door again.
 * @returns what answers those that wait, and all others from then on
 */
function holdRequests(server: Server): () => void {
  const held: (readonly [IncomingMessage, ServerResponse])[] = [];
  const hold = (request: IncomingMessage, response: ServerResponse) => void held.push([request, response]);
  const listeners = server.rawListeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', hold);
  return () => {
    server.off('request', hold);
    for (const listener of listeners) server.on('request', listener);
    for (const [request, response] of held) server.emit('request', request, response);
  };
}
