import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../test/support/property-seed.js';
import { noTexts, readSource, settings, summarize, withFile } from '../../../test/support/post-source.js';
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

  it('makes of what the editor keeps what Ghost itself shows of it', async () => {
    const words = (value: string, type = 'extended-text') => ({ type, text: value });
    const item = (...children: object[]) => ({ type: 'listitem', children });
    const list = (...children: object[]) => ({ type: 'list', listType: 'bullet', children });
    const product = { type: 'product', productTitle: 'P', productButton: 'Buy', productUrl: 'https://buy.example' };
    const children = [
      list(item(words('one')), item(list(item(words('deep')), item(list(item(words('deeper')))))), item(words('two'))),
      list(item(list(item(words('alone'))))),
      { type: 'embed', url: 'https://x.example/1', html: '<blockquote>Said</blockquote>', caption: 'Below <b>it</b>' },
      { ...product, productButtonEnabled: false },
      { type: 'paragraph', children: [words('a '), words('TK', 'tk'), words('\u200c', 'zwnj'), words('b')] },
      {
        type: 'paragraph',
        children: [{ type: 'at-link', children: [words('', 'zwnj'), words('x', 'at-link-search')] }],
      },
    ];
    const lexical = JSON.stringify({ root: { type: 'root', children } });
    const { items } = await read(
      exportOf(
        JSON.stringify({ title: 'A', id: 1, status: 'published', published_at: '2024-01-02 03:04:05', lexical }),
      ),
    );
    expect(items).toMatchObject([{ warnings: [] }]);
    expect((items[0] as SourcePost).html.split('\n')).toEqual([
      '<ul><li>one<ul><li>deep<ul><li>deeper</li></ul></li></ul></li><li>two</li></ul>',
      '<ul><li><ul><li>alone</li></ul></li></ul>',
      '<blockquote>Said</blockquote><p>Below <b>it</b></p>',
      '',
      '<h4>P</h4>',
      '',
      '',
      '<p>a TKb</p>',
      '<p></p>',
    ]);
  });

  it('keeps how wide a picture is', async () => {
    const image = { type: 'image', src: '/a.png', alt: 'A', caption: '', cardWidth: 'wide' };
    const children = [image, { ...image, cardWidth: 'full' }, { ...image, cardWidth: 'regular' }];
    const lexical = JSON.stringify({ root: { type: 'root', children } });
    const { items } = await read(
      exportOf(
        JSON.stringify({ title: 'A', id: 1, status: 'published', published_at: '2024-01-02 03:04:05', lexical }),
      ),
    );
    const figure = (start: string) => `${start}<img src="/a.png" alt="A"></figure>`;
    const widths = ['<figure class="ql-width-wide">', '<figure class="ql-width-full">', '<figure>'];
    expect(items).toMatchObject([{ html: widths.map(figure).join('\n') }]);
  });

  it('puts the pictures of galleries beside each other, of the text that was shown and of cards', async () => {
    const images = [{ src: '/a.png', alt: 'A', caption: 'One' }, { src: '/b.png' }, { src: '' }];
    const lexical = JSON.stringify({ root: { type: 'root', children: [{ type: 'gallery', images, caption: 'All' }] } });
    const grid = (inner: string) => `<figure class="ql-width-grid">${inner}</figure>`;
    const image = (name: string) => `<div class="kg-gallery-image"><img src="/${name}.png"></div>`;
    const html = `<p>a</p><figure class="kg-card kg-gallery-card kg-width-wide"><div class="kg-gallery-container"><div>${image('a')}${image('b')}</div></div><figcaption>All</figcaption></figure><p>c</p>`;
    const row = { title: 'A', status: 'published', published_at: '2024-01-02 03:04:05' };
    const rows = [JSON.stringify({ ...row, id: 1, lexical }), JSON.stringify({ ...row, id: 2, html })];
    const { items } = await read(exportOf(...rows));
    expect(items).toMatchObject([
      {
        html: `${grid('<img src="/a.png" alt="A"><figcaption>One</figcaption>')}${grid('<img src="/b.png" alt="">')}<p>All</p>`,
      },
      {
        html: `<p>a</p>${grid('<img src="/a.png">')}${grid('<img src="/b.png">')}<p>All</p><p>c</p>`,
        warnings: ['a gallery that was wider than the text is as wide as the text'],
      },
    ]);
  });

  it('shows cards in the HTML of posts as those that have no HTML', async () => {
    const card = (kind: string, inside: string, name = 'div') =>
      `<${name} class="kg-card kg-${kind}-card">${inside}</${name}>`;
    const part = (name: string, inside: string, tag = 'div') => `<${tag} class="kg-${name}">${inside}</${tag}>`;
    const bookmark =
      `<a class="kg-bookmark-container" href="https://b.example/?a=1&amp;b">${part('bookmark-content', part('bookmark-title', 'Title <i>t</i>') + part('bookmark-description', 'Said of it') + part('bookmark-metadata', '<img class="kg-bookmark-icon" src="https://b.example/icon.ico" alt="">' + part('bookmark-author', 'Paper', 'span') + part('bookmark-publisher', 'Pia', 'span')))}` +
      `${part('bookmark-thumbnail', '<img src="/thumb.png" alt="">')}</a><figcaption>Below</figcaption>`;
    const toggle =
      part('toggle-heading', part('toggle-heading-text', '<span>Why?</span>', 'h4') + '<button><svg></svg></button>') +
      part('toggle-content', '<div><p>So.</p></div><ul><li>x</li></ul>');
    const signup =
      part('signup-card-heading', 'Join us', 'h2') +
      '<form><input></form>' +
      part('signup-card-success', 'Email sent!');
    const file = `<a class="kg-file-card-container" href="/content/files/r.pdf">${part('file-card-title', 'Report') + part('file-card-caption', 'of May') + part('file-card-metadata', part('file-card-filename', 'r.pdf') + part('file-card-filesize', '12 KB')) + part('file-card-icon', '<svg><style>.a{}</style></svg>')}</a>`;
    const audio =
      '<img src="" alt="audio-thumbnail" class="kg-audio-thumbnail kg-audio-hide"><div class="kg-audio-thumbnail placeholder"><svg></svg></div>';
    const html = [
      '<p>a</p>',
      card('callout', part('callout-emoji', '💡') + part('callout-text', 'Mind <b>this</b>')),
      card('toggle', toggle),
      card('bookmark', bookmark, 'figure'),
      card('signup', signup),
      card('file', file),
      card('audio', audio),
      '<div class="kg-card kg-callout-card"><p>never ends',
    ];
    const { items } = await read(exportOf(JSON.stringify({ id: 1, title: 'A', slug: 'a', html: html.join('\n') })));
    const [post] = items as SourcePost[];
    expect(post?.html.split('\n').filter((line) => line !== '')).toEqual([
      '<p>a</p>',
      '<blockquote><p>💡 Mind <b>this</b></p></blockquote>',
      '<details><summary><span>Why?</span></summary><div><p>So.</p></div><ul><li>x</li></ul></details>',
      '<figure><img src="/thumb.png" alt=""></figure><p><a href="https://b.example/?a=1&amp;b">Title <i>t</i></a></p><p>Said of it</p>' +
        '<p>Paper · Pia</p><p>Below</p>',
      '<p><a href="/content/files/r.pdf">Report</a></p><p>of May</p><p>r.pdf · 12 KB</p>',
      '<div class="kg-card kg-audio-card"></div>',
      '<div class="kg-card kg-callout-card"><p>never ends',
    ]);
    expect(post?.warnings).toContain("a card of the kind 'signup' belongs to the old site and was left out");
  });

  it('says what previews of links said', async () => {
    const previews = { og_title: 'Look!', og_description: 'Said', twitter_title: 'Look!', meta_description: 'Said' };
    const { items } = await read(
      exportOf(JSON.stringify({ id: 1, title: 'A', slug: 'a', html: '<p>x</p>', ...previews })),
    );
    expect((items[0] as SourcePost).warnings).toEqual(["what previews of links say was not taken: 'Look!'"]);
  });

  it('shows all that cards say where there is no HTML of them', async () => {
    const children = [
      { type: 'codeblock', code: 'a', caption: 'Below <b>it</b>' },
      { type: 'toggle', heading: '<p>Why?</p>', content: '<p>So.</p>' },
      { type: 'callout', calloutEmoji: '💡', calloutText: '<p>One</p><p>Two</p>' },
      { type: 'header', heading: 'H', backgroundImageSrc: '/b.png', buttonEnabled: false },
      {
        type: 'call-to-action',
        textValue: '<p>T</p>',
        hasSponsorLabel: true,
        sponsorLabel: '<p>Paid</p>',
        showButton: false,
      },
      { type: 'bookmark', url: 'https://b.example/', metadata: { title: 'B & b', publisher: 'Paper', author: 'Pia' } },
      { type: 'file', src: '/r.pdf', fileTitle: 'R', fileCaption: '', fileName: 'r.pdf' },
    ];
    const lexical = JSON.stringify({ root: { type: 'root', children } });
    const { items } = await read(exportOf(JSON.stringify({ id: 1, title: 'A', slug: 'a', lexical })));
    expect((items[0] as SourcePost).html.split('\n').filter((line) => line !== '')).toEqual([
      '<figure><pre><code>a</code></pre><figcaption>Below <b>it</b></figcaption></figure>',
      '<details><summary>Why?</summary><p>So.</p></details>',
      '<blockquote><p>💡 One</p><p>Two</p></blockquote>',
      '<figure><img src="/b.png" alt=""></figure><h2>H</h2>',
      '<blockquote><p>Paid</p><p>T</p></blockquote>',
      '<p><a href="https://b.example/">B &amp; b</a></p><p>Paper · Pia</p>',
      '<p><a href="/r.pdf">R</a></p><p>r.pdf</p>',
    ]);
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

  it('shows what the cards of the former editor showed, and no more', async () => {
    const cards: [string, object][] = [
      ['markdown', { markdown: 'one\ntwo\n#Close\n\nTerm\n: not defined' }],
      ['file', { src: '/r.pdf', fileTitle: '', fileCaption: 'of <May>', fileName: 'r.pdf', fileSize: 12_345 }],
      ['button', { buttonUrl: 'https://b.example', buttonText: '' }],
      ['audio', { src: '/a.mp3', title: 'A & B' }],
      ['before-after', { beforeImage: { src: '/b.png' }, afterImage: { src: '/a.png' }, caption: 'Then, now' }],
      [
        'product',
        {
          productTitle: 'P',
          productDescription: 'D',
          productRatingEnabled: true,
          productStarRating: 4,
          productButton: '',
          productUrl: '/p',
        },
      ],
      [
        'embed',
        {
          url: 'https://o.example/1',
          type: 'nft',
          html: '',
          metadata: { title: 'T', author_name: 'Mo', collection_name: 'C' },
        },
      ],
    ];
    const sections = cards.map((_card, index) => [10, index]);
    const mobiledoc = JSON.stringify({ version: '0.3.1', atoms: [], markups: [], cards, sections });
    const star = (active: string) => `<span class="${active}kg-product-card-rating-star"><svg></svg></span>`;
    const given = star('kg-product-card-rating-active ');
    const html = `<div class="kg-product-card-rating">${given}${given}${star('')}${star('')}${star('')}</div>`;
    const { items } = await read(
      exportOf(
        JSON.stringify({ id: 1, title: 'A', slug: 'a', mobiledoc }),
        JSON.stringify({ id: 2, title: 'B', slug: 'b', html }),
      ),
    );
    const [first, second] = items as SourcePost[];
    expect(first?.html.split('\n').filter((line) => line !== '')).toEqual([
      '<p>one<br>two</p>',
      '<h1>Close</h1>',
      '<p>Term<br>: not defined</p>',
      '<p><a href="/r.pdf">r.pdf · 12 KB</a></p><p>of &lt;May&gt;</p>',
      '<audio class="ql-player" src="/a.mp3" title="A &amp; B"></audio><p>A &amp; B</p>',
      '<figure class="ql-width-grid"><img src="/b.png" alt=""></figure><figure class="ql-width-grid"><img src="/a.png" alt=""></figure><p>Then, now</p>',
      '<h4>P</h4>',
      '<p>★★★★☆</p>',
      'D',
      '<p><a href="https://o.example/1">T</a></p><p>Created by Mo</p><p>C</p>',
    ]);
    expect(first?.warnings).toEqual([
      "a card of the kind 'button' shows nothing and was left out",
      'leads to files of the old site, which stay there: /r.pdf',
    ]);
    expect(second?.html).toBe('<p>★★☆☆☆</p>');
  });

  it('puts the footnotes of Markdown cards where their numbers stand, and keeps a list to which not all lead', async () => {
    const ref = (name: string) =>
      `<sup class="footnote-ref"><a href="#fn${name}" id="fnref${name}">[${name}]</a></sup>`;
    const note = (name: string, html: string) => `<li id="fn${name}" class="footnote-item">${html}</li>\n`;
    const list = (items: string) =>
      `<hr class="footnotes-sep">\n<section class="footnotes">\n<ol class="footnotes-list">\n${items}</ol>\n</section>\n`;
    const back = ' <a href="#fnref1" class="footnote-backref">↩︎</a>';
    const complete = `<p>a${ref('1')} b${ref('2')}</p>\n${list(note('1', `<p>One <em>x</em>${back}</p>\n`) + note('2', `<p>Two</p>\n<p>more${back}</p>\n`))}`;
    const broken = `<p>a${ref('1')}</p>\n${list(note('1', '<p>One</p>') + note('2', '<p>Two</p>'))}`;
    const posts = [complete, broken].map((html, index) =>
      JSON.stringify({ id: String(index), title: 'T', slug: `t${index}`, status: 'published', html }),
    );
    const { items } = await read(exportOf(...posts));
    const [first, second] = items as SourcePost[];
    expect(first?.html.trim()).toBe(
      '<p>a<span class="ql-footnote">One <em>x</em></span> b<span class="ql-footnote">Two<br>more</span></p>',
    );
    expect(second?.html).toBe(broken);
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
    expect((await readAs('g.example', 'old blog')).items[0]).toMatchObject({ html: links('g.example'), warnings: [] });
    const said = `{"data": {"settings": [{"key": "url", "value": "https://g.example"}], ${exportOf(row(1, 'own', links('g.example'))).slice(10)}`;
    const { items } = await withFile('ghost.json', said, (path) => readSource(openGhost(path, settings), 'c.example'));
    expect(items[0]).toMatchObject({ warnings: ['leads to pages of the old site that are no posts: /other/'] });
  });

  it('refuses a card that is nested too deep, and no other post', async () => {
    const card = (markdown: string) => JSON.stringify({ root: { children: [{ type: 'markdown', markdown }] } });
    const row = (id: number, markdown: string) =>
      JSON.stringify({ id, title: 'x', slug: 'x', status: 'draft', lexical: card(markdown) });
    const { items } = await read(exportOf(row(1, '>'.repeat(20_000)), row(2, 'a')));
    expect(items).toMatchObject([
      { refusal: { reasons: ['its quotations or lists stand in each other too deep to be read'] } },
      { html: '<p>a</p>\n' },
    ]);
  });

  it('leaves out the buttons and times of players', async () => {
    const html =
      '<p>a</p><div class="kg-card kg-audio-card"><div class="kg-audio-player-container"><audio src="/b.mp3"></audio>' +
      '<div class="kg-audio-title">B</div><div class="kg-audio-player"><span>0:00</span><div>/<span>3:20</span></div>' +
      '<button>1×</button></div></div></div><p>c</p><div class="kg-video-player-container"><div>0:10';
    const { items } = await read(exportOf(JSON.stringify({ title: 'A', id: 1, status: 'published', html })));
    expect(items).toEqual([
      expect.objectContaining({
        html:
          '<p>a</p><div class="kg-card kg-audio-card"><div class="kg-audio-player-container"><audio class="ql-player" src="/b.mp3"></audio>' +
          '<div class="kg-audio-title">B</div></div></div><p>c</p>',
      }),
    ]);
  });

  it.each([
    ['another object', '{"posts": []}', /is no export of Ghost/],
    ['no posts', '{"db": [{"data": {"posts": []}}]}', /holds no posts/],
    ['nonsense', '{"db": [nonsense', /not JSON|breaks off/],
  ])('refuses a file with %s as a whole', async (_name, content, reason) => {
    expect((await read(content)).error).toMatch(reason);
  });

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
      { numRuns: 60, seed: PROPERTY_SEED },
    );
  });
});
