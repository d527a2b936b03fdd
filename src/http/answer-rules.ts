import type { FastifyInstance } from 'fastify';

/**
 * Mends answers as they leave. One to a request that says who asks is kept nowhere, whatever its route says of caching,
 * and text says in which characters it is written, also where a library forgets it.
 */
export function addAnswerRules(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ headers }, reply, _payload, done) => {
    if (headers.authorization !== undefined) reply.header('cache-control', 'no-store');
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && /^text\/[\w.+-]+$/.test(type))
      reply.header('content-type', `${type}; charset=utf-8`);
    done();
  });
}
