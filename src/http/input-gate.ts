import { BadRequestException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findUnstorable, type Unstorable } from '../shared/storable-text.js';

/** The rooms of programs. */
const PROGRAMS = /^\/(?:api|functions)\//;
/** Names that may be said in an answer as they are. */
const PLAIN_PATH = /^[\w-]{1,40}(?:\.[\w-]{1,40}){0,5}$/;

/** Thrown for input that nothing could hold: 400, before anybody reads it. */
export class UnstorableInputException extends BadRequestException {
  readonly reason: Unstorable['reason'];

  constructor({ reason, path }: Unstorable) {
    const name = PLAIN_PATH.test(path) ? path : 'The request';
    const message =
      reason === 'depth'
        ? `${name} is nested too deeply`
        : `${name} holds a character that no text can have: a zero character or half of a pair`;
    const code = reason === 'depth' ? 'nested_too_deeply' : 'invalid_text';
    super({ code, message, ...(PLAIN_PATH.test(path) ? { fields: { [path]: [message] } } : {}) });
    this.message = message;
    this.reason = reason;
  }
}

/** Checks a parsed value at any depth. @throws UnstorableInputException */
export function assertStorable(value: unknown): void {
  const unstorable = findUnstorable(value);
  if (unstorable !== undefined) throw new UnstorableInputException(unstorable);
}

/**
 * The one gate for every text of every path, query and body: what PostgreSQL cannot hold, and what is nested so deeply
 * that functions fail over it, is refused. Bodies that are parsed by their rooms are checked there, with
 * {@link assertStorable}: those of accounts, which are texts here, and the form of a page, whose answer is a page.
 */
export function addInputGate(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (isOfPage(request)) return done();
    try {
      const { params, query, body } = request;
      for (const part of [params, query, typeof body === 'string' ? undefined : body]) assertStorable(part);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Pages read no query, and none has an address with such a character. Rooms that answer errors themselves are none. */
function isOfPage({ url, answerError }: FastifyRequest): boolean {
  return answerError === undefined && !PROGRAMS.test(url);
}
