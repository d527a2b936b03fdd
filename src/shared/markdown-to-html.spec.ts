import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../test/support/processor-time.js';
import { USUAL_DIALECT } from './markdown-extensions.js';
import { findWrittenHtml, markdownToHtml } from './markdown-to-html.js';

describe('footnotes in Markdown', () => {
  it('reads notes that are indented by less than code is', () => {
    const markdown =
      'One[^1] and[^2] and[^3].\n   [^3]: in the paragraph\n\n  [^1]:\n    first\n    goes on\n\n  [^2]: second\n\nend';
    expect(markdownToHtml(markdown)).toBe(
      '<p>One<span class="ql-footnote">first\ngoes on</span> and<span class="ql-footnote">second</span> ' +
        'and<span class="ql-footnote">in the paragraph</span>.</p>\n<p>end</p>\n',
    );
    expect(markdownToHtml('a[^1]\n\n    [^1]: code')).toBe('<p>a[^1]</p>\n<pre><code>[^1]: code\n</code></pre>\n');
  });

  it('stand at their places', () => {
    const markdown = 'One[^1] and[^b].\n\n[^1]: first *note*\n    goes on\n[^b]: second\n\nend';
    expect(markdownToHtml(markdown)).toBe(
      '<p>One<span class="ql-footnote">first <em>note</em>\ngoes on</span> and<span class="ql-footnote">second</span>.</p>\n' +
        '<p>end</p>\n',
    );
  });

  it('are found in front of a colon', () => {
    expect(markdownToHtml('So it goes[^1]:\n\n- **a**[^2]: b\n\n[^1]: one\n[^2]: two')).toBe(
      '<p>So it goes<span class="ql-footnote">one</span>:</p>\n' +
        '<ul>\n<li><strong>a</strong><span class="ql-footnote">two</span>: b</li>\n</ul>\n',
    );
    expect(markdownToHtml('a[^x]: b')).toBe('<p>a[^x]: b</p>\n');
  });

  it('are not lost when nothing leads to them, or from them', () => {
    expect(markdownToHtml('a[^x] `[^y]`\n\n[^y]: note')).toBe('<p>a[^x] <code>[^y]</code></p>\n<p>[^y]: note</p>\n');
    expect(markdownToHtml('```\n[^y]: note\n```')).toBe('<pre><code>[^y]: note\n</code></pre>\n');
  });
});

