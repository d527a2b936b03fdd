import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { sanitizeContent } from '../../posts/content/sanitize-content.js';
import { expandBareAddresses, replacePlayers } from '../media-links.js';
import { ShortcodeRules, type ShortcodeRule } from '../shortcode-rules.js';
import { expandShortcodes } from './shortcodes.js';
import { readContent, readWritten } from './wordpress-content.js';
import { placeListedFootnotes } from './wordpress-footnotes.js';
import { emptySite, type WordPressAttachment } from './wordpress-site.js';
import { addParagraphs } from './wpautop.js';

const attachment = (id: string, name: string, more: Partial<WordPressAttachment> = {}): WordPressAttachment => ({
  id,
  address: `https://a.example/${name}`,
  alt: null,
  title: '',
  caption: null,
  captionHtml: '',
  parent: '9',
  order: 0,
  ...more,
});
const flat = (html: string) => html.replace(/>\s*\n\s*</g, '><').trim();

describe('addParagraphs', () => {
  it.each([
    ['one\ntwo\n\nthree', '<p>one<br>\ntwo</p><p>three</p>'],
    ['one\n \n\n\ntwo\n', '<p>one</p><p>two</p>'],
    ['one<br />\ntwo', '<p>one<br />\ntwo</p>'],
    ['<h2>Head</h2>\ntext <strong>bold\nmore</strong>', '<h2>Head</h2><p>text <strong>bold<br>\nmore</strong></p>'],
    ['<p>one\ntwo</p>\n\n<p>three</p>', '<p>one<br>\ntwo</p><p>three</p>'],
    ['<p>one\n\ntwo</p>', '<p>one</p><p>two</p>'],
    ['<ul>\n<li>a\nb</li>\n<li>c\n\nd</li>\n</ul>', '<ul><li>a<br>\nb</li><li><p>c</p><p>d</p></li></ul>'],
    ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p><p>b</p></blockquote>'],
    ['<table>\n<tr>\n<td>a</td>\n\n<td>b</td></tr></table>', '<table><tr><td>a</td><td>b</td></tr></table>'],
    ['a\n<pre>x\n\n<b>y</b></pre>\nb', '<p>a</p><pre>x\n\n<b>y</b></pre><p>b</p>'],
    ['use <code>a\n\nb</code> here', '<p>use <code>a\n\nb</code> here</p>'],
    ['<div>\na\n</div>b', '<div><p>a</p></div><p>b</p>'],
    ['a < b\nc', '<p>a < b<br>\nc</p>'],
    [
      'a <b>b <a href="/c">c\n\nd</a> e\n\nf</b> g',
      '<p>a <b>b <a href="/c">c</a></b></p><p><b><a href="/c">d</a> e</b></p><p><b>f</b> g</p>',
    ],
    ['<i>a <code></i></code>\n\nb</i>\n\nc', '<p><i>a <code></i></code></i></p><p><i>b</i></p><p>c</p>'],
    ['<b>a\n\nb\n<h2>c</h2></b>d', '<p><b>a</p><p>b</p><h2>c</h2><p></b>d</p>'],
    ['<em>a</em> <span>b\n\nc</span> </em>', '<p><em>a</em> <span>b</p><p>c</span> </em></p>'],
    ['a <a\nhref="/b"\r\n\ntitle="c\nd">e</a\n> f\ng', '<p>a <a href="/b" title="c d">e</a > f<br>\ng</p>'],
    ['<p\n  class="x">a</p\n>b', '<p class="x">a</p ><p>b</p>'],
    ['</div></p>a', '</div></p><p>a</p>'],
    ['<p class="x">a\n<h3>b</h3>\nc\n\nd', '<p class="x">a</p><h3>b</h3><p>c</p><p>d</p>'],
    ['<p class="x">a\n<iframe></iframe>\nb</p>', '<p class="x">a<iframe></iframe>b</p>'],
    ['<p class="x">\n<hr>\na', '<p class="x"></p><hr><p>a</p>'],
    ['<hr>\n\n', '<hr>'],
    ['', ''],
  ])('reads %j', (text, html) => {
    expect(flat(addParagraphs(text))).toBe(html);
  });
});

