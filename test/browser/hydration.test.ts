import { beforeAll, describe, expect, it } from '@jest/globals';
import { openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { pageRoutes } from '../support/routes.js';

describe('every public page', () => {
  let base: string;

  beforeAll(async () => {
    base = await (await createTestApp()).listen();
  });

  it.each(pageRoutes)('%s hydrates without a complaint', async (route) => {
    const page = await openPage();
    await page.goto(base + route, { waitUntil: 'networkidle' });
    expect(await page.locator('h1').count()).toBe(1);
  });
});
