import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './retry-after.js';

describe('readRetryAfter', () => {
  const now = new Date('2026-11-23T12:00:00Z');

  it.each([
    ['120', 120_000],
    ['0', 1000],
    ['99999999', 86_400_000],
    ['Mon, 23 Nov 2026 12:05:00 GMT', 300_000],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 1000],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads %p', (value, expected) => {
    expect(readRetryAfter(value, now)).toBe(expected);
  });
});