describe('what generators read in their own way', () => {
  const kramdown = { ...USUAL_DIALECT, bareAddresses: 'none', hasSigns: false, isOfKramdown: true } as const;

  it.each([
    [
      'mail <<a@b.example>> <c@d.example> << e >>',
      'mail «a@b.example» <a href="mailto:c@d.example">c@d.example</a> «\u00a0e\u00a0»',
    ],
    [
      '`<< a >>` \\<<b and\n`c``d` `` e`f `` ` g',
      '<code>&lt;&lt; a &gt;&gt;</code> &lt;&lt;b and\n<code>c</code><code>d</code> <code>e`f</code> ` g',
    ],
    [
      'a <body> of <kbd>text</kbd> in a <DIV class="x"> <a@b>',
      'a &lt;body&gt; of <kbd>text</kbd> in a &lt;DIV class=&quot;x&quot;&gt; &lt;a@b&gt;',
    ],
    ['a\\\\\nb\\\\ c `d\\\\`\\\\', 'a<br>b\\ c <code>d\\\\</code>\\'],
    ['a <iframe src="https://a.example"></iframe>', 'a <iframe src="https://a.example"></iframe>'],
  ])('reads lines as kramdown has them: %j', (markdown, html) => {
    expect(markdownToHtml(markdown, kramdown)).toBe(`<p>${html}</p>\n`);
  });

  it('reads formulas between single dollars where there are some, and prices nowhere', () => {
    const markdown = 'a $x_1 * y_1$ b $x$, $5 and $6, $a-1$2 `$z_1$` \\$c_1$ $d $e_1$';
    const formula = (tex: string) => `<span class="ql-formula" data-value="${tex}"></span>`;
    expect(markdownToHtml(markdown, { ...USUAL_DIALECT, hasDollarMath: true })).toBe(
      `<p>a ${formula('x_1 * y_1')} b ${formula('x')}, $5 and $6, $a-1$2 <code>$z_1$</code> $c_1$ $d ${formula('e_1')}</p>\n`,
    );
    expect(markdownToHtml('a $x_1$', USUAL_DIALECT)).toBe('<p>a $x_1$</p>\n');
  });

  it('leaves signs of kramdown alone elsewhere', () => {
    expect(markdownToHtml('<<a>> `c``d` <body>')).toBe('<p>&lt;<a>&gt; <code>c``d</code> <body></p>\n');
  });

  it('makes links of addresses in angle brackets whose host has no dot', () => {
    expect(markdownToHtml('<a.b@localhost> <a@b c> <@b>')).toBe(
      '<p><a href="mailto:a.b@localhost">a.b@localhost</a> &lt;a@b c&gt; &lt;@b&gt;</p>\n',
    );
  });

  it('makes no code of indented lines where there is none', () => {
    const markdown = '- a\n\n        b\n\n    c <kbd>d</kbd>\n\n\te\n\n```\nf\n```\n';
    const html = markdownToHtml(markdown, { ...USUAL_DIALECT, hasIndentedCode: false });
    expect(html.match(/<pre>[^]*?<\/pre>/g)).toEqual(['<pre><code>f\n</code></pre>']);
    expect(html).toContain('c <kbd>d</kbd>');
    expect(markdownToHtml(markdown).match(/<pre>/g)).toHaveLength(2);
  });

  it('reads definitions as it reads all else', () => {
    const hugo = { ...USUAL_DIALECT, bareAddresses: 'after-spaces' } as const;
    expect(markdownToHtml('t\n: "https://a.example/" https://b.example/\n', hugo)).toBe(
      '<dl>\n<dt>t</dt>\n<dd>&quot;https://a.example/&quot; <a href="https://b.example/">https://b.example/</a></dd>\n</dl>\n',
    );
  });

  it('gives notes to which nothing leads where they are not shown', () => {
    const unused: string[] = [];
    const html = markdownToHtml(
      'a[^x]\n\n[^y]: *note*\n\n[^x]: used',
      { ...USUAL_DIALECT, showsUnusedNotes: false },
      unused,
    );
    expect(html).toBe('<p>a<span class="ql-footnote">used</span></p>\n');
    expect(unused).toEqual(['[^y]: <em>note</em>']);
  });

  it('finds the HTML that is written outside of code', () => {
    const markdown =
      '<!-- <b> -->\n\na <kbd>b</kbd> `<i>` <https://a.example>\n\n<div\nclass="x">\n<p>c</p>\n</div>\n\n    <s>\n\nt\n: <kbd>d</kbd>\n';
    expect(findWrittenHtml(markdown, USUAL_DIALECT)).toEqual(['<kbd>', '<div\nclass="x">', '<p>', '<kbd>']);
  });

  it.each(['<< a', 'a >>', '`a ', '``a', '<div> ', '<p>a</b>', '<a@b', '<a@b>', '    a\n'])(
    'takes time in proportion to the length of %j again and again',
    (piece) => {
      const dialect = { ...kramdown, hasIndentedCode: false, showsUnusedNotes: false };
      const read = () => void markdownToHtml(piece.repeat(10_000), dialect);
      expect(leastProcessorTime(read, 3000)).toBeLessThanOrEqual(3000);
    },
  );
});

