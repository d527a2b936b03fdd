import { describe, expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { fromGoldmark, nameOfGoldmark } from './goldmark.js';

it.each([
  '||a|b\n:--|:--:|:--:|:--\nc|d|e|f\n',
  '|a|b|\n|---|---|---|---|\n|c|d|e|f|\n',
  'Text\n\na | `b|c`\n-|-|-|-\nc|d|e|f\n',
])('makes a table of one whose head has too few cells: %j', (markdown) => {
  expect(markdownToHtml(markdown)).not.toContain('<table>');
  const html = markdownToHtml(fromGoldmark(markdown));
  expect([html.match(/<th[ >]/g)?.length, html.match(/<td[ >]/g)?.length]).toEqual([4, 4]);
  expect(html.replace(/<[^>]*>/g, '')).not.toContain('|-');
});

it.each([
  '|a|b|\n|---|---|\n|c|d|\n',
  '|a|\n|-|\n',
  'text\na|b\n-|-|-\n',
  '```\n\na|b\n-|-|-\n```\n',
  '    a|b\n    -|-|-\n',
])('leaves %j', (markdown) => {
  expect(fromGoldmark(markdown)).toBe(markdown);
});

describe('nameOfGoldmark', () => {
  const site = (values: Record<string, unknown> = {}) => ({
    configuration: { generator: 'hugo' as const, values, prefix: '', folder: '' },
    conventions: null,
  });
  const unsafe = { markup: { goldmark: { renderer: { unsafe: true } } } };
  const html = 'HTML, which Hugo leaves out unless its setting unsafe is on, is shown here';
  const drawing = 'drawings that Hugo makes of text (goat) stay text';
  const numbers = 'the numbers of lines of code were left out';
  const cut = '<!--more--> stands in code, at which Hugo cuts the text apart: here it is whole';

  it.each([
    ['a <kbd>b</kbd>', {}, [html]],
    ['a <kbd>b</kbd>', unsafe, []],
    ['`<b>` {{<figure src="a.png">}} <!-- <b> --> {{< x >}}\n\n```\n<b>\n```\n', {}, []],
    ['```goat\n.-.\n```\n', unsafe, [drawing]],
    ['- a\n\n  ```go {linenos=table}\n  a\n  ```\n', {}, [numbers]],
    ['{{< highlight go "linenos=inline,hl_lines=8" >}}\na\n{{< /highlight >}}\n', {}, [numbers]],
    ['```go\na\n```\n', { markup: { highlight: { lineNos: true } } }, [numbers]],
    ['```go {linenos=false}\na\n```\nlinenos=true goat', {}, []],
    ['a\n<!--more-->\n`<!--more-->`', {}, []],
    ['a `<!--more-->` b\n', {}, [cut]],
    ['```\na\n<!--more-->\n```\n', {}, [cut]],
  ])('says what looks other of %j with %j', (body, values, notes) => {
    expect(nameOfGoldmark(body, site(values))).toEqual(notes);
  });

  it.each(['{{< a ', '{{<', '<b ', '```goat\n', '`<!--more-->'])(
    'takes time in proportion to the length of %j',
    (piece) => {
      expect(leastProcessorTime(() => void nameOfGoldmark(piece.repeat(10_000), site()), 3000)).toBeLessThanOrEqual(
        3000,
      );
    },
  );
});
