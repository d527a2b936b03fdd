import { WriteStream } from 'node:tty';
import { expect, it, jest } from '@jest/globals';
import { showProgress } from './import-progress.js';

/** A terminal, or none, and what was written to it. */
function openStream(isTTY: boolean) {
  const stream = Object.create(WriteStream.prototype) as WriteStream;
  const seen = { text: '' };
  const write = (text: string | Uint8Array) => ((seen.text += String(text)), true);
  return { stream: Object.assign(stream, { isTTY, columns: 80, write }), seen };
}

/** Counts 100 items, with a minute between each two, and returns what was written about them. */
function countSlowly(isTTY: boolean): string {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
  const { stream, seen } = openStream(isTTY);
  const progress = showProgress(stream, 'posts');
  for (let done = 1; done <= 100; done += 1) progress.update(done, 100);
  progress.stop();
  return seen.text;
}

it('is written to a terminal only, however long everything takes', () => {
  expect(countSlowly(true)).toContain('100% | 100 posts');
  expect(countSlowly(false)).toBe('');
});

it('gives the shell its cursor back when Ctrl+C ends the process, which it does all the same', () => {
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const others = signals.map((signal) => process.listenerCount(signal));
  const { stream, seen } = openStream(true);
  const progress = showProgress(stream, 'posts');
  progress.update(1, 100);
  expect(seen.text).toContain('\x1b[?25l');
  expect(seen.text).not.toContain('\x1b[?25h');
  process.emit('SIGINT', 'SIGINT');
  expect(seen.text).toContain('\x1b[?25h');
  // Of others that listen, the last one ends the process.
  expect(kill.mock.calls).toEqual(others[0] === 0 ? [[process.pid, 'SIGINT']] : []);
  progress.stop();
  kill.mockRestore();
  expect(signals.map((signal) => process.listenerCount(signal))).toEqual(others);
});
