import { describe, expect, it } from '@jest/globals';
import { toQuery, toSearch, type ListFilter } from './list-filter.js';

const everything: ListFilter = { q: '', state: '', category: '', tag: '', order: 'newest' };

describe('what the list is narrowed to', () => {
  it('stands in the address, as far as it narrows anything', () => {
    expect(toSearch(everything)).toBe('');
    expect(toSearch({ ...everything, q: 'a & b', state: 'draft', order: 'title' })).toBe(
      '?q=a+%26+b&state=draft&order=title',
    );
  });

  it('is asked of the API newest first, unless told otherwise', () => {
    expect(toQuery(everything)).toMatchObject({ sort: 'created', direction: 'desc', state: '' });
    expect(toQuery({ ...everything, order: 'title' })).toMatchObject({ sort: 'title', direction: 'asc' });
  });
});
