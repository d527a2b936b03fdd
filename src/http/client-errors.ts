import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { ErrorBody, ErrorContent } from './error.filter.js';
import { endWhenHeard } from './request-arrival.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import type { Headers } from './security-headers.js';

const ANSWERS: Readonly<Record<string, readonly [status: number, content: ErrorContent]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, { code: 'request_timeout', message: 'The request took too long to arrive.' }],
  HPE_HEADER_OVERFLOW: [431, { code: 'headers_too_large', message: 'The headers of the request are too large.' }],
};
const TUNNEL = [405, { code: 'method_not_allowed', message: 'This server is no proxy.' }] as const;
const logger = new Logger('ClientErrors');
/** Connections that were answered, and end when their clients have stopped sending. */
const refused = new WeakSet<Socket>();
const OTHERS = [400, { code: 'bad_request', message: 'This is not an HTTP request.' }] as const;

/**
 * Makes what answers what is no request that the framework could be shown, in the shape of all errors and with the
 * headers of every answer, and ends the connection.
 */
export function createClientErrorHandler(headers: Headers): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => answerClientError(error, socket, headers);
}

/** Answers CONNECT, which Node would leave without an answer. */
export function refuseTunnels(server: Server, headers: Headers): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    answerUnread(TUNNEL, socket, { ...headers, allow: '' }, randomUUID());
    // Node has let go of it, with all limits: whoever stays connected would do so for ever.
    endWhenHeard(socket as Socket);
  });
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket, headers: Headers): void {
  // What still comes behind a request that was refused fails again.
  if (refused.has(socket)) return;
  // Who never said a word is not waiting for an answer: a connection opened ahead and not used.
  if (!socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET') return void socket.destroy();
  const id = randomUUID();
  logger.log({ id, address: socket.remoteAddress, code: error.code }, 'What came was no request');
  answerUnread(ANSWERS[error.code ?? ''] ?? OTHERS, socket, headers, id);
  // Who was too slow is not waited for.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return socket.destroySoon();
  refused.add(socket);
  endWhenHeard(socket);
}

function answerUnread(
  [status, content]: readonly [number, ErrorContent],
  socket: Duplex,
  headers: Headers,
  id: string,
): void {
  const body: ErrorBody = { ...content, request_id: id };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'connection: close',
    `${REQUEST_ID_HEADER}: ${id}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
