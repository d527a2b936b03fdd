import { describe, expect, it } from '@jest/globals';
import { readFields } from './front-matter-fields.js';
import { parsePostDate } from './post-date.js';

const defaults = { author: 'The Team', timeZone: 'America/Los_Angeles' };
const read = (frontMatter: Record<string, unknown>, file = 'a.md') => readFields(frontMatter, file, defaults);

describe('readFields', () => {
  it('reads every field', () => {
    const frontMatter = {
      title: 'A\ntitle',
      date: '2025-01-05',
      authors: ['Ann', { name: 'Bob' }],
      tags: ['x', ' y ', 'x', ''],
      categories: ['First', 'Second'],
      excerpt: 'In  short',
      description: 'Long',
      image: { path: '/a.png' },
      slug: 'My Slug',
      draft: false,
    };
    expect(read(frontMatter)).toEqual({
      title: 'A title',
      slug: 'my-slug',
      excerpt: 'In short',
      author: 'Ann, Bob',
      category: 'First',
      tags: ['x', 'y'],
      image: '/a.png',
      date: new Date('2025-01-05T20:00:00Z'),
      isPublished: true,
    });
  });

  it('falls back on the site, the description and the file name', () => {
    expect(
      read({ title: 'T', description: 'D', tags: 'a, b', featured_image: 'b.png' }, 'x/2015-03-17-Some_Post.md'),
    ).toEqual({
      title: 'T',
      slug: 'some-post',
      excerpt: 'D',
      author: 'The Team',
      category: null,
      tags: ['a', 'b'],
      image: 'b.png',
      date: new Date('2015-03-17T19:00:00Z'),
      isPublished: undefined,
    });
  });

  it.each([
    [{ title: 'Über uns' }, '2015-01-01-.md', 'uber-uns'],
    [{ title: 'T' }, 'guides/my-guide/index.md', 'my-guide'],
    [{ title: 'T' }, 'guides/日本.md', 't'],
  ])('finds a slug for %j in %s', (frontMatter, file, slug) => {
    expect(read(frontMatter, file).slug).toBe(slug);
  });

  it.each([
    [{}, undefined],
    [{ draft: true }, false],
    [{ draft: true, published: true }, false],
    [{ draft: false }, true],
    [{ published: true }, true],
    [{ published: 'no' }, false],
  ])('takes %j to mean published: %s', (frontMatter, isPublished) => {
    expect(read(frontMatter).isPublished).toBe(isPublished);
  });

  it.each([
    [{ title: { a: 1 } }, 'title in the front matter is not a text'],
    [{ draft: 'perhaps' }, 'draft in the front matter is neither true nor false'],
    [{ date: 'yesterday' }, "the date 'yesterday' is not one like"],
    [{ date: '2015-02-30' }, "the date '2015-02-30' is on no calendar"],
  ])('refuses %j', (frontMatter, reason) => {
    expect(() => read(frontMatter)).toThrow(reason);
  });
});

describe('parsePostDate', () => {
  it.each([
    ['2015-03-17', '2015-03-17T19:00:00.000Z'],
    ['2015-01-17', '2015-01-17T20:00:00.000Z'],
    ['2015-03-17 10:00:00 -4', '2015-03-17T14:00:00.000Z'],
    ['2015-03-17 10:00', '2015-03-17T17:00:00.000Z'],
    ['2015-03-17T10:00:00Z', '2015-03-17T10:00:00.000Z'],
    ['2015-03-17T10:00:00.123+05:30', '2015-03-17T04:30:00.000Z'],
    ['2015-03-17 10:00:00 UTC', '2015-03-17T10:00:00.000Z'],
  ])('reads %s in the zone of the site', (text, iso) => {
    expect(parsePostDate(text, defaults.timeZone).toISOString()).toBe(iso);
  });

  it.each(['', '2015', '17.03.2015', '2015-13-01', '2015-03-17 25:00', '0000-01-01', '2015-03-17 10:00 PM'])(
    'refuses %j',
    (text) => {
      expect(() => parsePostDate(text, defaults.timeZone)).toThrow(/^the date/);
    },
  );
});
