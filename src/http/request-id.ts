import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import { trustProxies } from './client-address.js';

/** The header of every answer that carries the id of its request, and of requests that a proxy has given one. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Neither long nor anything but plain text, wherever it is shown or searched for. */
const SAFE = /^[\w.-]{1,64}$/;

/** Returns the id of a request, the same at every call. */
export type IdentifyRequest = (request: IncomingMessage) => string;

/** Gives each request an id of its own, or the one that a trusted proxy has given it. */
export function createRequestIds(server: Config['server']): IdentifyRequest {
  const isTrusted = trustProxies(server);
  return (request) => {
    // Where the logger and the framework look for it, too.
    const known: unknown = request.id;
    if (typeof known === 'string') return known;
    const given = request.headers[REQUEST_ID_HEADER];
    const isBelieved =
      typeof given === 'string' && SAFE.test(given) && isTrusted(request.socket.remoteAddress ?? '', 0);
    const id = isBelieved ? given : randomUUID();
    request.id = id;
    return id;
  };
}
