import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { PostsService } from '../../src/posts/posts.service.js';
import { PreviewsService } from '../../src/posts/previews.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { findBrokenWords } from '../support/broken-words.js';
import { drawn, openPage, visit } from '../support/browser.js';
import { createComments } from '../support/comments.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { pageRoutes } from '../support/routes.js';
import { findSidewaysScrolling } from '../support/sideways-scrolling.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

const richText = `
<h2>Part</h2><p>Some <strong>words</strong>, <code>code</code> and <a href="/contact">a link</a>.</p>
<ul><li>One</li><li>Two</li></ul><blockquote>Said once.</blockquote><pre><code>policy: require-mfa</code></pre>
<table><thead><tr><th>Setting</th><th>Where</th></tr></thead><tbody><tr><td>Factor</td><td class="ql-align-right">Mail</td></tr></tbody></table>
<p class="ql-align-center"><span style="color: rgb(0, 97, 0);">Green</span></p>`;

/** A post with all that helps to read one: long, with notes, a formula, and pictures at this address. */
const toLongText = (picture: string) => `${richText}
<p>Said.<span class="ql-footnote">Where it was <em>said</em>.</span></p>
<p><span class="ql-formula" data-value="\\frac{a}{b}">\\frac{a}{b}</span></p>
<ul><li>Adds <span class="ql-formula" data-value="${'a+'.repeat(60)}a">a</span> up.</li></ul>
<p><img src="${picture}" alt="Teal"></p><figure><img src="${picture}" alt=""><figcaption>Again</figcaption></figure>
${['Costs', 'Costs', 'Terms'].map((title) => `<h2>${title}</h2><p>${'Words of a long text. '.repeat(60)}</p>`).join('')}`;

const excerpt = 'What a post can hold, and how long it may take to read all of it on a phone, in a few words.';

/** The parts of a card. */
const shown = { excerpt, category: 'Security', tags: ['Security', 'Accounts', 'Checklist'] };

/** A post of another site: its headings begin deep, and readers wrote below it, in any script and with long code. */
const talked = {
  slug: 'talked',
  title: 'מה אמרו הקוראים',
  content:
    '<h3>Begins deep</h3><p>Words.</p><h5>And leaves out a level</h5><p>More.</p>' +
    '<p>טקסט מימין לשמאל</p><ul><li>אחת</li></ul><pre><code>const left = 1;</code></pre>',
};
const answer = { author: 'Telekommunikationsgesetz'.repeat(4), html: `<p>${'Telekommunikationsgesetz'.repeat(9)}</p>` };
const comments = [
  { author: 'Ann', html: '<p>Hello <a href="https://other.example">there</a>.</p>', authorUrl: 'https://ann.example' },
  ...[0, 1, 2, 3, 4].map((answers) => ({ ...answer, answers })),
  {
    author: 'דוד',
    html: `<p>שלום <code>a()</code>?</p><pre><code>${'long '.repeat(90)}</code></pre><ul><li>אחת</li></ul>`,
  },
];

const missing = ['/blogs/never-written', '/nothing-here'];
const PREVIEW = 'a preview';
const BROKEN = '/blogs/broken';
const lists = [
  '/blogs/tag/Security',
  '/blogs/category/Security',
  '/blogs/author/Support%20desk',
  '/blogs/archive/2025',
];
const routes = [
  ...[...pageRoutes, ...lists, '/blogs/archive/2025/01', '/blogs/rich', '/blogs/talked', PREVIEW],
  ...['/search', '/search?q=rich', `/search?q=${'Telekommunikationsgesetz'.repeat(4)}`, ...missing, BROKEN],
];
/** Posts have an excerpt in italics. */
const withItalics = ['/blogs/rich', '/blogs/talked', PREVIEW];

/** Pages that are made of the same parts as others, or that journeys of other tests lead through. */
const alike =
  /^(?:a preview|\/(?:accessibility|privacy|terms|about|client|pricing|account|why-choose-us|search|contact\/sent|blogs\/(?:talked|never-written|broken))|\/(?:why-choose-us|auth|blogs\/(?:tag|category|author|archive))\/.+|\/search\?.+)$/;

let base: string;
let preview: string;
let posts: PostsService;

