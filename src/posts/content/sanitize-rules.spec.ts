import { describe, expect, it } from '@jest/globals';
import { sanitizeContent } from './sanitize-content.js';

// Each rule on both sides of its edge; `sanitize-content.spec.ts` has what editors and attackers write.

function expectClean(html: string, expected: string): void {
  expect(sanitizeContent(html)).toBe(expected);
  expect(sanitizeContent(expected)).toBe(expected);
}

const FILE = '0123456789abcdef'.repeat(2);
const PLAYS = 'controls="" preload="metadata"';

describe('blanks', () => {
  it.each([
    ['<p>a</p> <p>b</p>', '<p>a</p><p>b</p>'],
    ['<p>a</p>\n \n<!-- x -->\n<p>b</p>', '<p>a</p>\n<p>b</p>'],
    ['<ul> <li>a</li>\n\n<li>b</li></ul>', '<ul><li>a</li>\n<li>b</li></ul>'],
    ['x\n<b> y</b>', '<p>x\n <strong>y</strong></p>'],
    ['<b> </b>x', '<p>x</p>'],
    ['<ul><br><li>a</li></ul>', '<ul><li>a</li></ul>'],
    ['<table><br><tr><td><br>a</td></tr></table>', '<table><tbody><tr><td><br>a</td></tr></tbody></table>'],
    ['<p>a&nbsp;b&nbsp;c</p>', '<p>a&nbsp;b&nbsp;c</p>'],
    ['<p>a&nbsp;b&nbsp;c&nbsp;d e</p>', '<p>a&nbsp;b&nbsp;c&nbsp;d e</p>'],
    ['<p>a&nbsp;b&nbsp;c&nbsp;d&nbsp;e f</p>', '<p>a&nbsp;b&nbsp;c&nbsp;d&nbsp;e f</p>'],
    ['<p>a&nbsp;b&nbsp;c&nbsp;d&nbsp;e&nbsp;f g</p>', '<p>a b c d e f g</p>'],
    ['<p style="color: x y z">a&nbsp;b&nbsp;c&nbsp;d</p>', '<p>a b c d</p>'],
    ['<p>a&nbsp;<b>b</b>&nbsp;c<i>&nbsp;d</i></p>', '<p>a <strong>b</strong> c <em>d</em></p>'],
    ...[
      '<p>一</p><p>&nbsp;</p><p>二</p><p>&nbsp;</p><p>三</p><p>&nbsp;</p>',
      '<p>&nbsp;&nbsp;&nbsp;&nbsp;字下げ</p>',
    ].map((html): [string, string] => [html, html]),
    ['<p>a\0b\ufeffc</p>', '<p>abc</p>'],
    ['<p>&lt;b&gt; &amp;amp; &copy;</p>', '<p>&lt;b&gt; &amp;amp; ©</p>'],
  ])('of %j become %j', expectClean);
});

describe('blocks', () => {
  it.each([
    ['<section>a</section>b', '<p>a</p><p>b</p>'],
    ['<blink>a</blink> <p>b</p>', '<p>a </p><p>b</p>'],
    ['a<hr>b', '<p>a</p><hr><p>b</p>'],
    ['<p>a<hr>b</p>', '<p>a</p><hr><p>b</p>'],
    ['<h2>a</h3>b<h4>c</h4>', '<h2>a</h2><p>b</p><h4>c</h4>'],
    ['<h2>a<p>b</h2>c', '<h2>a</h2><p>bc</p>'],
    ['<p>a</p></p>b</div>c', '<p>a</p><p>bc</p>'],
    ['<blockquote>a<p>b</p>c</blockquote>d', '<blockquote>a<p>b</p>c</blockquote><p>d</p>'],
    ['<ul></ul><table></table><blockquote></blockquote>', ''],
    ['<dl><dt>a<dd>b<p>c</p></dl>', '<dl><dt>a</dt><dd>b<p>c</p></dd></dl>'],
    ['<dl>loose</dl><dd>a</dd>', '<dl><dd>loose</dd></dl><p>a</p>'],
    ['<blockquote><p>a</p><dd>b</dd></blockquote>', '<blockquote><p>a</p><p>b</p></blockquote>'],
    [
      '<details><summary></summary><summary>a</summary><summary>b</summary>c</details>',
      '<details><summary>a</summary><p>b</p>c</details>',
    ],
    [
      '<figure><img src="/media/a.png"><figcaption>b</figcaption></figure><figcaption>c</figcaption>',
      '<figure><img src="/media/a.png" alt=""><figcaption>b</figcaption></figure><p>c</p>',
    ],
    ['<select><p>a<select></select>b</select>c</p>', '<p>c</p>'],
    ['<br/>a<svg/>b<math/>c<script/>d</script>e', '<p><br>abce</p>'],
    ['<noframes>a</noframes><xmp>b</xmp><canvas>c</canvas><applet>d</applet>e', '<p>e</p>'],
  ])('%s become %s', expectClean);
});