describe('what site generators add to Markdown', () => {
  const formula = (tex: string) => `<span class="ql-formula" data-value="${tex}"></span>`;

  it.each([
    [
      'Term\n: one\n: *two*\n\nA\nB\n\n: three\n\nend',
      '<dl>\n<dt>Term</dt>\n<dd>one</dd>\n<dd><em>two</em></dd>\n<dt>A</dt>\n<dt>B</dt>\n<dd>three</dd>\n</dl>\n<p>end</p>\n',
    ],
    ['T\n:   one\n    goes on\n\n    two\n', '<dl>\n<dt>T</dt>\n<dd><p>one\ngoes on</p>\n<p>two</p>\n</dd>\n</dl>\n'],
    ['| a |\n|---|\n| 1 |\n\n: no term\n', /^<table>[^]*<\/table>\n<p>: no term<\/p>\n$/],
    ['- item\n: no term\n', /^<ul>/],
    ['a $$x_1 < 2$$ and \\\\(y\\\\)', `<p>a ${formula('x_1 &lt; 2')} and ${formula('y')}</p>\n`],
    ['$$\n\\frac{a}{b}\n$$\n\nend', `<p class="ql-align-center">${formula('\\frac{a}{b}')}</p>\n<p>end</p>\n`],
    ['kill $$ and wait for $$ again', '<p>kill $$ and wait for $$ again</p>\n'],
    [
      '==m *x*== H~2~O 2^10^ ~~del~~',
      '<p><mark>m <em>x</em></mark> H<sub>2</sub>O 2<sup>10</sup> <del>del</del></p>\n',
    ],
    [
      'a == b && c == d; 2^3 and 4^5; ~/a and ~/b; x^2+y^3',
      '<p>a == b &amp;&amp; c == d; 2^3 and 4^5; ~/a and ~/b; x^2+y^3</p>\n',
    ],
    ['`==a== ~b~ $$c=1$$`', '<p><code>==a== ~b~ $$c=1$$</code></p>\n'],
    [
      'see https://example.com/a\\_b\\_c',
      '<p>see <a href="https://example.com/a_b_c">https://example.com/a_b_c</a></p>\n',
    ],
    ['## H `{#a}` {#id .big x="y z"}\n\n## {a}', '<h2 id="id">H <code>{#a}</code></h2>\n<h2>{a}</h2>\n'],
    ['```rust,editable\n1\n```', '<pre><code class="language-rust">1\n</code></pre>\n'],
    ['```{.python}\n1\n```', '<pre><code class="language-python">1\n</code></pre>\n'],
    ['```js{1,3}\n1\n```', '<pre><code class="language-js">1\n</code></pre>\n'],
  ])('makes of %j what it means there', (markdown, html) => {
    if (typeof html === 'string') expect(markdownToHtml(markdown)).toBe(html);
    else expect(markdownToHtml(markdown)).toMatch(html);
  });

  it('keeps all that a note says, in lines', () => {
    const note = '[^a]: one\ngoes on\n\n    two\n\n        code\n\n    - x\n    - y\n\nend';
    expect(markdownToHtml(`A[^a] ^[in *place*].\n\n${note}`)).toBe(
      '<p>A<span class="ql-footnote">one\ngoes on<br>two<br><code>code</code><br>x<br>y</span> ' +
        '<span class="ql-footnote">in <em>place</em></span>.</p>\n<p>end</p>\n',
    );
  });

  it('finds marks in long texts', () => {
    const long = 'word '.repeat(1000);
    expect(markdownToHtml(`${long}==m== ${long}$$x^2$$`)).toMatch(/<mark>m<\/mark>[^]*data-value="x\^2"/);
  });

  it('reads the attributes of a heading in one way', () => {
    // With every way to part them it would be seconds, and twice as long for each further one.
    const read = () => void markdownToHtml(`# a {${'.a'.repeat(26)}!\n\n# b {${'c=d'.repeat(26)}!`);
    expect(leastProcessorTime(read, 1000)).toBeLessThanOrEqual(1000);
  });

  it('takes time in proportion to the length', () => {
    for (const piece of [
      '== a',
      '~a b ',
      '^[a',
      '$$',
      '$$x^',
      '\\\\(',
      '\\\\[',
      'T\n: d\n',
      'T\n\n: ',
      '[^a] ',
      '# a {#',
    ]) {
      // With the square of the length it would be many seconds.
      expect(leastProcessorTime(() => void markdownToHtml(piece.repeat(10_000)), 3000)).toBeLessThanOrEqual(3000);
    }
  });
});

