import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { sanitizeContent } from '../../posts/content/sanitize-content.js';
import { expandBareAddresses, replacePlayers } from '../media-links.js';
import { ShortcodeRules, type ShortcodeRule } from '../shortcode-rules.js';
import { expandShortcodes } from './shortcodes.js';
import { readContent } from './wordpress-content.js';
import { emptySite } from './wordpress-site.js';
import { addParagraphs } from './wpautop.js';

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
    ['</div></p>a', '</div></p><p>a</p>'],
    ['<hr>\n\n', '<hr>'],
    ['', ''],
  ])('reads %j', (text, html) => {
    expect(flat(addParagraphs(text))).toBe(html);
  });
});

describe('expandShortcodes', () => {
  const attachments = new Map([
    ['1', { id: '1', address: 'https://a.example/1.jpg', alt: 'One', caption: '1 < 2', parent: '9' }],
    ['2', { id: '2', address: 'https://a.example/2.pdf', alt: null, caption: null, parent: '9' }],
  ]);
  const expand = (text: string) => {
    const warnings: string[] = [];
    return { html: flat(expandShortcodes(text, { postId: '9', attachments, warnings })), warnings };
  };
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
      '<figure class="ql-width-grid"><img src="https://a.example/1.jpg" alt="One"><figcaption>1 &lt; 2</figcaption></figure>',
    ],
    ['[embed width="1"]https://youtu.be/abcdefghijk[/embed]', youTube],
    ['[youtube https://www.youtube.com/watch?v=abcdefghijk&amp;w=1]', youTube],
    ['[youtube id="abcdefghijk"]', youTube],
    ['[youtube=https://youtu.be/abcdefghijk]', youTube],
    ['[vimeo 12345]', '<iframe src="https://player.vimeo.com/video/12345" title="Vimeo video"></iframe>'],
    ['[embed]https://a.example/x[/embed]', '<p><a href="https://a.example/x">https://a.example/x</a></p>'],
    ['[[gallery]] and [1] and [sic]', '[[gallery]] and [1] and [sic]'],
    ['<code>[gallery]</code>', '<code>[gallery]</code>'],
  ])('reads %j', (text, html) => {
    expect(expand(text)).toEqual({ html, warnings: [] });
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
  ])('takes time in proportion to the length of %j', (piece) => {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    const convert = () => {
      const expanded = expandShortcodes(text, { postId: '1', attachments: new Map(), warnings: [] });
      replacePlayers(addParagraphs(expandBareAddresses(expanded)), []);
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
  const read = (text: string) => {
    const content = { name: 'content:encoded', attributes: new Map<string, string>(), text, children: [] };
    const item = { name: 'item', attributes: new Map<string, string>(), text: '', children: [content] };
    const warnings: string[] = [];
    return { html: sanitizeContent(readContent(item, '9', emptySite(), warnings)), warnings };
  };
  const picture = (name: string, words = '') =>
    `<!-- wp:image --><figure class="wp-block-image"><img src="https://a.example/${name}">${words}</figure><!-- /wp:image -->`;

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
