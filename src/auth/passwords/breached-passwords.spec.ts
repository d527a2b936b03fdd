import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { findListProblem, isBreachedPassword } from './breached-passwords.js';

const folder = temporaryFolder();
const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const breached = Array.from({ length: 500 }, (_, index) => `known ${index}`);
const hashes = breached.map(sha1).sort();

function listOf(lines: readonly string[], ending = '\n'): string {
  const path = join(folder, `${Math.random()}.txt`);
  writeFileSync(path, lines.map((line) => line + ending).join(''));
  return path;
}

describe('a list of breached passwords', () => {
  it.each([
    ['hashes alone', hashes, '\n'],
    [
      'counts of every length, and lines that end as on Windows',
      hashes.map((hash, i) => `${hash}:${10 ** (i % 9)}`),
      '\r\n',
    ],
    ['small letters', hashes.map((hash) => hash.toLowerCase()), '\n'],
  ])('finds all that it has and nothing else, with %s', async (_what, lines, ending) => {
    const path = listOf(lines, ending);
    expect(await findListProblem(path)).toBeNull();
    const isFound = (password: string) => isBreachedPassword(path, password);
    expect(await Promise.all(breached.map(isFound))).toEqual(breached.map(() => true));
    const others = Array.from({ length: 500 }, (_, index) => `unknown ${index}`);
    expect(await Promise.all(others.map(isFound))).toEqual(others.map(() => false));
  });

  it('may have one line, with an end or without', async () => {
    const path = join(folder, 'one.txt');
    for (const text of [sha1('one'), `${sha1('one')}\n`, `${sha1('one')}:3`]) {
      writeFileSync(path, text);
      expect([await isBreachedPassword(path, 'one'), await isBreachedPassword(path, 'two')]).toEqual([true, false]);
    }
  });

  it('is not relied on when it is something else', async () => {
    expect(await findListProblem(listOf([]))).toBe('is empty');
    expect(await findListProblem(listOf(['password', '123456']))).toMatch(/no SHA-1 .* at byte 0/);
    expect(await findListProblem(listOf(hashes.toReversed()))).toMatch(/not in ascending order at byte \d+/);
    expect(await findListProblem(listOf([...hashes, 'x'.repeat(5000)]))).toMatch(/no lines at byte/);
    expect(await findListProblem(join(folder, 'nowhere.txt'))).toBe('cannot be read (ENOENT)');
    expect(await findListProblem(folder)).toBe('cannot be read (EISDIR)');
    await expect(isBreachedPassword(join(folder, 'nowhere.txt'), 'x')).rejects.toThrow('ENOENT');
  });
});
