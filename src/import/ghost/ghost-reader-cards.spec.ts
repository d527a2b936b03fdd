import { describe, expect, it } from '@jest/globals';
import { readSource, settings, withFile } from '../../../test/support/post-source.js';
import { openGhost } from './ghost-reader.js';
import type { SourcePost } from '../source-post.js';

const read = (content: string | Uint8Array) =>
  withFile('ghost.json', content, (path) => readSource(openGhost(path, settings)));
const exportOf = (...posts: string[]) => `{"data": {"posts": [${posts.join(', ')}]}}`;

describe('the cards of a post of Ghost', () => {
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
});
