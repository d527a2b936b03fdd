import { describe, expect, it } from '@jest/globals';
import { findUnstorable, isStorableText } from './storable-text.js';

const nested = (depth: number) => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as object;
const listed = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown[];

describe('what can be stored', () => {
  it.each(['', 'plain', 'é ☃ 😀', '\u0001\uffff\t\n', '\ud83d\ude00'])('%j is a text', (text) => {
    expect(isStorableText(text)).toBe(true);
  });

  it.each(['\0', 'a\0b', '\ud83d', '\ude00\ud83d', 'x\udfff'])('%j is none', (text) => {
    expect(isStorableText(text)).toBe(false);
  });

  it.each([
    [{ tags: ['a', 'b\0'] }, 'tags.1'],
    [{ fields: { title: '\ud800' } }, 'fields.title'],
    [{ data: { 'a\0': 1 } }, 'data'],
    ['\0', ''],
    [[{ a: [[], 1, { b: 'x', c: '\0' }] }], '0.a.2.c'],
    [{ a: { b: {} }, c: [['\udfff']] }, 'c.0.0'],
  ])('%j is found at %j', (value, path) => {
    expect(findUnstorable(value)).toEqual({ reason: 'characters', path });
  });

  it('has a depth, and what is far deeper is told from it too', () => {
    for (const value of [nested(64), listed(64), null, 1, undefined]) expect(findUnstorable(value)).toBeUndefined();
    expect(
      findUnstorable([...Array<object>(300_000).fill({}), [], {}, ...Array<number>(300_000).fill(1)]),
    ).toBeUndefined();
    expect(findUnstorable({ data: nested(64) })).toEqual({ reason: 'depth', path: 'data' });
    expect(findUnstorable(nested(20_000))).toEqual({ reason: 'depth', path: 'a' });
    expect(findUnstorable(listed(100_000))).toEqual({ reason: 'depth', path: '0' });
  });
});
