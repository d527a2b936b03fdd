import { describe, expect, it } from '@jest/globals';
import { changedShare } from './changed-words.js';

const share = (before: string, after: string) =>
  changedShare({ title: 'The title', content: before }, { title: 'The title', content: after });

describe('changedShare', () => {
  it.each([
    ['what is the same', '<p>one two</p>', '<p>one two</p>', 0],
    ['markup and signs', '<p>One, two</p>', '<h2>one</h2><p>two!</p>', 0],
    ['what came', '<p>one two</p>', '<p>one two three four five</p>', 0],
    ['what was moved', '<p>one two</p><p>three four</p>', '<p>three four</p><p>one two</p>', 0],
    ['what went', '<p>one two three four five six</p>', '<p>one</p>', 5 / 8],
    ['words in another order', '<p>one two three</p>', '<p>three one two</p>', 1 / 5],
    ['all but the title', '<p>one two three four</p>', '<p>five six seven</p>', 4 / 6],
    ['letters of any language, and numbers', '<p>über 24 ñandú</p>', '<p>über 25 ñandú</p>', 1 / 5],
    ['the last word', '<p>one two</p>', '<p>one</p>', 1 / 4],
  ])('counts %s', (_what, before, after, expected) => {
    expect(share(before, after)).toBeCloseTo(expected, 10);
  });

  it('is nothing of a post without words, and everything of one whose words are all gone', () => {
    expect(changedShare({ title: '', content: '<p>–</p>' }, { title: 'New', content: '' })).toBe(0);
    expect(changedShare({ title: 'Old', content: '' }, { title: '', content: '' })).toBe(1);
    expect(changedShare({ title: 'Old', content: '' }, { title: 'Old', content: '' })).toBe(0);
    expect(changedShare({ title: 'Old', content: '' }, { title: 'Old one', content: '' })).toBe(0);
  });
});
