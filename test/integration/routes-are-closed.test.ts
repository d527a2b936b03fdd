import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, ModulesContainer, NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AccessTokenClaims } from '../../src/auth/tokens/access-token.service.js';
import { AccessTokenStrategy } from '../../src/auth/tokens/access-token.strategy.js';
import { AccessTokensModule } from '../../src/auth/tokens/access-tokens.module.js';
import { AuthError } from '../../src/auth/auth.error.js';
import { AuthenticationService } from '../../src/auth/tokens/authentication.service.js';
import { loadConfig } from '../../src/config/config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { AccessGuard } from '../../src/http/access.guard.js';
import { Admin } from '../../src/http/admin.decorator.js';
import { ADMIN_READER, type AdminReader } from '../../src/http/admin-reader.js';
import { ErrorFilter } from '../../src/http/error.filter.js';
import { UnavailableException } from '../../src/http/outage.errors.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { Public } from '../../src/http/public.decorator.js';
import { SignedIn } from '../../src/http/signed-in.decorator.js';
import { CurrentUser, type SignedInUser } from '../../src/http/signed-in-user.js';
import { Clock } from '../../src/shared/clock.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';
import { handlerRoutesOf, serverRoutesDuring, type HandlerRoute } from '../support/registered-routes.js';
import { withOtherEnds } from '../support/respellings.js';

/** Addresses that the web server answers without a controller: built files and the API's documentation. */
const PLUGIN_ROUTES = /^GET \/(assets\/\*|api\/docs(\/.*)?|api\/openapi\.(json|yaml))$/;

const namesOf = (routes: readonly HandlerRoute[], access: string | undefined) =>
  routes
    .filter((route) => route.access === access)
    .map((route) => route.name)
    .sort();

describe('the routes of the application', () => {
  let handlers: HandlerRoute[];
  let registered: string[];

  beforeAll(async () => {
    registered = await serverRoutesDuring(async () => {
      const { get } = await createTestApp({ READ_COUNTS: 'true' });
      handlers = handlerRoutesOf(get(ModulesContainer));
    });
  });

  it('each say who may use them', () => {
    expect(namesOf(handlers, undefined)).toEqual([]);
  });

  it('are the ones that the web server knows, but for files and documentation', () => {
    const own = registered.filter((route) => !PLUGIN_ROUTES.test(route));
    const declared = handlers.map(({ name }) => name);
    const covers = (route: string) => declared.includes(route) || declared.includes(route.replace(/^\w+/, 'ALL'));
    expect(own.filter((route) => !covers(route))).toEqual([]);
    expect(own.length).toBeGreaterThanOrEqual(declared.length);
  });

  it('are open to everyone with a session here and nowhere else', () => {
    expect(namesOf(handlers, 'signed-in')).toEqual([
      'DELETE /api/account/sessions',
      'DELETE /api/account/sessions/:id',
      'GET /api/account/export',
      'GET /api/account/sessions',
      'GET /api/me',
      'POST /api/account/deletion',
    ]);
  });

  it('are open to programs with a token of their role here and nowhere else', () => {
    expect(namesOf(handlers, 'service-role')).toEqual([
      'DELETE /auth/v1/admin/users/:id',
      'DELETE /auth/v1/admin/users/:id/factors/:factorId',
      'DELETE /auth/v1/admin/users/:id/passkeys/:passkeyId',
      'GET /auth/v1/admin/users',
      'GET /auth/v1/admin/users/:id',
      'GET /auth/v1/admin/users/:id/factors',
      'GET /auth/v1/admin/users/:id/passkeys',
      'POST /auth/v1/admin/generate_link',
      'POST /auth/v1/admin/users',
      'POST /auth/v1/invite',
      'PUT /auth/v1/admin/users/:id',
      'PUT /auth/v1/admin/users/:id/factors/:factorId',
    ]);
  });

  it('are open to everyone here and nowhere else', () => {
    expect(namesOf(handlers, 'public')).toEqual([
      'ALL /api/*',
      'ALL /auth/v1/*',
      'ALL /auth/v1/admin/oauth',
      'ALL /auth/v1/admin/oauth/*',
      'ALL /auth/v1/oauth',
      'ALL /auth/v1/oauth/*',
      'ALL /auth/v1/passkeys/*',
      'ALL /auth/v1/sso',
      'ALL /auth/v1/sso/*',
      'ALL /auth/v1/user/oauth/grants',
      'DELETE /auth/v1/factors/:id',
      'DELETE /auth/v1/factors/recovery-codes',
      'DELETE /auth/v1/passkeys/:id',
      'DELETE /auth/v1/user/identities/:id',
      'GET /*',
      'GET /.well-known/security.txt',
      'GET /admin/preview/:document',
      'GET /admin/preview/:document/*',
      'GET /api/blog',
      'GET /api/blog/:kind/:name',
      'GET /api/blog/:kind/:name/:second',
      'GET /api/blog/:kind/:name/:second/:third',
      'GET /api/health',
      'GET /api/health/details',
      'GET /api/health/live',
      'GET /api/health/ready',
      'GET /api/posts',
      'GET /api/posts/:slug',
      'GET /api/previews/:token',
      'GET /api/search',
      'GET /apple-touch-icon.png',
      'GET /auth/v1/.well-known/jwks.json',
      'GET /auth/v1/authorize',
      'GET /auth/v1/callback',
      'GET /auth/v1/factors/recovery-codes',
      'GET /auth/v1/health',
      'GET /auth/v1/passkeys',
      'GET /auth/v1/reauthenticate',
      'GET /auth/v1/settings',
      'GET /auth/v1/user',
      'GET /auth/v1/user/identities/authorize',
      'GET /auth/v1/verify',
      'GET /blogs/:kind/:name/feed.json',
      'GET /blogs/:kind/:name/rss.xml',
      'GET /dev/mail',
      'GET /dev/mail/:id',
      'GET /dev/mail/:id/html',
      'GET /favicon.ico',
      'GET /feed.json',
      'GET /look/:name',
      'GET /media/:name',
      'GET /media/share/:name',
      'GET /robots.txt',
      'GET /rss.xml',
      'GET /search',
      'GET /setup',
      'GET /site.webmanifest',
      'GET /sitemap.xml',
      'HEAD /auth/v1/verify',
      'PATCH /auth/v1/passkeys/:id',
      'POST /api/contact',
      'POST /api/reads',
      'POST /auth/v1/callback',
      'POST /auth/v1/factors',
      'POST /auth/v1/factors/:id/challenge',
      'POST /auth/v1/factors/:id/verify',
      'POST /auth/v1/factors/recovery-codes',
      'POST /auth/v1/factors/recovery-codes/regenerate',
      'POST /auth/v1/factors/recovery-codes/verify',
      'POST /auth/v1/logout',
      'POST /auth/v1/magiclink',
      'POST /auth/v1/otp',
      'POST /auth/v1/passkeys/authentication/options',
      'POST /auth/v1/passkeys/authentication/verify',
      'POST /auth/v1/passkeys/registration/options',
      'POST /auth/v1/passkeys/registration/verify',
      'POST /auth/v1/recover',
      'POST /auth/v1/resend',
      'POST /auth/v1/signup',
      'POST /auth/v1/token',
      'POST /auth/v1/verify',
      'POST /auth/v1/verify/link',
      'POST /contact',
      'POST /functions/v1/send-contact-email',
      'POST /setup',
      'POST /setup/account',
      'POST /setup/company',
      'POST /setup/finish',
      'POST /setup/mail',
      'PUT /auth/v1/user',
    ]);
  });
});

