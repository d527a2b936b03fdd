import { describe, it } from '@jest/globals';
import { openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';

describe('/api/docs', () => {
  it('describes the API under the same script policy as every page', async () => {
    const { listen } = await createTestApp();
    const page = await openPage();
    await page.goto(`${await listen()}/api/docs`);
    await page.getByText('/api/posts/{slug}').waitFor();
    await page.getByText('/api/health', { exact: true }).waitFor();
  });
});
