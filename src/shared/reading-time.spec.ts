import { describe, expect, it } from '@jest/globals';
import { countWords, toReadingMinutes } from './reading-time.js';

describe('counting words', () => {
  it.each([
    ['', 0],
    ['<p><br></p>', 0],
    ['<p>One <strong>wo</strong>rd</p>', 2],
    ['<p>One</p><p>two</p><ul><li>three</li><li>four&nbsp;five</li></ul>', 5],
    ['<p>情報技術と<strong>会社</strong></p><p>IT の話</p>', 6],
    ['<p>One<br>two <img src="/media/a.png" alt="no words"></p>', 2],
  ])('finds in %s %d', (html, words) => {
    expect(countWords(html)).toBe(words);
  });
});

describe('the time to read', () => {
  it('is a minute for 220 words, rounded, and never none', () => {
    expect([0, 220, 329, 330, 2200].map(toReadingMinutes)).toEqual([1, 1, 1, 2, 10]);
  });
});
