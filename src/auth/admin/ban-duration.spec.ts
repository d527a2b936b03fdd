import { describe, expect, it } from '@jest/globals';
import { readBanDuration } from './ban-duration.js';

describe('readBanDuration', () => {
  it.each([
    ['none', 0],
    ['0', 0],
    ['24h', 86_400_000],
    ['100h30m', 361_800_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['2m3s4ms', 123_004],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['+1m', 60_000],
    ['876000h', 876_000 * 3_600_000],
  ])('reads %s', (text, ms) => expect(readBanDuration(text)).toBeCloseTo(ms));

  it.each([
    '',
    '24',
    'h',
    '1d',
    '-1h',
    '1 h',
    '1h 2m',
    '24H',
    'forever',
    '.h',
    '1e3h',
    '9999999h',
    `${'9'.repeat(400)}h`,
  ])('refuses %j', (text) => expect(() => readBanDuration(text)).toThrow(/invalid format for ban duration/));
});