describe('tables', () => {
  it.each([
    [
      '<table><caption>a</caption><tr><td>b</td></tr></table>',
      '<table><caption>a</caption><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    ['<table><caption>a</caption></table>', ''],
    [
      '<table><tr><td>b</td></tr><caption>a</caption></table>',
      '<table><tbody><tr><td>b</td></tr></tbody><tbody><tr><td><p>a</p></td></tr></tbody></table>',
    ],
    [
      '<table><td>a<td>b<tr><th>c</table>',
      '<table><tbody><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></tbody></table>',
    ],
    ['<table><tfoot><tr><td>a</tfoot></table>', '<table><tfoot><tr><td>a</td></tr></tfoot></table>'],
    ['<td>a</td>', '<p>a</p>'],
    [
      '<table><tr><td><p>a</td></p><td>b</div>c</td></tr></table>d',
      '<table><tbody><tr><td><p>a</p></td><td>bc</td></tr></tbody></table><p>d</p>',
    ],
    ['<div><table><tr><td>a</div>b</td></tr></table></div>', '<table><tbody><tr><td>ab</td></tr></tbody></table>'],
    [
      '<table><tr><td rowspan="3" colspan="1">a</td><td colspan="1001" rowspan="2x">b</td></tr></table>',
      '<table><tbody><tr><td rowspan="3">a</td><td colspan="1000" rowspan="2">b</td></tr></tbody></table>',
    ],
    [
      '<table><tr><td rowspan="240">a</td><td rowspan="9999999999">b</td></tr></table>',
      '<table><tbody><tr><td rowspan="240">a</td><td rowspan="1000">b</td></tr></tbody></table>',
    ],
    [
      '<table><tr><th scope="ROW" colspan="100">a</th><th scope="rows">b</th><td scope="row">c</td></tr></table>',
      '<table><tbody><tr><th colspan="100" scope="row">a</th><th>b</th><td>c</td></tr></tbody></table>',
    ],
  ])('%s become %s', expectClean);
});

describe('lists', () => {
  it.each([
    ['<li>a<li>b', '<ul><li>a</li><li>b</li></ul>'],
    ['<ul><li></li><li>a</li></ul>', '<ul><li></li><li>a</li></ul>'],
    ['<ul><hr></ul>', '<ul><li><hr></li></ul>'],
    ['<ul><li>a<blockquote><li>b</blockquote></ul>', '<ul><li>a<blockquote><ul><li>b</li></ul></blockquote></li></ul>'],
    [
      '<ol start="3"><li>a</li></ol><ul start="3"><li>b</li></ul><ol start="-1"><li>c</li></ol>',
      '<ol start="3"><li>a</li></ol><ul><li>b</li></ul><ol><li>c</li></ol>',
    ],
    [
      '<ol start="0"><li>a</li></ol><ol start="1000000"><li>b</li></ol><ol start="1000001"><li>c</li></ol>',
      '<ol start="0"><li>a</li></ol><ol start="1000000"><li>b</li></ol><ol><li>c</li></ol>',
    ],
    [
      '<ol start="2"><li data-list="ordered">a</li><li data-list="bullet">b</li></ol>',
      '<ol start="2"><li>a</li></ol><ul><li>b</li></ul>',
    ],
    [
      '<ol><li data-list="bullet">a</li><li data-list="bullet" class="ql-indent-1 ql-align-right">b</li>' +
        '<li data-list="bullet" class="ql-indent-3">c</li><li data-list="ordered">d</li></ol>',
      '<ul><li>a<ul><li class="ql-align-right">b<ul><li>c</li></ul></li></ul></li></ul><ol><li>d</li></ol>',
    ],
    ['<ul><li class="ql-indent-2">a</li></ul>', '<ul><li>a</li></ul>'],
    ['<ul><li>a\n<ul><li>b</li></ul></li></ul>', '<ul><li>a\n<ul><li>b</li></ul></li></ul>'],
    [
      '<ol><li data-list="bullet"><b>a</b>\n</li><li data-list="bullet" class="ql-indent-1">b</li></ol>',
      '<ul><li><strong>a</strong><ul><li>b</li></ul></li></ul>',
    ],
    ['<ul><li>a <input type="checkbox" checked></li></ul>', '<ul><li>a </li></ul>'],
    ['<ul><li><input type="radio">a</li><li><input>b</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<ul><li> <p></p><input type="CHECKBOX">b</li></ul>', '<ul><li data-list="unchecked"> b</li></ul>'],
    [
      '<ul><li><blockquote><input type="checkbox">b</blockquote></li></ul>',
      '<ul><li><blockquote>b</blockquote></li></ul>',
    ],
    ['<input type="checkbox">a', '<p>a</p>'],
  ])('%s become %s', expectClean);
});

describe('formats', () => {
  it.each([
    [
      '<ul><li><b>a<ul><li>c</li></ul>d</b></li></ul>',
      '<ul><li><strong>a</strong><ul><li><strong>c</strong></li></ul><strong>d</strong></li></ul>',
    ],
    ['<a href="/x">a<a href="/y">b</a>c</a>', '<p><a href="/x">a</a><a href="/y">b</a>c</p>'],
    ['<b>a<b>b</b>c</b>d', '<p><strong>abc</strong>d</p>'],
    ['<p><b>a</p>b', '<p><strong>a</strong></p><p>b</p>'],
    ['<p><b>a<i>b</b>c</i>d</p>', '<p><strong>a<em>b</em></strong><em>c</em>d</p>'],
    ['<p><i>a</i><i>b</i></p>', '<p><em>a</em><em>b</em></p>'],
    ['<p><span>a<b>b</span>c</b>d</p>', '<p>a<strong>bc</strong>d</p>'],
    [
      '<strike>a</strike><tt>b</tt><font face="x">c</font><font color="red">d</font>',
      '<p><s>a</s><code>b</code>c<span style="color: red;">d</span></p>',
    ],
    [
      '<p title="x"><abbr title="A &amp; b" title="c">a</abbr><cite title="d">e</cite></p>',
      '<p><abbr title="A &amp; b">a</abbr><cite>e</cite></p>',
    ],
  ])('%s become %s', expectClean);
});

describe('attributes', () => {
  it.each([
    ['<p class="ql-align-center ql-align-center x ql-indent-9" style="text-align: right">a</p>', 'ql-align-center'],
    ['<p align=" RIGHT " dir="RTL">a</p>', 'ql-align-right ql-direction-rtl'],
    ['<p class="ql-direction-rtl" dir="rtl">a</p>', 'ql-direction-rtl'],
    ['<p class="ql-indent-0 ql-indent-1x xql-indent-1 ql-align-left">a</p>', undefined],
    ['<p dir="ltr" align="left">a</p>', undefined],
    ['<p align="center-left">a</p>', undefined],
    ['<p style="text-align: justify; text-align">a</p>', 'ql-align-justify'],
  ])('of the block %s give it the classes %s', (html, classes) => {
    expectClean(html, `<p${classes === undefined ? '' : ` class="${classes}"`}>a</p>`);
  });

  it('of a block around paragraphs hold for its loose text', () => {
    expectClean('<div align="right">a<p>b</p></div>c', '<p class="ql-align-right">a</p><p>b</p><p>c</p>');
  });

  it.each([
    ['color: rgb(1, 2, 3) url(x)', null],
    ['color: xrgb(1, 2, 3)', null],
    ['color: rgba(1, 2, 3, .5)', 'color: rgba(1, 2, 3, .5);'],
    ['COLOR: RED ; background-color:hsl(120deg 50% 50%)', 'color: red; background-color: hsl(120deg 50% 50%);'],
    ['color: #ff00', 'color: #ff00;'],
    ['color: #ff000', null],
    ['color: x#fff', null],
    ['color: #fff;; :x', 'color: #fff;'],
    ['color: re', null],
    ['color: red!', null],
    ['opacity: 0', null],
  ])('style="%s" becomes %s', (style, expected) => {
    expectClean(
      `<p><span style="${style}">a</span></p>`,
      expected === null ? '<p>a</p>' : `<p><span style="${expected}">a</span></p>`,
    );
  });

  it.each([
    ['ql-size-small2 xql-size-small ql-font-Serif ql-size-medium', null],
    ['ql-font-mono ql-direction-rtl', 'ql-font-mono ql-direction-rtl'],
  ])('class="%s" becomes %s', (classes, expected) => {
    expectClean(
      `<p><span class="${classes}">a</span></p>`,
      expected === null ? '<p>a</p>' : `<p><span class="${expected}">a</span></p>`,
    );
  });

  it.each([
    ['<img src="/media/a.png" alt=" A\n b " width="0" height="20001">', '<img src="/media/a.png" alt="A b">'],
    ['<img src="/media/a.png" width="20000" height="12345678">', '<img src="/media/a.png" alt="" width="20000">'],
    ['<img src="/media/a.png" role=" PRESENTATION ">', '<img src="/media/a.png" alt="" role="presentation">'],
    ['<image src="/media/a.png">', '<img src="/media/a.png" alt="">'],
    ['<img src="//a.example/b.png">', '<img src="https://a.example/b.png" alt="">'],
    ['<img src="/media/a/b.png">x', 'x'],
    ['<img src="/media/a.png?x">x', 'x'],
    ['<img src="https://a.example\\b.png">x', 'x'],
    ['<img src="https://?a">x', 'x'],
    ['<img src="x https://a.example/b.png">x', 'x'],
    ['<img src="\u007f/media/a.png">x', 'x'],
  ])('of the picture %s become %s', (html, expected) => {
    expectClean(`<p>${html}</p>`, `<p>${expected}</p>`);
  });

  it.each([
    ['', 'title="Video"'],
    ['title=" A  film "', 'title="A film"'],
  ])('of a video with %j become %j', (written, expected) => {
    expectClean(
      `<iframe src="//youtu.be/dQw4w9WgXcQ" ${written}></iframe>`,
      `<iframe class="ql-video" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" ${expected} loading="lazy" allowfullscreen="true"></iframe>`,
    );
  });

  it.each([
    [`<audio src="/media/${FILE}.mp3"></audio>`, `<audio class="ql-player" src="/media/${FILE}.mp3" ${PLAYS}></audio>`],
    [
      `<video autoplay loop onplay=x width=640 height="360" poster="/media/a.png" title=" A  film "><source src="/media/${FILE}.mp4"><source src="/media/${FILE}.webm">No video<track src="/media/${FILE}.vtt" srclang="EN" label="English" default></video>`,
      `<video class="ql-player" src="/media/${FILE}.mp4" title="A film" poster="/media/a.png" width="640" height="360" ${PLAYS}><track kind="subtitles" src="/media/${FILE}.vtt" srclang="en" label="English" default=""></video>`,
    ],
    ['<video src="/media/pending-3"></video>', `<video class="ql-player" src="/media/pending-3" ${PLAYS}></video>`],
    [
      `<video src="/media/${FILE}.mp4" poster="https://a.example/b.png"><track src="/media/${FILE}.mp4"></video>`,
      `<video class="ql-player" src="/media/${FILE}.mp4" ${PLAYS}></video>`,
    ],
    ['<audio src="https://a.example/b.mp3">text</audio>', ''],
    [`<video src="/media/${FILE}-8x8.png"></video>`, ''],
    [`<audio src="/media/${FILE}.vtt"></audio>`, ''],
    [`<audio src="/media/../${FILE}.mp3"></audio>`, ''],
    [`<audio src="//media/${FILE}.mp3"></audio>`, ''],
    ['<audio src="/media/pending-x"></audio>', ''],
  ])('of the player %s become %s', (html, expected) => {
    expectClean(html, expected);
  });

  it('lets players stand between blocks, wherever they were written', () => {
    const written = `<audio src="/media/${FILE}.mp3"></audio>`;
    const player = `<audio class="ql-player" src="/media/${FILE}.mp3" ${PLAYS}></audio>`;
    expectClean(`<p>a<b>b${written}c</b></p>`, `<p>a<strong>b</strong></p>${player}<p>c</p>`);
    expectClean(`<p>${written}</p>`, player);
    expectClean(`<h2>a${written}</h2>`, `<h2>a</h2>${player}`);
    expectClean(`<ul><li>a${written}</li></ul>`, `<ul><li>a${player}</li></ul>`);
    expectClean(`<pre>a${written}</pre>`, '<pre><code>a</code></pre>');
    expectClean(`<p>a</p>${written.replace('</audio>', '')}<p>rest`, `<p>a</p>${player}`);
  });

  it.each([
    ['href="/a//b"', 'href="/a//b"'],
    ['href="//a.example/b"', 'href="https://a.example/b"'],
    ['href="//"', 'href="about:blank"'],
    ['href="MAILTO:a@b.example"', 'href="MAILTO:a@b.example"'],
    ['href="\n/a\tb "', 'href="/ab"'],
    ['href="/a\uffff\ufffeb\ufeff"', 'href="/ab"'],
    ['href="\uffff javascript:b"', 'href="about:blank"'],
    ['href="/a?b:c"', 'href="/a?b:c"'],
    ['href="1a:b"', 'href="1a:b"'],
    ['href="x-y.z+1:b"', 'href="about:blank"'],
    ['href=""', null],
    ['name="a"', null],
    ['href="/x" target="_top"', 'href="/x"'],
    [
      'class="ql-size-small" style="color:red" title="T" target=" _BLANK " href="/x"',
      'href="/x" title="T" rel="noopener noreferrer" target="_blank" class="ql-size-small" style="color: red;"',
    ],
  ])('of the link %j become %j', (attributes, expected) => {
    expectClean(`<p><a ${attributes}>a</a></p>`, expected === null ? '<p>a</p>' : `<p><a ${expected}>a</a></p>`);
  });
});

describe('formulas', () => {
  it.each([
    [
      '<p>a <span class="ql-formula" data-value="x"><span>r<span>s</span></span>t</span>u</p>',
      '<p>a <span class="ql-formula" data-value="x">x</span>u</p>',
    ],
    [
      '<p><span class="ql-formula" data-value="x">r<p>b</p>',
      '<p><span class="ql-formula" data-value="x">x</span></p><p>b</p>',
    ],
    ['<p><span class="ql-formula" data-value=" ">r</span></p>', '<p>r</p>'],
    ['<p><span class="ql-formulas" data-value="x">r</span></p>', '<p>r</p>'],
  ])('%s become %s', expectClean);
});

describe('code', () => {
  it.each([
    ['<pre>\n\n\n  a\n\n</pre>', '<pre><code>  a</code></pre>'],
    ['<pre> </pre>a', '<p>a</p>'],
    ['<pre>a<br>b</pre>', '<pre><code>a\nb</code></pre>'],
    ['<pre>a<li>b</li>c<p>d<br></p>e</pre>', '<pre><code>ab\ncd\ne</code></pre>'],
    ['<pre><p>a</p><p><br></p><p>b</p></pre>', '<pre><code>a\n\nb</code></pre>'],
    ['<pre><table><tr>a</tr><tr>b</tr></table></pre>', '<pre><code>a\nb</code></pre>'],
    ['<pre>a<pre>b</pre>c</pre>d', '<pre><code>abc</code></pre><p>d</p>'],
    [
      '<pre>a<script>b</script>c<iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>d</pre>',
      '<pre><code>acd</code></pre>',
    ],
    ['<p>a<pre>b</pre>c</p>', '<p>a</p><pre><code>b</code></pre><p>c</p>'],
    ['<pre class="lang-js" data-language="x">a</pre>', '<pre><code class="language-js">a</code></pre>'],
    ['<pre data-language=" C++ ">a</pre>', '<pre><code class="language-c++">a</code></pre>'],
    ['<pre><code class="language-plain">a</code></pre>', '<pre><code>a</code></pre>'],
    ['<pre data-language="true">a</pre>', '<pre><code>a</code></pre>'],
    ['<pre class="xlang-js" data-language="-a b">a</pre>', '<pre><code>a</code></pre>'],
    [
      '<div class="ql-code-block-container"><div class="ql-code-block" data-language="js">a</div>' +
        '<div class="ql-code-block">\n b</div></div>c',
      '<pre><code class="language-js">a\n\n b</code></pre><p>c</p>',
    ],
    ['<div class="ql-code-block">a</div><div class="ql-code-blocks">b</div>', '<pre><code>a</code></pre><p>b</p>'],
  ])('%j becomes %j', expectClean);
});

describe('depth', () => {
  const nested = (open: string, close: string, count: number) => `${open.repeat(count)}x${close.repeat(count)}`;
  const countOf = (html: string, tag: string) => html.split(`<${tag}>`).length - 1;

  it('of blocks ends at 40 elements; text that is deeper stays', () => {
    const html = sanitizeContent(`${nested('<blockquote>', '</blockquote>', 300)}y`);
    expect(countOf(html, 'blockquote')).toBe(40);
    expect(html.replace(/<[^>]*>/g, '')).toBe('xy');
  });

  it('leaves lists, tables and definitions room for what they need inside', () => {
    const deepest = (open: string, close: string) => {
      const html = sanitizeContent(nested(open, close, 300));
      expect(sanitizeContent(html)).toBe(html);
      let depth = 0;
      return Math.max(...[...html.matchAll(/<(\/?)/g)].map(([, end]) => (depth += end === '/' ? -1 : 1)));
    };
    expect(deepest('<ul><li>', '</li></ul>')).toBeLessThanOrEqual(40);
    expect(deepest('<dl><dd>', '</dd></dl>')).toBeLessThanOrEqual(40);
    expect(deepest('<table><tr><td>', '</td></tr></table>')).toBeLessThanOrEqual(40);
  });

  it('of formats ends at 24 elements', () => {
    const html = Array.from({ length: 60 }, (_, index) => `<span style="color: #${index + 100}">`).join('');
    expect(sanitizeContent(`${html}x`).split('<span').length - 1).toBe(24);
  });

  it('of nested lists stops where the limit is near, as items of one level', () => {
    const items = Array.from({ length: 9 }, (_, level) => `<li data-list="bullet" class="ql-indent-${level}">x</li>`);
    const within = (count: number) =>
      countOf(sanitizeContent(`${'<blockquote>'.repeat(count)}<ol>${items.join('')}</ol>`), 'ul');
    expect([0, 15, 16, 20, 24, 28, 30].map(within)).toEqual([9, 9, 8, 6, 4, 2, 1]);
  });
});
