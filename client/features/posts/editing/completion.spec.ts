import { describe, expect, it } from '@jest/globals';
import { toCompletions } from './completion.js';

const named = (...names: string[]) => names.map((name) => ({ name, count: 1 }));
const used = { authors: named('Ann', 'Bob'), categories: named('Security'), tags: named('Backup', 'Cloud', 'IT') };

describe('completion', () => {
  it('gives authors and categories as they are', () => {
    expect(toCompletions('author', 'A', used)).toEqual(['Ann', 'Bob']);
    expect(toCompletions('category', '', used)).toEqual(['Security']);
  });

  it.each([
    ['', ['Backup', 'Cloud', 'IT']],
    ['Cl', ['Backup', 'Cloud', 'IT']],
    [' IT ,, Cl', ['IT, Backup', 'IT, Cloud']],
    ['IT, New,', ['IT, New, Backup', 'IT, New, Cloud']],
  ])('completes the last tag of %j', (typed, values) => {
    expect(toCompletions('tags', typed, used)).toEqual(values);
  });
});
