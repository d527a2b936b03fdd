import { expect, it } from '@jest/globals';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { fromGoldmark } from './goldmark.js';

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
