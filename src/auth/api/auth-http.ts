import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AuthConfig } from '../../config/auth-config.js';
import { bearerOf } from '../../http/bearer.js';
import { markKind } from '../../http/request-tracking.js';
import type { Caller } from './caller.js';
import { answerError } from './error-envelope.js';
import { readDeviceCookie } from '../guesses/known-devices.service.js';
import { chooseRedirect } from './redirect-target.js';
import { parseBody } from './request-bodies.js';

/** Bodies are read as text, whatever type they claim, as the reference does; the handlers parse them. */
const RAW = 'application/vnd.accounts-request';

/** Headers of auth-api.md 1.2. Without the last exposed header a browser's client loses every error code. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Total-Count, Link, X-Supabase-Api-Version',
};
const PREFLIGHT = {
  'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, X-Client-IP, X-Client-Info, X-JWT-AUD, x-use-cookie, ' +
    'X-Supabase-Api-Version, apikey',
  'access-control-max-age': '600',
};

/** The first parts of the API's paths, by which they are known where the API shares the root with the site. */
const ROOT_PATHS = new Set([
  ...['signup', 'token', 'otp', 'magiclink', 'verify', 'recover', 'resend', 'reauthenticate', 'user', 'logout'],
  ...['.well-known/jwks.json', 'settings', 'health', 'factors', 'admin/users', 'admin/generate_link', 'invite', 'sso'],
  ...['authorize', 'callback', 'passkeys', 'oauth', 'admin/oauth'],
]);

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on calls of the API of accounts: who makes it. */
    authCaller?: Caller;
    /** Set with it: when its head had arrived, by the clock of `performance.now()`. */
    authBegunAt?: number;
  }
}

/**
 * Prepares every call of the accounts API: cross-origin headers, the caller, the error envelope, and the body as text.
 * Leaves calls of other addresses alone.
 */
export function addAuthHooks(fastify: FastifyInstance, config: AuthConfig): void {
  fastify.addContentTypeParser(RAW, { parseAs: 'string' }, (_request, body, done) => done(null, body));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isAuthPath(request.url, config.basePath)) return done();
    markKind(request.raw, 'auth');
    reply.headers({ ...CORS, 'cache-control': 'no-store' });
    if (request.method === 'OPTIONS') return void reply.status(204).headers(PREFLIGHT).send();
    const length = request.headers['content-length'];
    const hasBody = (length !== undefined && length !== '0') || request.headers['transfer-encoding'] !== undefined;
    if (hasBody) request.raw.headers['content-type'] = RAW;
    else delete request.raw.headers['content-type'];
    request.authBegunAt = performance.now();
    request.authCaller = readCaller(request, config);
    request.answerError = (error) => answerError(error, request, reply);
    done();
  });
}

function isAuthPath(url: string, basePath: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  if (basePath !== '') return path.startsWith(`${basePath}/`);
  const [first = '', second = ''] = path.slice(1).split('/');
  return ROOT_PATHS.has(first) || ROOT_PATHS.has(`${first}/${second}`);
}

function readCaller(request: FastifyRequest, config: AuthConfig): Caller {
  const { headers } = request;
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>;
  const candidates = [headers['redirect_to'], query['redirect_to'], headers.referer].map((value) => [value].flat()[0]);
  return {
    ip: request.clientAddress,
    userAgent: headers['user-agent'] ?? '',
    bearer: bearerOf(headers.authorization) ?? undefined,
    audience: [headers['x-jwt-aud']].flat()[0] || undefined,
    deviceCookie: readDeviceCookie(headers.cookie, config.externalUrl),
    redirectTo: chooseRedirect(candidates, config),
  };
}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The parameter of a handler that takes a member of the query; of several of that name the first, as the reference does. */
export const FromQuery = createParamDecorator((name: string, context: ExecutionContext): string | undefined => {
  const query = requestOf(context).query as Readonly<Record<string, string | string[] | undefined>>;
  return [query[name]].flat()[0];
});

/** The parameter of a handler that takes the {@link Caller}. */
export const FromCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { authCaller } = requestOf(context);
  if (authCaller === undefined) throw new Error('The hooks of accounts are not installed');
  return authCaller;
});

const ShapedBody = createParamDecorator(({ shape }: { readonly shape: z.ZodType }, context: ExecutionContext) =>
  parseBody(requestOf(context).body, shape),
);

/** The parameter of a handler that takes the body in that shape; E(400, bad_json) when it has another. */
// The framework would take a bare shape for one of its pipes, as both have a method `transform`.
export const FromBody = (shape: z.ZodType): ParameterDecorator => ShapedBody({ shape });
