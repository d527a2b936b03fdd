import fc from 'fast-check';
import { sanitizeContent } from '../../src/posts/content/sanitize-content.js';

/** Blocks with everything that the sanitizer lets into a post, in its spelling. */
export const everyElement: readonly string[] = [
  '<h2>Two <em>slanted</em></h2>',
  '<h6 class="ql-align-center">Six</h6>',
  '<p>A <strong>b<em>c</em></strong><em><strong>d</strong> e</em> <u>f</u> <s>g</s> <code>h</code> x<sub>2</sub> y<sup>3</sup></p>',
  '<p class="ql-indent-8">deep</p>',
  '<p class="ql-direction-rtl ql-align-right">right to left</p>',
  '<p>one<br>two</p>',
  '<p><kbd>Ctrl</kbd> <samp>out</samp> <var>n</var> <mark>m</mark> <small>s</small> <del>d</del> <ins>i</ins> <cite>c</cite> <q>q</q> <abbr title="Hypertext &amp; more">HTML</abbr></p>',
  '<p><a href="https://a.example/?a=1&amp;b=2" title="T" rel="noopener noreferrer" target="_blank">a</a> and <a href="#b">b</a></p>',
  '<p><span class="ql-font-serif ql-size-huge">big</span> <strong style="color: red;">red</strong> <span style="color: rgb(1, 2, 3); background-color: #ffff00;">both</span></p>',
  '<p><img src="/media/a.png" alt="A &quot;b&quot;" width="10" height="20"><img src="/media/b.png" alt="" role="presentation"></p>',
  '<p><span class="ql-formula" data-value="a &lt; b^2">a &lt; b^2</span> it is, 10&nbsp;kg</p>',
  '<ul>\n<li>a</li>\n<li>b\n<ol>\n<li>c<ul><li>d</li></ul></li>\n</ol>\n</li>\n</ul>',
  '<ol start="5"><li>five</li><li>six</li></ol>',
  '<ol><li>another list</li></ol>',
  '<ul><li data-list="checked">done</li><li data-list="unchecked">to do</li></ul>',
  '<ul>\n<li>\n<p>loose</p>\n</li>\n<li>\n<p>list</p>\n<p>of two</p>\n</li>\n</ul>',
  '<blockquote>bare</blockquote>',
  '<blockquote>\n<p>one</p>\n<p>two</p>\n</blockquote>',
  '<blockquote><p>with</p><ul><li>list</li></ul></blockquote>',
  '<pre><code class="language-js">if (a &lt; b) {\n\n  run();\n}</code></pre>',
  '<pre><code class="language-klingon">qapla</code></pre>',
  '<pre><code>plain</code></pre>',
  '<table><caption>Cap</caption><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
  '<dl><dt>term</dt><dd>meaning</dd></dl>',
  '<details><summary>more <em>of it</em></summary><p>inside</p></details>',
  '<p>Said<span class="ql-footnote">a <em>note</em></span>, <strong>and<span class="ql-footnote">b</span></strong>.</p>',
  '<figure><img src="/media/c.png" alt="c"><figcaption>d</figcaption></figure>',
  '<figure class="ql-width-full"><a href="/e" title="T" rel="noopener noreferrer" target="_blank"><img src="/media/e.png" alt=""></a><figcaption>f <em>g</em><br>h <a href="/i">i</a></figcaption></figure>',
  '<figure class="ql-width-wide"><img src="/media/j.png" alt="" role="presentation" width="20"></figure>',
  '<figure class="ql-width-grid"><img src="/media/m.png" alt="m"><figcaption>n</figcaption></figure>',
  '<figure><img src="/media/k.png" alt="k"><img src="/media/l.png" alt="l"><figcaption>two</figcaption></figure>',
  '<hr>',
  '<iframe class="ql-video" src="https://player.vimeo.com/video/12" title="V" loading="lazy" allowfullscreen="true"></iframe>',
  `<video class="ql-player" src="/media/${'a'.repeat(32)}.mp4" title="T" controls="" preload="metadata"><track kind="subtitles" src="/media/${'b'.repeat(32)}.vtt" srclang="en"></video>`,
  '<p><br></p>',
  '<p>last</p>',
];

