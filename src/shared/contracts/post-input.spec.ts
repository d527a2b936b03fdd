import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { isWebAddress, PostInput } from './post-input.js';

const good = { title: 'T', slug: 's', content: '<p>c</p>', author: 'A' };

function problemsOf(overrides: Record<string, unknown>): string[] {
  const errors = validateSync(plainToInstance(PostInput, { ...good, ...overrides }), { stopAtFirstError: true });
  return errors.flatMap((error) => Object.values(error.constraints ?? {}));
}

describe('PostInput', () => {
  it('takes a post, trims it and stores empty optional fields as none', () => {
    const input = plainToInstance(PostInput, {
      ...good,
      title: ' T ',
      excerpt: ' ',
      category: '',
      image_url: '',
      tags: ' a, b,, a ',
    });
    expect(validateSync(input)).toEqual([]);
    expect(input).toMatchObject({ title: 'T', excerpt: null, category: null, image_url: null, tags: ['a', 'b'] });
    expect(plainToInstance(PostInput, { ...good, tags: ' , ' }).tags).toBeNull();
    expect(plainToInstance(PostInput, { ...good, tags: ['e\u0301', '\u00e9'] }).tags).toEqual(['\u00e9']);
  });

  it.each([
    [{ title: ' ' }, 'Title is required'],
    [{ title: 'x'.repeat(201) }, 'Title too long'],
    [{ slug: '' }, 'Slug is required'],
    [{ slug: 'x'.repeat(201) }, 'Slug too long'],
    [{ excerpt: 'x'.repeat(501) }, 'Excerpt too long'],
    [{ content: ' ' }, 'Content is required'],
    [{ author: undefined }, 'Author is required'],
    [{ author: 'x'.repeat(101) }, 'Author name too long'],
    [{ category: 'x'.repeat(51) }, 'Category too long'],
    [{ tags: [1] }, 'Tags must be words'],
    [{ image_url: 'javascript:alert(1)' }, 'Image address is not valid'],
    [{ title: 5 }, 'Title is required'],
  ])('refuses %j', (overrides, message) => {
    expect(problemsOf(overrides)).toEqual([message]);
  });

  it('reports in the order of the form, and counts characters, not code units', () => {
    expect(problemsOf({ title: '', slug: '', author: '' })).toEqual([
      'Title is required',
      'Slug is required',
      'Author is required',
    ]);
    expect(problemsOf({ title: '😀'.repeat(200) })).toEqual([]);
    expect(problemsOf({ title: '😀'.repeat(201) })).toEqual(['Title too long']);
  });
});

describe('an address on the web', () => {
  it.each([
    ['https://a.example', true],
    ['http://a.example/b?c#d', true],
    ['https://', false],
    ['https:///b', false],
    ['https://a.example/b c', false],
    ['mailto:a@b.example', false],
  ])('%s: %s', (text, expected) => {
    expect(isWebAddress(text)).toBe(expected);
  });

  it('is told from another text in time with its length', () => {
    const text = `https://${'a'.repeat(100_000)} b`;
    // With the square of the length it would be many seconds.
    expect(leastProcessorTime(() => void isWebAddress(text), 1000)).toBeLessThanOrEqual(1000);
  });
});
