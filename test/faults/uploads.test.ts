import childProcess from 'node:child_process';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import sharp from 'sharp';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { paths } from '../../src/shared/paths.js';
import { ImageWorkshop } from '../../src/uploads/uploads.module.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { startProcess, startServer } from '../support/process.js';
import { boastfulPng } from '../support/request-bytes.js';
import { makeHeavyJpeg, makeSlowJpeg } from '../support/slow-jpeg.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { workersOf } from '../support/workers-of.js';

/** Takes twice what a server has for one that answers within two seconds. */
const SLOW = makeSlowJpeg(7000);

let app: TestApp;
let headers: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp();
  const account = await createAccount(app);
  await app.get(RolesService).grantAdmin(OPERATOR, account.id);
  headers = { authorization: `Bearer ${(await signIn(app, account)).accessToken}` };
});

/** All that is in the environment of the process that decodes: how it allocates memory, and its channel. */
const VARIABLES = [
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'UV_THREADPOOL_SIZE',
];

const serve = (seconds = '30') => startServer({ ...app.environment, UPLOAD_SECONDS: seconds });

/** A picture that no other test uses. */
let color = 0;
async function makeImage(side = 20): Promise<Buffer> {
  const background = { r: (++color * 10) % 256, g: 80, b: 160 };
  return await sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer();
}

async function send(url: string, bytes: Buffer, signal?: AbortSignal) {
  const body = new FormData();
  body.append('file', new File([new Uint8Array(bytes)], 'a.jpg'));
  const answer = await fetch(url + paths.api.uploads, { method: 'POST', headers, body, ...(signal ? { signal } : {}) });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') };
}

const STORED = { status: 201, code: undefined, retryAfter: null };
const refusal = (code: string) => ({ status: 422, code, retryAfter: null });
const BUSY = { status: 503, code: 'uploads_busy', retryAfter: '5' };