describe('every public page', () => {
  beforeAll(async () => {
    const app = await createTestApp();
    const image = sharp({ create: { width: 1600, height: 900, channels: 3, background: 'teal' } }).jpeg();
    const { url } = await app.get(UploadsService).storeImage(await image.toBuffer());
    await createPosts(app, [
      { slug: 'rich', title: 'Everything a post can hold', content: toLongText(url), ...shown },
      shown,
      shown,
    ]);
    // All of them are more than there are cards, on the blog's own page: axe looks at each for as long as at the one before.
    const earlier = { excerpt, category: 'Backups', tags: ['Copies'], author: 'Night shift' };
    const numbers = fewOf([...Array(60).keys()], (number) => number < 6);
    await createPosts(
      app,
      numbers.map(() => ({ ...earlier, published_date: '2019-05-01T20:00:00Z' })),
    );
    await createPosts(app, [
      { ...shown, ...talked },
      { ...shown, slug: 'draft', is_published: false },
    ]);
    await createComments(app, 'talked', comments);
    posts = app.get(PostsService);
    const draft = (await posts.listAllIncludingDrafts(OPERATOR)).find(({ slug }) => slug === 'draft')!;
    preview = new URL((await app.get(PreviewsService).createLink(OPERATOR, draft.id)).url).pathname;
    base = await app.listen();
  });

  it.each(fewOf(routes, (route) => !alike.test(route)))(
    '%s hydrates without a complaint, and axe finds nothing in light and dark',
    async (route) => {
      const page = await openPage({
        // A color that is on its way from one theme to the other is nobody's choice.
        reducedMotion: 'reduce',
        expectedComplaints: missing.includes(route)
          ? [/404/, /No page at|not found/i]
          : route === BROKEN
            ? [/500/]
            : [],
      });
      if (route === BROKEN) jest.spyOn(posts, 'findPublishedBySlug').mockRejectedValue(new Error('A mistake'));
      // The page of an error is not taken over by scripts.
      if (route === BROKEN) await page.goto(base + route);
      else await visit(page, base + (route === PREVIEW ? preview : route));
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.evaluate(findStrayIds)).toEqual([]);
      const found: Record<string, string[]> = {};
      // A theme changes colors alone, which both widths have: each theme at one width asks everything.
      for (const [colorScheme, width] of [
        ['light', 360],
        ['dark', 1440],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        // Formulas that are too wide now are made reachable as the page is drawn.
        await drawn(page);
        found[`${colorScheme} ${width}`] = await findViolations(page);
      }
      expect(found).toEqual({ 'light 360': [], 'dark 1440': [] });

      await page.emulateMedia({ forcedColors: 'active' });
      expect(await page.evaluate(findLostControls)).toEqual([]);
      await page.emulateMedia({ forcedColors: 'none' });

      // Italics are fetched where they are shown only.
      expect((await listLoadedFonts(page)).includes('italic')).toBe(withItalics.includes(route));
      expect(await findLowContent(page, route)).toEqual([]);
      expect(await findBrokenWords(page)).toEqual([]);
      expect(await findSidewaysScrolling(page)).toEqual([]);
    },
  );
});

it('describes the API at /api/docs under the same script policy', async () => {
  const page = await openPage();
  await page.goto(`${base}/api/docs`);
  await page.getByText('/api/posts/{slug}').waitFor();
  await page.getByText('/api/health', { exact: true }).waitFor();
});

