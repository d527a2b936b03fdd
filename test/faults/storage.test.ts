import { createServer } from 'node:http';
import { once } from 'node:events';
import { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { UploadedImage } from '../../src/shared/contracts/media.js';
import { Clock } from '../../src/shared/clock.js';
import { renditionsOf } from '../../src/shared/media.js';
import { Image } from '../../src/uploads/image.entity.js';
import { LEFT_FILE_MS, MediaSweepService } from '../../src/uploads/media-sweep.service.js';
import type { S3Storage } from '../../src/uploads/storage/s3-storage.js';
import { STORAGE } from '../../src/uploads/storage/storage.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { startS3Server } from '../support/s3-server.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until, untilEqual } from '../support/until.js';

const AWAY = {
  status: 503,
  retryAfter: '5',
  body: {
    code: 'storage_unavailable',
    message: 'The image storage does not answer just now. Try again in a moment.',
  },
};

let proxy: TcpProxy;
let app: TestApp;
let storage: S3Storage;
let url: string;
let headers: Record<string, string>;
let shown: UploadedImage;
let color = 0;

/** A picture that no other test uses; with noise it is larger than what networks keep. */
async function makeImage(isLarge = false): Promise<Buffer> {
  const background = { r: (++color * 20) % 256, g: 10, b: 10 };
  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
  const size = isLarge ? { width: 700, height: 500 } : { width: 40, height: 30 };
  return await sharp({ create: { ...size, channels: 3, background, ...(isLarge ? { noise } : {}) } })
    .png({ compressionLevel: isLarge ? 0 : 9 })
    .toBuffer();
}

async function upload(bytes: Buffer): Promise<Response> {
  const body = new FormData();
  body.append('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
  return await fetch(`${url}/api/uploads`, { method: 'POST', headers, body });
}

async function told(answer: Promise<Response>) {
  const {
    status,
    headers: heard,
    ...rest
  } = await answer.then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as unknown,
  }));
  return { status, retryAfter: heard.get('retry-after'), ...rest };
}

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.list()) found.push(key);
  return found;
}
const rows = () => app.get(EntityManager).fork().find(Image, {});

beforeAll(async () => {
  const variables = await startS3Server();
  proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(new URL(variables.S3_ENDPOINT).port) });
  app = await createTestApp({ ...variables, S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` });
  storage = app.get<S3Storage>(STORAGE);
  url = await app.listen();
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  headers = { authorization: `Bearer ${(await signIn(app, account)).accessToken}` };
  shown = (await (await upload(await makeImage(true))).json()) as UploadedImage;
});
afterEach(async () => {
  await proxy.open();
  // Every connection that was borrowed is back, and the next upload finds one.
  await until(() => storage.inUse === 0);
  expect((await upload(await makeImage())).status).toBe(201);
  expect((await fetch(url + shown.url)).status).toBe(200);
  // What the bucket took when we had given it up is found by the sweep; by then nothing is without a row. It may hear
  // of it only now, and take it behind a sweep.
  const later = Date.now() + LEFT_FILE_MS + 60_000;
  jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date(later));
  const promised = (await rows()).flatMap(({ name }) => renditionsOf(name).map((file) => file.name));
  const readSwept = async () => {
    await app.get(MediaSweepService).sweep();
    return (await names()).sort();
  };
  await untilEqual(readSwept, promised.sort()).finally(() => jest.restoreAllMocks());
});

describe('a bucket in trouble, for those who upload and those who look', () => {
  const faults: readonly [name: string, isShowing: boolean, begin: () => unknown][] = [
    ['refuses connections', false, () => proxy.close()],
    ['hangs', false, () => proxy.silence()],
    ['hangs in the middle of what it is sent', true, () => proxy.stallAfter(100, 'client')],
    [
      'cuts in the middle of what it is sent',
      false,
      () => void proxy.cutWhen({ from: 'client', at: /./, isDelivered: false }),
    ],
  ];

  it.each(fewOf(faults, ([name]) => name === 'refuses connections'))(
    'that %s is said to be away, within seconds, and nothing of the upload stays',
    async (_, isShowing, begin) => {
      const before = (await rows()).length;
      const image = await makeImage(true);
      await begin();
      const [uploaded, seen, page] = await Promise.all([
        told(upload(image)),
        isShowing ? AWAY : told(fetch(url + shown.url)),
        fetch(`${url}/about`),
      ]);
      expect(uploaded).toMatchObject(AWAY);
      expect(seen).toMatchObject(AWAY);
      // Nothing else depends on it.
      expect(page.status).toBe(200);
      expect(await rows()).toHaveLength(before);
    },
  );

  itSlow('that answers 500 is said to be away', async () => {
    await proxy.close();
    const failing = createServer((request, response) =>
      request.resume().on('end', () => response.writeHead(500).end()),
    );
    failing.listen(proxy.port, '127.0.0.1');
    await once(failing, 'listening');
    try {
      expect(await told(upload(await makeImage()))).toMatchObject(AWAY);
      expect(await told(fetch(url + shown.url))).toMatchObject(AWAY);
    } finally {
      failing.closeAllConnections();
      await new Promise((resolve) => failing.close(resolve));
    }
  });

  itSlow.each([
    ['stalls', async () => undefined],
    ['cuts', async () => proxy.reset()],
  ])('that %s in the middle of an image breaks the answer off, so that the browser notices', async (_, cut) => {
    // So much of it on each connection, of which there must be new ones.
    proxy.stallAfter(300_000, 'service');
    proxy.cut();
    const answer = await fetch(url + shown.url);
    expect(answer.status).toBe(200);
    const reading = answer.arrayBuffer();
    await cut();
    await expect(reading).rejects.toThrow('terminated');
  });

  it('gets its connection back from visitors who leave', async () => {
    proxy.silence();
    const leaving = new AbortController();
    const visits = Array.from({ length: 5 }, () => fetch(url + shown.url, { signal: leaving.signal }));
    await until(() => storage.inUse === 5);
    leaving.abort();
    await Promise.allSettled(visits);
    await until(() => storage.inUse === 0);
  });
});