describe('expandShortcodes', () => {
  const attachments = new Map([
    ['1', attachment('1', '1.jpg', { alt: 'One', caption: '1 < 2', captionHtml: '1 &lt; <em>2</em>', order: 2 })],
    ['2', attachment('2', '2.pdf')],
    ['3', attachment('3', '3.png', { parent: '8' })],
    ['4', attachment('4', '4.mp3', { title: 'Four "4"' })],
    ['5', attachment('5', '5.mp4', { title: 'Five', parent: '8' })],
    ['6', attachment('6', '6.mp3', { title: 'Six', order: -1 })],
    ['7', attachment('7', '7.png')],
  ]);
  const expand = (text: string) => {
    const warnings: string[] = [];
    return { html: flat(expandShortcodes(text, { postId: '9', attachments, warnings })), warnings };
  };

  it.each([
    ['a [efn_note]Not <em>e</em>.\n[/efn_note] b', 'a <span class="ql-footnote">Not <em>e</em>.</span> b'],
    [
      '[tweet https://twitter.com/a/status/1]',
      '<p><a href="https://twitter.com/a/status/1">https://twitter.com/a/status/1</a></p>',
    ],
    [
      '[soundcloud url="https://soundcloud.com/a" /]',
      '<p><a href="https://soundcloud.com/a">https://soundcloud.com/a</a></p>',
    ],
    [
      '[gist]https://gist.github.com/a/1[/gist]',
      '<p><a href="https://gist.github.com/a/1">https://gist.github.com/a/1</a></p>',
    ],
    ['[gist a1]', '<p><a href="https://gist.github.com/a1">https://gist.github.com/a1</a></p>'],
    ['[audio http://a.example/a.mp3|titles=One]', '<audio class="ql-player" src="http://a.example/a.mp3"></audio>'],
  ])('reads %j', (text, html) => {
    expect(expand(text)).toEqual({ html, warnings: [] });
  });

  it('names tags without attributes that have a line for themselves or a name that is no word', () => {
    const { html, warnings } = expand(
      'he [sic] said\n[archives]\n<p>[sitemap]</p> so [my_list] it [is]\n[polls https://a.example]',
    );
    expect(html).toContain('[archives]');
    expect(warnings).toEqual(
      ['archives', 'sitemap', 'my_list', 'polls'].map((name) => `the tag [${name}] was left in the text (once)`),
    );
  });
  const youTube = '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" title="YouTube video"></iframe>';

  it.each([
    [
      '[caption width="3" caption="Old &amp; so"]<img src="a.jpg">[/caption]',
      '<figure><img src="a.jpg"><figcaption>Old &amp; so</figcaption></figure>',
    ],
    ['[caption]<img src="a.jpg">[/caption]', '<figure><img src="a.jpg"></figure>'],
    ['[caption]words only[/caption]', 'words only'],
    [
      '[gallery]',
      '<figure class="ql-width-grid"><img src="https://a.example/7.png" alt=""></figure>' +
        '<figure class="ql-width-grid"><img src="https://a.example/1.jpg" alt="One"><figcaption>1 &lt; <em>2</em></figcaption></figure>',
    ],
    [
      '[gallery exclude="1, 9" order="DESC"]',
      '<figure class="ql-width-grid"><img src="https://a.example/7.png" alt=""></figure>',
    ],
    [
      '[playlist]',
      '<audio class="ql-player" src="https://a.example/6.mp3" title="Six"></audio>' +
        '<audio class="ql-player" src="https://a.example/4.mp3" title="Four &quot;4&quot;"></audio>',
    ],
    ['[playlist type="video" ids="5"]', '<video class="ql-player" src="https://a.example/5.mp4" title="Five"></video>'],
    ['[audio]', '<audio class="ql-player" src="https://a.example/6.mp3"></audio>'],
    [
      '[audio wav="https://a.example/b.wav" loop="on"][/audio]',
      '<audio class="ql-player" src="https://a.example/b.wav"></audio>',
    ],
    ['[embed width="1"]https://youtu.be/abcdefghijk[/embed]', youTube],
    ['[youtube https://www.youtube.com/watch?v=abcdefghijk&amp;w=1]', youTube],
    ['[youtube id="abcdefghijk"]', youTube],
    ['[youtube=https://youtu.be/abcdefghijk]', youTube],
    ['[vimeo 12345]', '<iframe src="https://player.vimeo.com/video/12345" title="Vimeo video"></iframe>'],
    ['[embed]https://a.example/x[/embed]', '<p><a href="https://a.example/x">https://a.example/x</a></p>'],
    ['a [[caption id="1"]x[/caption]] b', 'a [caption id="1"]x[/caption] b'],
    ['[[caption]] [caption]c[/caption]', '[caption] \n\nc'],
    ['[[gallery]] and [[form]] and [1] and [sic]', '[gallery] and [[form]] and [1] and [sic]'],
    ['<code>[gallery]</code>', '<code>[gallery]</code>'],
  ])('reads %j', (text, html) => {
    expect(expand(text)).toEqual({ html, warnings: [] });
  });

  it('leaves out what shows nothing there, and says so', () => {
    expect(expand('a [gallery ids="77"] [video] [playlist type="video"] b')).toEqual({
      html: 'a    b',
      warnings: [
        'pictures of a gallery are not in the file: 77',
        ...['gallery', 'video', 'playlist'].map((tag) => `the tag [${tag}] shows nothing there and was left out`),
      ],
    });
    // A file without the media library does not say what there was.
    const warnings: string[] = [];
    const text = '[gallery ids="1"] [playlist ids="4"]';
    expect(expandShortcodes(text, { postId: '9', attachments: new Map(), warnings })).toBe(text);
    expect(warnings).toEqual([
      'pictures of a gallery are not in the file: 1',
      'files of a playlist are not in the file: 4',
      'the tag [gallery] was left in the text (once)',
      'the tag [playlist] was left in the text (once)',
    ]);
  });

  it('names what it leaves and what it turns into links', () => {
    expect(expand('[box]a[/box] [form id="1"] [embed]nowhere[/embed] [caption]')).toEqual({
      html: '[box]a[/box] [form id="1"] [embed]nowhere[/embed] [caption]',
      warnings: ['[box]', '[form]', '[embed]', '[caption]'].map((tag) => `the tag ${tag} was left in the text (once)`),
    });
    expect(expand('[audio mp3="https://a.example/b%20c.mp3"][/audio]')).toEqual({
      html: '<audio class="ql-player" src="https://a.example/b%20c.mp3"></audio>',
      warnings: [],
    });
  });
});

