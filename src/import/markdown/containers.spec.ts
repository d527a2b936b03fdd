import { expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { resolveContainers } from './containers.js';

const toHtml = (markdown: string) => {
  const { text, warnings } = resolveContainers(markdown);
  return [markdownToHtml(text).replace(/\s*\n\s*/g, ''), warnings];
};
const box = (title: string) => `<blockquote><p><strong>${title}</strong></p><p>Text</p></blockquote>`;

it('keeps titles of boxes, in whichever way they are written', () => {
  for (const start of [
    ':::tip Careful now',
    ':::tip[Careful now]{.wide}',
    ':::tip{title="Careful now"}',
    ":::tip{.wide title='Careful now' #id}",
    '::: {.tip title="Careful now"}',
    ':::tip[Careful now]{title="Another"}',
  ]) {
    expect([start, ...toHtml(`${start}\nText\n:::\n`)]).toEqual([start, box('Careful now'), []]);
  }
  expect(toHtml(':::tip{.wide}\nText\n:::\n')[0]).toBe(box('Tip'));
  expect(toHtml(':::details{summary="More & more"}\nText\n:::\n')[0]).toBe(
    '<details><summary>More &amp; more</summary><p>Text</p></details>',
  );
  expect(toHtml(':::card{title="On it"}\nText\n:::\n')).toEqual([
    '<p><strong>On it</strong></p><p>Text</p>',
    ['containers were taken off, what they enclose stays: :::card'],
  ]);
  const hostile = `:::tip${'{"a'.repeat(50_000)}\nText\n:::\n`;
  expect(leastProcessorTime(() => void resolveContainers(hostile), 1000)).toBeLessThanOrEqual(1000);
});
