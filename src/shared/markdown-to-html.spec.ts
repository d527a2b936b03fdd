import { describe, expect, it } from '@jest/globals';
import { markdownToHtml } from './markdown-to-html.js';

describe('footnotes in Markdown', () => {
  it('stand at their places', () => {
    const markdown = 'One[^1] and[^b].\n\n[^1]: first *note*\n    goes on\n[^b]: second\n\nend';
    expect(markdownToHtml(markdown)).toBe(
      '<p>One<span class="ql-footnote">first <em>note</em>\ngoes on</span> and<span class="ql-footnote">second</span>.</p>\n' +
        '<p>end</p>\n',
    );
  });

  it('are not lost when nothing leads to them, or from them', () => {
    expect(markdownToHtml('a[^x] `[^y]`\n\n[^y]: note')).toBe('<p>a[^x] <code>[^y]</code></p>\n<p>[^y]: note</p>\n');
    expect(markdownToHtml('```\n[^y]: note\n```')).toBe('<pre><code>[^y]: note\n</code></pre>\n');
  });
});