const tags = (
  'p p h2 h5 div blockquote ul ol li li dl dt dd table caption thead tbody tr td th figure figcaption details summary b strong i a span ' +
  'code font pre br hr img iframe kbd abbr sub sup mark u s del'
).split(' ');

const attributes = [
  ...['', '', '', 'class="ql-align-center"', 'class="ql-indent-3"', 'class="ql-font-serif"', 'dir=rtl', 'start=4'],
  ...['class="ql-size-large ql-font-x"', 'data-list="bullet"', 'data-list=ordered', 'data-list="checked"'],
  ...['style="color:red"', 'style="background-color: rgb(1, 2, 3); color: #abc"', 'href="/x"', 'colspan=2'],
  ...['href="https://a.example" target=_blank title="t"', 'src="/media/a.png" alt=x width=3'],
  ...['src="/media/b.png" role=presentation', 'src="https://youtu.be/abcdefgh"', 'title="a&quot;b"'],
  ...[
    'class="ql-width-wide"',
    'class="ql-footnote"',
    'class="ql-formula" data-value="a<b"',
    'class="language-js"',
    'class="language-zz"',
  ],
];

const texts = ['a', ' ', '\n', '  foo ', '&nbsp;', '&nbsp;a&nbsp;b', '&lt;img src=x&gt;', 'b c', 'x\ny', 'one two '];

/** Posts that the sanitizer made of a soup of tags: as odd as any that can be stored. */
export function sanitizedHtml(): fc.Arbitrary<string> {
  const open = fc
    .tuple(fc.constantFrom(...tags), fc.constantFrom(...attributes))
    .map((parts) => `<${parts.join(' ')}>`);
  const close = fc.constantFrom(...tags).map((name) => `</${name}>`);
  const part = fc.oneof(
    { weight: 3, arbitrary: open },
    { weight: 2, arbitrary: close },
    { weight: 4, arbitrary: fc.constantFrom(...texts) },
  );
  return fc.array(part, { maxLength: 60, size: 'max' }).map((parts) => sanitizeContent(parts.join('')));
}

interface PasteCase {
  readonly name: string;
  readonly clipboard: string;
  readonly expected: string;
}

const wordList = (level: number, mark: string, text: string) =>
  `<p class=MsoListParagraph style='margin-left:${level * 36}pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'>` +
  `<![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${mark}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

const word = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">` +
  `<head><meta name=Generator content="Microsoft Word 15"><style><!-- /* Font Definitions */ p.MsoNormal {margin:0cm;} ` +
  `@list l0:level1 {mso-level-number-format:bullet;} @list l0:level2 {mso-level-number-format:decimal;} --></style></head>` +
  `<body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`;

