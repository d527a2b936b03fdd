import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../test/support/property-seed.js';
import { noTexts, readSource, settings, summarize, withFile } from '../../../test/support/post-source.js';
import { fewOf } from '../../../test/support/slow-tests.js';
import { openGhost } from './ghost-reader.js';
import type { SourceItem, SourcePost } from '../source-post.js';

const sample = new URL('../../../test/fixtures/ghost/export.json', import.meta.url).pathname;
const read = (content: string | Uint8Array) =>
  withFile('ghost.json', content, (path) => readSource(openGhost(path, settings)));
const exportOf = (...posts: string[]) => `{"data": {"posts": [${posts.join(', ')}]}}`;
const uuid = (digit: number) => `ghost:00000000-0000-4000-8000-00000000000${digit}`;

describe('openGhost', () => {
  it('takes pages as posts of a category, with the rules of posts, if that is wanted', async () => {
    const { items } = await readSource(openGhost(sample, { ...settings, pages: 'Pages' }));
    expect(items[3]).toMatchObject({
      itemKey: '00000000-0000-4000-8000-000000000004',
      slug: 'post-4',
      category: 'Pages',
      oldPaths: ['/post-4/'],
    });
    const hidden = JSON.stringify({
      id: '1',
      uuid: 'u',
      title: 'P',
      type: 'page',
      status: 'published',
      visibility: 'paid',
      html: '<p>x</p>',
    });
    const read = await withFile('ghost.json', exportOf(hidden), (path) =>
      readSource(openGhost(path, { ...settings, pages: 'Pages' })),
    );
    expect(read.items).toMatchObject([{ isPublished: false, withheld: 'is not for everybody there' }]);
  });

  it('leaves out what is not for everybody, and shows all that cards say', async () => {
    const shown = { status: 'published', published_at: '2024-01-02 03:04:05', visibility: 'public' };
    const post = (id: string, more: object) =>
      JSON.stringify({ id, uuid: id, title: 'P', slug: `p${id}`, ...shown, ...more });
    const lexical = (...children: object[]) => ({ lexical: JSON.stringify({ root: { children } }) });
    const web = (nonMember: boolean) => ({ visibility: { web: { nonMember, memberSegment: 'status:free' } } });
    const gate = (nonMember: boolean, inner: string) =>
      `<!--kg-gated-block:begin nonMember:${nonMember} memberSegment:"status:free,status:-free" -->${inner}<!--kg-gated-block:end-->`;
    const content = exportOf(
      post('1', { html: `<p>a</p>${gate(false, '<p>b</p>')}${gate(true, '<p>c</p>')}${gate(false, '<p>d</p>')}` }),
      post('2', { html: '<p>a</p><!--kg-gated-block:begin nonMember:false --><p>b</p>' }),
      post(
        '3',
        lexical(
          { type: 'html', html: '<p>a</p>', ...web(true) },
          { type: 'html', html: '<p>b</p>', ...web(false) },
          { type: 'html', html: '<p>c</p>', visibility: { showOnWeb: false, showOnEmail: true } },
        ),
      ),
      post(
        '4',
        lexical(
          { type: 'bookmark', url: 'https://b.example', metadata: { title: 'B' }, caption: 'Below' },
          {
            type: 'header',
            version: 2,
            heading: 'H',
            subheading: 'S',
            buttonEnabled: false,
            buttonUrl: '/x',
            buttonText: 'X',
          },
          { type: 'file', src: 'https://b.example/f.pdf', fileTitle: 'F', fileCaption: 'C' },
          {
            type: 'call-to-action',
            textValue: '<p>T</p>',
            showButton: true,
            buttonUrl: 'https://b.example',
            buttonText: 'Go',
          },
        ),
      ),
    );
    const { items } = await read(content);
    const note = 'parts that are not for everybody there were left out';
    expect((items as SourcePost[]).map(({ html, warnings }) => [html.replaceAll('\n', ''), warnings])).toEqual([
      [expect.stringMatching(/^<p>a<\/p>(?:<!--.*?-->)?<p>c<\/p>(?:<!--.*?-->)?$/), [note]],
      [expect.stringContaining('<p>b</p>'), []],
      ['<p>a</p>', [note]],
      [
        '<p><a href="https://b.example">B</a></p><p>Below</p><h2>H</h2><p>S</p><p><a href="https://b.example/f.pdf">F</a></p><p>C</p>' +
          '<blockquote><p>T</p><p><a href="https://b.example">Go</a></p></blockquote>',
        [],
      ],
    ]);
  });

  it('reads everything that a post has', async () => {
    const { items, error } = await readSource(openGhost(sample, settings));
    expect(error).toBeNull();
    expect(items.map(summarize)).toEqual([
      `export.json: Moving house (moving-house) | ${uuid(1)}`,
      `export.json: Post 2 (post-2) | ${uuid(2)}`,
      `export.json: Post 3 (post-3) | ${uuid(3)}`,
      'export.json: Post 4 (post-4) | skipped: a page of the site, not a post',
      `export.json: Post 5 (post-5) | ${uuid(5)}`,
      `export.json: Post 6 (post-6) | ${uuid(6)}`,
    ]);
    const [first, second, third, , fifth, sixth] = items as SourcePost[];
    expect(first).toEqual({
      file: 'export.json: Moving house (moving-house)',
      itemKey: uuid(1).replace(/^ghost:/, ''),
      formerKeys: [uuid(1)],
      title: 'Moving house',
      slug: 'moving-house',
      excerpt: 'In short',
      author: 'Ann Arbor, Bo Lund',
      category: 'News',
      tags: ['House'],
      image: { address: '/content/images/2024/01/house.jpg', alt: 'A house' },
      named: { ...noTexts, image_caption: 'Ours', canonical_url: 'https://c.example/original' },
      date: new Date('2024-01-02T09:00:00.500Z'),
      createdAt: new Date('2024-01-01T08:00:00Z'),
      isPublished: true,
      html: '<p>We moved <a href="/about/">here</a>.</p><img src="/content/images/2024/01/van.jpg" alt="Van">',
      folder: '',
      baseUrl: null,
      oldPaths: ['/moving-house/'],
      oldLists: [],
      warnings: [
        'internal tags were not taken: #secret',
        'leads to pages of the old site that are no posts: /about/',
        'code that is added to its page there was not taken',
      ],
    });
    expect(second).toMatchObject({
      author: 'The Team',
      category: null,
      date: undefined,
      isPublished: false,
      warnings: [
        'some of its tags are not in the file',
        "a card of the kind 'signup' belongs to the old site and was left out",
        "a card of the kind 'hologram' is not known and was left out",
      ],
    });
    expect(second?.html.trim().split('\n')).toEqual([
      '<h2>Head &amp; tail</h2>',
      '<p><strong>Bold</strong><br><a href="https://a.example/?a=1&amp;b=2"><strong><em>both</em></strong></a></p>',
      '<ol start="3"><li>three</li></ol>',
      '<figure><img src="/content/images/a.png" alt="An &quot;A&quot;"><figcaption><em>A</em></figcaption></figure>',
      '<pre><code class="language-js">a &lt; b</code></pre>',
      '<figure><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" title="YouTube video"></iframe></figure>',
      '<video class="ql-player" src="/content/media/film.mp4"></video>',
      '<blockquote><p>! Mind <b>this</b></p></blockquote>',
    ]);
    const soon = new Date('2099-01-01T08:00:00Z');
    expect(third).toMatchObject({ date: soon, scheduledAt: soon, isPublished: false });
    expect(third?.html.replaceAll(/\n+/g, '')).toBe(
      '<h3>Title</h3><p><strong>bold <a href="https://b.example/">link</a></strong><br> &lt;end&gt;</p>' +
        '<ul><li>a</li><li>b</li></ul><h1>One</h1><ul><li>two</li></ul>' +
        '<figure><img src="https://b.example/b.jpg" alt=""><figcaption>B</figcaption></figure>',
    );
    expect(third?.warnings).toHaveLength(2);
    expect(fifth).toMatchObject({
      isPublished: false,
      withheld: 'is not for everybody there',
    });
    expect(sixth).toMatchObject({
      author: 'Bo Lund',
      isPublished: false,
      withheld: 'is sent by email only there',
    });
  });

  it('refuses posts one by one and takes the others', async () => {
    const deep = JSON.stringify(`{"root":{"children":[${'{"children":['.repeat(150)}${']}'.repeat(150)}]}}`);
    const broken: [string, string][] = [
      ['{"title": 42, "id": 1, "status": "published"}', 'title is a number, not a text'],
      ['{"title": "A", "id": 1, "html": ["x"], "published_at": "soon"}', "published_at: the date 'soon'"],
      ['{"title": "A", "id": 1, "lexical": "{"}', 'lexical cannot be read'],
      ['{"title": "A", "id": 1, "lexical": "[]"}', 'lexical has no text in it'],
      [`{"title": "A", "id": 1, "lexical": ${deep}}`, 'lexical is nested more than 100 deep'],
      ['{"title": "A", "id": 1, "mobiledoc": "{}"}', 'mobiledoc has no text in it'],
      ['{"title": "A"}', 'it has neither uuid nor id'],
      ['{"title": "\xff", "id": 1}', 'bytes that are not UTF-8'],
      ['"post"', 'it is not an object'],
      ['{"title": "A" "id": 1}', 'it is not JSON'],
      ['{"__proto__": {"id": 1}, "title": "A"}', 'it has neither uuid nor id'],
    ];
    const good = '{"title": "Good", "id": 7, "status": "published", "html": "<p>x</p>"}';
    const bytes = Buffer.from(exportOf(...broken.flatMap(([row]) => [row, good])), 'latin1');
    const { items, error } = await read(bytes);
    expect(error).toBeNull();
    expect(items.map(summarize)).toEqual(
      broken.flatMap(([, reason]) => [expect.stringContaining(reason), 'ghost.json: Good (7) | ghost:7']),
    );
  });

  it('says what previews of links said', async () => {
    const previews = { og_title: 'Look!', og_description: 'Said', twitter_title: 'Look!', meta_description: 'Said' };
    const { items } = await read(
      exportOf(JSON.stringify({ id: 1, title: 'A', slug: 'a', html: '<p>x</p>', ...previews })),
    );
    expect((items[0] as SourcePost).warnings).toEqual(["what previews of links say was not taken: 'Look!'"]);
  });

  it('says when a post was saved last, what has no date, and what is not taken of lists', async () => {
    const row = { title: 'A', status: 'published', html: '<p>x</p>' };
    const dated = { ...row, id: 1, slug: 'a', published_at: '2024-01-02 03:04:05', updated_at: '2024-05-06 07:08:09' };
    const undated = { ...row, id: 2, slug: 'b', updated_at: 'some day', featured: 1 };
    const lists = {
      tags: [
        { id: 1, name: 'T', slug: 't', description: 'About T' },
        { id: 2, name: '#own', slug: 'own', description: 'Nobody sees it' },
      ],
      users: [{ id: 1, name: 'Ann', slug: 'ann', bio: 'Writes.' }],
    };
    const { items } = await read(JSON.stringify({ db: [{ data: { ...lists, posts: [dated, undated] } }] }));
    expect(items).toMatchObject([
      {
        savedAt: new Date('2024-05-06T07:08:09Z'),
        warnings: [],
        fileNotes: ['descriptions of tags and authors were not taken: 2'],
      },
      {
        warnings: [
          'no date in the export: dated today',
          'is featured there, which themes show in a place of its own; here posts stand by their dates',
        ],
      },
    ]);
    expect(items[1]).not.toHaveProperty('savedAt');
    expect(items[1]).not.toHaveProperty('fileNotes');
  });

  it('leads links between posts to where they are', async () => {
    const row = (id: number, slug: string, html: string) =>
      JSON.stringify({ id, title: slug, slug, html, status: 'draft' });
    const links = '<a href="__GHOST_URL__/other/?a=1">b</a><a href="__GHOST_URL__/tag/x/">c</a>';
    const { items } = await read(exportOf(row(1, 'own', links), row(2, 'other', '<p>x</p>')));
    expect(items[0]).toMatchObject({
      html: '<a href="/blogs/other?a=1">b</a><a href="/tag/x/">c</a>',
      warnings: ['leads to pages of the old site that are no posts: /tag/x/'],
    });
  });

  it('leads absolute links on where the operator says which site it is', async () => {
    const row = (id: number, slug: string, html: string) =>
      JSON.stringify({ id, title: slug, slug, html, status: 'draft' });
    const links = (site: string) =>
      `<a href="https://${site}/other/?a=1">b</a><a href="https://c.example/other/">c</a>`;
    const file = (site: string) => exportOf(row(1, 'own', links(site)), row(2, 'other', '<p>x</p>'));
    const readAs = (site: string, name: string) =>
      withFile('ghost.json', file(site), (path) => readSource(openGhost(path, settings), name));
    const led = '<a href="/blogs/other?a=1">b</a><a href="https://c.example/other/">c</a>';
    for (const [site, name] of [
      ['g.example', 'g.example'],
      ['www.g.example', 'g.example'],
      ['g.example/blog', 'g.example/blog'],
    ] as const) {
      expect((await readAs(site, name)).items[0]).toMatchObject({ html: led, warnings: [] });
    }
    const [inFolder] = (await readAs('g.example/blog', 'g.example/blog')).items;
    expect(inFolder).toMatchObject({ oldPaths: ['/blog/own/'] });
    expect((await readAs('g.example', 'old blog')).items[0]).toMatchObject({ html: links('g.example'), warnings: [] });
    const said = `{"data": {"settings": [{"key": "url", "value": "https://g.example"}], ${exportOf(row(1, 'own', links('g.example'))).slice(10)}`;
    const { items } = await withFile('ghost.json', said, (path) => readSource(openGhost(path, settings), 'c.example'));
    expect(items[0]).toMatchObject({ warnings: ['leads to pages of the old site that are no posts: /other/'] });
  });

  it.each([
    ['another object', '{"posts": []}', /is no export of Ghost/],
    ['no posts', '{"db": [{"data": {"posts": []}}]}', /holds no posts/],
    ['nonsense', '{"db": [nonsense', /not JSON|breaks off/],
  ])('refuses a file with %s as a whole', async (_name, content, reason) => {
    expect((await read(content)).error).toMatch(reason);
  });

  /** Places where the file breaks off. */
  const [BREAKS = 60] = fewOf([60, 15], (count) => count === 15);

  it('gives every complete post of a file that breaks off, wherever it does', async () => {
    const bytes = await readFile(sample);
    const { items } = await readSource(openGhost(sample, settings));
    // The tables after the posts are missing to them, and nothing is planned; all else is as in the whole file.
    const alone = (item: SourceItem) => ({
      ...item,
      scheduledAt: undefined,
      withheld: undefined,
      author: '',
      category: null,
      tags: null,
      image: null,
      named: undefined,
      warnings: [],
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 3 }), async (cut) => {
        const result = await read(bytes.subarray(0, cut));
        expect(result.error).not.toBeNull();
        expect(result.items.filter((item) => 'scheduledAt' in item)).toEqual([]);
        expect(result.items.map(alone)).toEqual(
          items
            .slice(0, result.items.length)
            .map(alone)
            .map((item) => ({ ...item, file: item.file.replace('export.json', 'ghost.json') })),
        );
      }),
      { numRuns: BREAKS, seed: PROPERTY_SEED },
    );
  });
});
