import { describe, expect, it } from '@jest/globals';
import { remember } from './remember.js';

describe('remember', () => {
  it('works a result out once for each name of its arguments', () => {
    const asked: string[] = [];
    const join = remember(
      (one: string, other: string) => `${one} ${other}`,
      (one, other) => {
        asked.push(one + other);
        return { text: one + other };
      },
    );
    const first = join('a', 'b');
    expect(join('a', 'b')).toBe(first);
    expect(join('a', 'c')).toEqual({ text: 'ac' });
    expect(asked).toEqual(['ab', 'ac']);
  });

  it('begins anew when it holds too much', () => {
    let count = 0;
    const next = remember(
      (index: number) => String(index),
      () => (count += 1),
    );
    for (let index = 0; index <= 20_000; index += 1) next(index);
    expect(next(0)).toBe(20_002);
  });
});
