import { describe, expect, it } from '@jest/globals';
import { renderFootnotes } from './render-footnotes.js';
import { sanitizeContent } from './sanitize-content.js';

describe('footnotes', () => {
  it('are numbered where they stand, and told at the end with a way back', () => {
    const html = sanitizeContent(
      '<p>One<span class="ql-footnote x" onclick="a()">first <em>note</em> <span style="color: red">r</span></span>.</p>' +
        '<p><a href="/a">two<span class="ql-footnote">second</span></a></p>',
    );
    expect(sanitizeContent(html)).toBe(html);
    const rendered = renderFootnotes(html);
    expect(rendered.replace(/<[^>]*>/g, '')).toBe('OneFootnote 1.twoFootnote 2first note r ↩second ↩');
    expect(rendered).toContain('<sup class="post-note" id="note-1-place"><a href="#note-1">');
    expect(rendered).toContain('<li id="note-1" tabindex="-1">first <em>note</em> <span style="color: red;">r</span>');
    // A link within a link would end the first.
    expect(rendered).toContain('two<sup class="post-note"><span class="visually-hidden">Footnote </span>2</sup></a>');
    expect(renderFootnotes('<p>none</p>')).toBe('<p>none</p>');
  });

  it('and boxes that open pass the sanitizer, whose result it leaves alone', () => {
    const html =
      '<details><summary>Head <b>b</b></summary><p>in</p><ul><li>x</li></ul></details><dl><dt>t</dt><dd>d</dd></dl>' +
      '<p>H<sub>2</sub>O x<sup>2</sup> <mark>m</mark></p>';
    const clean = sanitizeContent(html);
    expect(clean).toBe(html.replace('<b>b</b>', '<strong>b</strong>'));
    expect(sanitizeContent(clean)).toBe(clean);
    expect(
      sanitizeContent('<summary>a</summary><details open>b<summary>c</summary><summary>d</summary></details>'),
    ).toBe('<p>a</p><details><summary>c</summary>b<p>d</p></details>');
    const wrapped = '<details><summary><span><p>1 update <i>here</i></p>\n</span></summary><p>Text</p></details>';
    expect(sanitizeContent(wrapped)).toBe('<details><summary>1 update <em>here</em>\n</summary><p>Text</p></details>');
    const unnamed = '<details><summary>Details</summary><p>Text</p></details>';
    expect(sanitizeContent('<details><p>Text</p></details>')).toBe(unnamed);
    expect(sanitizeContent('<details><summary><p></p></summary><p>Text</p></details>')).toBe(unnamed);
    expect(sanitizeContent(unnamed)).toBe(unnamed);
  });
});
