import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentWords } from './recent-words.js';

describe('RecentWords', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('lets each be said once in its time, also where two are said in turns', () => {
    const words = new RecentWords(60_000);
    const said = Array.from({ length: 6 }, (_, index) => words.note(index % 2 === 0 ? 'it is away' : 'it was lost'));
    expect(said).toEqual([true, true, false, false, false, false]);
    jest.advanceTimersByTime(59_999);
    expect(words.note('it is away')).toBe(false);
    jest.advanceTimersByTime(1);
    expect([words.note('it is away'), words.note('it is away')]).toEqual([true, false]);
  });

  it('forgets the oldest where words are never the same', () => {
    const words = new RecentWords(60_000);
    for (let number = 0; number <= 100; number += 1) words.note(`attempt ${number}`);
    expect([words.note('attempt 100'), words.note('attempt 0')]).toEqual([false, true]);
  });
});
