import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';

describe('a page that the browser translates', () => {
  let base: string;

  beforeAll(async () => {
    const app = await createTestApp();
    const content = '<p>Run it.</p><pre><code class="language-bash">make install</code></pre>';
    await createPosts(app, [{ slug: 'printers', title: 'Backups for printers', content }]);
    base = await app.listen();
  });

  itSlow(
    'shows what is searched for next, where the words of the last answer are not those of the page any more',
    async () => {
      const page = await openPage();
      await visit(page, `${base}/blogs`);
      const field = page.getByRole('searchbox', { name: 'Search the blog' });
      const marked = (word: string) => page.locator('.search-live mark').filter({ hasText: word });
      await field.fill('backups');
      await marked('Backups').waitFor();
      await translate(page);
      await field.fill('printers');
      await marked('printers').waitFor();
      expect(await marked('Backups').count()).toBe(0);
    },
  );

  it('leaves code as it is, which readers copy', async () => {
    // Parts of a page may still be taken up by its scripts, which would draw what was translated anew.
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${base}/blogs/printers`);
    await translate(page);
    expect(await page.locator('.prose p font').count()).toBeGreaterThan(0);
    expect(await page.locator('pre font').count()).toBe(0);
  });
});

/** Does to a page what browsers do that translate it: texts make room for others, in elements that nobody knows. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('script, style, textarea, [translate=no]')) continue;
      const place = document.createElement('font');
      place.textContent = text.data;
      text.replaceWith(place);
    }
  });
}
