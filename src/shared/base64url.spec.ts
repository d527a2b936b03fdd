import { describe, expect, it } from '@jest/globals';
import { isCanonicalBase64url } from './base64url.js';

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

describe('isCanonicalBase64url', () => {
  it.each([1, 2, 3, 4, 5, 6, 53])('takes one spelling of every %i bytes', (length) => {
    for (let value = 0; value < 256; value += 1) {
      const text = Buffer.alloc(length, value).toString('base64url');
      expect(isCanonicalBase64url(text)).toBe(true);
      const bytes = Buffer.from(text, 'base64url');
      const others = ALPHABET.map((last) => text.slice(0, -1) + last).filter((other) => other !== text);
      const same = others.filter((other) => Buffer.from(other, 'base64url').equals(bytes));
      expect(same).toHaveLength(length % 3 === 0 ? 0 : length % 3 === 1 ? 15 : 3);
      expect(same.filter(isCanonicalBase64url)).toEqual([]);
    }
  });

  it('takes the empty text', () => {
    expect(isCanonicalBase64url('')).toBe(true);
  });

  it.each(['A', 'AAAAA', 'AA==', 'AAA=', 'AA+/', 'AA A', ' AAAA', 'AAAA\n', 'AAAä', 'AA\0A', 'AAAA.AAAA'])(
    'refuses %j',
    (text) => {
      expect(isCanonicalBase64url(text)).toBe(false);
    },
  );
});
