import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { onCleanup } from '../support/cleanup.js';
import { describeFault } from '../support/fault-scenario.js';
import { findFreePort } from '../support/free-port.js';
import { startCaddy, startHaproxy, startNginx } from '../support/real-balancers.js';
import { restartUnderLoad } from '../support/rolling-restarts.js';

const ROUNDS = 10;

describeFault('ten rolling restarts behind haproxy, as it is printed: readiness checks and no retries', {
  protection: 'its readiness checks',
  run: (isProtected) =>
    restartUnderLoad({
      rounds: isProtected ? ROUNDS : 1,
      variables: { SHUTDOWN_DELAY: '5' },
      balance: (ports) => startHaproxy(ports, isProtected),
    }),
});

for (const workers of ['1', '2']) {
  const title = `ten rolling restarts of two units with WEB_CONCURRENCY=${workers} behind nginx, as it is printed`;
  describeFault(`${title}: no checks, and its usual retries`, {
    protection: 'its retries',
    run: (isProtected) =>
      restartUnderLoad({
        rounds: isProtected ? ROUNDS : 1,
        variables: { WEB_CONCURRENCY: workers },
        balance: (ports) => startNginx(ports, isProtected),
      }),
  });
}

describeFault('ten rolling restarts behind Caddy, as it is printed: readiness checks', {
  protection: 'its readiness checks',
  run: (isProtected) =>
    restartUnderLoad({
      rounds: isProtected ? ROUNDS : 1,
      variables: { SHUTDOWN_DELAY: '5' },
      balance: (ports) => startCaddy(ports, isProtected),
    }),
});

/** Starts what stands for a process of the site, and returns its port. */
async function startProcess(answer: RequestListener): Promise<number> {
  const process = createServer(answer).listen(0, '127.0.0.1');
  await once(process, 'listening');
  onCleanup(() => void process.close());
  return (process.address() as AddressInfo).port;
}

it.each([
  ['haproxy', startHaproxy],
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])(
  '%s, as it is printed, hands on access tokens with all the metadata that an account can have',
  async (_name, start) => {
    const port = await startProcess(({ headers }, response) => {
      response.setHeader('location', `https://www.example.com/#${headers.authorization ?? ''}`).end();
    });
    const { url } = await start([port, port]);
    const token = 'x'.repeat(14_000);
    const { status, headers } = await fetch(url, { headers: { authorization: token } });
    expect([status, headers.get('location')]).toEqual([200, `https://www.example.com/#${token}`]);
  },
);

describe('Caddy, as it is printed', () => {
  it('leads pages to https, and refuses programs that call without it', async () => {
    const port = await startProcess((_request, response) => response.end('ok'));
    const { plainUrl } = await startCaddy([port, await findFreePort()]);
    const ask = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(plainUrl + path, { method, redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await ask('/blogs?a=1')).toEqual([301, 'https://www.example.com/blogs?a=1']);
    expect(await ask('/api/posts')).toEqual([403, null]);
    expect(await ask('/auth/v1/token?grant_type=password', 'POST')).toEqual([403, null]);
  });
});
