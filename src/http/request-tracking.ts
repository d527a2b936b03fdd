import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';
import { kindOfPath, type RequestKind } from '../metrics/request-kinds.js';
import type { ErrorBody } from './error.filter.js';
import { limitArrival } from './request-arrival.js';
import { REQUEST_ID_HEADER, type IdentifyRequest } from './request-id.js';
import type { Headers } from './security-headers.js';

const kinds = new WeakMap<IncomingMessage, RequestKind>();

/** Says of which kind a request is, for rooms whose addresses cannot be told by their path. */
export function markKind(request: IncomingMessage, kind: RequestKind): void {
  kinds.set(request, kind);
}

/** Gives the answer to a request the header with its id, and counts it when it is over. */
export function trackRequest(
  request: IncomingMessage,
  response: ServerResponse,
  identify: IdentifyRequest,
  metrics: Metrics | undefined,
): void {
  const begunAt = performance.now();
  response.setHeader(REQUEST_ID_HEADER, identify(request));
  if (metrics === undefined) return;
  response.once('close', () => {
    const kind = kinds.get(request) ?? kindOfPath(request.url?.split('?', 1)[0] ?? '/');
    metrics.answers.add(kind, response.writableFinished ? response.statusCode : 0, performance.now() - begunAt);
  });
}

/** HTTP/1.1 demands the name of the host (RFC 9112, section 3.2). Node would refuse it without a body, or an id. */
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/**
 * Answers a request that the framework is not shown, in the shape of all errors, and ends the connection.
 * @param headers those of every answer
 */
export function refuse(id: string, response: ServerResponse, headers: Headers, status: number, message: string): void {
  const body: ErrorBody = { code: 'bad_request', message, request_id: id };
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(text);
}

/** Answers requests that expect something else than to go on (RFC 9110, section 10.1.1), as Node does, with an id. */
export function answerExpectations(
  server: Server,
  identify: IdentifyRequest,
  headers: Headers,
  metrics: Metrics,
): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    trackRequest(request, response, identify, metrics);
    limitArrival(request, response, false);
    refuse(identify(request), response, headers, 417, 'The header Expect asks for something that there is not.');
  });
}

/** Answers what the framework's router refuses without asking anybody, in the shape of all errors. */
export function createRouterErrorHandler(headers: Headers) {
  return ({ statusCode = 400 }: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const body: ErrorBody = {
      code: 'bad_request',
      message: 'This is not the address of anything.',
      request_id: request.id,
    };
    void reply.status(statusCode).headers(headers).header('cache-control', 'no-store').send(body);
  };
}
