import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { sitePaths } from '../../src/shared/site-pages.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { hydrated, openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { fewOf } from '../support/slow-tests.js';

/** Collected by the page from its start. */
declare const shifts: { value: number; moved: string[] }[];

/** Pages that have little in common; the others are made of the same parts. */
const layouts: readonly string[] = ['/', '/blogs', '/pricing', '/contact', '/blogs/picture'];

describe('nothing on a page moves after it was painted', () => {
  let base: string;

  beforeAll(async () => {
    const app = await createTestApp();
    const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const { url } = await app.get(UploadsService).storeImage(picture);
    const words = 'Words of a post that is long enough to be broken into lines. ';
    const content = `<p>${words.repeat(5)}</p><p><img src="${url}" alt="Teal"></p><h2>${words}</h2><p>${words}</p>`;
    const title = 'How one office got three networks and still has a quiet week';
    await createPosts(app, [
      { slug: 'picture', title, content, excerpt: words.repeat(2), image_url: url, image_alt: 'Teal' },
      ...Array.from({ length: 4 }, () => ({ title })),
    ]);
    base = await app.listen();
  });

  it.each(
    fewOf(
      [...Object.values(sitePaths), '/blogs/picture'].flatMap((path) =>
        [360, 412, 1440].map((width) => ({ path, width })),
      ),
      ({ path, width }) => width === (path === '/blogs' ? 1440 : 360) && layouts.includes(path),
    ),
  )('$path at $width pixels, with a font that comes late', async ({ path, width }) => {
    const page = await openPage({ width, height: width < 500 ? 740 : 900 });
    const devtools = await page.context().newCDPSession(page);
    // Sessions keep what earlier tests fetched.
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*.woff2', async (route) => {
      await released;
      await route.continue();
    });
    await page.addInitScript(() => {
      const seen: typeof shifts = Object.assign(globalThis, { shifts: [] }).shifts;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
          seen.push({ value: entry.value, moved: entry.sources.map(({ node }) => node?.textContent ?? '') });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(base + path, { waitUntil: 'commit' });
    await hydrated(page);
    release();
    await page.waitForLoadState('load');
    await page.evaluate(() => document.fonts.ready);
    const seen = await page.evaluate(paintedShifts);
    expect(seen.reduce((sum, { value }) => sum + value, 0) < 0.01 ? [] : seen).toEqual([]);
  });
});

interface LayoutShift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** Runs in the page: waits until it was painted as it is now, and for what that moved. */
async function paintedShifts(): Promise<typeof shifts> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  await frame();
  return shifts;
}
