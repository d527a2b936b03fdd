import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/config.js';
import { S3Storage, type S3Config } from '../../src/uploads/storage/s3-storage.js';
import { StorageError, StorageFullError } from '../../src/uploads/storage/storage.js';
import { onCleanup } from '../support/cleanup.js';
import type { Variables } from '../support/environment.js';
import { startS3Server } from '../support/s3-server.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

/** For what is to fail. */
const LIMITS = { callMs: 500, idleMs: 500 };
/** For what is to go well as well, on a machine that has other things to do. */
const FAIR = { callMs: 4_000, idleMs: 4_000 };
/** More than all buffers between here and the bucket hold. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'large');
const SMALL = Buffer.from('small');

let variables: Variables;
let proxy: TcpProxy;
let storage: S3Storage;

const open = (endpoint: string, limits = LIMITS) =>
  new S3Storage(loadConfig({ ...variables, S3_ENDPOINT: endpoint }).storage as S3Config, limits);

beforeAll(async () => {
  variables = await startS3Server();
  proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(new URL(variables.S3_ENDPOINT!).port) });
  const patient = open(`http://127.0.0.1:${proxy.port}`, { callMs: 60_000, idleMs: 60_000 });
  await patient.put('large.png', LARGE, 'image/png');
  await patient.put('small.png', SMALL, 'image/png');
  await patient.close();
});
beforeEach(() => {
  storage = open(`http://127.0.0.1:${proxy.port}`);
});
afterEach(async () => {
  // Whatever went wrong, nothing that was borrowed is still out.
  await until(() => storage.inUse === 0);
  await storage.close();
  await proxy.open();
});

/** Every call of the storage, carried out to its end. */
const questions: readonly [name: string, ask: (storage: S3Storage) => Promise<unknown>][] = [
  ['put', (asked) => asked.put('new.png', SMALL, 'image/png')],
  ['open', async (asked) => await buffer((await asked.open('large.png'))?.stream ?? Readable.from([]))],
  ['sizeOf', (asked) => asked.sizeOf('small.png')],
  ['delete', (asked) => asked.delete('none.png')],
  ['list', async (asked) => await asked.list()[Symbol.asyncIterator]().next()],
];

describe('a bucket that hangs', () => {
  it.each(fewOf(questions, ([name]) => name !== 'open'))(
    'is not waited for longer than the limit: %s',
    async (_, ask) => {
      proxy.silence();
      const patient = open(`http://127.0.0.1:${proxy.port}`, { callMs: 3_600_000, idleMs: 3_600_000 });
      // Without the limit, it would be waited for.
      const unlimited = ask(patient);
      await expect(ask(storage)).rejects.toThrow(/cannot be reached: no (?:answer|connection) within/);
      expect(await Promise.race([unlimited, Promise.resolve('pending')])).toBe('pending');
      await proxy.open();
      await unlimited.catch(() => undefined);
      await patient.close();
    },
  );

  itSlow('does so with a connection that was in use before, and is asked on a new one when it is back', async () => {
    const fair = open(`http://127.0.0.1:${proxy.port}`, FAIR);
    expect(await fair.sizeOf('small.png')).toBe(SMALL.length);
    proxy.silence();
    await expect(fair.sizeOf('small.png')).rejects.toThrow(StorageError);
    await proxy.open();
    expect(await fair.sizeOf('small.png')).toBe(SMALL.length);
    await fair.close();
  });

  it('is not waited for by those that wait for a free connection', async () => {
    proxy.silence();
    const calls = Array.from({ length: 100 }, () => storage.put('new.png', SMALL, 'image/png'));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
  });

  it('is left at once by whoever does not want to know any more', async () => {
    const patient = open(`http://127.0.0.1:${proxy.port}`, { callMs: 3_600_000, idleMs: 3_600_000 });
    proxy.silence();
    const leaving = new AbortController();
    const opening = patient.open('small.png', leaving.signal);
    await until(() => patient.inUse === 1);
    leaving.abort();
    await expect(opening).rejects.toThrow(StorageError);
    await until(() => patient.inUse === 0);
    await patient.close();
  });

  it('in the middle of a body that we send, is not waited for', async () => {
    proxy.stallAfter(1024 * 1024, 'client');
    await expect(storage.put('new.png', LARGE, 'image/png')).rejects.toThrow('no answer within');
  });

  it('in the middle of a body that it sends, ends the reading', async () => {
    const fair = open(`http://127.0.0.1:${proxy.port}`, { callMs: 60_000, idleMs: 2_000 });
    proxy.stallAfter(1024 * 1024, 'service');
    const file = await fair.open('large.png');
    expect(file?.size).toBe(LARGE.length);
    await expect(buffer(file!.stream)).rejects.toThrow('not a byte came for');
    await fair.close();
  });

  itSlow('before the first byte of a body that it sends, hands out no file', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n';
    const silent = createServer((request) => request.socket.write(head)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onCleanup(() => silent.close().closeAllConnections());
    // Its head has to come in time, and what is read of it then has no limit of its own.
    const limits = { callMs: 2_000, idleMs: 3_600_000 };
    const other = open(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, limits);
    await expect(other.open('small.png')).rejects.toThrow('not a byte came in time');
    await until(() => other.inUse === 0);
    await other.close();
  });
});

