import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { BODY_MS, HEADERS_MS, READER_IDLE_MS, UPLOAD_IDLE_MS, UPLOAD_MS } from '../config/time-limits.js';
import { SlowRequestException } from './slow-request.error.js';

/** How often a server looks for what takes too long. */
const CHECK_MS = 1_000;

/** Limits of the server below the framework: for heads, and the last resort for everything else. */
export const ARRIVAL_OPTIONS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: HEADERS_MS + UPLOAD_MS,
  connectionsCheckingInterval: CHECK_MS,
};
/** For `Server.timeout`: of a connection on which something is under way and no byte moves. */
export const CONNECTION_IDLE_MS = READER_IDLE_MS;

/** Thrown for files that are compressed as a whole, which nothing here unpacks: 415. */
class EncodedFormException extends UnsupportedMediaTypeException {
  constructor() {
    super({ code: 'encoding_unsupported', message: 'Send multipart/form-data without a Content-Encoding.' });
  }
}

/** Aborted for bodies that take too long, with the exception to answer with. */
const limits = new WeakMap<IncomingMessage, AbortController>();

/**
 * Watches the body of a request arrive: 10 seconds, or for a file 5 minutes of which none passes 10 seconds without a
 * byte. After that whoever reads it is told, and the connection ends with the answer.
 */
export function limitArrival(request: IncomingMessage, response: ServerResponse, isFile: boolean): void {
  if (request.readableEnded) return;
  const { socket } = request;
  const late = new AbortController();
  limits.set(request, late);
  // Node closes the connection right behind a last answer.
  response.prependOnceListener('finish', () => {
    if (!request.complete && !late.signal.aborted) socket.destroySoon = () => endWhenHeard(socket);
  });
  const giveUp = () => {
    stop();
    if (request.complete) return;
    if (response.writableFinished) return void socket.destroy();
    // It was answered before it was all there, or is about to be: what still comes is not waited for.
    response.once('finish', () => socket.destroySoon());
    if (!response.headersSent) response.setHeader('connection', 'close');
    late.abort(new SlowRequestException());
  };
  const total = setTimeout(giveUp, isFile ? UPLOAD_MS : BODY_MS);
  const idle = isFile ? watchSilence(socket, giveUp) : undefined;
  const stop = () => {
    clearTimeout(total);
    clearInterval(idle);
  };
  request.once('end', stop).once('close', stop);
}

/**
 * Ends a connection that was answered while its client was still sending. Closing it at once would reset it, and the
 * client might never hear the answer: so what still comes is let go until it ends, for as long as a body may take.
 */
export function endWhenHeard(socket: Socket): void {
  const close = () => socket.destroy();
  const limit = setTimeout(close, BODY_MS);
  socket.once('end', close).once('close', () => clearTimeout(limit));
  socket.end();
  socket.resume();
}

/** Calls `giveUp` when no byte has come for too long. */
function watchSilence(socket: Socket, giveUp: () => void): NodeJS.Timeout {
  let seen = { bytes: socket.bytesRead, at: performance.now() };
  return setInterval(() => {
    const now = performance.now();
    if (socket.bytesRead > seen.bytes) seen = { bytes: socket.bytesRead, at: now };
    else if (now - seen.at >= UPLOAD_IDLE_MS) giveUp();
  }, CHECK_MS);
}

/**
 * The task, unless the body of the request, which the task reads, takes too long to arrive or breaks off: readers that
 * begin when the sender has gone may wait for ever.
 * @throws SlowRequestException; Error when it breaks off
 */
export async function whileArriving<T>(request: IncomingMessage, task: Promise<T>): Promise<T> {
  const signal = limits.get(request)?.signal;
  if (!signal) return task;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason as SlowRequestException);
  const breakOff = () => request.readableEnded || reject(brokenOff());
  signal.addEventListener('abort', giveUp);
  request.once('close', breakOff);
  if (request.destroyed) breakOff();
  try {
    return await Promise.race([task, tooLate]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    request.off('close', breakOff);
    // It fails when the connection is gone, and nobody waits for it any more.
    task.catch(() => undefined);
  }
}

/** Makes the framework's readers of bodies fail when one takes too long; readers of files ask {@link whileArriving}. */
export function addArrivalHook(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    // The framework would hang up on who sends too much, who is still sending then and hears no answer. What comes
    // after it is let go, for as long as a body may take.
    if (reply.statusCode === 413) reply.removeHeader('connection');
    done();
  });
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const late = limits.get(request.raw);
    const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
    if (!late) return done(null, payload);
    // The reader of files reads the request itself.
    if (type?.startsWith('multipart/'))
      return done(encoding === 'identity' ? null : new EncodedFormException(), payload);
    done(null, endWhenLate(request.raw, reply.raw, late.signal));
  });
}

/**
 * Returns the body as it arrives, and ends it when it takes too long. The request itself has to stay, because its
 * connection carries the answer.
 */
function endWhenLate(request: IncomingMessage, response: ServerResponse, late: AbortSignal): Readable {
  const arriving = new PassThrough();
  // Where a request was refused unread, nobody else listens, and an error that nobody hears ends the process.
  arriving.on('error', () => undefined);
  const letGo = (error?: Error) => {
    request.unpipe(arriving);
    arriving.destroy(error);
  };
  late.addEventListener('abort', () => letGo(late.reason as SlowRequestException));
  request.once('error', letGo);
  const breakOff = () => void (request.complete || letGo(brokenOff()));
  request.once('close', breakOff);
  if (request.destroyed) breakOff();
  // One that was refused unread: what still comes must not stand in the way of the next request.
  response.once('finish', () => {
    letGo();
    request.resume();
  });
  return request.pipe(arriving);
}

function brokenOff(): Error {
  return new Error('The request broke off');
}
