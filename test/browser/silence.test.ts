import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { paths } from '../../src/shared/paths.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { createMember, openSignedIn, startSession, type Member } from '../support/admin-area.js';
import { openPage, visit } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

/** How much sooner pages give up than they would. */
const HURRY = 100;

// An answer that never comes, as on a network that is gone without a word.
describe('a server that does not answer', () => {
  let app: TestApp;
  let base: string;
  let ann: Member;

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
    ann = await createMember(app, 'ann@example.com');
  });

  it('is told to whoever sends an enquiry, which is one when it is sent again', async () => {
    const page = await openPage({ expectedComplaints: [/could not be sent/] });
    const said: string[] = [];
    page.on('dialog', (dialog) => {
      said.push(dialog.message());
      void dialog.accept();
    });
    await visit(page, base + paths.contact);
    await page.getByLabel('Full Name').fill('Sam Silent');
    await page.getByLabel('Business Email').fill('sam@silent.example');
    await page.getByLabel('How can we help you?').fill('Is anybody there?');
    const speak = await silence(page, 'POST', paths.api.contact, { isHeard: true });
    const send = page.getByRole('button', { name: 'Schedule Free Consultation' });
    await send.click();
    await page.getByText('An unexpected error occurred. Please try again later.').waitFor();
    await speak();
    await send.click();
    await page.locator('form').getByText('Your message has been sent!').waitFor();
    expect(said).toEqual(['An unexpected error occurred. Please try again later.', 'Your message has been sent!']);
    expect(await storedEnquiries(app)).toHaveLength(1);
  });

  itSlow('keeps no enquiry back whose rules do not come', async () => {
    const page = await openPage({ hasOwnClock: true });
    page.on('dialog', (dialog) => void dialog.accept());
    const isAsked = await withhold(page, 'enquiry-rules');
    await visit(page, base + paths.contact);
    await page.clock.install();
    await page.getByLabel('Full Name').fill('Ray Ruleless');
    await page.getByLabel('Business Email').fill('ray@ruleless.example');
    await page.getByLabel('How can we help you?').fill('Nothing comes any more.');
    await page.getByRole('button', { name: 'Schedule Free Consultation' }).click();
    await isAsked();
    await page.clock.fastForward('00:04');
    await page.locator('form').getByText('Your message has been sent!').waitFor();
    expect(await storedFrom(app, 'ray@ruleless.example')).not.toBeNull();
  });

  itSlow(
    'keeps nobody from signing in whose rules do not come, and says that the client of the accounts does not',
    async () => {
      const page = await openPage({ hasOwnClock: true, expectedComplaints: [/could not be/] });
      const areRulesAsked = await withhold(page, 'credentials-rules');
      const areAccountsAsked = await withhold(page, 'auth-client');
      await visit(page, base + paths.auth);
      await page.clock.install();
      await page.getByLabel('Email').fill(ann.email);
      await page.getByLabel('Password').fill(ann.password);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await areRulesAsked();
      await page.clock.fastForward('00:04');
      await areAccountsAsked();
      await page.clock.fastForward('00:31');
      await page.getByText('A part of this page could not be loaded').waitFor();
    },
  );

  itSlow('is told to whoever signs in, who can try again', async () => {
    const page = await openPage({ expectedComplaints: [/ERR_FAILED/] });
    await visit(page, base + paths.auth);
    await page.getByLabel('Email').fill(ann.email);
    await page.getByLabel('Password').fill(ann.password);
    const speak = await silence(page, 'POST', '/token');
    const signIn = page.getByRole('button', { name: 'Sign In', exact: true });
    await signIn.click();
    await page.locator('main').getByText('The server could not be reached').waitFor();
    await speak();
    await signIn.click();
    await page.getByRole('button', { name: /^Account/ }).waitFor();
  });

  itSlow('is told to whoever exports enquiries, who can try again', async () => {
    await sendEnquiry(app, buildEnquiry({ name: 'Ivy', email: 'ivy@example.org' }));
    const page = await openSignedIn(await startSession(base, ann), { expectedComplaints: [/ERR_FAILED/] });
    await visit(page, base + paths.admin.enquiries);
    await page.getByRole('article', { name: 'Ivy' }).waitFor();
    const speak = await silence(page, 'GET', adminPaths.enquiriesExport);
    const save = page.getByRole('button', { name: 'Export CSV' });
    await save.click();
    await page.getByRole('alert').getByText('The export failed: The server could not be reached').waitFor();
    await speak();
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(download.suggestedFilename()).toBe('enquiries.csv');
    expect(readFileSync(await download.path(), 'utf8')).toContain('ivy@example.org');
  });

  itSlow('is told to administrators, who can go on', async () => {
    await sendEnquiry(app, buildEnquiry({ name: 'Eva', email: 'eva@example.org' }));
    const page = await openSignedIn(await startSession(base, ann), { expectedComplaints: [/ERR_FAILED/] });
    await visit(page, base + paths.admin.enquiries);
    const row = page.getByRole('article', { name: 'Eva' });
    await row.waitFor();
    const speak = await silence(page, 'PUT', adminPaths.enquiries);
    const close = row.getByRole('button', { name: /^Close/ });
    await close.click();
    await page.getByRole('alert').getByText('The server could not be reached').waitFor();
    await speak();
    await close.click();
    await row.getByText('Closed', { exact: true }).waitFor();
    expect((await storedFrom(app, 'eva@example.org'))?.closedAt).not.toBeNull();
  });
});

/** Leaves requests for a script unanswered. @returns resolves when there was one */
async function withhold(page: Page, name: string): Promise<() => Promise<void>> {
  let isAsked = false;
  await page.route(`**/assets/${name}-*.js`, () => void (isAsked = true));
  return () => until(() => isAsked);
}

/**
 * Leaves requests unanswered, and hurries the page to give up.
 * @param isHeard true if the server gets them nevertheless
 * @returns ends the silence
 */
async function silence(
  page: Page,
  method: string,
  path: string,
  { isHeard = false } = {},
): Promise<() => Promise<void>> {
  await page.evaluate((hurry) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / hurry);
  }, HURRY);
  const leave = async (route: Route) => {
    if (route.request().method() !== method || !route.request().url().includes(path)) return route.fallback();
    if (isHeard) await route.fetch();
  };
  await page.route('**', leave);
  return async () => {
    await page.unroute('**', leave);
    await page.evaluate((hurry) => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => timeout(ms * hurry);
    }, HURRY);
  };
}
