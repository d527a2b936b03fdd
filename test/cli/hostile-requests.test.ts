import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusOf } from '../support/balancer.js';
import { createTestApp } from '../support/create-test-app.js';
import { startServer, type RunningProcess } from '../support/process.js';
import { speakTo } from '../support/raw-connection.js';
import { fewOf } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const SECURITY = [
  ...['content-security-policy', 'x-content-type-options', 'referrer-policy', 'x-request-id'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy'],
];

let server: RunningProcess & { readonly url: string };

/** Sends bytes as they are, and reads the answer to its end. */
async function send(bytes: string) {
  const answer = await (await speakTo(server.url, bytes)).closed;
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  const lines = head.split('\r\n').slice(1);
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)) as [string, string][]);
  return { status: Number(head.split(' ')[1]), headers, body };
}

const get = (target: string, more = '') =>
  send(`GET ${target} HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n${more}\r\n`);

beforeAll(async () => {
  const app = await createTestApp({ AUTH_BASE_PATH: '/auth/v1' });
  await app.close();
  server = await startServer(app.environment);
  // A first page may take longer on a busy machine than the database has for it.
  await untilEqual(() => statusOf(`${server.url}/about`), 200);
});

describe('an address that is none', () => {
  it.each(['//%20x', '//evil.example/x', '/a\\b', '/%', '/%E0%A4%A', '/blogs/%ED%A0%80', '*'])(
    '%s is the page for what is not there, with every header and of this site',
    async (target) => {
      const { status, headers, body } = await get(target);
      expect(status).toBe(404);
      expect(headers['content-type']).toContain('text/html');
      for (const name of SECURITY) expect(headers).toHaveProperty(name);
      expect(body).toMatch(/<h1[^>]*>[^<]*not found/i);
      expect(/property="og:url" content="([^"]*)"/.exec(body)?.[1]).toMatch(/^http:\/\/site\.test\//);
    },
  );

  it('is answered in the shape of its room', async () => {
    const api = await get('/api/%E0%A4%A');
    expect(api).toMatchObject({ status: 404, headers: { 'x-content-type-options': 'nosniff' } });
    expect(JSON.parse(api.body)).toMatchObject({ code: 'not_found' });
    const accounts = await get('/auth/v1/%E0%A4%A');
    expect(accounts).toMatchObject({ status: 404, headers: { 'access-control-allow-origin': '*' } });
    expect(JSON.parse(accounts.body)).toMatchObject({ code: 404, error_code: 'not_found' });
  });

  it.each(['//', '///', '/\\'])('%s is the home page', async (target) => {
    const { status, body } = await get(target);
    expect(status).toBe(200);
    expect(body).toContain('og:url" content="http://site.test/"');
  });

  it.each(['//evil.example/', '/\\evil.example/', '///evil.example//', '/\\/evil.example/'])(
    '%s leads to no other site',
    async (target) => {
      expect((await get(target)).headers).toMatchObject({ location: '/evil.example' });
    },
  );

  it('may name this server, or another: the path counts', async () => {
    expect((await get('http://evil.example/about')).body).toContain('og:url" content="http://site.test/about"');
    expect((await get('http://evil.example/about/')).headers).toMatchObject({ location: '/about' });
  });

  it.each(['/%61bout', '/x/../about', '/x/%2e%2E/./about'])('%s is the page that it spells', async (target) => {
    const { status, body } = await get(target);
    expect(status).toBe(200);
    expect(body).toContain('og:url" content="http://site.test/about"');
  });

  it('is guarded under every spelling', async () => {
    for (const target of ['/%61pi/admin/posts', '/x/../api/admin/posts', '//api/admin/./posts', '/api/%61dmin/posts']) {
      expect(await get(target)).toMatchObject({ status: 401, headers: { 'x-content-type-options': 'nosniff' } });
    }
  });
});