describe('dialects of Markdown', () => {
  const text =
    'See https://a.example/x_y or a@b.example, "https://c.example" and http://localhost:1/ ==m== ~s~ ^2^ ~~d~~';
  const link = (href: string, words = href) => `<a href="${href}">${words}</a>`;

  it.each([
    [
      { bareAddresses: 'all', hasSigns: true } as const,
      `${link('https://a.example/x_y')} or ${link('mailto:a@b.example', 'a@b.example')}, &quot;${link('https://c.example')}&quot; and ` +
        `${link('http://localhost:1/')} <mark>m</mark> <sub>s</sub> <sup>2</sup> <del>d</del>`,
    ],
    [
      { bareAddresses: 'after-spaces', hasSigns: true } as const,
      `${link('https://a.example/x_y')} or ${link('mailto:a@b.example', 'a@b.example')}, &quot;https://c.example&quot; and ` +
        'http://localhost:1/ <mark>m</mark> <sub>s</sub> <sup>2</sup> <del>d</del>',
    ],
    [
      { bareAddresses: 'none', hasSigns: false } as const,
      'https://a.example/x_y or a@b.example, &quot;https://c.example&quot; and http://localhost:1/ ==m== ~s~ ^2^ <del>d</del>',
    ],
  ])('reads %j', (dialect, html) => {
    expect(markdownToHtml(text, dialect)).toBe(`<p>See ${html}</p>\n`);
    expect(markdownToHtml(`|a|\n|-|\n|${text}|`, dialect)).toContain(`<td>See ${html}</td>`);
    expect(markdownToHtml('<https://d.example> [https://e.example](https://e.example)', dialect)).toBe(
      `<p>${link('https://d.example')} ${link('https://e.example')}</p>\n`,
    );
  });

  it('goes back to the usual one', () => {
    markdownToHtml('==a==', { bareAddresses: 'none', hasSigns: false });
    expect(markdownToHtml('==a==')).toBe('<p><mark>a</mark></p>\n');
  });
});

it.each([
  ['[new A([b[, c[, d]]])](#new-a) x', '<a href="#new-a">new A([b[, c[, d]]])</a> x'],
  ['a [Added `f` function`.](/1)', 'a <a href="/1">Added <code>f</code> function`.</a>'],
  [
    '[a [b [c [*d*]]]](https://a.example/(x) "T")',
    '<a href="https://a.example/(x)" title="T">a [b [c [<em>d</em>]]]</a>',
  ],
  ['[a [b [c [d]]]](<https://a.example/x y>)', '<a href="https://a.example/x%20y">a [b [c [d]]]</a>'],
  ['![a [b [c [d]]]](/a.png)', '<img src="/a.png" alt="a [b [c [d]]]">'],
  ['[a `]` [b [c [d]]] [e](/f)', '[a <code>]</code> [b [c [d]]] <a href="/f">e</a>'],
  ['`[a [b [c [d]]]](/e)`', '<code>[a [b [c [d]]]](/e)</code>'],
  ['\\[a [b [c [d]]]](/e)', '[a [b [c [d]]]](/e)'],
  ['[a [b]](/c) [one](/d)', '<a href="/c">a [b]</a> <a href="/d">one</a>'],
])('reads links with brackets in brackets, or a sign of code alone: %s', (markdown, html) => {
  expect(markdownToHtml(markdown)).toBe(`<p>${html}</p>\n`);
});

it('reads thousands of brackets that nothing closes', () => {
  for (const part of ['[', '[`', '![a [b [c [d]]](']) {
    const html = markdownToHtml(part.repeat(5000));
    expect(html.match(/\[/g)).toHaveLength(part.repeat(5000).match(/\[/g)?.length ?? 0);
  }
});
