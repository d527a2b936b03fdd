import { BadRequestException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { findUnstorable, type Unstorable } from '../shared/storable-text.js';

/** The rooms of programs. Pages read no query and have no address with such a character. */
const PROGRAMS = /^\/(?:api|functions)\//;
/** Names that may be said in an answer as they are. */
const PLAIN_PATH = /^[\w-]{1,40}(?:\.[\w-]{1,40}){0,5}$/;

/** Thrown for input that nothing could hold: 400, before anybody reads it. */
export class UnstorableInputException extends BadRequestException {
  constructor({ reason, path }: Unstorable) {
    const name = PLAIN_PATH.test(path) ? path : 'The request';
    const message =
      reason === 'depth'
        ? `${name} is nested too deeply`
        : `${name} holds a character that no text can have: a zero character or half of a pair`;
    const code = reason === 'depth' ? 'nested_too_deeply' : 'invalid_text';
    super({ code, message, ...(PLAIN_PATH.test(path) ? { fields: { [path]: [message] } } : {}) });
  }
}

/**
 * The one gate of the API for every text of every path, query and body: what PostgreSQL cannot hold, and what is nested
 * so deeply that functions fail over it, is refused. Calls of accounts, whose bodies are texts here, have it where they
 * are parsed.
 */
export function addInputGate(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (!PROGRAMS.test(request.url)) return done();
    for (const part of [request.params, request.query, request.body]) {
      const unstorable = findUnstorable(part);
      if (unstorable !== undefined) return done(new UnstorableInputException(unstorable));
    }
    done();
  });
}
