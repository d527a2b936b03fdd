import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../test/support/processor-time.js';
import { PROPERTY_SEED } from '../../test/support/property-seed.js';
import { PROJECT_ROOT } from '../config/project-root.js';
import { sanitizeContent } from '../posts/content/sanitize-content.js';
import { exportedBodyToHtml } from '../import/exported/exported-body.js';
import { parseFrontMatter } from '../import/markdown/front-matter.js';
import { markdownToHtml } from '../shared/markdown-to-html.js';
import { toExportedBody, withAddresses } from './content-markdown.js';

const images = new Map([['/media/a-1x1.png', 'images/a-1x1.png']]);
const back = new Map([...images].map(([here, there]) => [there, here]));

function exportContent(html: string) {
  const { format, body } = toExportedBody(html, images);
  expect(sanitizeContent(withAddresses(exportedBodyToHtml(`\n${body}\n`, format), back))).toBe(html);
  return { format, body };
}

describe('what the editor writes', () => {
  it.each([
    [
      '<h2>Two</h2><p>One <strong>two</strong> <em>three</em> <code>a`b</code></p>',
      '## Two\n\nOne **two** _three_ ``a`b``',
    ],
    [
      '<p>snake_case, 2 * 3, [x], 1 &lt; 2 &amp; R&amp;D &amp;amp;</p>',
      'snake_case, 2 \\* 3, \\[x\\], 1 &lt; 2 & R&amp;D &amp;amp;',
    ],
    ['<p># no heading</p><p>1. no list</p><p>- nor this</p>', '\\# no heading\n\n1\\. no list\n\n\\- nor this'],
    ['<p>one<br>two</p><p><br></p><p> x </p>', 'one\\\ntwo\n\n<br>\n\n&#32;x&#32;'],
    ['<p><strong>bold </strong>text, un<em>break</em>able</p>', '<strong>bold </strong>text, un<em>break</em>able'],
    ['<blockquote>Quoted<br>twice</blockquote>', '> Quoted\\\n> twice'],
    ['<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>', '- a\n  1. b\n  2. c\n- d'],
    ['<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>', '- a\n\n* b\n\n- c'],
    ['<ul><li data-list="checked">done</li><li data-list="unchecked">to do</li></ul>', '- [x] done\n- [ ] to do'],
    [
      '<ol start="3"><li>c</li></ol><pre><code class="language-js">a;\n\n  b;</code></pre>',
      '3. c\n\n```js\na;\n\n  b;\n```',
    ],
    [
      '<p><a href="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer" target="_blank">a</a> <a href="/blogs">b</a></p>',
      '[a](https://a.example/x?y=1&z=2) <a href="/blogs">b</a>',
    ],
    [
      '<p><img src="/media/a-1x1.png" alt="A &quot;b&quot;"> https://x.example</p>',
      '![A "b"](images/a-1x1.png) https\\://x.example',
    ],
    [
      '<p><img src="/media/a-1x1.png" alt="" role="presentation" width="10"></p>',
      '<img src="images/a-1x1.png" alt="" role="presentation" width="10">',
    ],
    ['<p class="ql-align-center">c</p>', '<p class="ql-align-center">c</p>'],
    ['<p>{{ site.url }} {% raw %} {: .x}</p>', '{{ site.url }} {% raw %} {: .x}'],
    [
      '<p>x <span class="ql-formula" data-value="a_1 \\frac{1}{2}*b*">a_1 \\frac{1}{2}*b*</span></p>',
      'x <span class="ql-formula" data-value="a_1 \\frac{1}{2}*b*">a_1 \\\\frac{1}{2}\\*b\\*</span>',
    ],
    [
      '<table><thead><tr><th>a</th><th class="ql-align-right">b</th></tr></thead><tbody><tr><td>x|y</td><td class="ql-align-right">2</td></tr></tbody></table>',
      '| a | b |\n| --- | --: |\n| x\\|y | 2 |',
    ],
    [
      '<figure class="ql-width-wide"><a href="/b"><img src="/media/a-1x1.png" alt=""></a><figcaption>c</figcaption></figure>',
      '<figure class="ql-width-wide"><a href="/b"><img src="images/a-1x1.png" alt=""></a><figcaption>c</figcaption></figure>',
    ],
    [
      '<figure><pre><code>a\n\n\nb</code></pre><figcaption>c</figcaption></figure>',
      '<figure><pre><code>a&#10;&#10;\nb</code></pre><figcaption>c</figcaption></figure>',
    ],
  ])('writes %s', (html, markdown) => {
    expect(exportContent(html)).toEqual({ format: 'editor-markdown', body: markdown });
  });
});

