import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { RemoteImageFetcher } from '../../src/import/images/remote-image-fetcher.js';
import { RemoteImagesService } from '../../src/import/remote-images.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { UploadedImage } from '../../src/shared/contracts/media.js';
import { IMAGE_MAX_BYTES } from '../../src/shared/limits.js';
import { createAccount, signIn } from '../support/accounts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

let app: TestApp;
let url: string;
let admin: string;
let site: string;
let picture: Buffer;
const asked: string[] = [];
let ended = 0;

const pages: Readonly<Record<string, RequestListener>> = {
  '/a.png': (_request, response) => response.end(picture),
  '/moved.png': (_request, response) => response.writeHead(302, { location: '/a.png' }).end(),
  '/inside.png': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end(),
  '/named.png': (_request, response) => response.writeHead(302, { location: 'http://localhost:1/a.png' }).end(),
  '/text.png': (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/large.png': (_request, response) => response.end(Buffer.alloc(IMAGE_MAX_BYTES + 1)),
  '/silent.png': (request) => request.socket.on('close', () => (ended += 1)),
};

beforeAll(async () => {
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await createTestApp();
  url = `${await app.listen()}/api/uploads/remote`;
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  admin = (await signIn(app, account)).accessToken;
});

beforeEach(() => {
  asked.splice(0);
  trust(['127.0.0.1']);
});

/** Hosts that may be at private addresses; in production, none. */
function trust(privateHosts: readonly string[], limits = {}): void {
  app.get(RemoteImagesService).createFetcher = () => new RemoteImageFetcher({ privateHosts, limits, pauseMs: 0 });
}

async function take(address: unknown, { token = admin, signal }: { token?: string; signal?: AbortSignal } = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: address }),
    signal: signal ?? null,
  });
  return {
    status: response.status,
    body: (await response.json()) as UploadedImage & { code: string; message: string },
  };
}

it('stores a picture of another site once, however often and however concurrently it is asked for', async () => {
  const answers = await Promise.all([take(`${site}/a.png`), take(`${site}/moved.png`), take(`${site}/a.png#top`)]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
  const image = answers[0].body;
  expect(image).toMatchObject({
    url: expect.stringMatching(/^\/media\/[0-9a-f]{32}-40x30\.png$/),
    width: 40,
    height: 30,
  });
  expect((await app.inject(image.url)).statusCode).toBe(200);
});

it('finds what was copied from a page of this site, and asks nobody for it', async () => {
  const { body } = await take(`${site}/a.png`);
  asked.splice(0);
  const variant = body.name.replace('.png', '-40.avif');
  for (const name of [body.name, variant]) {
    expect((await take(`${app.config.site.url}/media/${name}?x#y`)).body.url).toBe(body.url);
  }
  expect(asked).toEqual([]);
});

it.each([
  ['/gone.png', 422, 'image_unavailable', 'The picture answered 404'],
  ['/text.png', 415, 'image_unsupported', expect.any(String)],
  ['/large.png', 422, 'image_unavailable', 'The picture is larger than 5 MB'],
  [
    '/inside.png',
    422,
    'image_unavailable',
    'The picture redirects to http://10.0.0.1/a.png, which is at a private address (10.0.0.1), which is refused',
  ],
])('says why %s is not to be had', async (path, status, code, message) => {
  expect(await take(site + path)).toEqual({ status, body: expect.objectContaining({ code, message }) });
});

it('asks nothing at a private address, and says the same of every port and host there', async () => {
  trust([]);
  const answers = await Promise.all(
    [`${site}/a.png`, 'http://127.0.0.1:1/a.png', 'http://[::1]/', 'http://0x7f.1/'].map((address) => take(address)),
  );
  for (const { status, body } of answers) {
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'image_unavailable' });
    expect(body.message).toMatch(/^The picture is at a private address \((?:127\.0\.0\.1|::1)\), which is refused$/);
  }
  expect(asked).toEqual([]);
});

it.each([
  ['a name that leads inside', 'http://localhost:1/a.png', {}],
  ['a name that leads there', '/named.png', {}],
  ['a name of nobody', 'http://nobody.invalid/a.png', {}],
  ['a port where nobody listens', 'http://127.0.0.1:1/a.png', {}],
  ['a site that says nothing', '/silent.png', { idleMs: 50 }],
  ['a site that is too slow', '/silent.png', { totalMs: 50 }],
])('says the same of %s', async (_what, address, limits) => {
  trust(['127.0.0.1'], limits);
  const { status, body } = await take(address.startsWith('/') ? site + address : address);
  expect([status, body.message]).toEqual([422, 'The picture could not be fetched: its site does not answer']);
});

it.each([
  undefined,
  '',
  'ftp://a.example/x',
  '/media/x',
  'javascript:alert(1)',
  `https://a.example/${'x'.repeat(8000)}`,
])('refuses an address that is none: %#', async (address) => {
  expect(await take(address)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

it('is for administrators', async () => {
  const { accessToken } = await signIn(app, await createAccount(app));
  expect((await take(`${site}/a.png`, { token: accessToken })).status).toBe(403);
  expect((await take(`${site}/a.png`, { token: '' })).status).toBe(401);
  expect(asked).toEqual([]);
});

it('stops fetching when the author has gone', async () => {
  trust(['127.0.0.1'], { totalMs: 3_600_000, idleMs: 3_600_000 });
  const leaving = new AbortController();
  const before = ended;
  const answer = take(`${site}/silent.png`, { signal: leaving.signal });
  await until(() => asked.includes('/silent.png'));
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await until(() => ended > before);
});

itSlow('lets nobody fetch without end', async () => {
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  const token = (await signIn(app, account)).accessToken;
  trust([]);
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 400) {
    const many = await Promise.all(Array.from({ length: 40 }, () => take('http://127.0.0.1:1/a.png', { token })));
    statuses.push(...many.map(({ status }) => status));
  }
  expect(statuses).toContain(429);
  // Others go on.
  expect((await take('http://127.0.0.1:1/a.png')).status).toBe(422);
});
