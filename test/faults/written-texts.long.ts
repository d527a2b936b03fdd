import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAdministrator, type Administrator } from '../support/admin-posts.js';
import { openPage } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { EditorPage } from '../support/editor-driver.js';
import { everyElement, sanitizedHtml } from '../support/editor-samples.js';
import { serveEditorPage } from '../support/editor-site.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { canBeSaved, followText, type Difference } from '../support/text-journey.js';

let app: TestApp;
let writer: Administrator;

beforeAll(async () => {
  app = await createTestApp();
  writer = await createAdministrator(app, 'ada@example.com');
});

describe('200 texts with every format, written in the editor', () => {
  it('are what is public, in versions and in duplicates', async () => {
    const page = await openPage({ expectedComplaints: [/ERR_|net::/, /failed: http/] });
    await page.goto(await serveEditorPage());
    const editor = new EditorPage(page);
    await editor.show('');
    const made = fc.sample(sanitizedHtml(), { numRuns: 500, seed: PROPERTY_SEED });
    const texts = [everyElement.join(''), ...made.filter(canBeSaved)].slice(0, 200);
    const differences: Difference[] = [];
    for (const [index, text] of texts.entries()) {
      await editor.setHtml(text);
      await editor.text.press('Control+End');
      await page.keyboard.type(' word **bold**');
      const html = await editor.html();
      expect(html).toContain('word');
      differences.push(...(await followText(app, writer, html, `text-${index}`)));
    }
    expect(texts).toHaveLength(200);
    expect(differences).toEqual([]);
  });
});
