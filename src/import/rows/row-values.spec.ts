import { describe, expect, it } from '@jest/globals';
import { readFlag, readId, readMoment, readTags, readText } from './row-values.js';

const row = (value: unknown, column = 'x') => new Map([[column, value]]);
const zone = 'America/Los_Angeles';

describe('readMoment', () => {
  it.each([
    ['2025-08-01 10:00:00+00', '2025-08-01T10:00:00.000Z'],
    ['2025-08-01 10:00:00.123456+05:30', '2025-08-01T04:30:00.123Z'],
    ['2025-08-01T10:00:00.5Z', '2025-08-01T10:00:00.500Z'],
    ['2025-08-01 10:00', '2025-08-01T17:00:00.000Z'],
    ['2025-08-01', '2025-08-01T19:00:00.000Z'],
    ['2025/8/1 10:00', '2025-08-01T17:00:00.000Z'],
    ['31.01.2025 10:00', '2025-01-31T18:00:00.000Z'],
    ['1.2.2025', '2025-02-01T20:00:00.000Z'],
    ['1/31/2025 2:30 PM', '2025-01-31T22:30:00.000Z'],
    ['31/01/2025, 12:05:06 a.m.', '2025-01-31T08:05:06.000Z'],
    ['5/5/2025', '2025-05-05T19:00:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(readMoment(row(text), 'x', zone)?.toISOString()).toBe(iso);
  });

  it.each([
    ['1/2/2025', "x: the date '1/2/2025' could mean two days"],
    ['1/31/2025 13:00 PM', 'x: the date'],
    ['32/13/2025', 'x: the date'],
    ['31.02.2025', 'is on no calendar'],
    ['45870.41', 'x: the date'],
    ['Jan 1', 'x: the date'],
    ['infinity', 'x: the date'],
    [1735689600, 'x is a number, not a text'],
  ])('refuses %s', (value, reason) => {
    expect(() => readMoment(row(value), 'x', zone)).toThrow(reason);
  });

  it('knows when there is none', () => {
    for (const value of [null, undefined, ' ']) expect(readMoment(row(value), 'x', zone)).toBeUndefined();
  });
});

describe('readTags', () => {
  it.each<[unknown, string[] | null]>([
    ['{a,"b, c",NULL,"NULL","say \\"x\\"","back\\\\slash"}', ['a', 'b, c', 'NULL', 'say "x"', 'back\\slash']],
    ['{}', null],
    ['["a", "b, c", null]', ['a', 'b, c']],
    ['a, b,,a', ['a', 'b']],
    [
      ['a', ' b ', null],
      ['a', 'b'],
    ],
    [[], null],
    [null, null],
    ['', null],
  ])('reads %j', (value, tags) => {
    expect(readTags(row(value), 'x')).toEqual(tags);
  });

  it.each<[unknown, string]>([
    ['{a,{b}}', 'x is not an array that can be read'],
    ['{a,}', 'x is not an array that can be read'],
    ['{"a}', 'x is not an array that can be read'],
    ['["a"', 'never'],
    ['[a]', 'x is not a list that can be read'],
    [[1], 'x has a number in it, not a text'],
    [{ a: 1 }, 'x is an object, not a text'],
  ])('refuses %j, or takes it for words', (value, reason) => {
    if (reason === 'never') expect(readTags(row(value), 'x')).toEqual(['["a"']);
    else expect(() => readTags(row(value), 'x')).toThrow(reason);
  });
});

describe('other values', () => {
  it.each<[unknown, boolean | undefined]>([
    ['t', true],
    ['TRUE', true],
    [1, true],
    [true, true],
    ['f', false],
    ['0', false],
    [false, false],
    ['', undefined],
    [null, undefined],
  ])('takes %j for %j', (value, flag) => {
    expect(readFlag(row(value), 'x')).toBe(flag);
  });

  it('refuses what is of another kind, and says where', () => {
    expect(() => readFlag(row('perhaps'), 'x')).toThrow("x is neither true nor false: 'perhaps'");
    expect(() => readFlag(row([]), 'x')).toThrow("x is neither true nor false: '[]'");
    expect(() => readText(row(5), 'x')).toThrow('x is a number, not a text');
    expect(() => readText(row(true), 'x')).toThrow('x is true or false, not a text');
    expect(() => readText(row('a\0b'), 'x')).toThrow('x holds zero characters');
    expect(() => readId(row(2 ** 60, 'id'))).toThrow('id is a number that is larger');
    expect([readId(row(7, 'id')), readId(row(' a ', 'id')), readId(row(null, 'id'))]).toEqual(['7', 'a', null]);
  });
});
