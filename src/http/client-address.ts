import type { FastifyRequest } from 'fastify';

/**
 * The address of the client, at most 64 characters.
 * @param header the trusted proxy's header, lower case, or undefined where clients connect by themselves. Its last
 * entry is what the proxy added; those in front of it may be anybody's invention.
 */
export function readClientAddress(request: FastifyRequest, header: string | undefined): string {
  const entries = header === undefined ? [] : [request.headers[header] ?? ''].flat().join(',').split(',');
  return (entries.at(-1)?.trim() || request.ip).slice(0, 64);
}