describe('a bucket that works', () => {
  itSlow('may take its time with a large body, as long as its bytes move', async () => {
    const other = open(`http://127.0.0.1:${proxy.port}`, FAIR);
    // Six seconds, of which the buffers on the way hide two at the end.
    proxy.throttle(4 * 1024 * 1024);
    await other.put('slow.png', LARGE, 'image/png');
    await proxy.open();
    expect(await other.sizeOf('slow.png')).toBe(LARGE.length);
    await other.close();
  });

  itSlow('is not blamed for somebody who reads slowly', async () => {
    const fair = open(`http://127.0.0.1:${proxy.port}`, { ...FAIR, idleMs: 1_500 });
    const file = await fair.open('large.png');
    const reading = file!.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = (await reading.next()).value as Buffer;
    // So much time passes that a bucket would be given up.
    proxy.silence('PUT');
    const other = open(`http://127.0.0.1:${proxy.port}`, { callMs: 2_000, idleMs: 2_000 });
    await expect(other.put('new.png', SMALL, 'image/png')).rejects.toThrow('no answer within');
    await other.close();
    await proxy.open();
    let size = first.length;
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) size += next.value.length;
    expect(size).toBe(LARGE.length);
    await fair.close();
  });

  it('gets its connection back from a reader who goes away', async () => {
    const fair = open(`http://127.0.0.1:${proxy.port}`, FAIR);
    const file = await fair.open('large.png');
    file!.stream.destroy();
    await until(() => fair.inUse === 0);
    await fair.close();
  });
});

describe('a bucket in trouble', () => {
  it.each([
    ['how long a file is', 200, {}],
    ['which part of a file it sends', 206, { 'content-length': 5, 'content-range': 'bytes 0-4/*' }],
  ])('that does not say %s hands out none, and gets its connection back', async (_, status, head) => {
    // The rest of the body does not come: nobody waits for it either.
    const vague = createServer((_request, response) => response.writeHead(status, head).write('one')).listen(
      0,
      '127.0.0.1',
    );
    await once(vague, 'listening');
    onCleanup(() => vague.close().closeAllConnections());
    const other = open(`http://127.0.0.1:${(vague.address() as AddressInfo).port}`, {
      callMs: 30_000,
      idleMs: 3_600_000,
    });
    const opening = other.open('small.png', undefined, { first: 0, last: 4 });
    await expect(opening).rejects.toThrow('did not say which bytes of small.png it sent');
    await until(() => other.inUse === 0);
    await other.close();
  });

  it('that cuts the line in the middle of a file ends the reading with an error', async () => {
    const fair = open(`http://127.0.0.1:${proxy.port}`, FAIR);
    proxy.stallAfter(1024 * 1024, 'service');
    const file = await fair.open('large.png');
    const reading = buffer(file!.stream);
    proxy.reset();
    await expect(reading).rejects.toThrow();
    await until(() => fair.inUse === 0);
    await fair.close();
  });

  it.each([
    [[500, 503], 3],
    [[500, 500, 500, 500], 3],
    [[403], 1],
    [[507], 1],
  ])('that answers %j is asked %i times', async (statuses, times) => {
    let asked = 0;
    const server = createServer((request, response) => {
      const status = statuses[asked] ?? 200;
      asked += 1;
      request.resume().on('end', () => response.writeHead(status, { 'content-length': 0 }).end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => server.close().closeAllConnections());
    const other = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { callMs: 30_000, idleMs: 500 });
    const put = other.put('new.png', SMALL, 'image/png');
    if (statuses.length < times) await put;
    else await expect(put).rejects.toThrow(statuses[0] === 507 ? StorageFullError : StorageError);
    expect(asked).toBe(times);
    expect(other.inUse).toBe(0);
    await other.close();
  });
});