describe('what was imported as Markdown', () => {
  it.each([
    '## Two\n\nOne **two** [three](https://a.example/) _four_\nfive',
    '> Quoted\n>\n> - a\n> - b\n\n- one\n\n  more\n- two\n\n| a | b |\n| --- | :-: |\n| c | d |\n\n---\n\n1. x\n   - y',
  ])('writes as it was: %s', (markdown) => {
    expect(exportContent(sanitizeContent(markdownToHtml(markdown)))).toMatchObject({ format: 'markdown' });
  });

  const folders = ['cli/demo/posts', 'test/fixtures/blogs'].map((name) => join(PROJECT_ROOT, name));
  const samples = folders.flatMap(listMarkdown).filter((file) => !file.endsWith('_index.md'));

  it('comes back, written by hand or by the editor, and as Markdown', () => {
    for (const file of samples) {
      const html = sanitizeContent(markdownToHtml(readBody(file)));
      const tight = sanitizeContent(html.replace(/(<\/?(?:p|ul|ol|li|h\d|blockquote)>)\n/g, '$1'));
      const formats = [html, tight].map((text) => exportContent(text).format);
      expect([file, formats]).toEqual([file, ['markdown', expect.stringMatching(/markdown/)]]);
    }
  });
});

describe('whatever the sanitizer lets through', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...' \n\t*_`~[]()<>&#+-=!|.:\\\'"1aZ\u00a0é/@{}%'), maxLength: 14 }),
    fc.constantFrom(
      '1. ',
      '# ',
      'https://a.example',
      'www.a.example',
      'a@b.example',
      '[x] ',
      '    ',
      '&#32;',
      '```',
      '---',
    ),
  );
  const escaped = text.map((value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;'));
  const { block } = fc.letrec<{ inline: string; block: string }>((tie) => {
    const inlines = fc.array(tie('inline'), { maxLength: 4 }).map((parts) => parts.join(''));
    const blocks = fc.array(tie('block'), { maxLength: 3 }).map((parts) => parts.join(''));
    const wrap = (tags: readonly string[], content: fc.Arbitrary<string>) =>
      fc.tuple(fc.constantFrom(...tags), content).map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0]}>`);
    const inline = [
      'strong',
      'em',
      'del',
      's',
      'u',
      'code',
      'sup',
      'span style="color: red"',
      'a href="/b_c(d)?e&amp;f=1"',
    ];
    const link = 'a href="https://a.example/" target="_blank"';
    const plain = ['p', 'h2', 'h3', 'blockquote', 'p class="ql-align-center"', 'pre', 'pre class="language-js"'];
    const parts = [
      'blockquote',
      'ul',
      'ol',
      'ol start="7"',
      'li',
      'li data-list="checked"',
      'li class="ql-indent-1"',
      'figure',
    ];
    const cells = ['table', 'thead', 'tbody', 'tr', 'td', 'th', 'td align="center"', 'dl', 'dt', 'dd'];
    const voids = ['<br>', '<hr>', '<img src="/media/a-1x1.png" alt="x">', '<img src="https://a.example/_b_.png">'];
    const video = '<iframe src="https://player.vimeo.com/video/1"></iframe>';
    const formula = '<span class="ql-formula" data-value="a_b|*c* &quot;\\x">y</span>';
    return {
      inline: fc.oneof(
        { maxDepth: 3 },
        escaped,
        wrap([...inline, link], inlines),
        fc.constantFrom(...voids, formula, video),
      ),
      block: fc.oneof(
        { maxDepth: 4 },
        wrap(plain, inlines),
        wrap([...parts, ...cells], fc.oneof(blocks, inlines)),
        fc.constantFrom('\n', '<p><br></p>', '<hr>', '<p><img src="/media/a-1x1.png" alt=""></p>', video),
      ),
    };
  });

  it('comes back as it was, with more of a sign than a function can be given', () => {
    exportContent(`<pre><code>${'` '.repeat(140_000)}x</code></pre><p><code>${'` '.repeat(140_000)}x</code></p>`);
  });

  it('takes time in proportion to the blanks in a text', () => {
    const html = `<p>x${' '.repeat(40_000)}y</p>`;
    // With the square of their number it would be seconds.
    expect(leastProcessorTime(() => void toExportedBody(html, images), 2000)).toBeLessThanOrEqual(2000);
  });

  it('comes back as it was', () => {
    const posts = fc.array(block, { maxLength: 6 }).map((blocks) => sanitizeContent(blocks.join('')));
    fc.assert(
      fc.property(posts, (html) => void exportContent(html)),
      { numRuns: 300, seed: PROPERTY_SEED },
    );
  });
});

function listMarkdown(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|markdown)$/.test(name))
    .map((name) => join(folder, name));
}

function readBody(file: string): string {
  const text = readFileSync(file, 'utf8');
  return /^(?:---|\+\+\+)\n/.test(text) ? parseFrontMatter(text).body : text;
}
