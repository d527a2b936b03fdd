import { describe, expect, it } from '@jest/globals';
import { renameIn } from './term-change.js';

const copyOf = (fields: object) => ({ fields, is_published: false });
const category = { kind: 'category', from: 'Security', to: 'Safety' } as const;
const tag = { kind: 'tag', from: 'Cloud', to: 'Hosting' } as const;

describe('a term that gets another name', () => {
  it('has it in the post and in edits that wait, where it stood, and nobody has it twice', () => {
    expect(renameIn({ category: 'Security', tags: null, workingCopy: null }, category)).toEqual({ category: 'Safety' });
    const tags = ['IT', 'Cloud', 'Hosting'];
    expect(renameIn({ category: null, tags, workingCopy: null }, tag)).toEqual({ tags: ['IT', 'Hosting'] });
    const typed = copyOf({ title: 'Kept', tags: ' IT,Cloud , News', category: ' Security ' });
    expect(renameIn({ category: null, tags: ['Cloud'], workingCopy: typed }, tag)).toEqual({
      tags: ['Hosting'],
      workingCopy: copyOf({ title: 'Kept', tags: 'IT, Hosting, News', category: ' Security ' }),
    });
    expect(renameIn({ category: 'Other', tags: null, workingCopy: typed }, category)).toEqual({
      workingCopy: copyOf({ title: 'Kept', tags: ' IT,Cloud , News', category: 'Safety' }),
    });
  });

  it('changes nothing that has another one, or that only contains it', () => {
    const workingCopy = copyOf({ tags: 'Cloud hosting', category: 'Security news' });
    const row = { category: 'Security news', tags: ['Cloud hosting'], workingCopy };
    expect([renameIn(row, category), renameIn(row, tag)]).toEqual([null, null]);
  });
});
