import { describe, expect, it } from '@jest/globals';
import { EMPTY_FORM } from '../../../../src/shared/contracts/admin-posts.js';
import { firstProblem } from './post-problems.js';
import { checkPost } from './post-rules.js';

const valid = { ...EMPTY_FORM, title: 'A', slug: 'a', content: '<p>Text</p>', author: 'Desk' };

describe('checkPost', () => {
  it('has nothing against a complete post', () => {
    expect(checkPost(valid, null)).toBeNull();
    expect(checkPost(valid, { to: null })).toBeNull();
  });

  it('names what is missing, the title first', () => {
    const problems = checkPost({ ...EMPTY_FORM, author: '  ' }, { to: '20250-01-05' });
    expect(problems).toEqual({
      title: 'Title is required',
      slug: 'Slug is required',
      content: 'Content is required',
      author: 'Author is required',
      published_date: 'Published date is not a date',
    });
    expect(firstProblem(problems!)).toBe('title');
  });

  it('names what is too long', () => {
    const long = {
      title: 'a'.repeat(201),
      excerpt: 'a'.repeat(501),
      author: 'a'.repeat(101),
      category: 'a'.repeat(51),
    };
    const problems = checkPost({ ...valid, ...long }, null);
    expect(problems).toEqual({
      title: 'Title too long',
      excerpt: 'Excerpt too long',
      author: 'Author name too long',
      category: 'Category too long',
    });
  });
});
