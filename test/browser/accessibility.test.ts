import { AxeBuilder } from '@axe-core/playwright';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { pageRoutes } from '../support/routes.js';

const richText = `
<h2>Part</h2><p>Some <strong>words</strong>, <code>code</code> and <a href="/contact">a link</a>.</p>
<ul><li>One</li><li>Two</li></ul><blockquote>Said once.</blockquote><pre><code>policy: require-mfa</code></pre>
<table><thead><tr><th>Setting</th><th>Where</th></tr></thead><tbody><tr><td>Factor</td><td>Mail</td></tr></tbody></table>
<p class="ql-align-center"><span style="color: rgb(0, 97, 0);">Green</span></p>`;

const routes = [...pageRoutes, '/blogs/rich', '/blogs/never-written', '/nothing-here'];

/** What axe finds, in words that point to the place. */
async function findViolations(page: Page): Promise<string[]> {
  // Legacy mode looks at the page only, not into frames, of which these pages have none; it is twice as fast.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

describe('axe', () => {
  let base: string;

  beforeAll(async () => {
    const app = await createTestApp();
    await createPosts(app, [{ slug: 'rich', title: 'Everything a post can hold', content: richText }, {}, {}]);
    base = await app.listen();
  });

  it.each(routes)('finds nothing on %s, in light and dark, on a phone and at a desk', async (route) => {
    const page = await openPage({ expectedComplaints: [/404/, /No page at|not found/i] });
    await page.goto(base + route, { waitUntil: 'networkidle' });
    const found: Record<string, string[]> = {};
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        found[`${colorScheme} ${width}`] = await findViolations(page);
      }
    }
    expect(found).toEqual({ 'light 360': [], 'light 1440': [], 'dark 360': [], 'dark 1440': [] });
  });

  it.each(routes)('%s fits a screen of 320 pixels', async (route) => {
    const page = await openPage({ width: 320, height: 640, expectedComplaints: [/404/, /No page at|not found/i] });
    await page.goto(base + route);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });
});
