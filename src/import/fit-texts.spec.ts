import { describe, expect, it } from '@jest/globals';
import { fitTexts } from './fit-texts.js';
import { readNamed, type SourcePost } from './source-post.js';

function fit(texts: Pick<SourcePost, 'excerpt' | 'category'>): SourcePost {
  return fitTexts({ ...texts, warnings: ['first'] } as unknown as SourcePost);
}

describe('texts of a post', () => {
  it('are left alone when they are short enough', () => {
    const post = fit({ excerpt: ` ${'😀'.repeat(500)} `, category: 'x'.repeat(50) });
    expect(post).toEqual({ excerpt: ` ${'😀'.repeat(500)} `, category: 'x'.repeat(50), warnings: ['first'] });
    expect(fit({ excerpt: null, category: null }).warnings).toEqual(['first']);
  });

  it('are cut at a word when they are too long, and the warning holds all of them', () => {
    const excerpt = `${'word, '.repeat(100)}\nend`;
    const post = fit({ excerpt, category: 'Announcements of the Department of Acquisition, and News' });
    expect(post.category).toBe('Announcements of the Department of Acquisition…');
    expect(post.excerpt).toBe(`${'word, '.repeat(82)}word…`);
    expect(post.warnings).toEqual([
      'first',
      `the excerpt has 604 characters and was cut to the 500 that are allowed; it was: ${'word, '.repeat(100)}end`,
      'the category has 56 characters and was cut to the 50 that are allowed; it was: Announcements of the Department of Acquisition, and News',
    ]);
  });

  it.each([
    ['x'.repeat(51), `${'x'.repeat(49)}…`],
    ['😀'.repeat(51), `${'😀'.repeat(49)}…`],
    [`a ${'x'.repeat(50)}`, `a ${'x'.repeat(47)}…`],
    [`${'x'.repeat(49)} y z`, `${'x'.repeat(49)}…`],
  ])('are cut within a word when there is no other way: %s', (category, expected) => {
    expect(fit({ excerpt: null, category }).category).toBe(expected);
  });

  it('lose authors, words of titles and parts of slugs that are too many, and keep the post', () => {
    const author = Array.from({ length: 12 }, (_, index) => `Author ${index}`).join(', ');
    const long = { author, title: 'word '.repeat(60), slug: 'word-'.repeat(60), tags: ['a', 'x'.repeat(201)] };
    const post = fitTexts({ ...long, excerpt: null, category: null, warnings: [] } as unknown as SourcePost);
    expect(post.author).toBe(`${Array.from({ length: 9 }, (_, index) => `Author ${index}`).join(', ')}, …`);
    expect(post.title).toMatch(/^word word.* word…$/);
    expect(post.slug).toBe('word-'.repeat(39) + 'word');
    expect(post.tags).toEqual(['a', `${'x'.repeat(199)}…`]);
    expect(post.warnings).toHaveLength(4);
  });
});

describe('an address where a post was published first', () => {
  it.each([
    ['https://elsewhere.example/first', 'https://elsewhere.example/first', 0],
    ['/first', null, 1],
    ['https://old.example/first', null, 1],
    [`https://elsewhere.example/${'x'.repeat(2000)}`, null, 1],
  ])('is taken or left out, and never cut: %.40s', (address, taken, warnings) => {
    const post = { baseUrl: 'https://old.example/post', excerpt: null, category: null, warnings: [] };
    const fitted = fitTexts({ ...post, ...readNamed((name) => (name === 'canonical_url' ? address : null)) } as never);
    expect(fitted.named?.canonical_url ?? null).toBe(taken);
    expect(fitted.warnings).toHaveLength(warnings);
  });

  it.each([
    [{ siteUrl: 'https://old.example/' }, null],
    [{ siteUrl: 'https://other.example/' }, 'https://old.example/first'],
    [{ siteUrl: 'https://:/' }, 'https://old.example/first'],
    [{}, 'https://old.example/first'],
  ])('is left out on the site of a post whose own address is not known: %j', (site, taken) => {
    const post = { ...site, baseUrl: null, excerpt: null, category: null, warnings: [] };
    const address = 'https://old.example/first';
    const fitted = fitTexts({ ...post, ...readNamed((name) => (name === 'canonical_url' ? address : null)) } as never);
    expect(fitted.named?.canonical_url ?? null).toBe(taken);
  });
});

it.each([
  ['30% 70%', '30% 70%', 0],
  ['center', null, 1],
  ['101% 0%', null, 1],
])('a focal point is taken, or left out as it is none: %s', (point, taken, warnings) => {
  const post = { baseUrl: null, excerpt: null, category: null, warnings: [] };
  const fitted = fitTexts({ ...post, ...readNamed((name) => (name === 'image_focus' ? point : null)) } as never);
  expect(fitted.named?.image_focus ?? null).toBe(taken);
  expect(fitted.warnings).toHaveLength(warnings);
});
