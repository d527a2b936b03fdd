import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from './advisory-locks.js';

describe('ADVISORY_LOCKS', () => {
  it('gives each purpose a key of its own', () => {
    const keys = Object.values<number>(ADVISORY_LOCKS);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it('knows every key that the product uses', () => {
    const others = globSync('{src,cli}/**/*.ts').filter(
      (file) => !file.includes('advisory-locks') && /7_?217_?0\d\d/.test(readFileSync(file, 'utf8')),
    );
    expect(others).toEqual([]);
  });

  it('is where every lock gets its key', () => {
    const literal = /advisory_(xact_)?lock(_shared)?\(\s*\d/;
    const others = globSync('{src,cli}/**/*.ts').filter((file) => literal.test(readFileSync(file, 'utf8')));
    expect(others).toEqual([]);
  });
});
