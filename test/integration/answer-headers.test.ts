import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { filePaths } from '../../src/shared/paths.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { handlerRoutesOf } from '../support/registered-routes.js';
import { pageRoutes } from '../support/routes.js';

/** The routes whose answers browsers and caches may keep: what they say is the same for everyone. */
const KEPT = [
  'GET /*',
  'GET /.well-known/security.txt',
  'GET /api/blog',
  'GET /api/blog/:kind/:name',
  'GET /api/blog/:kind/:name/:second',
  'GET /api/blog/:kind/:name/:second/:third',
  'GET /api/posts',
  'GET /api/posts/:slug',
  'GET /apple-touch-icon.png',
  'GET /auth/v1/.well-known/jwks.json',
  'GET /blogs/:kind/:name/feed.json',
  'GET /blogs/:kind/:name/rss.xml',
  'GET /favicon.ico',
  'GET /feed.json',
  'GET /look/:name',
  'GET /media/:name',
  'GET /media/share/:name',
  'GET /robots.txt',
  'GET /rss.xml',
  // Like any other address without a page, once the site is set up.
  'GET /setup',
  'GET /site.webmanifest',
  'GET /sitemap.xml',
];

let app: TestApp;
let authorization: string;
let picture: string;
let files: string[];

beforeAll(async () => {
  app = await createTestApp({ READ_COUNTS: 'true' });
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  authorization = `Bearer ${(await signIn(app, account)).accessToken}`;
  await createPosts(app, [{ slug: 'first' }]);
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } });
  picture = (await app.get(UploadsService).storeImage(await image.png().toBuffer())).url;
  const home = new HtmlPage((await app.inject('/')).body);
  files = [...home.all('link'), ...home.all('script')]
    .flatMap(({ attribs }) => [
      attribs['href'] ?? '',
      attribs['src'] ?? '',
      ...(attribs['data-scripts'] ?? '').split(' '),
    ])
    .filter((address) => address.startsWith('/assets/'));
});

/** Asks a route for something that is not there, or that it refuses. */
async function ask(route: string, headers: Readonly<Record<string, string>> = {}) {
  const [method = '', path = ''] = route.replace('ALL', 'POST').split(' ');
  const url = path.replace(/:\w+/g, () => randomUUID()).replace('*', 'nothing');
  const body = method === 'GET' ? {} : { payload: '{}' };
  return app.inject({
    method: method as 'GET',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    ...body,
  });
}

describe('an answer that is not for everyone', () => {
  it('is kept nowhere: of every route, to whoever says who they are', async () => {
    const routes = handlerRoutesOf(app.get(ModulesContainer)).map(({ name }) => name);
    expect(routes.length).toBeGreaterThan(60);
    for (const route of routes) {
      const { statusCode, headers } = await ask(route, { authorization });
      expect([route, statusCode, headers['cache-control']]).toEqual([route, statusCode, 'no-store']);
    }
  });

  it.each([...pageRoutes, '/blogs/first', '/api/posts', '/api/posts/first', '/api/blog', '/rss.xml', '/robots.txt'])(
    'nor is %s, to whoever says who they are',
    async (url) => {
      const headers = { authorization };
      expect((await app.inject({ url, headers })).headers['cache-control']).toBe('no-store');
      const etag = String((await app.inject(url)).headers['etag']);
      const unchanged = await app.inject({ url, headers: { ...headers, 'if-none-match': etag } });
      expect(unchanged.headers['cache-control']).toBe('no-store');
    },
  );

  it('is kept nowhere, of every route but these, whoever asks', async () => {
    const routes = handlerRoutesOf(app.get(ModulesContainer)).map(({ name }) => name);
    const kept: string[] = [];
    for (const route of routes) {
      const { headers } = await ask(route);
      if (!/(^|, )no-store$/.test(String(headers['cache-control']))) kept.push(route);
    }
    expect(kept.filter((route) => !KEPT.includes(route))).toEqual([]);
  });

  it('leaves no cookie in what may be kept', async () => {
    for (const url of [...pageRoutes, '/blogs/first', '/rss.xml', '/sitemap.xml', '/robots.txt', picture, ...files]) {
      const { headers } = await app.inject({ url, headers: { cookie: 'known_device=nothing' } });
      expect([url, headers['set-cookie']]).toEqual([url, undefined]);
    }
  });
});

const isIcon = (file: string) => /\.(?:svg|png|ico)$/.test(file);

describe('what other sites may show', () => {
  const policyAt = async (url: string) => (await app.inject(url)).headers['cross-origin-resource-policy'];

  it('is pictures, icons and feeds', async () => {
    const icons = files.filter(isIcon);
    expect(icons).toHaveLength(3);
    for (const url of [picture, ...icons, filePaths.favicon, filePaths.touchIcon, '/rss.xml'])
      expect([url, await policyAt(url)]).toEqual([url, 'cross-origin']);
    const again = await app.inject({ url: picture, headers: { 'if-none-match': '*' } });
    expect([again.statusCode, again.headers['cross-origin-resource-policy']]).toEqual([304, 'cross-origin']);
  });

  it('is no page, script, style sheet, font, answer of the API, or error', async () => {
    const others = files.filter((file) => !isIcon(file));
    expect(others.map((file) => /\.\w+$/.exec(file)?.[0])).toEqual(expect.arrayContaining(['.js', '.woff2']));
    const errors = ['/media/none.webp', '/nothing-here', '/api/nothing', '/auth/v1/nothing', '/%E0'];
    for (const url of [...pageRoutes, '/blogs/first', '/api/posts', '/api/docs', '/dev/mail', ...others, ...errors]) {
      expect([url, await policyAt(url)]).toEqual([url, 'same-origin']);
    }
  });
});

describe('an answer in text', () => {
  it.each([
    '/',
    '/nothing-here',
    '/dev/mail',
    '/api/docs',
    '/api/openapi.yaml',
    '/robots.txt',
    '/api/docs/swagger-ui.css',
  ])('says at %s in which characters it is written', async (url) => {
    const type = (await app.inject(url)).headers['content-type'];
    expect([url, type]).toEqual([url, expect.stringMatching(/^text\/[\w-]+; charset=utf-8$/i)]);
  });
});

describe('the documentation of the API', () => {
  const policyAt = async (url: string) => String((await app.inject(url)).headers['content-security-policy']);

  it('has a policy of its own, and no other address has it', async () => {
    for (const url of ['/api/docs', '/api/docs?a', '/api/docs/', '/api/docs/swagger-ui.css']) {
      expect(await policyAt(url)).toContain("style-src 'self' 'unsafe-inline'");
    }
    for (const url of ['/api/docsomething', '/api/posts', '/']) {
      expect(await policyAt(url)).not.toMatch(/style-src [^;]*'unsafe-inline'/);
    }
  });
});
