import { expect, it } from '@jest/globals';
import { leastProcessorTime } from '../../../test/support/processor-time.js';
import { ShortcodeRules, type ShortcodeRule } from '../shortcode-rules.js';
import { expandShortcodes } from './shortcodes.js';

const read = (html: string, rule?: ShortcodeRule) => {
  const warnings: string[] = [];
  const rules = rule === undefined ? undefined : new ShortcodeRules(new Map([['((', rule]]));
  return { html: expandShortcodes(html, { postId: '1', attachments: new Map(), warnings, rules }), warnings };
};
const left = (count: string) => [`((…)) was left in the text, of which plugins make footnotes (${count})`];

it('makes footnotes of notes in brackets where the post shows that a plugin does', () => {
  expect(read('<p>a ((one <em>x</em> (y))) b((two)).</p>\n<p>[[references]]</p>')).toEqual({
    html: '<p>a <span class="ql-footnote">one <em>x</em> (y)</span> b<span class="ql-footnote">two</span>.</p>\n<p></p>',
    warnings: [],
  });
  expect(read('<p>a ((one <em>x</em> (y) z)) <code>((b))</code>.</p>[[references]]').html).toBe(
    '<p>a <span class="ql-footnote">one <em>x</em> (y) z</span> <code>((b))</code>.</p>',
  );
});

it('makes of them what the operator says', () => {
  const html = '<p>a ((one))</p>';
  expect(read(html, { text: '<span class="ql-footnote">{inner}</span>' })).toEqual({
    html: '<p>a <span class="ql-footnote">one</span></p>',
    warnings: [],
  });
  expect(read(html, 'keep inner').html).toBe('<p>a one</p>');
  expect(read(html, 'drop')).toEqual({
    html: '<p>a </p>',
    warnings: ['what stands in ((…)) was dropped, as --shortcodes says (once)'],
  });
});

it('names them elsewhere, and leaves what is no note', () => {
  const noted = '<p>a ((one)) and ((two))</p>';
  expect(read(noted)).toEqual({ html: noted, warnings: left('2 times') });
  for (const html of ['<a title="((x))">b</a> f((x)) $((1 + 2)) (((y))) (()) ((a\n\nb))', '<pre>((x))</pre>']) {
    expect(read(html)).toEqual({ html, warnings: [] });
  }
});

it.each(['((', '((a ', '((a))', '<a ((', '((<'])('takes time in proportion to the length of %j', (piece) => {
  const html = `[[references]] ${piece.repeat(20_000)}`;
  expect(leastProcessorTime(() => void read(html), 2000)).toBeLessThanOrEqual(2000);
});
