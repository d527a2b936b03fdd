import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { paths } from '../../src/shared/paths.js';
import { statusOf } from '../support/balancer.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { startServer, type RunningProcess } from '../support/process.js';
import { speakTo } from '../support/raw-connection.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { untilEqual } from '../support/until.js';

const EMAIL = 'ada@example.com';
const FAR_EAST: Readonly<Record<string, string>> = { TZ: 'Pacific/Kiritimati' };
const SIGN_IN = '/auth/v1/token?grant_type=password';

let app: TestApp;
let server: RunningProcess & { readonly url: string };
const dataDir = temporaryFolder();
const begunAt = Date.now();

const signIn = (password: string) =>
  fetch(server.url + SIGN_IN, { method: 'POST', body: JSON.stringify({ email: EMAIL, password }) });

beforeAll(async () => {
  app = await createTestApp({ AUTH_BASE_PATH: '/auth/v1', AUTH_MAIL_AUTOCONFIRM: 'true' });
  const payload = { email: EMAIL, password: 'correct horse 7' };
  await app.inject({ method: 'POST', url: '/auth/v1/signup', payload });
  // Where it is tomorrow already, and with a public address of https.
  server = await startServer({
    ...app.environment,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...FAR_EAST,
    PUBLIC_URL: 'https://site.test',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  // A first page may take longer on a busy machine than the database has for it.
  await untilEqual(() => statusOf(`${server.url}/nothing`), 404);
});

describe('the bounds of a request are plain', () => {
  const head = 'POST /api/contact HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
  const smuggled = 'GET /about HTTP/1.1\r\nhost: a\r\n\r\n';

  it.each([
    ['a length beside chunks', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'content-length: 0\r\ncontent-length: 34\r\n\r\n'],
    ['a length that is no number', 'content-length: +0\r\n\r\n'],
    ['chunks that are not the last coding', 'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['a blank before a colon', 'content-length : 0\r\n\r\n'],
    ['a folded header', 'x: a\r\n content-length: 0\r\n\r\n'],
    ['a zero character', 'x: a\0b\r\ncontent-length: 0\r\n\r\n'],
    ['the length of a chunk that is none', 'transfer-encoding: chunked\r\n\r\n0x0\r\n\r\n'],
  ])('%s ends the connection, and nothing behind it is obeyed', async (_name, rest) => {
    const connection = await speakTo(server.url, head + rest + smuggled);
    connection.socket.end();
    const heard = await connection.closed;
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });
});

describe('what the server has is not what it shows', () => {
  it.each([
    ...[
      '/.git/HEAD',
      '/.git/config',
      '/%2egit/HEAD',
      '/.env',
      '/package.json',
      '/dist/server.js',
      '/src/app.module.ts',
    ],
    ...[
      '/assets/../../.git/HEAD',
      '/assets/..%2f..%2f.git/HEAD',
      '/media/..%2f..%2fpackage.json',
      '/node_modules/react',
    ],
    ...['/assets', '/assets/', '/media', '/media/', '/assets/.', '/assets/%2e/'],
  ])('%s is not there, and no list of a folder', async (target) => {
    const { closed } = await speakTo(server.url, `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    const answer = await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toMatch(/ref: refs|\[core\]|Index of|href="[^"]*\.js\.br"/);
  });

  it.each(['/', '/about', '/api/posts', '/auth/v1/user', '/assets/x.js', '/nothing'])(
    'TRACE of %s repeats nothing',
    async (path) => {
      const bytes = `TRACE ${path} HTTP/1.1\r\nhost: a\r\nx-secret: hunter2\r\nconnection: close\r\n\r\n`;
      const answer = await (await speakTo(server.url, bytes)).closed;
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).not.toContain('hunter2');
    },
  );

  it('leads no call of a program from http to https: who sends secrets in the clear is not helped on', async () => {
    const headers = { 'x-forwarded-proto': 'http' };
    for (const path of [paths.api.posts, '/auth/v1/settings', '/api/openapi.json', '/api/health/live']) {
      const { status } = await fetch(server.url + path, { headers, redirect: 'manual' });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });
});

describe('the log', () => {
  it('has refusals and sign-ins, in UTC and on the standard output alone', async () => {
    expect((await fetch(server.url + adminPaths.posts)).status).toBe(401);
    const { access_token: token, user } = (await (await signIn('correct horse 7')).json()) as {
      access_token: string;
      user: { id: string };
    };
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(server.url + adminPaths.posts, { headers })).status).toBe(403);
    expect((await signIn('another horse 8')).status).toBe(400);
    const zero = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"\\u0000"}' };
    expect((await fetch(server.url + paths.api.contact, zero)).status).toBe(400);
    const { stdout, stderr, code } = await server.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    const lines = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const withWords = (msg: string) => lines.filter((line) => line['msg'] === msg);
    const requests = withWords('request completed') as unknown as { req: { url: string }; res: object }[];
    const refusals = requests.map(({ req, res }) => [req.url, res]);
    expect(refusals).toEqual(
      expect.arrayContaining([
        [adminPaths.posts, { statusCode: 401, code: 'no_authorization' }],
        [adminPaths.posts, { statusCode: 403, code: 'not_admin' }],
        ['/auth/v1/token', { statusCode: 400, code: 'invalid_credentials' }],
        [paths.api.contact, { statusCode: 400, code: 'invalid_text' }],
      ]),
    );
    const { id } = user;
    expect(withWords('Signed in')).toEqual([expect.objectContaining({ method: 'password', user: id })]);
    expect(withWords('Sign-in refused')).toEqual([
      expect.objectContaining({ method: 'password', code: 'invalid_credentials' }),
    ]);
    expect(stdout).not.toContain(EMAIL);
    // Milliseconds since 1970, whatever the clock on the wall says.
    const times = lines.map(({ time }) => time as number);
    expect(times.filter((time) => !(time >= begunAt - 1 && time <= Date.now()))).toEqual([]);
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /log/i.test(name))).toEqual([]);
  });
});
