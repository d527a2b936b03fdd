import { beforeAll, describe, expect, it } from '@jest/globals';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { pageRoutes } from '../support/routes.js';

const richText = `
<h2>Part</h2><p>Some <strong>words</strong>, <code>code</code> and <a href="/contact">a link</a>.</p>
<ul><li>One</li><li>Two</li></ul><blockquote>Said once.</blockquote><pre><code>policy: require-mfa</code></pre>
<table><thead><tr><th>Setting</th><th>Where</th></tr></thead><tbody><tr><td>Factor</td><td>Mail</td></tr></tbody></table>
<p class="ql-align-center"><span style="color: rgb(0, 97, 0);">Green</span></p>`;

const missing = ['/blogs/never-written', '/nothing-here'];
const routes = [...pageRoutes, '/blogs/rich', '/blogs/archive/2025', ...missing];

describe('every public page', () => {
  let base: string;

  beforeAll(async () => {
    const app = await createTestApp();
    await createPosts(app, [{ slug: 'rich', title: 'Everything a post can hold', content: richText }, {}, {}]);
    // More than there are cards.
    await createPosts(
      app,
      Array.from({ length: 60 }, () => ({})),
    );
    base = await app.listen();
  });

  it.each(routes)(
    '%s hydrates without a complaint, and axe finds nothing in light and dark, phone and desk',
    async (route) => {
      const page = await openPage({
        // A color that is on its way from one theme to the other is nobody's choice.
        reducedMotion: 'reduce',
        expectedComplaints: missing.includes(route) ? [/404/, /No page at|not found/i] : [],
      });
      await visit(page, base + route);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.evaluate(findStrayIds)).toEqual([]);
      const found: Record<string, string[]> = {};
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [360, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          found[`${colorScheme} ${width}`] = await findViolations(
            page,
            colorScheme === 'dark' ? COLOR_RULES : undefined,
          );
        }
      }
      expect(found).toEqual({ 'light 360': [], 'light 1440': [], 'dark 360': [], 'dark 1440': [] });

      await page.setViewportSize({ width: 320, height: 640 });
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    },
  );
});

/**
 * Runs in the page: the ids that React works out for an element, where the server worked out others. Only React's build
 * for development complains of them.
 */
function findStrayIds(): string[] {
  return [...document.querySelectorAll('[id^="_R_"]')].flatMap((element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps$')) as keyof Element | undefined;
    const { id } = (key === undefined ? {} : element[key]) as { readonly id?: string };
    return id === element.id ? [] : [`${element.id} is ${id}`];
  });
}
