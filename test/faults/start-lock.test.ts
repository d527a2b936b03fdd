import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { whileListening } from '../../src/database/folder-sockets.js';
import { withLockFile } from '../../src/database/start-lock.js';
import { scaled } from '../support/fault-scale.js';
import { startProcess, type RunningProcess } from '../support/process.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const HOLDER = 'test/support/lock-holder.mjs';
/** Longer than any test waits. */
const FOR_EVER = '3600000';
const ROUNDS = scaled(1, 20);
const [RIVALS = 6] = fewOf([6, 3], (rivals) => rivals === 3);

const newLock = () => join(temporaryFolder(), 'start.lock');
const hold = (file: string, ms: string) => startProcess([HOLDER, file, ms], {});

/** Kills a holder. Its mark goes first: whoever waits may have the lock before this process hears of the end. */
async function kill(holder: RunningProcess, file: string): Promise<void> {
  rmSync(`${file}-taken`);
  await holder.stop('SIGKILL');
}

/** Starts a process that has the lock when this resolves. */
async function startHolder(file: string): Promise<RunningProcess> {
  const holder = hold(file, FOR_EVER);
  await holder.waitForOutput(/held/);
  return holder;
}

const leftIn = (file: string) => readdirSync(join(file, '..'));

it(`of ${RIVALS} processes that find the lock of a dead one, one at a time has it`, async () => {
  const file = newLock();
  for (let round = 0; round < ROUNDS; round += 1) {
    const dead = await startHolder(file);
    const rivals = Array.from({ length: RIVALS }, () => hold(file, '1'));
    await kill(dead, file);
    const ends = await Promise.all(rivals.map(({ ended }) => ended));
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: RIVALS }, () => ({ code: 0, stderr: '' })),
    );
    expect(leftIn(file)).toEqual([]);
  }
});

it('a process that is killed while it waits leaves nothing behind', async () => {
  const file = newLock();
  const holder = await startHolder(file);
  const waiting = hold(file, '1');
  while (leftIn(file).length < 3) await new Promise(setImmediate);
  await waiting.stop('SIGKILL');
  await holder.stop('SIGKILL');
  await withLockFile(file, async () => expect(leftIn(file).sort()).toEqual(['start.lock', 'start.lock-taken']));
});

itSlow('a process that waits goes on waiting when another container takes its draft for one of the dead', async () => {
  const file = newLock();
  const holder = await startHolder(file);
  const waiting = hold(file, '1');
  const isDraft = (name: string) => name.startsWith(`start.lock.${waiting.pid}.`);
  const isWaiting = () => leftIn(file).some(isDraft);
  while (!isWaiting()) await new Promise(setImmediate);
  for (const name of leftIn(file).filter(isDraft)) rmSync(join(file, '..', name));
  while (!isWaiting()) await new Promise(setImmediate);
  await kill(holder, file);
  expect(await waiting.ended).toMatchObject({ code: 0, stderr: '' });
});

itSlow('version 0.1.0 reads the id of the holder, and its locks are respected as long as it lives', async () => {
  const file = newLock();
  const holder = await startHolder(file);
  expect(Number(readFileSync(file, 'utf8'))).toBe(holder.pid);
  // As it writes them itself.
  writeFileSync(file, String(holder.pid));
  const waiting = hold(file, '1');
  while (leftIn(file).length < 3) await new Promise(setImmediate);
  expect(Number(readFileSync(file, 'utf8'))).toBe(holder.pid);
  await kill(holder, file);
  expect(await waiting.ended).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ['this process had an earlier one, as in a container that is started again', () => `${process.pid}`],
  ['that it had in an earlier container', () => `${process.pid}.${'0'.repeat(30)}123`],
  ['a living process had an earlier one', () => `${process.ppid}.${'0'.repeat(30)}123`],
  ['nobody has', () => '4194305'],
])('a lock is taken over when the id in it is one that %s', async (_name, makeText) => {
  const file = newLock();
  writeFileSync(file, makeText());
  await expect(withLockFile(file, async () => Number(readFileSync(file, 'utf8')))).resolves.toBe(process.pid);
  expect(existsSync(file)).toBe(false);
});

it.each([
  ['', -60_000],
  [', when the clock was years ahead,', 10 * 365 * 24 * 3_600_000],
])('a lock that version 0.1.0 left without an id%s is taken over', async (_when, ms) => {
  const file = newLock();
  writeFileSync(file, '');
  const then = new Date(Date.now() + ms);
  utimesSync(file, then, then);
  await expect(withLockFile(file, async () => 'done')).resolves.toBe('done');
});

it('tasks of one process wait for each other, and a lock that could not be made is no lock', async () => {
  const file = newLock();
  let inside = 0;
  const task = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => withLockFile(file, task)));
  await expect(withLockFile(file, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(leftIn(file)).toEqual([]);
  await expect(withLockFile(join(file, 'none', 'lock'), task)).rejects.toThrow('ENOENT');
});

itSlow('one task at a time listens in a folder, however long its name is, also after one that was killed', async () => {
  const folder = join(temporaryFolder(), 'f'.repeat(200));
  mkdirSync(folder);
  const code = `require('net').createServer().listen('/proc/self/fd/0/socket.0', () => console.log('listening'))`;
  const killed = spawn(process.execPath, ['-e', code], { stdio: [openSync(folder, 'r'), 'pipe', 'inherit'] });
  await once(killed.stdout!, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(readdirSync(folder)).toEqual(['socket.0']);
  let inside = 0;
  const task = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => whileListening(folder, 'socket', task)));
  await expect(whileListening(folder, 'socket', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(readdirSync(folder)).toEqual([]);
});
