import { expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../test/support/processor-time.js';
import { noteHiddenText } from './hidden-text.js';

const note = (html: string) => {
  const warnings: string[] = [];
  noteHiddenText(html, warnings);
  return warnings;
};

it('names parts that are hidden there', () => {
  const parts =
    '<p style="display:none">a</p><div class="x" style=\'color: red; DISPLAY : none !important\'>b</div><span hidden>c</span><p hidden="">d</p><p style="visibility:hidden">e</p>';
  expect(note(`<p>a</p>${parts}`)).toEqual(['parts that are hidden there are shown here, look at them: 5']);
  const others =
    '<p title="display:none hidden">a</p><p style="visibility: visible">a</p><p style="display: block">b</p><img style="display:none"><iframe hidden></iframe>' +
    '<pre><p hidden>c</p></pre><p class="hidden x">is hidden > d</p><p aria-hidden="true">e</p>';
  expect(note(others)).toEqual([]);
});

it.each(['<p ', '<p style="', '<p hidden', ' display:none', '<p a="', '<a b=\'"'])(
  'takes time in proportion to the length of %j',
  (piece) => {
    const html = `${piece.repeat(Math.ceil(400_000 / piece.length))} hidden>`;
    // With the square of the length it would be minutes.
    expect(leastProcessorTime(() => note(html), 5000)).toBeLessThanOrEqual(5000);
  },
);