describe('expandShortcodes with rules', () => {
  const rules = new ShortcodeRules(
    new Map<string, ShortcodeRule>([
      ['vc_*', 'keep inner'],
      ['ad', 'drop'],
      ['box', { text: '<blockquote>{inner}</blockquote>' }],
      ['gallery', { text: '<p>{ids}</p>' }],
    ]),
  );

  it('writes tags as they say, also around code, and touches no code', () => {
    const warnings: string[] = [];
    const text =
      '[vc_row a="1"][vc_column]one <code>[ad]</code>[/vc_column][/vc_row][ad id="2"]x[/ad][box]<pre>[/box]</pre>[/box][gallery ids="1&amp;<2"][[box]]';
    expect(expandShortcodes(text, { postId: '1', attachments: new Map(), warnings, rules })).toBe(
      'one <code>[ad]</code><blockquote><pre>[/box]</pre></blockquote><p>1&amp;&lt;2</p>[[box]]',
    );
    expect(warnings).toEqual([
      'the tag [vc_column] was taken off, as --shortcodes says (once)',
      'the tag [vc_row] was taken off, as --shortcodes says (once)',
      'the tag [ad] was dropped, as --shortcodes says (once)',
    ]);
  });
});

describe('addresses and players', () => {
  it.each([
    [
      'a\nhttps://vimeo.com/1\nb',
      'a\n\n<iframe src="https://player.vimeo.com/video/1" title="Vimeo video"></iframe>\n\nb',
    ],
    [
      '<p>https://a.example/?a=1&amp;b=$1</p>',
      '<p><a href="https://a.example/?a=1&amp;b=$1">https://a.example/?a=1&amp;b=$1</a></p>',
    ],
    ['see https://a.example/', 'see https://a.example/'],
    ['<pre>\nhttps://a.example/\n</pre>', '<pre>\nhttps://a.example/\n</pre>'],
  ])('shows %j as WordPress does', (text, html) => {
    expect(expandBareAddresses(text)).toBe(html);
  });

  it('writes players in one way, and loses nothing beside them', () => {
    const warnings: string[] = [];
    const html =
      '<video controls><source src="https://a.example/v.mp4"></video><audio src=\'b.mp3\'>c <audio></audio>d';
    expect(replacePlayers(html, warnings)).toBe(
      '<video class="ql-player" src="https://a.example/v.mp4"></video><audio class="ql-player" src="b.mp3"></audio>d',
    );
    expect(warnings).toEqual([]);
    const film =
      '<figure class="wp-block-video"><video autoplay poster="p.png" width=3 title="A &quot;b&quot;"><source src="a.webm">' +
      '<source src="a.mp4?x=1&amp;y=2">Words<track src="a.vtt" kind="captions" srclang=en default></video></figure>';
    expect(replacePlayers(film, warnings)).toBe(
      '<video class="ql-player" src="a.mp4?x=1&amp;y=2" title="A &quot;b&quot;" poster="p.png" width="3">' +
        '<track kind="captions" src="a.vtt" srclang="en" default=""></video>',
    );
    expect(warnings).toEqual(['the video a.mp4?x=1&y=2 does not play by itself']);
    const captioned = `<figure>${replacePlayers(film, [])}<figcaption>c</figcaption></figure>`;
    expect(replacePlayers(captioned, [])).toBe(captioned);
  });

  it.each([
    '[caption]',
    '[a b="',
    '<audio ',
    '<audio x>',
    '<pre>',
    '<a',
    ' ',
    '\n',
    '<!--',
    '<div>',
    '[x][/y]',
    '[[',
    '<br',
    '\n ',
    '<b>\n\n',
    '</b><b>\n\n',
    '<a\n',
    ' :)',
    '<div class="footnotes"><ol>',
    '<sup><a href="#',
  ])('takes time in proportion to the length of %j', (piece) => {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    const convert = () => {
      const expanded = expandShortcodes(text, { postId: '1', attachments: new Map(), warnings: [] });
      replacePlayers(addParagraphs(expandBareAddresses(placeListedFootnotes(`${expanded} footnotes`))), []);
    };
    // With the square of the length it would be minutes.
    expect(leastProcessorTime(convert, 5000)).toBeLessThanOrEqual(5000);
  });

  it('gives what the sanitizer keeps', () => {
    const html = addParagraphs(expandBareAddresses('Hello\n\nhttps://youtu.be/abcdefghijk\n\nthere'));
    expect(sanitizeContent(html)).toMatch(
      /^<p>Hello<\/p>\s*<iframe class="ql-video" [^>]*><\/iframe>\s*<p>there<\/p>$/,
    );
  });
});