describe('the guard', () => {
  const SECRET = 'a secret of at least thirty-two characters';
  const config = loadConfig({ NODE_ENV: 'test', AUTH_JWT_KEYS: '', AUTH_JWT_SECRET: SECRET });
  const admins = new Set(['ada']);
  const authentication = {
    identify: async ({ sub }: AccessTokenClaims) => {
      if (sub === 'database') throw new UnavailableException('database_unavailable');
      if (sub === 'gone') throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
      return {
        user: { id: sub, email: null },
        session: sub === 'nowhere' ? null : { id: `session-of-${sub}`, aal: 'aal1' },
      };
    },
    lacksSecondFactor: async ({ id }: { readonly id: string }) => id === 'session-of-halfway',
  };
  const adminReader: AdminReader = { findRole: async (userId) => (admins.has(userId) ? 'admin' : null) };

  @Controller()
  class SampleController {
    @Get('forgotten')
    readForgotten() {
      return {};
    }

    @Public()
    @Get('public')
    readPublic() {
      return {};
    }

    @SignedIn()
    @Get('signed-in')
    readSignedIn(@CurrentUser() user: SignedInUser) {
      return user;
    }
  }

  @Admin()
  @Controller('admin')
  class SampleAdminController {
    @Get()
    read(@CurrentUser() user: SignedInUser) {
      return user;
    }

    @Public()
    @Get('open')
    readOpen() {
      return {};
    }
  }

  @Module({
    controllers: [SampleController, SampleAdminController],
    imports: [
      ConfigModule.register(config),
      AccessTokensModule,
      PassportModule.register({ defaultStrategy: 'access-token-in-this-test' }),
    ],
    providers: [
      AccessTokenStrategy,
      { provide: AuthenticationService, useValue: authentication },
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: ADMIN_READER, useValue: adminReader },
    ],
  })
  class SampleModule {}

  let app: NestFastifyApplication;
  const ask = (url: string, authorization?: string) =>
    app.inject({ url, headers: authorization === undefined ? {} : { authorization } });

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(SampleModule, new FastifyAdapter(), { logger: false });
    app.useGlobalFilters(new ErrorFilter(config, new Metrics()));
    onCleanup(() => app.close());
    await app.init();
  });

  const issued = { iss: config.auth.externalUrl, exp: 4_000_000_000 };
  /** Signed by hand, as the library would refuse to. */
  const tokenAsIs = (sub: string, claims: object, head: object = { alg: 'HS256', typ: 'JWT' }) => {
    const text = [head, { sub, ...issued, ...claims }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
  };
  const tokenOf = (sub: string, claims: object = {}) =>
    app.get(JwtService, { strict: false }).sign({ sub, ...issued, ...claims });

  it('refuses everyone at a route that does not say who may use it', async () => {
    for (const authorization of [undefined, `Bearer ${tokenOf('ada')}`]) {
      const answer = await ask('/forgotten', authorization);
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ code: 'forbidden' });
    }
  });

  it.each(['/public', '/admin/open'])('lets everyone in at %s', async (url) => {
    expect((await ask(url)).statusCode).toBe(200);
    expect((await ask(url, 'Bearer nonsense')).statusCode).toBe(200);
  });

  it('asks for a valid access token instead of anything else', async () => {
    const [head, claims, signature] = tokenOf('ada').split('.') as [string, string, string];
    const [, claimsOfBob] = tokenOf('bob').split('.') as [string, string];
    const token = `${head}.${claims}.${signature}`;
    const refused: readonly (string | undefined)[] = [
      ...[undefined, '', 'Bearer', 'Bearer ', 'Bearer nonsense', token, `Basic ${token}`],
      ...[`Bearer ${token} more`, `more Bearer ${token}`, `Bearer ${head}.${claimsOfBob}.${signature}`],
      ...[...withOtherEnds(token), ...['gone', 'nowhere'].map((sub) => tokenOf(sub))].map((text) => `Bearer ${text}`),
      ...[{ exp: 1 }, { nbf: 4_000_000_000 }, { exp: 'never' }, { iss: 'else' }].map(
        (extra) => `Bearer ${tokenAsIs('ada', extra)}`,
      ),
      ...['none', 'HS384'].map((alg) => `Bearer ${tokenAsIs('ada', {}, { alg, typ: 'JWT' })}`),
      `Bearer ${tokenAsIs('ada', {}, { alg: 'ES256', typ: 'JWT', kid: 'unknown' })}`,
    ];
    for (const authorization of refused) {
      for (const url of ['/signed-in', '/admin']) {
        const { statusCode, headers, ...answer } = await ask(url, authorization);
        expect([authorization, statusCode, headers['www-authenticate']]).toEqual([authorization, 401, 'Bearer']);
        expect(answer.json()).toEqual({
          code: 'no_authorization',
          message: 'This address requires a valid access token.',
          request_id: expect.any(String),
        });
      }
    }
  });

  it('says that the database is away instead of refusing', async () => {
    const answer = await ask('/signed-in', `Bearer ${tokenOf('database')}`);
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['www-authenticate']]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      undefined,
    ]);
    expect(answer.json()).toMatchObject({ code: 'database_unavailable' });
  });

  it('goes by the clock of the application', async () => {
    const token = `Bearer ${tokenOf('ada', { exp: 2_000_000_000 })}`;
    const clock = app.get(Clock, { strict: false });
    clock.now = () => new Date(1_999_999_999_000);
    expect((await ask('/admin', token)).statusCode).toBe(200);
    clock.now = () => new Date(2_000_000_000_000);
    expect((await ask('/admin', token)).statusCode).toBe(401);
    clock.now = () => new Date();
  });

  const person = (id: string) => ({ id, email: null, sessionId: `session-of-${id}`, aal: 'aal1' });

  it('tells a handler who asks, and lets only administrators where only they may', async () => {
    expect((await ask('/signed-in', `Bearer ${tokenOf('bob')}`)).json()).toEqual(person('bob'));
    expect((await ask('/admin', `bearer ${tokenOf('ada')}`)).json()).toEqual(person('ada'));
    const halfway = await ask('/signed-in', `Bearer ${tokenOf('halfway')}`);
    expect([halfway.statusCode, halfway.json<{ code: string }>().code]).toEqual([401, 'insufficient_aal']);
    const refusal = await ask('/admin', `Bearer ${tokenOf('bob')}`);
    expect(refusal.statusCode).toBe(403);
    expect(refusal.json()).toMatchObject({ code: 'not_admin', message: 'You must be an admin to access this page.' });
  });

  it('asks for the role at every call', async () => {
    admins.add('cyd');
    expect((await ask('/admin', `Bearer ${tokenOf('cyd')}`)).statusCode).toBe(200);
    admins.delete('cyd');
    expect((await ask('/admin', `Bearer ${tokenOf('cyd')}`)).statusCode).toBe(403);
  });
});
