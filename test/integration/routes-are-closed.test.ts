import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '../../src/config/config.js';
import { AccessGuard } from '../../src/http/access.guard.js';
import { Admin } from '../../src/http/admin.decorator.js';
import { ADMIN_READER, AUTHENTICATOR, type AdminReader, type Authenticator } from '../../src/http/authenticator.js';
import { ErrorFilter } from '../../src/http/error.filter.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { Public } from '../../src/http/public.decorator.js';
import { SignedIn } from '../../src/http/signed-in.decorator.js';
import { CurrentUser, type SignedInUser } from '../../src/http/signed-in-user.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';
import { handlerRoutesOf, serverRoutesDuring, type HandlerRoute } from '../support/registered-routes.js';

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
      const { get } = await createTestApp();
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
    expect(namesOf(handlers, 'signed-in')).toEqual(['GET /api/me']);
  });

  it('are open to everyone here and nowhere else', () => {
    expect(namesOf(handlers, 'public')).toEqual([
      'ALL /api/*',
      'ALL /auth/v1/*',
      'GET /*',
      'GET /api/health',
      'GET /api/health/details',
      'GET /api/health/live',
      'GET /api/health/ready',
      'GET /api/posts',
      'GET /api/posts/:slug',
      'GET /api/previews/:token',
      'GET /auth/v1/.well-known/jwks.json',
      'GET /auth/v1/health',
      'GET /auth/v1/reauthenticate',
      'GET /auth/v1/settings',
      'GET /auth/v1/user',
      'GET /auth/v1/verify',
      'GET /dev/mail',
      'GET /dev/mail/:id',
      'GET /dev/mail/:id/html',
      'GET /media/:name',
      'GET /robots.txt',
      'GET /rss.xml',
      'GET /sitemap.xml',
      'POST /api/contact',
      'POST /auth/v1/logout',
      'POST /auth/v1/magiclink',
      'POST /auth/v1/otp',
      'POST /auth/v1/recover',
      'POST /auth/v1/resend',
      'POST /auth/v1/signup',
      'POST /auth/v1/token',
      'POST /auth/v1/verify',
      'POST /contact',
      'POST /functions/v1/send-contact-email',
      'PUT /auth/v1/user',
    ]);
  });
});

describe('the guard', () => {
  const admins = new Set(['ada']);
  const authenticator: Authenticator = {
    authenticate: async (token) => (token.startsWith('token-of-') ? { id: token.slice(9), email: null } : null),
  };
  const adminReader: AdminReader = { isAdmin: async (userId) => admins.has(userId) };

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
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: AUTHENTICATOR, useValue: authenticator },
      { provide: ADMIN_READER, useValue: adminReader },
    ],
  })
  class SampleModule {}

  let app: NestFastifyApplication;
  const ask = (url: string, authorization?: string) =>
    app.inject({ url, headers: authorization === undefined ? {} : { authorization } });

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(SampleModule, new FastifyAdapter(), { logger: false });
    app.useGlobalFilters(new ErrorFilter(loadConfig({ NODE_ENV: 'test' }), new Metrics()));
    onCleanup(() => app.close());
    await app.init();
  });

  it('refuses everyone at a route that does not say who may use it', async () => {
    for (const authorization of [undefined, 'Bearer token-of-ada']) {
      const answer = await ask('/forgotten', authorization);
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ code: 'forbidden' });
    }
  });

  it.each(['/public', '/admin/open'])('lets everyone in at %s', async (url) => {
    expect((await ask(url)).statusCode).toBe(200);
    expect((await ask(url, 'Bearer nonsense')).statusCode).toBe(200);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer nonsense', 'Basic token-of-ada', 'token-of-ada'])(
    'asks for a valid access token instead of %j',
    async (authorization) => {
      for (const url of ['/signed-in', '/admin']) {
        const answer = await ask(url, authorization);
        expect(answer.statusCode).toBe(401);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
        expect(answer.json()).toMatchObject({
          code: 'no_authorization',
          message: 'This address requires a valid access token.',
        });
      }
    },
  );

  it('tells a handler who asks, and lets only administrators where only they may', async () => {
    expect((await ask('/signed-in', 'Bearer token-of-bob')).json()).toEqual({ id: 'bob', email: null });
    expect((await ask('/admin', 'bearer token-of-ada')).json()).toEqual({ id: 'ada', email: null });
    const refusal = await ask('/admin', 'Bearer token-of-bob');
    expect(refusal.statusCode).toBe(403);
    expect(refusal.json()).toMatchObject({ code: 'not_admin', message: 'You must be an admin to access this page.' });
  });

  it('asks for the role at every call', async () => {
    admins.add('cyd');
    expect((await ask('/admin', 'Bearer token-of-cyd')).statusCode).toBe(200);
    admins.delete('cyd');
    expect((await ask('/admin', 'Bearer token-of-cyd')).statusCode).toBe(403);
  });
});
