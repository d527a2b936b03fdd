import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../test/support/property-seed.js';
import { readSource, settings, summarize, withFile } from '../../../test/support/post-source.js';
import type { SourceItem } from '../source-post.js';
import { openJson } from './json-reader.js';

const read = (content: string | Uint8Array) =>
  withFile('posts.json', content, (path) => readSource(openJson(path, settings)));

const rows = [
  {
    id: '3F0C2A9E-0000-4000-8000-00000000000a',
    slug: 'first',
    title: 'First "post" }] \\',
    excerpt: null,
    content: '<p>Grüße 🎉</p>',
    image_url: 'https://a.example/x.png',
    image_alt: '',
    tags: ['a', null, 'b, c'],
    author: 'Ann',
    published_date: '2025-08-01T10:00:00+00:00',
    is_published: true,
    created_at: '2025-07-01T09:00:00.123Z',
  },
  { id: 7, title: 'Second', content: 'Fish &amp; chips <3', tags: '{}', is_published: false, views: 3 },
];

describe('openJson', () => {
  it('reads a list, a list in an object, and one row in each line alike', async () => {
    const list = await read(JSON.stringify(rows));
    expect(list.error).toBeNull();
    expect(list.items).toEqual([
      expect.objectContaining({
        id: '3f0c2a9e-0000-4000-8000-00000000000a',
        title: 'First "post" }] \\',
        slug: 'first',
        image: { address: 'https://a.example/x.png', alt: '' },
        tags: ['a', 'b, c'],
        date: new Date('2025-08-01T10:00:00Z'),
        createdAt: new Date('2025-07-01T09:00:00.123Z'),
        html: '<p>Grüße 🎉</p>',
        warnings: ["the tag 'b, c' has a comma in it and becomes several"],
      }),
      expect.objectContaining({
        itemKey: '7',
        formerKeys: ['hosted:7'],
        html: '<p>Fish &amp; chips &lt;3</p>',
        warnings: ['its content has no markup and was taken for plain text'],
        fileNotes: ['the file has columns that are not taken: views'],
      }),
    ]);
    const withoutFile = (items: object[]) => items.map((item) => ({ ...item, file: '' }));
    for (const content of [
      JSON.stringify(rows, null, 2),
      JSON.stringify({ exported: { posts: [1] }, blog_posts: rows, more: 'x' }),
      JSON.stringify({ version: 1, posts: rows }, null, '\t'),
      rows.map((row) => JSON.stringify(row)).join('\r\n'),
      String.fromCharCode(0xfeff) + rows.map((row) => JSON.stringify(row)).join('\n') + '\n\n',
      Buffer.from(String.fromCharCode(0xfeff) + JSON.stringify(rows), 'utf16le'),
    ]) {
      const other = await read(content);
      expect(other.error).toBeNull();
      expect(withoutFile(other.items)).toEqual(withoutFile(list.items));
    }
  });

  it('takes what this product exported to the letter', async () => {
    const row = {
      id: '3f0c2a9e-0000-4000-8000-00000000000a',
      slug: 'Not Slugified',
      title: ' Two  spaces ',
      excerpt: null,
      content: '<p>x</p><img src="posts-images/a.jpg" alt="">',
      image_url: 'posts-images/b.jpg',
      image_alt: null,
      category: 'News',
      tags: [' a', 'a'],
      author: 'Ann',
      published_date: null,
      is_published: false,
      created_at: '2025-07-01T09:00:00.123Z',
      updated_at: '2025-07-02T09:00:00.456Z',
      scheduled_at: '2099-07-02T09:00:00.000Z',
      old_paths: ['/a, b/'],
    };
    const wrap = (...posts: object[]) =>
      JSON.stringify({ format: 'posts-export', version: 1, site: 'https://a.example', posts });
    const { items, error } = await read(wrap(row, { ...row, id: 7, tags: 'x' }));
    expect(error).toBeNull();
    expect(items[0]).toEqual({
      file: 'posts.json: item 1 in line 1 (Not Slugified)',
      isUniqueKey: true,
      itemKey: `export:${row.id}`,
      id: row.id,
      title: row.title,
      slug: row.slug,
      excerpt: null,
      author: 'Ann',
      category: 'News',
      tags: row.tags,
      image: { address: 'posts-images/b.jpg', alt: null },
      date: undefined,
      createdAt: new Date(row.created_at),
      updatedAt: new Date(row.updated_at),
      scheduledAt: new Date(row.scheduled_at),
      isExact: true,
      isPublished: false,
      html: row.content,
      folder: '',
      baseUrl: null,
      oldPaths: row.old_paths,
      warnings: [],
    });
    expect(items.map(summarize)[1]).toContain(
      'refused: id is a number, not a text; id is not that of a post; tags is not a list of texts',
    );
  });

  const broken: [string, string][] = [
    ['{"title": 42, "content": ["a"]}', 'title is a number, not a text; content is a list, not a text'],
    ['"text"', 'it is not a row'],
    ['17', 'it is not a row'],
    ['null', 'it is not a row'],
    ['[]', 'it is not a row'],
    ['{"title": "A",}', 'it is not JSON'],
    ['{"title": "\xff"}', 'it holds bytes that are not UTF-8'],
    ['{"title": "\\u0000"}', 'title holds zero characters'],
    [`{"content": "<p>x</p>", "a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_001)}`, 'nested more than 200 deep'],
    ['{"title": "A", "text": "<p>x</p>"}', 'content: Content is required'],
    [`{"content": "${'x'.repeat(11 * 1024 * 1024)}"}`, 'larger than 10 MB'],
    ['{"__proto__": {"title": "A"}, "id": {}}', 'id is an object, not a text'],
    ['{"title": "A", "tags": [1]}', 'tags has a number in it'],
    ['{"title": "A", "is_published": "perhaps"}', 'is_published is neither true nor false'],
  ];

  it('refuses rows one by one and takes the others', async () => {
    const good = '{"title": "ok", "content": "<p>x</p>"}';
    const text = broken.flatMap(([row]) => [row, good]);
    const list = await read(Buffer.from(`[${text.join(',')}]`, 'latin1'));
    const lines = await read(Buffer.from([good, ...text].join('\n'), 'latin1'));
    expect([list.error, lines.error]).toEqual([null, null]);
    const others = (items: SourceItem[]) => items.map(summarize).filter((line) => !line.endsWith('hosted:ok'));
    expect(others(list.items)).toEqual(broken.map(([, reason]) => expect.stringContaining(reason)));
    // What nests deep harms nobody who does not look into it.
    const reasons = broken.map(([, reason]) => (reason.startsWith('nested') ? 'hosted:' : reason));
    expect(others(lines.items)).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
    expect(({} as { title?: string }).title).toBeUndefined();
  });

  it.each([
    ['a text', '"posts"', /has no list of posts/],
    ['HTML', '<html>', /has no list of posts/],
    [
      'a comma that is missing',
      '[{"title":"A","content":"x"} {"title":"B"}]',
      /not JSON in line 1, after item 1: comma or end expected, '{' found/,
    ],
    ['something after the end', '[] []', /not JSON in line 1, after item 0/],
    ['brackets that do not match', '{"posts": []]', /closes what it did not open/],
    ['a name that is endless', `{"posts": [], "${'x'.repeat(2000)}": 1}`, /a name is too long/],
  ])('says what is wrong with a file with %s', async (_name, content, reason) => {
    const { error } = await read(content);
    expect(error ?? '').toMatch(reason);
  });

  it('gives every complete row of a file that breaks off, wherever it does', async () => {
    const layouts = [
      JSON.stringify(rows, null, 1),
      JSON.stringify({ version: 1, posts: rows }),
      rows.map((row) => JSON.stringify(row)).join('\n'),
    ].map((text) => Buffer.from(text));
    const whole = await Promise.all(layouts.map(read));
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.double({ min: 0.01, max: 0.99, noNaN: true }), async (index, part) => {
        const bytes = layouts[index] ?? Buffer.alloc(0);
        const { items, error } = await read(bytes.subarray(0, Math.ceil(bytes.length * part)));
        expect(items).toEqual(whole[index]?.items.slice(0, items.length));
        // Between two lines nothing is missing.
        if (items.length < 1 || index < 2) expect(error).not.toBeNull();
      }),
      { numRuns: 100, seed: PROPERTY_SEED },
    );
  });
});