it('helps to read a long post', async () => {
  const page = await openPage({ width: 1440, reducedMotion: 'reduce' });
  await visit(page, `${base}/blogs/rich`);
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.id);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  const current = contents.locator('[aria-current=location]');
  await contents.getByRole('link', { name: 'Costs' }).nth(1).click();
  await untilEqual(() => current.evaluateAll((links) => links.map((link) => link.getAttribute('href'))), ['#costs-1']);
  expect(new URL(page.url()).hash).toBe('#costs-1');

  // Without and with the permission to copy.
  const [copy, copied] = [page.getByRole('button', { name: 'Copy' }), page.locator('.code-head [role=status]')];
  await copy.click();
  await untilEqual(() => copied.textContent(), 'The browser does not allow it. The code is selected.');
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('policy: require-mfa');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy.press('Enter');
  await untilEqual(() => copied.textContent(), 'Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('policy: require-mfa');

  const sides = page.locator('.prose td').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
  expect(await sides).toEqual(['start', 'right']);

  const share = page.getByRole('link', { name: 'Share this post' });
  await share.click();
  await page.getByRole('status').filter({ hasText: 'Link copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('http://site.test/blogs/rich');
  await page.context().clearPermissions();
  const shared = page.evaluate(
    () => new Promise((resolve) => Object.assign(navigator, { share: (data: ShareData) => resolve(data) })),
  );
  await share.click();
  expect(await shared).toEqual({ title: 'Everything a post can hold', url: 'http://site.test/blogs/rich' });

  const viewer = page.getByRole('dialog', { name: 'Picture' });
  await page.getByRole('link', { name: 'Open the picture: Teal' }).press('Enter');
  await viewer.getByText('Picture 1 of 2').waitFor();
  // Not as wide as the column of the text, but as the window.
  await untilEqual(
    () => viewer.getByRole('img').evaluate(({ currentSrc }: HTMLImageElement) => /-1600\.avif$/.test(currentSrc)),
    true,
  );
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('Picture 2 of 2: Again').waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await untilEqual(focused, 'Open the picture: Teal');

  const number = page.getByRole('link', { name: 'Footnote 1', exact: true });
  const note = page.getByRole('dialog', { name: 'Footnote 1' });
  await number.press('Enter');
  await untilEqual(focused, 'Footnote 1');
  expect(await note.textContent()).toContain('Where it was said.');
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await note.waitFor({ state: 'detached' });
  await untilEqual(() => number.evaluate((link) => link === document.activeElement), true);
  await number.click();
  await note.getByRole('link', { name: 'All footnotes' }).click();
  await untilEqual(focused, 'note-1');

  // Screen readers get the formula, and not its source beside it.
  expect(await page.locator('p:has(> .ql-formula)').ariaSnapshot()).toMatch(/math: a b$/);
});

it('gives pictures white ground in the dark, in a post and large', async () => {
  const page = await openPage({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await visit(page, `${base}/blogs/rich`);
  // Comes with what opens pictures.
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  const colorBehind = (image: Locator) => image.evaluate((element) => getComputedStyle(element).backgroundColor);
  const picture = page.getByRole('link', { name: 'Open the picture: Teal' });
  expect(await colorBehind(picture.locator('img'))).toBe('rgb(255, 255, 255)');
  await picture.press('Enter');
  const large = page.getByRole('dialog', { name: 'Picture' }).locator('img');
  expect(await colorBehind(large)).toBe('rgb(255, 255, 255)');
  // The ground ends with the picture, which is 16 by 9.
  const shape = () => large.evaluate(({ clientWidth, clientHeight }) => (clientWidth / clientHeight).toFixed(1));
  await untilEqual(shape, '1.8');
  await page.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await colorBehind(picture.locator('img'))).toBe('rgba(0, 0, 0, 0)');
});

itSlow('shows a picture large also where a window zoomed far in has little room for it', async () => {
  const page = await openPage({ width: 320, height: 180, reducedMotion: 'reduce' });
  await visit(page, `${base}/blogs/rich`);
  // Comes with what opens pictures.
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await page.getByRole('link', { name: 'Open the picture: Teal' }).press('Enter');
  const viewer = page.getByRole('dialog', { name: 'Picture' });
  await untilEqual(() => viewer.getByRole('img').evaluate(({ clientHeight }) => clientHeight >= 100), true);
  // What stands below it is reached by scrolling.
  await viewer.getByRole('button', { name: 'Close' }).click();
  await viewer.waitFor({ state: 'detached' });
});

itSlow(
  'prints dark text on white from the dark theme too, and says of a wide table and formula that they scroll',
  async () => {
    const app = await createTestApp();
    const toFormula = (length: number) =>
      `<p><span class="ql-formula" data-value="${'a+'.repeat(length)}a">a</span></p>`;
    const formulas = [1, 60].map(toFormula).join('');
    const row = `<tr>${'<td>Telecommunications</td>'.repeat(6)}</tr><tr><td>${'0123456789abcdef'.repeat(8)}</td></tr>`;
    await createPosts(app, [
      { slug: 'wide', content: `${richText}<table><tbody>${row}</tbody></table>${formulas}`, category: 'Security' },
    ]);
    const page = await openPage({ colorScheme: 'dark', width: 360 });
    await visit(page, `${await app.listen()}/blogs/wide`);
    // Whether something scrolls is known once it is drawn, and formulas are as wide as their fonts make them.
    const parts = page.locator('.table-scroll, p:has(> .ql-formula)');
    const hints = () =>
      parts.evaluateAll((all) => all.map((part) => getComputedStyle(part, '::before').content.includes('Scroll')));
    await untilEqual(hints, [false, true, false, true]);
    await page.emulateMedia({ media: 'print' });
    expect(await findViolations(page, COLOR_RULES)).toEqual([]);
    // A sheet of A4, of which nothing is cut off.
    await page.setViewportSize({ width: 718, height: 1000 });
    const tables = page.locator('.prose table');
    const ends = () => tables.evaluateAll((all) => all.map((table) => table.getBoundingClientRect().right));
    expect(Math.max(...(await ends()))).toBeLessThanOrEqual(718);
  },
);

itSlow('prints what a text has folded away, which nobody can open on paper', async () => {
  const app = await createTestApp();
  const content = '<details><summary>Steps</summary><p>Turn it off and on again.</p></details>';
  await createPosts(app, [{ slug: 'folded', content }]);
  const page = await openPage();
  await visit(page, `${await app.listen()}/blogs/folded`);
  const words = page.getByText('Turn it off and on again.');
  expect(await words.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await words.isVisible()).toBe(true);
});

itSlow('runs what visitors type in the direction of its script', async () => {
  const app = await createTestApp();
  const url = await app.listen();
  const page = await openPage();
  for (const [path, fields] of [
    ['/contact', ['[name=name]', '[name=message]']],
    ['/search', ['[name=q]']],
  ] as const) {
    await visit(page, url + path);
    for (const field of fields) {
      const directions: string[] = [];
      for (const typed of ['Ann (VPN).', 'דוד (VPN).']) {
        await page.locator(field).fill(typed);
        directions.push(await page.locator(field).evaluate((element) => getComputedStyle(element).direction));
      }
      expect([field, ...directions]).toEqual([field, 'ltr', 'rtl']);
    }
  }
});

itSlow('fits found words whose letters join into a narrow window', async () => {
  const app = await createTestApp();
  const word = 'w'.repeat(150);
  await createPosts(app, [{ title: 'Joined', content: `<p>${word}</p>` }]);
  const page = await openPage({ width: 256 });
  await visit(page, `${await app.listen()}/search?q=${word}`);
  await page.locator('mark').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(256);
});

itSlow(
  'shows titles and excerpts in the direction of their words on cards and in lines, as on the page of their post',
  async () => {
    const asked = { title: 'מה זה VPN?', excerpt: 'על VPN.' };
    const app = await createTestApp();
    const others = Array.from({ length: 60 }, () => ({}));
    await createPosts(app, [{ ...asked, published_date: '2025-02-01T00:00:00Z' }, ...others]);
    await createPosts(app, [{ ...asked, published_date: '2019-01-01T00:00:00Z' }]);
    const page = await openPage({ width: 1440 });
    await visit(page, `${await app.listen()}/blogs`);
    for (const selector of ['.post-card h2 a', '.post-card .clamp-3', '.archive-lines a']) {
      const text = page.locator(selector).filter({ hasText: 'VPN' });
      await text.scrollIntoViewIfNeeded();
      // The sign at the end of the sentence stands left of the word before it.
      expect([selector, await text.evaluate(endsLeft)]).toEqual([selector, true]);
    }
  },
);

it('shows a post in the direction of most of its words, and a block of other words in its own', async () => {
  const app = await createTestApp();
  const url = await app.listen();
  await createPosts(app, [
    {
      slug: 'english',
      content: '<p>מה זה VPN?</p><p>It leads home, wherever somebody is.</p><ul><li>Always</li></ul>',
    },
    { slug: 'hebrew', content: '<p>VPN מוביל את כולם הביתה.</p><p>Open it.</p><ul><li>תמיד, ומכל מקום</li></ul>' },
  ]);
  const page = await openPage();
  const directions: string[][] = [];
  for (const slug of ['english', 'hebrew']) {
    await visit(page, `${url}/blogs/${slug}`);
    const parts = page.locator('.prose, .prose > *');
    directions.push(
      await parts.evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction)),
    );
  }
  expect(directions).toEqual([
    ['ltr', 'rtl', 'ltr', 'ltr'],
    ['rtl', 'rtl', 'ltr', 'rtl'],
  ]);
});

/** Runs in the page: returns true if the last character of a text stands left of the one before. */
function endsLeft(element: Element): boolean {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
  const leftOf = (index: number) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect().left;
  };
  return leftOf(text.length - 1) < leftOf(text.length - 2);
}

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

/** Runs in the page: controls whose words or whose frame have the color of what is behind them. */
function findLostControls(): string[] {
  const groundOf = (element: Element | null): string => {
    if (element === null) return 'Canvas';
    const { backgroundColor } = getComputedStyle(element);
    return /, 0\)$/.test(backgroundColor) ? groundOf(element.parentElement) : backgroundColor;
  };
  return [...document.querySelectorAll('a[href], button, input, textarea, select, summary')].flatMap((control) => {
    const { color, borderTopColor, borderTopWidth, opacity } = getComputedStyle(control);
    if (!control.checkVisibility({ visibilityProperty: true }) || opacity === '0') return [];
    const ground = groundOf(control);
    const hasFrame = borderTopWidth !== '0px' && borderTopColor !== groundOf(control.parentElement);
    const isLost = color === ground || (control.matches('.btn, input, textarea, select') && !hasFrame);
    return isLost ? [control.outerHTML.slice(0, 120)] : [];
  });
}
