import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../../test/support/free-port.js';
import { RemoteImageFetcher } from './remote-image-fetcher.js';

/** Only what is about time has little of it: a busy machine is no slow site. */
const limits = { maxBytes: 2000, totalMs: 20_000, idleMs: 20_000 };
const requests: string[] = [];
let server: Server;
let base: string;

/** Answers of the site by path; a function where a plain answer is not enough. */
const pages: Readonly<Record<string, RequestListener>> = {
  '/good.png': (_request, response) => response.end('the image'),
  '/full.png': (_request, response) => response.end(Buffer.alloc(2000)),
  '/announced.png': (_request, response) => {
    response.writeHead(200, { 'content-length': '2001' });
    response.flushHeaders();
  },
  '/large.png': (_request, response) => response.end(Buffer.alloc(2001)),
  '/endless.png': (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(500)));
    };
    response.on('drain', write);
    write();
  },
  '/silent.png': () => undefined,
  '/stalled.png': (_request, response) => response.write('the'),
  '/drip.png': (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/short.png': (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('the');
    setImmediate(() => request.socket.destroy());
  },
  '/squeezed.png': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/headers.png': (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end('x'),
  '/missing.png': (_request, response) => response.writeHead(404).end(),
  '/busy.png': (_request, response) => {
    response.writeHead(requests.length === 1 ? 503 : 200, { 'retry-after': '0' }).end('later');
  },
  '/broken.png': (_request, response) => response.writeHead(500).end(),
  '/patience.png': (_request, response) => response.writeHead(429, { 'retry-after': '60' }).end(),
  '/moved.png': (_request, response) => response.writeHead(302, { location: 'good.png#top' }).end(),
  '/round.png': (_request, response) => response.writeHead(307, { location: '/round.png' }).end(),
  '/nowhere.png': (_request, response) => response.writeHead(302).end(),
  '/inside.png': (_request, response) => response.writeHead(301, { location: 'http://127.1:1/secret' }).end(),
  '/inside6.png': (_request, response) => response.writeHead(308, { location: 'http://[::1]:1/secret' }).end(),
  '/file.png': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/user.png': (_request, response) => response.writeHead(302, { location: 'http://a:b@localhost/' }).end(),
};

const createFetcher = (options: ConstructorParameters<typeof RemoteImageFetcher>[0] = {}) =>
  new RemoteImageFetcher({
    privateHosts: ['site.example'],
    resolve: async (host) => (host === 'site.example' ? ['127.0.0.1'] : Promise.reject(new Error('unknown'))),
    limits,
    pauseMs: 0,
    ...options,
  });
const reasonOf = async (task: Promise<unknown>) =>
  await task.then(
    () => 'was fetched',
    (error: unknown) => String(error),
  );

beforeAll(async () => {
  server = createHttpServer((request, response) => {
    requests.push(request.url ?? '');
    (pages[request.url ?? ''] ?? pages['/missing.png'])?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://site.example:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

beforeEach(() => void requests.splice(0));

describe('RemoteImageFetcher', () => {
  it.each([
    ['/good.png', 'the image'],
    ['/moved.png', 'the image'],
    ['/busy.png', 'later'],
    ['/full.png', '\0'.repeat(2000)],
  ])('fetches %s', async (path, expected) => {
    expect(String(await createFetcher().fetch(base + path))).toBe(expected);
  });

  it.each([
    ['/missing.png', 'answered 404', 1],
    ['/broken.png', 'answered 500', 2],
    ['/patience.png', 'answered 429', 1],
    ['/nowhere.png', 'answered 302', 1],
    ['/announced.png', 'is larger than 2000 bytes', 1],
    ['/large.png', 'is larger than 2000 bytes', 1],
    ['/endless.png', 'is larger than 2000 bytes', 1],
    ['/squeezed.png', 'was sent compressed', 1],
    ['/round.png', 'redirects more than 5 times', 6],
    [
      '/inside.png',
      'redirects to http://127.1:1/secret, which is at a private address (127.0.0.1), which is refused',
      1,
    ],
    ['/inside6.png', 'redirects to http://[::1]:1/secret, which is at a private address (::1), which is refused', 1],
    ['/file.png', 'redirects to file:///etc/passwd, which is no http or https address', 1],
    ['/user.png', 'which has a user name or password in its address, which is refused', 1],
    ['/short.png', 'could not be fetched (ECONNRESET)', 2],
    ['/headers.png', 'could not be fetched (HPE_HEADER_OVERFLOW)', 2],
  ])('says what is wrong with %s', async (path, reason, attempts) => {
    expect(await reasonOf(createFetcher().fetch(base + path))).toContain(reason);
    expect(requests).toHaveLength(attempts);
  });

  it.each([
    ['/silent.png', 'sent nothing for 0.05 seconds', { idleMs: 50 }],
    ['/stalled.png', 'sent nothing for 0.05 seconds', { idleMs: 50 }],
    ['/drip.png', 'took longer than 0.1 seconds', { totalMs: 100 }],
    ['/silent.png', 'took longer than 0.1 seconds', { totalMs: 100 }],
  ])('does not wait for %s for ever', async (path, reason, times) => {
    const fetcher = createFetcher({ limits: { ...limits, ...times } });
    expect(await reasonOf(fetcher.fetch(base + path))).toContain(reason);
  });

  it('does not wait for an answer to the question for a name', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const fetcher = createFetcher({ resolve, limits: { ...limits, totalMs: 20 } });
    expect(await reasonOf(fetcher.fetch(base + '/good.png'))).toContain('took longer than 0.02 seconds');
  });

  it.each([
    ['ftp://site.example/a.png', 'is no http or https address'],
    ['//site.example/a.png', 'is no http or https address'],
    ['http://', 'is no http or https address'],
    ['http://me@site.example/a.png', 'has a user name or password in its address'],
    ['http://127.0.0.1:1/a.png', 'is at a private address (127.0.0.1)'],
  ])('asks nobody for %s', async (address, reason) => {
    expect(await reasonOf(createFetcher().fetch(address))).toContain(reason);
    expect(requests).toEqual([]);
  });

  it('asks what a name means once, and connects to what was checked', async () => {
    const questions: string[] = [];
    const resolve = async (host: string) => (questions.push(host) === 1 ? ['127.0.0.1'] : ['127.0.0.2']);
    expect(String(await createFetcher({ resolve }).fetch(base + '/good.png'))).toBe('the image');
    expect(questions).toEqual(['site.example']);
  });

  it('stops asking a site that gives no sign of life', async () => {
    const port = await findFreePort();
    const fetcher = createFetcher();
    const reasons: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      reasons.push(await reasonOf(fetcher.fetch(`http://site.example:${port}/${index}.png`)));
    }
    expect(reasons[2]).toContain('could not be fetched (ECONNREFUSED)');
    expect(reasons[3]).toContain(`is on a site that does not answer (site.example:${port})`);
    expect(await reasonOf(fetcher.fetch(base + '/good.png'))).toBe('was fetched');
  });
});