/** Resolves with the process that decodes for this server, once it is a program of its own, and no copy of the server. */
async function decoderOf({ pid }: { pid: number }): Promise<number> {
  const isDecoder = (child: number) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('image-child');
  await until(() => workersOf(pid).some(isDecoder));
  return workersOf(pid)[0]!;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** True once a process has a handler for this signal. */
function isDeafTo(pid: number, signal: number): boolean {
  const [, caught = '0'] = /SigCgt:\s*(\w+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return ((BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

describe('the process that decodes', () => {
  it('is killed over a picture that takes too long, which is refused, and others are taken', async () => {
    // Within a second, 0.4 are left for a process to start and work: too few on a busy machine.
    const server = await serve('2');
    let answer = await send(server.url, SLOW);
    // A machine whose database was slow as well has little or nothing of the time left, and says what was not in time.
    await until(async () => {
      if (answer.status !== 503) return true;
      answer = await send(server.url, SLOW);
      return false;
    });
    expect(answer).toEqual(refusal('image_too_slow'));
    await until(() => workersOf(server.pid).length === 0);
    const image = await makeImage();
    // On a busy machine the time may pass before a process has started: that of a picture that waits is started ahead.
    await until(async () => {
      const [, other] = await Promise.all([send(server.url, SLOW), send(server.url, image)]);
      return other.status === 201;
    });
  });

  itSlow('costs one upload when it dies', async () => {
    const server = await serve();
    const answered = send(server.url, SLOW);
    process.kill(await decoderOf(server), 'SIGKILL');
    expect(await answered).toEqual(refusal('image_undecodable'));
    expect(await send(server.url, await makeImage())).toEqual(STORED);
    expect(workersOf(server.pid)).toEqual([]);
  });

  itSlow('has the next one started while an image waits, which goes on when the first dies', async () => {
    const server = await serve();
    const slow = send(server.url, SLOW);
    const decoder = await decoderOf(server);
    const waiting = send(server.url, await makeImage());
    await until(() => workersOf(server.pid).length === 2);
    process.kill(decoder, 'SIGKILL');
    expect([await slow, await waiting]).toEqual([refusal('image_undecodable'), STORED]);
    await until(() => workersOf(server.pid).length === 0);
  });

  itSlow('does not outlive the server, and has none of its secrets', async () => {
    const server = await serve();
    const abandoned = send(server.url, SLOW).catch(() => 'cut off');
    const decoder = await decoderOf(server);
    const variables = readFileSync(`/proc/${decoder}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(variables.map((variable) => variable.split('=')[0]).sort()).toEqual(VARIABLES);
    await server.stop('SIGKILL');
    await until(() => !isRunning(decoder));
    expect(await abandoned).toBe('cut off');
  });

  itSlow('finishes what it has begun when the server is told to end', async () => {
    const server = await serve();
    const answered = send(server.url, await makeImage(1900));
    const decoder = await decoderOf(server);
    // A service manager tells all processes. Node has a handler of its own for SIGTERM, this one comes after it.
    await until(() => isDeafTo(decoder, 1));
    process.kill(decoder, 'SIGTERM');
    const { code } = await server.stop();
    expect([await answered, code, isRunning(decoder)]).toEqual([STORED, 0, false]);
  });
});

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

/** Has two images drawn while no file can be opened any more, and one afterward. */
const WITHOUT_DESCRIPTORS = `
  import { closeSync, openSync } from 'node:fs';
  import { ImageWorkshop } from './dist/src/uploads/image-workshop.js';
  const workshop = new ImageWorkshop();
  const draw = () => workshop.run({ kind: 'draw', bytes: Buffer.from('${DRAWING}') });
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null'));
  } catch {}
  const outcomes = await Promise.allSettled([draw(), draw()]);
  taken.forEach((file) => closeSync(file));
  console.log(outcomes.map(({ reason }) => reason?.code).join(), (await draw()).length > 0);
`;

describe('a process that cannot be started', () => {
  it('costs its image alone where files run out, and not the server', async () => {
    const limited = await startProcess(
      ['-c', 'ulimit -n 100 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', WITHOUT_DESCRIPTORS],
      {},
      undefined,
      '',
      '/bin/sh',
    ).ended;
    expect(limited).toMatchObject({ code: 0, stdout: 'EMFILE,EMFILE true\n' });
  });

  itSlow('costs nothing where it was to wait for the next image, and none is left waiting', async () => {
    const { fork } = childProcess;
    const started: childProcess.ChildProcess[] = [];
    const spy = jest.spyOn(childProcess, 'fork').mockImplementation((program, settings) => {
      if (spy.mock.calls.length === 2) throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
      const child = fork(program, settings as childProcess.ForkOptions);
      started.push(child);
      return child;
    });
    syncBuiltinESMExports();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    try {
      const workshop = new ImageWorkshop();
      const draw = () => workshop.run({ kind: 'draw', bytes: Buffer.from(DRAWING) });
      const drawn = await Promise.allSettled([draw(), draw(), draw()]);
      expect(drawn.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
      await until(() => started.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null));
      expect(warn.mock.calls.map(([, text]: unknown[]) => text)).toEqual([
        'No process could be started ahead for the next image',
      ]);
    } finally {
      spy.mockRestore();
      warn.mockRestore();
      syncBuiltinESMExports();
    }
  });
});

const pictures: readonly [name: string, code: string, make: () => Promise<Buffer>][] = [
  ['a picture that fills the memory', 'image_too_heavy', async () => makeHeavyJpeg(7000)],
  ['a tiny file of many pixels', 'image_too_many_pixels', async () => boastfulPng(60_000, 60_000)],
  ['a picture that is cut off', 'image_damaged', async () => (await makeImage(300)).subarray(0, -20)],
  ['an animation without an end', 'image_too_many_pixels', () => makeAnimation(501)],
];

itSlow.each(pictures)('%s is refused by name', async (_, code, make) => {
  const server = await serve();
  expect(await send(server.url, await make())).toEqual(refusal(code));
  expect(await send(server.url, await makeImage())).toEqual(STORED);
});

async function makeAnimation(frames: number): Promise<Buffer> {
  const pixels = Buffer.alloc(frames * 8 * 8 * 3);
  for (let frame = 0; frame < frames; frame += 1) pixels[frame * 8 * 8 * 3 + (frame % 8)] = 255;
  const raw = { width: 8, height: 8 * frames, channels: 3, pageHeight: 8 } as const;
  return await sharp(pixels, { raw, animated: true }).gif().toBuffer();
}

itSlow(
  'takes so many at once, tells the others when to come again, and gives the places of those who leave away',
  async () => {
    const server = await serve();
    const leaving = new AbortController();
    const first = send(server.url, await makeImage(), leaving.signal).catch(() => 'left');
    const decoder = await decoderOf(server);
    process.kill(decoder, 'SIGSTOP');
    const refused: unknown[] = [];
    const others = await Promise.all(Array.from({ length: 20 }, () => makeImage()));
    const sent = others.map(async (bytes) => {
      const answer = await send(server.url, bytes, leaving.signal).catch(() => 'left');
      if (answer !== 'left') refused.push(answer);
      return answer;
    });
    await until(() => refused.length === 5);
    leaving.abort();
    const outcomes = [await first, ...(await Promise.all(sent))];
    expect(outcomes.filter((outcome) => outcome === 'left')).toHaveLength(16);
    expect(refused).toEqual(Array(5).fill(BUSY));
    await until(() => !isRunning(decoder));
    const images = await Promise.all(Array.from({ length: 10 }, () => makeImage()));
    const answers = await Promise.all(images.map((bytes) => send(server.url, bytes)));
    expect(answers).toEqual(images.map(() => STORED));
  },
);
