import { describe, expect, it } from '@jest/globals';
import { sanitizeContent } from '../content/sanitize-content.js';
import { replaceInContent } from './replace-in-content.js';
import { toPattern, type Replacing } from './text-pattern.js';

const replace = (
  html: string,
  replacing: Replacing,
  parts: { isInCode?: boolean; isInLinks?: boolean; isInText?: boolean } = {},
) =>
  replaceInContent(html, toPattern(replacing), replacing, {
    isInText: true,
    isInCode: false,
    isInLinks: false,
    ...parts,
  });
const words = { find: 'old', replacement: 'new' };

describe('words in the text of a post', () => {
  it('are replaced, and no markup is', () => {
    const html =
      '<p class="ql-align-center">An old <strong>old</strong> thing</p><p><a href="https://old.example/">old</a></p>' +
      '<p><img src="/media/old.png" alt="old"></p><p><span class="ql-formula" data-value="old">old</span></p>';
    const result = replace(html, words);
    expect(result.html).toBe(
      html.replace('An old', 'An new').replace('>old</strong>', '>new</strong>').replace('>old</a>', '>new</a>'),
    );
    expect(result.inText).toHaveLength(3);
    expect(result.inText[0]).toEqual({ before: 'An ', found: 'old', replacement: 'new', after: ' ' });
  });

  it.each([
    ['<p>p &lt; 1 &amp; q</p>', { find: '< 1 &', replacement: '<b>&lt;' }, '<p>p &lt;b&gt;&amp;lt; q</p>'],
    ['<p>a.b axb</p>', { find: 'a.b', replacement: '$&$1' }, '<p>$&amp;$1 axb</p>'],
    ['<p>20 MB, 5MB</p>', { find: '(\\d+) ?MB', replacement: '$1 MiB', isPattern: true }, '<p>20 MiB, 5 MiB</p>'],
    ['<p>x1 y1</p>', { find: '(?<=y)1', replacement: '[$&]', isPattern: true }, '<p>x1 y[1]</p>'],
    ['<p>one two</p>', { find: '(?<a>\\w+) (?<b>\\w+)', replacement: '$<b> $<a>', isPattern: true }, '<p>two one</p>'],
    ['<p>Old OLD</p>', { ...words, isIgnoringCase: true }, '<p>new new</p>'],
    ['<p>old</p>', { find: 'old|$', replacement: '!', isPattern: true }, null],
  ])('are found and written as they are given: %s %j', (html, replacing, expected) => {
    if (expected === null) expect(() => replace(html, replacing)).toThrow(/finds nothing at all/);
    else {
      const { html: replaced } = replace(html, replacing);
      expect(replaced).toBe(expected);
      expect(sanitizeContent(replaced)).toBe(replaced);
    }
  });

  it('are left in code and across markup unless that is wanted, and counted', () => {
    const html = '<pre><code>old old</code></pre><p><code>old</code> o<em>ld</em> old</p><p>o</p><p>ld</p>';
    const left = replace(html, words);
    expect([left.html, left.inCode, left.acrossMarkup]).toEqual([html.replace(' old</p>', ' new</p>'), 3, 1]);
    const all = replace(html, words, { isInCode: true });
    expect([all.html, all.inCode, all.inText.length]).toEqual([html.replace(/old/g, 'new'), 0, 4]);
  });

  it('are replaced at more places than a function can be given', () => {
    const result = replace(`<p>${'old '.repeat(140_000)}x</p>`, words);
    expect(result.inText).toHaveLength(140_000);
    expect(result.html).toBe(`<p>${'new '.repeat(140_000)}x</p>`);
  });

  it('are replaced in the addresses of links if that is wanted, and there alone', () => {
    const html = '<p><a href="http://old/?a=1&amp;b=2">old</a> old</p>';
    const result = replace(html, { find: 'old/?a=1&b', replacement: 'new/?"b' }, { isInLinks: true, isInText: false });
    expect(result.html).toBe('<p><a href="http://new/?&quot;b=2">old</a> old</p>');
    expect(result.inLinks).toHaveLength(1);
  });
});
