import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { bodyToHtml } from './body-to-html.js';
import { fromKramdown, isOfKramdown } from './kramdown.js';

const toHtml = (markdown: string) => bodyToHtml(fromKramdown(markdown).text, false, []);

describe('fromKramdown', () => {
  it.each([
    ['<br>\n#### Costs\n', '<br><h4>Costs</h4>\n'],
    ['<div class="x">\n<p>a</p>\n</div>\n## *b*\n', '<div class="x">\n<p>a</p>\n</div>\n\n<h2><em>b</em></h2>\n'],
    ['<p align="center">a</p>\nText with **b**\n', '<p align="center">a</p>\n\n<p>Text with <strong>b</strong></p>\n'],
    ['<div>\n<div>a</div>\n*b*\n</div>\n', '<div>\n<div>a</div>\n*b*\n</div>\n'],
    [
      '<table>\n<tr><td>\n\n    a `b` <code>c</code>\n\n</td></tr>\n\n<tr><td>d</td></tr></table>\n*e*\n',
      '<table><tr><td>    a `b` <code>c</code></td></tr><tr><td>d</td></tr></table><p><em>e</em></p>',
    ],
    ['<div>\n\n  <pre>a\n\n\n  b</pre>\n\n  *c*\n</div>\n', '<div>  <pre>a&#10;&#10;  b</pre>  *c*</div>'],
    ['<div>\n<!-- </div>\n\n-->\n\n    a\n</div>\n', '<div><!-- </div>-->    a</div>'],
    ['a\n\n^\nb', '<p>a</p>\n<p>b</p>\n'],
    ['2\n^\n3', '<p>2^3</p>'],
  ])('reads text below HTML as Markdown: %j', (markdown, html) => {
    expect(toHtml(markdown).replaceAll('\n', '')).toBe(html.replaceAll('\n', ''));
  });

  it('reads Markdown in elements that ask for it, and in no others', () => {
    const markdown =
      '<div class="a">\n    <h5 markdown="1">A `b`</h5>\n    <p markdown="1">\n        Use\n        `c`. [d]\n    </p>\n\n' +
      '    <p>*e*</p>\n    <ul><li markdown="span">*f*</li></ul>\n</div>\n*g*\n\n[d]: https://d.example\n' +
      '\n<div markdown="1">\n| h | i |\n| j | k |\n\n    code\n\n```html\n<div markdown="1">\n</div>\n```\n</div>\n*l*\n';
    expect(toHtml(markdown).replace(/>\s+/g, '>').replace(/\s+</g, '<')).toBe(
      '<div class="a"><h5>A<code>b</code></h5><p>Use<code>c</code>.<a href="https://d.example">d</a></p><p>*e*</p>' +
        '<ul><li markdown="span"><p><em>f</em></p></li></ul></div><p><em>g</em></p><div markdown="1"><table><thead><tr><th></th><th></th></tr></thead>' +
        '<tbody><tr><td>h</td><td>i</td></tr><tr><td>j</td><td>k</td></tr></tbody></table><pre><code>code</code></pre>' +
        '<pre><code class="language-html">&lt;div markdown=&quot;1&quot;&gt;\n&lt;/div&gt;</code></pre></div><p><em>l</em></p>',
    );
  });

  it.each([
    ['|---|---|\n| a | b |\n| `\\|` | \\| |', ['a', 'b', '<code>|</code>', '|']],
    ['| a | b |\n| c | d |', ['a', 'b', 'c', 'd']],
    ['| h | i |\n|---|---|\n| c | d |', ['c', 'd']],
    ['| h | i\n|----------\n| c | d\n| e\n', ['c', 'd', 'e', '']],
    ['c | d\n`e|f` | g | h\n', ['c', 'd', '', '<code>e|f</code>', 'g', 'h']],
    ['|---+---|\n| h | i |\n|---+---|\n| c | d |\n|===+===|\n| e | f |\n', ['h', 'i', 'c', 'd', 'e', 'f']],
  ])('reads tables without a head: %j', (markdown, cells) => {
    const html = toHtml(markdown);
    expect([...html.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual(cells);
    expect(html.replaceAll(/<[^>]*>/g, '')).not.toContain('--');
  });

  it('names what abbreviations stand for, which is no text there', () => {
    expect(fromKramdown('HTML and CSS\n\n*[HTML]: Hyper Text\n*[CSS]:\n')).toEqual({
      text: 'HTML and CSS\n\n',
      warnings: ['what abbreviations stand for was left out: HTML (Hyper Text), CSS'],
    });
  });

  it.each([
    '```html\n<br>\n# a\n</div>\nb\n^\n*[a]: b\n| a |\n| b |\n```\n',
    '- ~~~\n  <br>\n  x\n  ~~~\n',
    '    <br>\n    # a\n',
    '<pre>\n</p>\n^\n</pre>\n',
    '<div><pre>\n</div>\nx</pre></div>\n',
    '<div>\n<pre>\n<p>\n</p>\nx\n</pre></div>\n',
    'a <code>\n<p>b</p>\nc</code>\n',
    '<p>a</p> b\nc\n',
    '<div>\nnever closed\n',
    '| one row |\n',
    'text\n| no table |\n| here |\n',
    '- a | b\n- c | d\n',
    'a | b\nc\n',
    'a `|` b\nc \\| d\n',
    '    a | b\n    c | d\n',
  ])('leaves %j', (markdown) => {
    expect(fromKramdown(markdown)).toEqual({ text: markdown, warnings: [] });
  });
});

it('is for sites whose Markdown kramdown reads', () => {
  const site = (generator: 'jekyll' | 'hugo', values = {}) => isOfKramdown({ generator, values });
  expect([
    site('jekyll'),
    site('jekyll', { markdown: 'Kramdown' }),
    site('jekyll', { markdown: 'CommonMark' }),
  ]).toEqual([true, true, false]);
  expect([site('hugo'), isOfKramdown(null)]).toEqual([false, false]);
});

it.each(['<div><code>a</code>\n', '<p markdown="1">\n', '<div>\n\n', 'a | `b` | c\n', '<td><!-- <div>\n'])(
  'takes time in proportion to the length: %j',
  (line) => {
    expect(leastProcessorTime(() => void fromKramdown(line.repeat(20_000)), 3000)).toBeLessThanOrEqual(3000);
  },
);
