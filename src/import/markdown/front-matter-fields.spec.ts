import { describe, expect, it } from '@jest/globals';
import { isDated, readFields } from './front-matter-fields.js';
import { parsePostDate } from '../post-date.js';

const defaults = { author: 'The Team', timeZone: 'America/Los_Angeles' };
const now = new Date('2025-06-01T00:00:00Z');
const read = (frontMatter: Record<string, unknown>, file = 'a.md') =>
  readFields(frontMatter, file, defaults, undefined, now);

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
      image: { path: '/a.png', alt: 'A  picture' },
      lastmod: '2025-02-01T00:00:00Z',
      permalink: '/über/a/',
      redirect_from: ['/a.html', 'b'],
      slug: 'My Slug',
      draft: false,
    };
    expect(read(frontMatter)).toEqual({
      title: 'A title',
      slug: 'my-slug',
      excerpt: 'In short',
      author: 'Ann, Bob',
      category: 'First',
      tags: ['x', 'y', 'Second'],
      image: { address: '/a.png', alt: 'A picture' },
      date: new Date('2025-01-05T20:00:00Z'),
      updatedAt: new Date('2025-02-01T00:00:00Z'),
      isPublished: true,
      oldPaths: ['/%C3%BCber/a/', '/a.html', '/b'],
      warnings: ['other categories became tags: Second'],
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
      image: { address: 'b.png', alt: null },
      date: new Date('2015-03-17T19:00:00Z'),
      isPublished: undefined,
      oldPaths: [],
      warnings: [],
    });
  });

  it('reads the tables of Zola', () => {
    const frontMatter = {
      title: 'T',
      path: 'old/t',
      aliases: ['older'],
      taxonomies: { tags: ['a'], categories: ['C'], authors: ['Ann'] },
      extra: { cover: { image: 'c.png', alt: 'See' }, tags: 'not these' },
    };
    expect(read(frontMatter)).toMatchObject({
      author: 'Ann',
      category: 'C',
      tags: ['a'],
      image: { address: 'c.png', alt: 'See' },
      oldPaths: ['/old/t', '/older'],
    });
  });

  it.each([
    [{ path: '2017/a', aliases: ['2017/a.html'] }, undefined, ['/2017/a', '/2017/a.html']],
    [{ aliases: ['2017/a.html'] }, 'zola', ['/2017/a.html']],
    [{ path: '2017/a', aliases: ['2017/a.html', '/b'] }, 'hugo', ['/b']],
    [{ permalink: 'about/', redirect_from: 'old/b' }, 'jekyll', ['/about/', '/old/b']],
    [{ permalink: 'pretty' }, 'jekyll', []],
    [{ url: 'about/' }, 'hugo', ['/about/']],
  ] as const)('takes addresses from the root: %j, %s', (frontMatter, generator, oldPaths) => {
    const { oldPaths: found } = readFields({ title: 'T', ...frontMatter }, 'a.md', defaults, generator, now);
    expect(found).toEqual(oldPaths);
  });

  it.each([
    [{ hidden: true }, 'is hidden there'],
    [{ Visibility: 'members' }, "is 'members' there"],
    [{ password: 'open' }, 'is protected by a password there'],
  ])('keeps what a theme of Zola marks by %j a draft', (extra, withheld) => {
    expect(read({ title: 'T', extra })).toMatchObject({ isPublished: false, withheld });
    expect(read({ title: 'T', extra: { hidden: false } })).not.toHaveProperty('withheld');
  });

  it.each([
    [{ membersOnly: true }, "is marked 'membersonly' there"],
    [{ hide: 'yes', draft: false }, "is marked 'hide' there"],
    [{ premium: true, published: true }, 'is premium there'],
    [{ encrypt: true }, "is marked 'encrypt' there"],
    [{ access: 'paid' }, "is 'paid' there"],
    [{ visibility: 'members-only' }, "is 'members-only' there"],
    [{ audience: 'everyone', access: 'public', premium: false, visible: true }, undefined],
    [{ listed: false }, 'is not listed there'],
    [{ params: { Private: true } }, 'is private there'],
    [{ isPrivate: true }, "is marked 'isprivate' there"],
    [{ unpublished: true }, 'is unpublished there'],
    [{ public: false }, 'is not public there'],
    [{ isPublished: false, draft: false }, 'is not published there'],
    [{ isPublished: true, public: true, state: 'live' }, undefined],
    [{ visibility: ['members', 'paid'] }, "is 'members' there"],
    [{ state: 'draft' }, 'is a draft there'],
    [{ eleventyComputed: { permalink: false } }, 'has no page of its own there (permalink: false)'],
    [{ redirect_to: 'https://else.example/a' }, 'leads to another address there (redirect_to: https://else.example/a)'],
  ])('takes %j of a theme to mean: %s', (frontMatter, withheld) => {
    const { isPublished, withheld: found } = read({ title: 'T', ...frontMatter });
    expect([isPublished === true, found]).toEqual([false, withheld]);
  });

  it.each([
    [{ header: { overlay_image: '/o.jpg', teaser: '/t.jpg' } }, '/o.jpg'],
    [{ header: { overlay_color: '#333', teaser: '/t.jpg' } }, '/t.jpg'],
    [{ image: { feature: 'f.jpg', credit: 'Ann' } }, 'f.jpg'],
    [{ header: { overlay_color: '#333' } }, undefined],
  ])('takes the picture that themes of Jekyll show: %j', (frontMatter, address) => {
    expect(read({ title: 'T', ...frontMatter }).image?.address).toBe(address);
  });

  it('takes names out of lists in lists and out of entries', () => {
    const tags = ['x', { label: 'Big', permalink: '/big' }, { name: 'N' }];
    expect(read({ title: 'T', tags, categories: [['Sports', 'Ball'], ['Play']] })).toMatchObject({
      category: 'Sports',
      tags: ['x', 'Big', 'N', 'Ball', 'Play'],
      warnings: ['other categories became tags: Ball, Play'],
    });
    expect(() => read({ title: 'T', tags: [{ a: 1 }] })).toThrow('tags in the front matter is not a text');
  });

  it.each([
    [{ draft: false, date: '2025-07-01T00:00:00Z' }, '2025-07-01T00:00:00.000Z'],
    [{ draft: false, date: '2025-01-01', publishDate: '2025-07-01T00:00:00Z' }, '2025-07-01T00:00:00.000Z'],
    [{ draft: false, date: '2025-05-01T00:00:00Z' }, undefined],
    [{ draft: true, date: '2025-07-01T00:00:00Z' }, undefined],
    [{ date: '2025-07-01T00:00:00Z' }, '2025-07-01T00:00:00.000Z'],
    [{ date: '2025-01-01', publishedAt: '2025-07-01T00:00:00Z' }, '2025-07-01T00:00:00.000Z'],
    [{ date: '2025-01-01', pubDate: '2025-07-01T00:00:00Z' }, '2025-07-01T00:00:00.000Z'],
    [{ date: '2025-01-01', published_at: '2024-07-01T00:00:00Z', publish_on: 'in 2030 or so' }, undefined],
  ])('takes %j to be planned for %s', (frontMatter, time) => {
    expect(read({ title: 'T', ...frontMatter }).scheduledAt?.toISOString()).toBe(time);
  });

  it.each(['permalink', 'url'])('does not guess what a pattern in %s means', (name) => {
    expect(read({ [name]: '/:year/:title/' })).toMatchObject({ oldPaths: [], warnings: [expect.any(String)] });
  });

  it.each([
    [{}, '2024-12-5-note.md', '2024-12-05T20:00:00.000Z', 'note'],
    [{}, '2024-12-05.md', '2024-12-05T20:00:00.000Z', '2024-12-05'],
    [{}, '2024-13-05-note.md', undefined, '2024-13-05-note'],
    [{ path: '2017/02/02/Rust-1.15' }, 'Rust-1.15.md', '2017-02-02T20:00:00.000Z', 'rust-1-15'],
    [{ path: 'inside/2017-2-2-rust' }, 'rust.md', '2017-02-02T20:00:00.000Z', 'rust'],
    [{ permalink: '/2017/02/02/rust.html' }, 'rust.md', '2017-02-02T20:00:00.000Z', 'rust'],
    [{ path: '2017/02/02/rust', date: '2017-02-03' }, 'rust.md', '2017-02-03T20:00:00.000Z', 'rust'],
    [{}, '2017/02/02/rust.md', '2017-02-02T20:00:00.000Z', 'rust'],
    [{ path: '2017/02/rust', url: 'releases/1.2.3' }, '1234/56/78/rust.md', undefined, 'rust'],
  ])('finds the day of %j in %s', (frontMatter, file, date, slug) => {
    const fields = read({ title: 'T', ...frontMatter }, file);
    expect([fields.date?.toISOString(), fields.slug]).toEqual([date, slug]);
  });

  it('reads what the blog that comes with Astro has, and themes of it', () => {
    const starter = { title: 'T', pubDate: 'Jul 08 2022', updatedDate: 'Aug 1, 2022', heroImage: '../../assets/a.jpg' };
    expect(read(starter)).toMatchObject({
      date: new Date('2022-07-08T19:00:00Z'),
      updatedAt: new Date('2022-08-01T19:00:00Z'),
      image: { address: '../../assets/a.jpg', alt: null },
    });
    const paper = { title: 'T', pubDatetime: '2022-09-23T15:22:00Z', modDatetime: '2023-12-21T09:12:47.400Z' };
    expect(read(paper)).toMatchObject({
      date: new Date('2022-09-23T15:22:00Z'),
      updatedAt: new Date('2023-12-21T09:12:47Z'),
    });
    expect(read({ title: 'T', modDate: '2023-12-21T09:12:47Z' }).updatedAt).toEqual(new Date('2023-12-21T09:12:47Z'));
    const fuwari = { title: 'T', published: '2025-03-15T20:35:00+08:00', updated: '2025-04-01', draft: false };
    expect(read(fuwari)).toMatchObject({ date: new Date('2025-03-15T12:35:00Z'), isPublished: true });
    expect(read({ title: 'T', published: '2025-07-01' }).scheduledAt).toEqual(new Date('2025-07-01T19:00:00Z'));
    expect(isDated({ published: '2025-03-15' }, 'a.md')).toBe(true);
    expect(isDated({ published: 'true' }, 'a.md')).toBe(false);
  });

  it('finds dates in fields that say less, and takes a post whose last change is no date', () => {
    const at = '2024-12-05T20:00:00.000Z';
    expect(read({ title: 'T', date: { created: '2024-12-05', updated: '2025-01-01' } })).toMatchObject({
      date: new Date(at),
      updatedAt: new Date('2025-01-01T20:00:00Z'),
    });
    expect(read({ title: 'T', createdAt: '2024-12-05', created: 'long ago' }).date?.toISOString()).toBe(at);
    expect(read({ title: 'T', created: '2023-01-01', date: '2024-12-05' }).date?.toISOString()).toBe(at);
    expect(isDated({ created: '2024-12-05' }, 'a.md')).toBe(false);
    const changed = read({ title: 'T', date: '2024-12-05', lastmod: 'soon' });
    expect(changed).not.toHaveProperty('updatedAt');
    expect(changed.warnings).toEqual(['the time of its last change was not taken, as it is no date: soon']);
  });

  it.each(['Created', 'Last Modified', 'git Created', 'git Last Modified'])(
    "takes Eleventy's '%s' for no date",
    (date) => {
      expect(read({ title: 'T', date }).date).toBeUndefined();
      expect(read({ title: 'T', date }, '2024-12-05-note.md').date).toEqual(new Date('2024-12-05T20:00:00Z'));
    },
  );

  it.each([
    [{ categories: 'jekyll update', tags: 'ruby  web' }, 'jekyll', 'jekyll', ['ruby', 'web', 'update']],
    [{ category: 'Small Business', tag: 'home office' }, 'jekyll', 'Small Business', ['home office']],
    [
      { categories: 'Small Business, Mail', tags: ['home office'] },
      'jekyll',
      'Small Business',
      ['home office', 'Mail'],
    ],
    [{ categories: 'Small Business', tags: 'home office' }, 'hugo', 'Small Business', ['home office']],
    [{ tag: 'x' }, undefined, null, null],
  ] as const)('reads the terms of %j as %s does', (frontMatter, generator, category, tags) => {
    const fields = readFields({ title: 'T', ...frontMatter }, 'a.md', defaults, generator, now);
    expect([fields.category, fields.tags]).toEqual([category, tags]);
  });

  it.each([
    ['content/posts/trip/index.de.md', 'trip-de'],
    ['content/posts/2024-01-05-trip/index.pt-br.md', 'trip-pt-br'],
    ['content/posts/trip/index.old.md', 'index-old'],
    ['index.de.md', 'index-de'],
  ])('finds the slug of the folder of %s', (file, slug) => {
    expect(read({ title: 'T' }, file).slug).toBe(slug);
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
    [{ published: '2025-03-15' }, undefined],
    [{ published: '2025-03-15', draft: true }, false],
    [{ isDraft: true }, false],
    [{ is_draft: 'yes', published: true }, false],
    [{ isDraft: false }, undefined],
    [{ publish: false }, false],
    [{ publish: 'no', draft: false }, false],
    [{ publish: true }, undefined],
    [{ publish: '2025-03-15' }, undefined],
    [{ published: true, draft: false }, true],
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
    ['Mar 17 2015', '2015-03-17T19:00:00.000Z'],
    ['March 7, 2015 10:00', '2015-03-07T18:00:00.000Z'],
    ['Tue, 17 Mar 2015 10:00:00 GMT', '2015-03-17T10:00:00.000Z'],
    ['17th May 2015', '2015-05-17T19:00:00.000Z'],
    ['2015/03/17 10:00', '2015-03-17T17:00:00.000Z'],
    ['2015-03-17 10:05 PM', '2015-03-18T05:05:00.000Z'],
    ['Mar 17, 2015 12:00 a.m.', '2015-03-17T07:00:00.000Z'],
    ['2015-03-17 10:00:00 EST', '2015-03-17T15:00:00.000Z'],
    ['2015-03-17 10:00:00 +0530 IST', '2015-03-17T04:30:00.000Z'],
    ['Tue Mar 17 2015 10:00:00 GMT+0100 (CET)', '2015-03-17T09:00:00.000Z'],
    ['1426600800', '2015-03-17T14:00:00.000Z'],
    ['1426600800000', '2015-03-17T14:00:00.000Z'],
    ['2015.03.17', '2015-03-17T19:00:00.000Z'],
    ['20150317', '2015-03-17T19:00:00.000Z'],
    ['17.03.2015', '2015-03-17T19:00:00.000Z'],
    ['17/03/2015 10:00', '2015-03-17T17:00:00.000Z'],
    ['3/17/2015', '2015-03-17T19:00:00.000Z'],
    ['2015年3月17日', '2015-03-17T19:00:00.000Z'],
  ])('reads %s in the zone of the site', (text, iso) => {
    expect(parsePostDate(text, defaults.timeZone).toISOString()).toBe(iso);
  });

  it.each([
    ...[
      '',
      '2015',
      '2015-03',
      '2015031',
      '2015-13-01',
      '2015-03-17 25:00',
      '0000-01-01',
      '0015-03-17',
      '2015-03-17 13:00 PM',
    ],
    ...['2015-03-17 10:00 ABC', '2015-03-17 10:00 Europe/Berlin', '17.3', '20151317'],
    ...['Foo 17 2015', 'Feb 30 2015', 'March 2015', '03/04/2015', 'Jul 08 2022 and more'],
  ])('refuses %j', (text) => {
    expect(() => parsePostDate(text, defaults.timeZone)).toThrow(/^the date/);
  });
});