describe('what never comes to the framework has the headers of every answer', () => {
  it.each([
    [400, 'what is no request', 'NONSENSE\r\n\r\n'],
    [400, 'a host that is not named', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [405, 'a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: a\r\n\r\n'],
    [417, 'an empty expectation', 'GET / HTTP/1.1\r\nhost: a\r\nexpect:\r\nconnection: close\r\n\r\n'],
    [431, 'a swollen head', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%i for %s', async (status, _name, bytes) => {
    const answer = await send(bytes);
    expect(answer.status).toBe(status);
    for (const name of SECURITY) expect(answer.headers).toHaveProperty(name);
    expect(JSON.parse(answer.body)).toMatchObject({ request_id: answer.headers['x-request-id'] });
  });
});

it('who is refused unread and hangs up takes nobody along', async () => {
  const endings = [
    'content-length: 99\r\n\r\n{',
    'transfer-encoding: chunked\r\n\r\n5\r\n{',
    'content-length: 9999999\r\n\r\n',
  ];
  for (const ending of endings) {
    const half = `POST /api/contact HTTP/1.1\r\nhost: a\r\ncontent-type: application/xml\r\n${ending}`;
    const { socket } = await speakTo(server.url, half);
    socket.resetAndDestroy();
    const answered = await speakTo(server.url, half);
    await until(() => /^HTTP\/1\.1 41[35]/.test(answered.heard));
    answered.socket.resetAndDestroy();
    const broken = await speakTo(server.url, `${half}\0\r\nzz`);
    await until(() => /^HTTP\/1\.1 4\d\d/.test(broken.heard));
    broken.socket.end();
    await broken.closed;
    expect((await get('/')).status).toBe(200);
  }
});

describe('who sends too much hears so, also while still sending', () => {
  const BODY = Buffer.alloc(8_000_000, 'x');
  const head = (line: string, headers: string) =>
    Buffer.from(`${line} HTTP/1.1\r\nhost: a\r\ncontent-length: ${BODY.length}\r\n${headers}\r\n`);
  const JSON_TYPE = 'content-type: application/json\r\n';

  const requests = [
    [413, 'on a connection that stays', 'POST /api/contact', JSON_TYPE],
    [413, 'as the last request of a connection', 'POST /api/contact', `${JSON_TYPE}connection: close\r\n`],
    [415, 'in no known type', 'POST /api/contact', 'content-type: x/y\r\nconnection: close\r\n'],
    [400, 'to what is no address', 'POST \\api\\contact', JSON_TYPE],
    [417, 'and expects too much', 'POST /api/contact', 'expect: miracles\r\n'],
    [
      ...[415, 'as a compressed form', 'POST /api/contact'],
      'content-type: multipart/form-data; boundary=b\r\ncontent-encoding: gzip\r\nconnection: close\r\n',
    ],
  ] as [number, string, string, string][];

  it.each(fewOf(requests, ([, name]) => name !== 'as the last request of a connection'))(
    '%i %s',
    async (status, _name, line, headers) => {
      const senders = Array.from({ length: 6 }, async () => {
        const { heard, closed, socket } = await speakTo(server.url, Buffer.concat([head(line, headers), BODY]));
        if (heard === '') await once(socket, 'data');
        socket.end();
        return Number((await closed).split(' ')[1]);
      });
      expect(await Promise.all(senders)).toEqual(Array(6).fill(status));
    },
  );

  it('and may ask again on the same connection', async () => {
    const form = 'content-type: multipart/form-data; boundary=b\r\ncontent-encoding: gzip\r\n';
    for (const headers of [JSON_TYPE, form]) {
      const connection = await speakTo(server.url, Buffer.concat([head('POST /api/contact', headers), BODY]));
      connection.say('GET /about HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
      expect((await connection.closed).match(/HTTP\/1\.1 \d\d\d/g)?.map((text) => text.slice(-3))).toEqual([
        headers === form ? '415' : '413',
        '200',
      ]);
    }
  });
});
