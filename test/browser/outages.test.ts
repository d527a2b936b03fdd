import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { createMember, openSignedIn, postListPage, startSession, type Member } from '../support/admin-area.js';
import { openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { openDatabaseGate, type DatabaseGate } from '../support/database-gate.js';
import { cloneDatabase } from '../support/database.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

/** A browser says so of every answer that is no success. */
const EXPECTED = { expectedComplaints: [/503/] };
const AWAY = 'The database does not answer just now. Try again in a moment';

describe('while the database is away', () => {
  let gate: DatabaseGate;
  let base: string;
  let ann: Member;

  beforeAll(async () => {
    gate = await openDatabaseGate(await cloneDatabase());
    const app = await createTestApp({ DATABASE_URL: gate.url });
    base = await app.listen();
    ann = await createMember(app, 'ann@example.com');
  });

  afterEach(() => gate.open());

  it('whoever writes is told what could not be saved and why, and it is saved by itself afterward', async () => {
    const page = await openSignedIn(await startSession(base, ann), EXPECTED);
    const editor = postEditorPage(page, base);
    await editor.open('/admin/blogs/new');
    await editor.field('Title').fill('Written in an outage');
    await editor.field('Author').fill('Ann');
    await gate.close();
    await editor.write('Every word of it.');
    await editor.button('Save Post').click();
    await editor.says(/^Not saved/);
    await editor.says(new RegExp(AWAY));
    await untilEqual(() => editor.text.innerText(), 'Every word of it.');
    await gate.open();
    // Nobody has to press the button again.
    await page.waitForURL(`${base}/admin/blogs`);
    await postListPage(page, base).row('Written in an outage').waitFor();
  });

  itSlow('whoever writes while the accounts never answer is told so, and it is saved once they do', async () => {
    const page = await openSignedIn(await startSession(base, ann), { hasOwnClock: true });
    const editor = postEditorPage(page, base);
    await editor.open('/admin/blogs/new');
    await editor.field('Title').fill('Written without a token');
    await editor.field('Author').fill('Ann');
    await editor.write('Every word of it.');
    await page.clock.install();
    const held = await holdNewTokens(page);
    await editor.button('Save Post').click();
    await until(() => held.length > 0);
    await page.clock.fastForward('00:31');
    await editor.says(/^Offline – kept on this device, sent as soon as the server can be reached/);
    await untilEqual(() => editor.text.innerText(), 'Every word of it.');
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute(NEW_TOKENS);
    await page.waitForURL(`${base}/admin/blogs`);
    await postListPage(page, base).row('Written without a token').waitFor();
  });

  itSlow('a list says what is wrong, and comes when it is asked for again', async () => {
    const page = await openSignedIn(await startSession(base, ann), EXPECTED);
    const list = postListPage(page, base);
    await list.open();
    await list.rows.first().waitFor();
    await gate.close();
    await list.state('Draft').first().click();
    await page.getByRole('alert').getByText(AWAY).waitFor();
    await gate.open();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  itSlow('whoever opens the admin area reads what is away, and is let in afterward', async () => {
    const complaints = { expectedComplaints: [/503/, /The admin area could not be opened/] };
    const page = await openSignedIn(await startSession(base, ann), complaints);
    await gate.close();
    await visit(page, `${base}/admin/people`);
    await page.getByRole('alert').getByText(AWAY).waitFor();
    await gate.open();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  });

  itSlow('whoever opens the admin area while the accounts never answer is told so, and let in afterward', async () => {
    const expectedComplaints = [/The admin area could not be opened/];
    const page = await openSignedIn(await startSession(base, ann), { hasOwnClock: true, expectedComplaints });
    await visit(page, `${base}/about`);
    const held = await holdNewTokens(page);
    await page.clock.install();
    await page.goto(`${base}/admin/people`);
    await until(() => held.length > 0);
    await page.clock.fastForward('00:31');
    await page.getByRole('alert').getByText('The server could not be reached').waitFor();
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute(NEW_TOKENS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  });

  itSlow('whoever signs in is told so', async () => {
    const page = await openPage(EXPECTED);
    await visit(page, `${base}/auth`);
    await page.getByLabel('Email').fill(ann.email);
    await page.getByLabel('Password').fill(ann.password);
    await gate.close();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    const told = page.locator('[data-sonner-toast]').filter({ hasText: 'Sign in failed' });
    expect(await told.innerText()).toContain('The server could not be reached');
  });
});

const NEW_TOKENS = '**/auth/v1/token?*';

/** Lets the token of a page run out, and leaves requests for new ones unanswered. @returns these, as they come */
async function holdNewTokens(page: Page): Promise<readonly Route[]> {
  const held: Route[] = [];
  await page.route(NEW_TOKENS, (route) => void held.push(route));
  await page.evaluate(() => {
    const key = 'supabase.auth.token';
    const session = JSON.parse(localStorage.getItem(key) ?? '') as object;
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
  });
  return held;
}
