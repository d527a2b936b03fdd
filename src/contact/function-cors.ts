import type { FastifyInstance } from 'fastify';
import { ELAPSED_HEADER, IDEMPOTENCY_HEADER } from '../shared/contracts/contact-form.js';

/** The address of the hosted function that this site replaces (product.md 7). */
export const FUNCTION_PATH = '/functions/v1/send-contact-email';

/** The hosted function could be called from every origin; there is nothing to protect, as no cookie is ever read. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': `authorization, x-client-info, apikey, content-type, ${IDEMPOTENCY_HEADER}, ${ELAPSED_HEADER}`,
  'access-control-max-age': '600',
};

/** Cross-origin headers on every answer of the function, refusals included, and the answer to preflight requests. */
export function addFunctionHooks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url.split('?', 1)[0] !== FUNCTION_PATH) return done();
    reply.headers(CORS);
    if (request.method === 'OPTIONS') return void reply.status(204).send();
    done();
  });
}