describe('readContent', () => {
  const read = (text: string, site = emptySite()) => {
    const content = { name: 'content:encoded', attributes: new Map<string, string>(), text, children: [] };
    const item = { name: 'item', attributes: new Map<string, string>(), text: '', children: [content] };
    const warnings: string[] = [];
    return {
      html: sanitizeContent(readContent(item, readWritten(item, site, warnings), '9', site, warnings)),
      warnings,
    };
  };
  const picture = (name: string, words = '') =>
    `<!-- wp:image --><figure class="wp-block-image"><img src="https://a.example/${name}">${words}</figure><!-- /wp:image -->`;

  it('shows the pictures behind words, the lines of poems and the names of links', () => {
    const cover = (style: string, name = 'wp-block-cover') =>
      `<!-- wp:cover --><div class="${name} x" style="${style}"><p>On it</p></div><!-- /wp:cover -->`;
    const verse =
      '<!-- wp:verse --><pre class="wp-block-verse">Red\n  are <em>they</em><br>all</pre><!-- /wp:verse -->';
    const links =
      '<!-- wp:social-links --><ul class="wp-block-social-links"><!-- wp:social-link {"url":"https:\\/\\/b.example\\/@a","service":"mastodon"} /-->' +
      '<!-- wp:social-link {"url":"https://b.example/g","service":"github"} /-->\n\n' +
      '<!-- wp:social-link {"url":"https://b.example/r","service":"chain","label":"R \\u0026 D \\u003cb\\u003e"} /--></ul><!-- /wp:social-links -->' +
      '<!-- wp:navigation-link {"label":"Next","url":"https://b.example/n","service":"x"} /-->';
    const { html, warnings } = read(
      cover('background-image:url(https://a.example/1.png);background-position:50% 50%') +
        cover("background-image:url('https://a.example/2.png')", 'wp-block-cover-image') +
        cover('background-image:url(https://a.example/3.png)', 'other') +
        verse +
        links,
    );
    expect(flat(html)).toBe(
      '<p><img src="https://a.example/1.png" alt=""></p><p>On it</p><p><img src="https://a.example/2.png" alt=""></p><p>On it</p><p>On it</p>' +
        '<p>Red<br>&nbsp;&nbsp;are <em>they</em><br>all</p>' +
        '<ul><li><a href="https://b.example/@a">Mastodon</a></li><li><a href="https://b.example/g">GitHub</a></li>' +
        '<li><a href="https://b.example/r">R &amp; D</a></li></ul>' +
        '<p><a href="https://b.example/n">Next</a></p>',
    );
    expect(warnings).toEqual([]);
  });

  it('takes pictures of emoji for the emoji that they show', () => {
    const core = 'https://s.w.org/images/core/emoji/14.0.0';
    const smilies = 'https://a.example/wp-includes/images/smilies';
    const other = '<img src="https://a.example/emoji/1f642.png" alt="🙂">';
    const { html, warnings } = read(
      `<p>Hi <img src="${core}/72x72/1f642.png" alt="🙂" class="wp-smiley" style="height: 1em;"> and ` +
        `<img draggable="false" class="emoji" alt="" src='${core}/svg/1f468-200d-1f4bb.svg'> and ` +
        `<img src="${core}/svg/1f1e9-1f1ea.svg" alt="Flag: Germany">, <img src="${smilies}/icon_wink.gif" alt=";-)" class="wp-smiley">` +
        `<img src="${smilies}/mrgreen.png" alt=":mrgreen:">${other}</p>`,
    );
    expect(flat(html)).toBe(`<p>Hi 🙂 and 👨‍💻 and 🇩🇪, 😉<img src="${smilies}/mrgreen.png" alt=":mrgreen:">${other}</p>`);
    expect(warnings).toEqual([]);
  });

  it('shows smileys as WordPress does, in texts of both editors and not in code', () => {
    const { html, warnings } = read(
      'Hi :)&nbsp;;-) (8) 8) :mrgreen: a:) :D, http://x:)/ <em>:???:</em>\n:P :p <code>:)</code>\n\n' +
        '<!-- wp:paragraph --><p title=" :) ">8-) :!: :x</p><!-- /wp:paragraph --><pre> :) </pre>',
    );
    expect(flat(html)).toBe(
      '<p>Hi 🙂&nbsp;😉 (8) 8) :mrgreen: a:) :D, http://x:)/ <em>😕</em><br>\n😛 :p <code>:)</code></p>' +
        '<p>😎 ❗ 😡</p><pre><code> :)</code></pre>',
    );
    expect(warnings).toEqual(['smileys are emoji here, as WordPress shows them: 7']);
  });

  it('puts footnotes that Markdown made where their numbers stand', () => {
    const markdown = read(
      `<p>One<sup id='fnref-7-1'><a href='#fn-7-1' rel='footnote'>1</a></sup> two<sup id="fnref:b"><a href="#fn:b">2</a></sup></p>\n` +
        '<div class="footnotes">\n<hr />\n<ol>\n<li id="fn-7-1">\nFirst\n<em>note</em>.&#160;<a href="#fnref-7-1">&#8617;</a>\n</li>\n' +
        '<li id="fn:b"><p>A</p><p>B <a href="#fnref:b" class="reversefootnote">&#x21a9;&#xfe0e;</a></p></li>\n</ol>\n</div>\nafter',
    );
    expect(flat(markdown.html)).toBe(
      '<p>One<span class="ql-footnote">First <em>note</em>.</span> two<span class="ql-footnote">A<br>B</span></p><p>after</p>',
    );
    const block = read(
      '<!-- wp:jetpack/markdown {"source":"x"} --><div class="wp-block-jetpack-markdown"><p>a<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup></p>\n' +
        '<hr class="footnotes-sep">\n<section class="footnotes">\n<ol class="footnotes-list">\n<li id="fn1" class="footnote-item"><p>b <a href="https://c.example/">c</a> ' +
        '<a href="#fnref1" class="footnote-backref">↩︎</a></p>\n</li>\n</ol>\n</section></div><!-- /wp:jetpack/markdown -->',
    );
    expect(flat(block.html)).toBe('<p>a<span class="ql-footnote">b <a href="https://c.example/">c</a></span></p>');
    // A note to which nothing leads would be gone.
    const list = '<div class="footnotes"><ol><li id="fn1">b</li><li id="fn2">c</li></ol></div>';
    const kept = read(`<p>a<sup><a href="#fn1">1</a></sup></p>${list}`);
    expect(kept.html).toContain('<li>b</li>');
    expect(kept.html).toContain('<li>c</li>');
  });

  it('names lists that are numbered otherwise there', () => {
    const list = (attributes: string) => `<ol${attributes}><li>a</li></ol>`;
    const others = [' reversed start="9"', ' class="x" reversed=""', ' type="a"', " class='y' type='I'", ' type=i'];
    const { html, warnings } = read([...others, '', ' type="1"', ' class="reversed"', ' start="3"'].map(list).join(''));
    expect(html.match(/<ol/g)).toHaveLength(9);
    expect(warnings).toEqual(['lists with letters, or that count down, are numbered from low to high here: 5']);
  });

  it('names each kind of block once that only the old site can show', () => {
    const { warnings } = read(
      '<!-- wp:calendar /--> <!-- wp:x/y {"a":1} /-->'.repeat(3) + '<p>a</p><!-- wp:avatar /-->',
    );
    expect(warnings).toEqual(
      ["'calendar'", "'x/y'", "'avatar'"].map(
        (name, index) =>
          `the block ${name} has no text of its own in the file and was left out (${index === 2 ? 'once' : '3 times'})`,
      ),
    );
  });

  it('names the sites whose pages WordPress shows in frames, of which links are made', () => {
    const block = (url: string) =>
      `<!-- wp:embed {"url":"${url}"} --><figure class="wp-block-embed"><div>\n${url}\n</div></figure><!-- /wp:embed -->`;
    const { html, warnings } = read(
      'https://twitter.com/a/status/1\n\n[embed]https://open.spotify.com/track/1[/embed]\n\nhttps://a.example/x\n\n' +
        '[twitter https://twitter.com/a/status/2]\n\nhttps://youtu.be/abcdefghijk\n\nhttps://twitter.com/\n\n' +
        'see https://www.reddit.com/r/a/comments/1\n\n<!-- wp:embed {"url":"https://www.instagram.com/p/1"} /-->' +
        block('https://www.tiktok.com/@a/video/1'),
    );
    expect(html.match(/<a /g)).toHaveLength(7);
    expect(warnings).toEqual([
      'what other sites showed in frames are links here: open.spotify.com, twitter.com, www.tiktok.com, www.instagram.com',
    ]);
  });

  it('keeps headings that open what is below them', () => {
    const heading =
      '<h3 class="wp-block-accordion-heading"><button type="button"><span class="t">What <em>is</em> it?</span><span class="i" aria-hidden="true">+</span></button></h3>';
    const { html, warnings } = read(`<!-- wp:accordion-heading -->${heading}<!-- /wp:accordion-heading --><p>So.</p>`);
    expect(flat(html)).toBe('<h3>What <em>is</em> it?</h3><p>So.</p>');
    expect(warnings).toEqual([]);
  });

  it('shows pictures that scripts of the old site load later', () => {
    const empty = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
    const { html } = read(
      `<p><img class="lazy" src="${empty}" data-src="https://a.example/1.png" alt="1"></p><p><img data-lazy-src='https://a.example/2.png'></p>` +
        `<p><img src="https://a.example/3.png" data-orig-file="https://a.example/large.png"></p><pre>&lt;img data-src="x"></pre>`,
    );
    expect(html.match(/ src="[^"]*"/g)).toEqual([1, 2, 3].map((number) => ` src="https://a.example/${number}.png"`));
    expect(html).toContain('data-src="x"');
  });

  it('takes links off that show a picture on the old site, and no others', () => {
    const site = { ...emptySite(), address: 'https://a.example', attachmentPages: new Set(['/tape']) };
    const linked = (address: string) => `<a href="${address}"><img src="https://a.example/1-300x200.png"></a>`;
    const kept = ['https://b.example/1.png', 'https://a.example/post/', 'https://a.example/1.pdf'].map(linked);
    const gone = [
      'https://a.example/1.png',
      '//www.a.example/2.JPG',
      '/wp-content/3.webp',
      'https://a.example/tape/',
    ].map(linked);
    const text = (links: string[]) => read(links.map((link) => `<p>${link}</p>`).join(''), site);
    expect(text(kept).html.match(/<a /g)).toHaveLength(3);
    expect(text(kept).warnings).toEqual([]);
    expect(text(gone).html).not.toContain('<a ');
    expect(text(gone).html.match(/<img /g)).toHaveLength(4);
    expect(text(gone).warnings).toEqual([
      '4 of its pictures led to the same picture on the old site; here they open by themselves',
    ]);
    expect(text([`<code>${gone[0] ?? ''}</code>`]).warnings).toEqual([]);
  });

  it('keeps the alignment of blocks, and says what text flowed around', () => {
    const centered = '<!-- wp:paragraph --><p class="has-text-align-center">x</p><!-- /wp:paragraph -->';
    const beside =
      '<!-- wp:image --><figure class="wp-block-image alignleft"><img src="https://a.example/1.png"></figure><!-- /wp:image -->';
    const { html, warnings } = read(centered + beside);
    expect(html).toContain('<p class="ql-align-center">x</p>');
    expect(warnings).toEqual(['text flowed around 1 of its pictures; here they stand between lines']);
  });

  it('puts the pictures of galleries beside each other, with all that is said of them', () => {
    const all = '<figcaption class="blocks-gallery-caption wp-element-caption">All</figcaption>';
    const pictures = picture('1.png', '<figcaption>One</figcaption>') + picture('2.png');
    const gallery = `<!-- wp:gallery --><figure class="wp-block-gallery columns-2">${pictures}${all}</figure><!-- /wp:gallery -->`;
    const { html, warnings } = read(`${gallery}<!-- wp:paragraph --><p>end</p><!-- /wp:paragraph -->`);
    expect(flat(html)).toBe(
      '<figure class="ql-width-grid"><img src="https://a.example/1.png" alt=""><figcaption>One</figcaption></figure>' +
        '<figure class="ql-width-grid"><img src="https://a.example/2.png" alt=""></figure><p>All</p><p>end</p>',
    );
    expect(warnings).toEqual([]);
    const old =
      '<!-- wp:gallery --><ul class="wp-block-gallery alignwide"><li class="blocks-gallery-item"><figure><a href="/b"><img src="https://a.example/1.png"></a></figure></li></ul><!-- /wp:gallery -->';
    const { html: oldHtml, warnings: oldWarnings } = read(old);
    expect(oldHtml).toBe(
      '<figure class="ql-width-grid"><a href="/b"><img src="https://a.example/1.png" alt=""></a></figure>',
    );
    expect(oldWarnings).toEqual(['a gallery that was wider than the text is as wide as the text']);
  });
});
