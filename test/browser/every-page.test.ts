import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
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

const excerpt = 'What a post can hold, and how long it may take to read all of it on a phone, in a few words.';

/** The parts of a card. */
const shown = { excerpt, category: 'Security', tags: ['Security', 'Accounts', 'Checklist'] };

const missing = ['/blogs/never-written', '/nothing-here'];
const routes = [...pageRoutes, '/blogs/rich', '/blogs/archive/2025', '/search?q=rich', ...missing];

describe('every public page', () => {
  let base: string;

  beforeAll(async () => {
    const app = await createTestApp();
    await createPosts(app, [
      { slug: 'rich', title: 'Everything a post can hold', content: richText, ...shown },
      shown,
      shown,
    ]);
    // More than there are cards.
    await createPosts(
      app,
      Array.from({ length: 60 }, () => shown),
    );
    base = await app.listen();
  });

  it.each(routes)('%s hydrates without a complaint, and axe finds nothing in light and dark', async (route) => {
    const page = await openPage({
      // A color that is on its way from one theme to the other is nobody's choice.
      reducedMotion: 'reduce',
      expectedComplaints: missing.includes(route) ? [/404/, /No page at|not found/i] : [],
    });
    await visit(page, base + route);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.evaluate(findStrayIds)).toEqual([]);
    const found: Record<string, string[]> = {};
    // What a theme changes is colors, and both widths have the same ones.
    for (const [colorScheme, width] of [
      ['light', 360],
      ['light', 1440],
      ['dark', 1440],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const rules = colorScheme === 'dark' ? COLOR_RULES : undefined;
      found[`${colorScheme} ${width}`] = await findViolations(page, rules);
    }
    expect(found).toEqual({ 'light 360': [], 'light 1440': [], 'dark 1440': [] });

    // Italics are fetched where they are shown only.
    expect((await listLoadedFonts(page)).includes('italic')).toBe(route === '/blogs/rich');
    expect(await findLowContent(page, route)).toEqual([]);
    expect(await findSidewaysScrolling(page)).toEqual([]);
  });
});

it('prints dark text on white from the dark theme too, and says of a wide table that it scrolls', async () => {
  const app = await createTestApp();
  const row = `<tr>${'<td>Telecommunications</td>'.repeat(6)}</tr>`;
  await createPosts(app, [
    { slug: 'wide', content: `${richText}<table><tbody>${row}</tbody></table>`, category: 'Security' },
  ]);
  const page = await openPage({ colorScheme: 'dark', width: 360 });
  await visit(page, `${await app.listen()}/blogs/wide`);
  const hints = page
    .locator('.table-scroll')
    .evaluateAll((tables) => tables.map((table) => getComputedStyle(table, '::before').content.includes('Scroll')));
  expect(await hints).toEqual([false, true]);
  await page.emulateMedia({ media: 'print' });
  expect(await findViolations(page, COLOR_RULES)).toEqual([]);
});

/** Returns the styles of the fonts that a page has fetched. */
async function listLoadedFonts(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ style }) => style);
  });
}

/** Screens that most people have, and how high the head of a page may be on them. */
const SCREENS = [
  { width: 1366, height: 768, head: 220 },
  { width: 360, height: 780, head: 160 },
];

/** What people come for, which has to end in the first screen. */
const cameFor: Readonly<Record<string, readonly string[]>> = {
  '/': ['.hero [href="/contact"]', '.hero [href^="tel:"]', '.hero .facts b'],
  '/pricing': ['.prices', '.price-factors'],
  '/contact': ['main [name="name"]', 'main [href^="tel:"]', 'main [href^="mailto:"]'],
  '/blogs': ['.post-card'],
  '/blogs/rich': ['h1', '.post-excerpt', '.prose > :first-child'],
};

/** Returns what lies lower than the first screen of a page, of what people come for, and heads that take its place. */
async function findLowContent(page: Page, route: string): Promise<string[]> {
  const found: string[] = [];
  for (const { width, height, head } of SCREENS) {
    await page.setViewportSize({ width, height });
    const bounds = async (selector: string) =>
      (await page.locator(selector).first().boundingBox()) ?? { y: 0, height: 0 };
    const isHeaded = (await page.locator('.page-header').count()) > 0;
    if (isHeaded && (await bounds('.page-header')).height > head) found.push(`head at ${width} px`);
    for (const selector of cameFor[route] ?? []) {
      const { y, height: own } = await bounds(selector);
      if (own === 0 || y + own > height) found.push(`${selector} at ${width} px ends at ${Math.round(y + own)}`);
    }
  }
  return found;
}

/** What is done to a page, one after the other, before each width of {@link WIDTHS} is looked at; run in the page. */
const hardships: Readonly<Record<string, () => void>> = {
  'as it is': () => {},
  'words of 80 characters': () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement } = texts.currentNode;
      // What must not be broken is short and fixed.
      const isFixed = parentElement === null || getComputedStyle(parentElement).whiteSpace === 'nowrap';
      if (isFixed || parentElement.closest('script, style, svg, .skip-link')) continue;
      if (texts.currentNode.nodeValue?.trim())
        texts.currentNode.nodeValue += ` ${'Telekommunikationsgesetz'.repeat(4)}`;
    }
  },
  // WCAG 2.2, 1.4.12
  'with wide text': () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
  },
  'from right to left': () => {
    document.documentElement.dir = 'rtl';
  },
  'in letters of 32 pixels': () => {
    document.adoptedStyleSheets = [];
    document.documentElement.style.fontSize = '32px';
  },
};

/** CSS pixels of windows; 320 is a desk at 400 %, and what fits into 256 fits there. */
const WIDTHS = [256, 1366];

/** Returns where a page scrolls sideways, in whatever state it is put. Leaves it unfit for further tests. */
async function findSidewaysScrolling(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [name, hardship] of Object.entries(hardships)) {
    await page.evaluate(hardship);
    for (const width of name.includes('32') ? [375] : WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      const reach = await page.evaluate(() => document.documentElement.scrollWidth);
      if (reach > width) found.push(`${name}, ${width} px: ${reach} px`);
    }
  }
  return found;
}

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