const docs = (body: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1b2c3d">${body}</b><br class="Apple-interchange-newline">`;

const look =
  'font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;' +
  'font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre-wrap;';

/** Clipboards as other programs fill them, and the posts that are meant. */
export const pasteCases: readonly PasteCase[] = [
  {
    name: 'a Word paragraph',
    clipboard: word(
      `<p class=MsoNormal style='margin-bottom:8pt;line-height:107%'><span style='font-size:11.0pt;font-family:"Calibri",sans-serif;color:black'>` +
        `“Smart” <b>bold</b><span style='mso-spacerun:yes'>  </span>and <span style='color:#C00000'>red</span>…<o:p></o:p></span></p>`,
    ),
    expected: '<p>“Smart” <strong>bold</strong> and <span style="color: #c00000;">red</span>…</p>',
  },
  {
    name: 'a Word list',
    clipboard: word(wordList(1, '·', 'one') + wordList(2, '1.', '<b>deep</b>') + wordList(1, '·', 'two')),
    expected: '<ul><li>one<ol><li><strong>deep</strong></li></ol></li><li>two</li></ul>',
  },
  {
    name: 'two Word lists with a paragraph between them',
    clipboard: word(
      wordList(1, '·', 'first') +
        wordList(1, '·', '<i>second</i>') +
        '<p class=MsoNormal>between</p>' +
        wordList(1, '·', 'third') +
        wordList(1, '·', 'another list').replace('mso-list:l0', 'mso-list:l7'),
    ),
    expected:
      '<ul><li>first</li><li><em>second</em></li></ul><p>between</p><ul><li>third</li></ul>' +
      '<ol><li>another list</li></ol>',
  },
  {
    name: 'a Word table',
    clipboard: word(
      `<p class=MsoNormal>before</p><table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr>` +
        `<td width=200 style='width:150pt'><p class=MsoNormal><b>a</b><o:p></o:p></p></td><td><p>b</p></td></tr></table><p>after</p>`,
    ),
    expected: '<p>before</p><table><tbody><tr><td><strong>a</strong></td><td>b</td></tr></tbody></table><p>after</p>',
  },
  {
    name: 'Google Docs',
    clipboard: docs(
      `<h1 dir="ltr" style="line-height:1.38;"><span style="${look}font-size:20pt;">Title</span></h1>` +
        `<p dir="ltr"><span style="${look}">Plain </span><span style="${look}font-weight:700;">bold</span>` +
        `<span style="${look}font-style:italic;"> slanted</span><span style="${look}vertical-align:super;">2</span></p><br>` +
        `<p><a href="https://a.example/" style="text-decoration:none;"><span style="${look}color:#1155cc;text-decoration:underline;">link</span></a></p>`,
    ),
    expected:
      '<h2>Title</h2><p>Plain <strong>bold</strong> <em>slanted</em><sup>2</sup></p>' +
      '<p><a href="https://a.example/">link</a></p>',
  },
  {
    name: 'nested lists of Google Docs',
    clipboard: docs(
      `<ul style="margin-top:0;"><li dir="ltr" aria-level="1" style="${look}"><p role="presentation"><span style="${look}">one</span></p></li>` +
        `<ul><li dir="ltr" aria-level="2" style="${look}list-style-type:circle;"><p role="presentation"><span style="${look}">deep</span></p></li></ul>` +
        `<li aria-level="1"><p role="presentation"><span style="${look}">two</span></p></li></ul>`,
    ),
    expected: '<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>',
  },
  {
    name: 'code whose lines are broken with elements',
    clipboard:
      '<pre class="prism-code language-bash"><code><span class="token-line"><span>npm ci</span><br></span>' +
      '<span class="token-line"><span style="display:inline-block"></span><br></span><span class="token-line">npm test<br></span></code></pre>' +
      '<pre><code class="language-js"><div>if (a) {</div><div>  b();</div><div>}</div></code></pre><p>end</p>',
    expected:
      '<pre><code class="language-bash">npm ci\n\nnpm test</code></pre>' +
      '<pre><code class="language-js">if (a) {\n  b();\n}</code></pre><p>end</p>',
  },
  {
    name: 'a web page',
    clipboard:
      '<div><h1>A</h1><p>one<br>two<script>alert(1)</script> <a href="javascript:alert(1)">x</a></p><hr>' +
      '<blockquote>said</blockquote><ol start="3"><li>c</li></ol><p><kbd>K</kbd></p>' +
      '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="V"></iframe>' +
      '<iframe src="https://a.example/widget"></iframe><dl><dt>t</dt><dd>d</dd></dl><p>end</p></div>',
    expected:
      '<h2>A</h2><p>one<br>two <a href="about:blank">x</a></p><hr><blockquote><p>said</p></blockquote>' +
      '<ol start="3"><li>c</li></ol><p><kbd>K</kbd></p>' +
      '<iframe class="ql-video" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="V" loading="lazy" allowfullscreen="true"></iframe>' +
      '<p><a href="https://a.example/widget">https://a.example/widget</a></p><dl><dt>t</dt><dd>d</dd></dl><p>end</p>',
  },
];
