import { describe, expect, it } from '@jest/globals';
import { joinMarkup, markup } from './markup.js';

describe('markup', () => {
  it('escapes every value, in texts and in attributes', () => {
    const evil = `"><script>alert('&')</script>`;
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
    expect(markup`<a title="${evil}">${evil}</a>`.html).toBe(`<a title="${escaped}">${escaped}</a>`);
  });

  it('takes markup, lists of it, numbers, and nothing', () => {
    const items = [1, 2].map((count) => markup`<li>${count}</li>`);
    expect(markup`<ul>${items}${null}</ul>`.html).toBe('<ul><li>1</li><li>2</li></ul>');
    expect(joinMarkup(items).html).toBe('<li>1</li><li>2</li>');
  });

  it('leaves out the line breaks of its template, never those of a value', () => {
    expect(
      markup`<p>
      ${'two\n  lines'} and
    </p>`.html,
    ).toBe('<p>two\n  lines and</p>');
  });

  it('does not take an object of somebody else for markup', () => {
    // Not the text that its type promises, as what a program reads may be.
    const parsed = JSON.parse('{"html":"<b>"}') as string;
    expect(() => markup`${parsed}`).toThrow(TypeError);
  });
});
