import { describe, expect, it } from '@jest/globals';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { fromKramdown, isOfKramdown } from './kramdown.js';

const toHtml = (markdown: string) => markdownToHtml(fromKramdown(markdown).text);

describe('fromKramdown', () => {
  it.each([
    ['<br>\n#### Costs\n', '<br><h4>Costs</h4>\n'],
    ['<div class="x">\n<p>a</p>\n</div>\n## *b*\n', '<div class="x">\n<p>a</p>\n</div>\n\n<h2><em>b</em></h2>\n'],
    ['<p align="center">a</p>\nText with **b**\n', '<p align="center">a</p>\n\n<p>Text with <strong>b</strong></p>\n'],
    ['<div>\n<div>a</div>\n*b*\n</div>\n', '<div>\n<div>a</div>\n*b*\n</div>\n'],
    ['a\n\n^\nb', '<p>a</p>\n<p>b</p>\n'],
    ['2\n^\n3', '<p>2^3</p>'],
  ])('reads text below HTML as Markdown: %j', (markdown, html) => {
    expect(toHtml(markdown).replaceAll('\n', '')).toBe(html.replaceAll('\n', ''));
  });

  it.each([
    ['|---|---|\n| a | b |\n| `\\|` | \\| |', ['a', 'b', '<code>|</code>', '|']],
    ['| a | b |\n| c | d |', ['a', 'b', 'c', 'd']],
    ['| h | i |\n|---|---|\n| c | d |', ['c', 'd']],
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
    '<div markdown="1">\n```\n</div>\nx\n```\n</div>\ny\n',
    '<div><pre>\n</div>\nx</pre></div>\n',
    '<div>\n<pre>\n<p>\n</p>\nx\n</pre></div>\n',
    'a <code>\n<p>b</p>\nc</code>\n',
    '<p>a</p> b\nc\n',
    '<div>\nnever closed\n',
    '| one row |\n',
    'text\n| no table |\n| here |\n',
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
