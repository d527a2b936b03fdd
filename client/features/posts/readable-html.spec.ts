import { describe, expect, it } from '@jest/globals';
import { toReadableHtml } from './readable-html.js';

describe('toReadableHtml', () => {
  it('lets tables and code scroll by themselves, reachable by keyboard', () => {
    expect(toReadableHtml('<table class="a"><tr><td>1</td></tr></table><pre><code>x</code></pre>')).toBe(
      '<div class="table-scroll" role="region" aria-label="Table" tabindex="0">' +
        '<table class="a"><tr><td>1</td></tr></table></div><pre tabindex="0"><code>x</code></pre>',
    );
  });

  it('leaves everything else alone, escaped tags included', () => {
    const html = '<p>&lt;table&gt; and &lt;pre&gt;</p><h2>Tables</h2>';
    expect(toReadableHtml(html)).toBe(html);
  });
});
