import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { untilEqual } from '../support/until.js';

const LINES = 10;

describe('the lines of older posts', () => {
  let base: string;

  beforeAll(async () => {
    const app = await createTestApp();
    await createPosts(
      app,
      Array.from({ length: 60 + LINES }, (_, index) => ({
        slug: `post-${index}`,
        title: `Post ${index}`,
        published_date: new Date(Date.UTC(2024, 0, 200 - index, 20)).toISOString(),
      })),
    );
    base = await app.listen();
  });

  const lines = (page: Page) => page.locator('.archive-lines li');
  const blogsLink = (page: Page) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs', exact: true });

  it('stay as the server sent them, and are drawn when one comes from another page', async () => {
    const page = await openPage({ width: 1440 });
    await visit(page, `${base}/blogs`);
    expect(await lines(page).count()).toBe(LINES);
    const [first, sent] = [lines(page).first(), await lines(page).first().innerHTML()];
    await first.getByRole('link', { name: 'Post 60' }).click();
    await page.getByRole('heading', { level: 1, name: 'Post 60' }).waitFor();
    await blogsLink(page).click();
    await untilEqual(() => lines(page).count(), LINES);
    // The same elements, whoever made them.
    expect(await first.innerHTML()).toBe(sent);
    await blogsLink(page).click();
    await untilEqual(() => lines(page).count(), LINES);

    await page.goto(`${base}/blogs/archive/2024`);
    await untilEqual(() => lines(page).count(), 60 + LINES);
    await page.getByRole('link', { name: 'Back to Blogs' }).click();
    await untilEqual(() => lines(page).count(), LINES);
  });

  it('are loaded where a page could not be hydrated and had to be drawn anew', async () => {
    const page = await openPage({ width: 1440, expectedComplaints: [/#418|hydrat/i] });
    await page.route(`${base}/blogs`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(<h1>)[^<]*/, '$1Changed on the way');
      await route.fulfill({ response: answer, body });
    });
    await visit(page, `${base}/blogs`);
    await page.getByRole('heading', { level: 1, name: 'IT & Tech Blog' }).waitFor();
    await untilEqual(() => lines(page).count(), LINES);
  });
});
