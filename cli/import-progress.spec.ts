import { WriteStream } from 'node:tty';
import { expect, it, jest } from '@jest/globals';
import { showProgress } from './import-progress.js';

/** Counts 100 items, with a minute between each two, and returns what was written about them. */
function countSlowly(isTTY: boolean): string {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
  const stream = Object.create(WriteStream.prototype) as WriteStream;
  let written = '';
  const write = (text: string | Uint8Array) => ((written += String(text)), true);
  Object.assign(stream, { isTTY, columns: 80, write });
  const progress = showProgress(stream, 'posts');
  for (let done = 1; done <= 100; done += 1) progress.update(done, 100);
  progress.stop();
  return written;
}

it('is written to a terminal only, however long everything takes', () => {
  expect(countSlowly(true)).toContain('100% | 100 posts');
  expect(countSlowly(false)).toBe('');
});
