import { beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';

const routes = Object.values(paths).flatMap((path) =>
  typeof path === 'string' && !path.endsWith('.xml') ? [path] : [],
);

describe('every public page', () => {
  let base: string;

  beforeAll(async () => {
    base = await (await createTestApp()).listen();
  });

  it.each(routes)('%s hydrates without a complaint', async (route) => {
    const page = await openPage();
    await page.goto(base + route, { waitUntil: 'networkidle' });
    expect(await page.locator('h1').count()).toBe(1);
  });
});
