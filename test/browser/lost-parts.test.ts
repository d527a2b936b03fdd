import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createMember, openSignedIn, startSession, type Member } from '../support/admin-area.js';
import { hydrated, openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

/** A browser says so of every file that is missing, and the page of the part. */
const EXPECTED = { expectedComplaints: [/404/, /could not be|dynamically imported/] };
/** The script that starts every page. */
const START = '**/assets/app-*.js';
const LOST = 'A part of this page could not be loaded. To go on, load the page again.';

// A tab stays open while its release is replaced, or while the server is away for a moment: browsers do not ask again for a
// script that did not come.
describe('when a script of the page does not come', () => {
  let base: string;
  let ann: Member;

  beforeAll(async () => {
    const app = await createTestApp();
    base = await app.listen();
    ann = await createMember(app, 'ann@example.com');
  });

  const openAsAnn = async () => await openSignedIn(await startSession(base, ann), EXPECTED);

  /** The files of a script are gone, until the returned function is called. */
  async function lose(page: Page, name: string): Promise<() => Promise<void>> {
    const pattern = `**/assets/${name}-*.js`;
    await page.route(pattern, (route) => route.fulfill({ status: 404, json: {} }));
    return () => page.unroute(pattern);
  }

  it('a link leads to the page of the new release by a full load, once, with its scripts or without', async () => {
    const page = await openPage({ width: 1440, ...EXPECTED });
    await lose(page, 'blog-list');
    await visit(page, base);
    const documents: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()));
    await page.locator('a[href="/blogs"]:visible').first().click();
    await page.getByRole('heading', { level: 1, name: 'IT & Tech Blog' }).waitFor();
    await page.waitForLoadState();
    await page.locator('a[href="/about"]:visible').first().click();
    await page.waitForURL(`${base}/about`);
    await hydrated(page);
    expect(documents).toEqual([`${base}/blogs`, `${base}/about`]);
  });

  itSlow('the page that says so can be loaded again, while the server does not answer', async () => {
    const page = await openPage({ width: 1440, expectedComplaints: [...EXPECTED.expectedComplaints, /ERR_FAILED/] });
    const find = await lose(page, 'blog-list');
    await visit(page, base);
    await page.route(`${base}/blogs`, (route) =>
      route.request().method() === 'HEAD' ? route.abort() : route.continue(),
    );
    await page.locator('a[href="/blogs"]:visible').first().click();
    await page.getByRole('heading', { name: 'Something came loose' }).waitFor();
    await find();
    await page.getByRole('link', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { name: 'Something came loose' }).waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${base}/blogs`);
  });

  itSlow('signing in leads to a full load of the page, as trying again never helps', async () => {
    const page = await openPage({ width: 1440, ...EXPECTED });
    const find = await lose(page, 'auth-client');
    await visit(page, `${base}/auth`);
    await page.locator('[name=email]').fill('ann@example.com');
    await page.locator('[name=password]').fill('a long secret');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByText(LOST).waitFor();
    await find();
    const isAsked = page.waitForRequest('**/assets/auth-client-*.js');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await isAsked;
    await hydrated(page);
  });

  itSlow('the account does not ask for a moment for ever', async () => {
    const page = await openAsAnn();
    const find = await lose(page, 'auth-client');
    await visit(page, `${base}/account`);
    await page.getByText(LOST).waitFor();
    expect(await page.getByText('One moment...').count()).toBe(0);
    await find();
    await page.getByRole('link', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
  });

  itSlow('the admin area opens at the next try', async () => {
    const page = await openAsAnn();
    const find = await lose(page, 'auth-client');
    await visit(page, `${base}/admin`);
    await page.getByText(LOST).waitFor();
    await find();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
  });

  itSlow('the admin area says so, and not that it takes a moment, when it cannot even be started', async () => {
    const page = await openAsAnn();
    const find = await lose(page, 'layout');
    await page.goto(`${base}/admin`);
    await page.getByText(LOST).waitFor();
    await find();
    await page.getByRole('link', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
  });

  /** The addresses of the documents that a page loads from now on. */
  function recordDocuments(page: Page): readonly string[] {
    const documents: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()));
    return documents;
  }

  itSlow(
    'the admin area is loaded again where another release answers for the script that starts it, at each upgrade',
    async () => {
      const page = await openAsAnn();
      const documents = recordDocuments(page);
      for (const count of [2, 4]) {
        const isFirst = () => documents.length === count - 1;
        await page.route(START, (route) => (isFirst() ? route.fulfill({ status: 404, json: {} }) : route.fallback()));
        // Another document takes the place of the one that was asked for.
        await page.goto(`${base}/admin`, { waitUntil: 'commit' });
        await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
        expect(documents).toHaveLength(count);
        await untilEqual(() => page.evaluate(() => sessionStorage.getItem('loaded-again')), null);
        await page.unroute(START);
      }
    },
  );

  const times = [
    ['once', 'reload', 2],
    ['not at all where nothing can be noted', 'navigate', 1],
  ] as const;

  it.each(fewOf(times, ([name]) => name === 'once'))(
    'the account, too, is loaded again %s, and not for ever',
    async (_name, type, count) => {
      const expectedComplaints = [...EXPECTED.expectedComplaints, /ScrollRestoration/];
      const page = await openPage({ width: 1440, expectedComplaints });
      if (count === 1) await page.addInitScript(forbidSessionStorage);
      const documents = recordDocuments(page);
      await page.route(START, (route) => route.fulfill({ status: 404, json: {} }));
      await page.goto(`${base}/auth`, { waitUntil: 'commit' });
      // By then its scripts have come, or not.
      await untilEqual(() => page.evaluate(describeDocument), [type, 'complete']);
      expect(documents).toHaveLength(count);
      await page.unroute(START);
      await visit(page, `${base}/auth`);
    },
  );

  itSlow('the editor says that there is no place to write in', async () => {
    const page = await openAsAnn();
    await lose(page, 'quill-editor');
    await visit(page, `${base}/admin/blogs/new`);
    await page.getByText(LOST).waitFor();
  });

  itSlow('messages are shown, and pasted Markdown stays with a word', async () => {
    const page = await openAsAnn();
    await lose(page, 'toast-region');
    await lose(page, 'markdown-to-html');
    const editor = postEditorPage(page, base);
    await editor.open('/admin/blogs/new');
    await editor.text.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '# A title\n\n- one\n- two\n\n**bold**');
      (text as HTMLElement).focus();
      text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('Markdown was not formatted').waitFor();
    await editor.text.filter({ hasText: '**bold**' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Markdown was not formatted').waitFor({ state: 'detached' });
  });
});

/** Runs in the page: how it was come to, and whether it is complete. */
function describeDocument(): (string | undefined)[] {
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return [loading?.type, document.readyState];
}

/** Runs in the page. */
function forbidSessionStorage(): void {
  const get = () => {
    throw new DOMException('Forbidden', 'SecurityError');
  };
  Object.defineProperty(window, 'sessionStorage', { get });
}
