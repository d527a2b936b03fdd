import { HttpException } from '@nestjs/common';
import { RETRY_AFTER_SECONDS } from '../../config/time-limits.js';
import { OutageException, toAnswerable } from '../../http/outage.errors.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnstorableInputException } from '../../http/input-gate.js';
import { noteRefusal } from '../../http/request-log.js';
import { AuthError, badJson, invalid, notFound, OAuthError } from '../auth.error.js';

/** The version of the API from which on the code of an error is a word. */
export const API_VERSION = '2024-01-01';
const VERSION_HEADER = 'x-supabase-api-version';
const UNEXPECTED = 'Unexpected failure, please check server logs for more information';
const TOO_LARGE = 'Request body too large (max 1048576 bytes)';

/** Answers an error in the envelope that the client's version asks for (auth-api.md 1.3). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAuthError(error);
  const status = known.getStatus();
  noteRefusal(reply.raw, known.code);
  void reply.status(status).headers({ 'cache-control': 'no-store', 'x-sb-error-code': known.code });
  const retryAfter = status === 503 ? RETRY_AFTER_SECONDS : known.retryAfter;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (known instanceof OAuthError) {
    void reply.send({ error: known.error, error_description: known.description });
    return;
  }
  if (isRecent(request.headers[VERSION_HEADER])) {
    void reply.header(VERSION_HEADER, API_VERSION);
    void reply.send({ code: known.code, message: known.message, ...known.extras });
    return;
  }
  const errorId = status >= 500 ? { error_id: String(request.id) } : {};
  void reply.send({ code: status, error_code: known.code, msg: known.message, ...errorId, ...known.extras });
}

/** Maps a failure to the error that clients get; details of unexpected failures stay in the log. */
export function toAuthError(thrown: unknown): AuthError {
  const error = toAnswerable(thrown);
  if (error instanceof AuthError) return error;
  // A full disk too: the client tries again after 503, and signs people out after what it does not know.
  if (error instanceof OutageException) return new AuthError(503, error.code, error.message);
  if (error instanceof UnstorableInputException) return toUnstorable(error);
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown }).statusCode;
  if (status === 413) return new AuthError(413, 'request_entity_too_large', TOO_LARGE);
  if (status === 408) return timedOut();
  if (status === 404) return notFound();
  const code = error instanceof HttpException ? (error.getResponse() as { code?: unknown }).code : undefined;
  if (typeof code === 'string' && status === 409) return new AuthError(status, code, (error as Error).message);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AuthError(status, 'unknown', (error as Error).message);
  }
  return new AuthError(500, 'unexpected_failure', UNEXPECTED);
}

/** Names no field: in metadata, anybody chooses the names. */
function toUnstorable({ reason }: UnstorableInputException): AuthError {
  if (reason === 'depth') return badJson('it is nested too deeply');
  return invalid('The request holds a character that no text can have');
}

/** The answer to a call that takes longer than ten seconds, its arrival included (auth-api.md 1.1). */
export function timedOut(): AuthError {
  return new AuthError(504, 'request_timeout', 'Processing this request timed out, please retry after a moment.');
}

function isRecent(version: string | string[] | undefined): boolean {
  if (typeof version !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(version)) return false;
  return !Number.isNaN(Date.parse(version)) && version >= API_VERSION;
}
