import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { createMember, openSignedIn, postListPage, startSession, type Member } from '../support/admin-area.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { until } from '../support/until.js';

// The library asks for nothing then, and for all of it once there is a network again.
describe('while the browser has no network', () => {
  const OFFLINE = 'You are offline. It loads as soon as the connection is back.';
  const CUT = { expectedComplaints: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|role could not be read/] };
  let base: string;
  let ann: Member;

  beforeAll(async () => {
    const app = await createTestApp();
    base = await app.listen();
    ann = await createMember(app, 'ann@example.com');
    await createPosts(app, [{ slug: 'live', title: 'Live' }]);
  });

  it('a list says so, and shows what it has of another filter as no answer to this one', async () => {
    const page = await openSignedIn(await startSession(base, ann), CUT);
    const offline = page.getByText(OFFLINE);
    const list = postListPage(page, base);
    await list.open();
    await list.row('Live').waitFor();
    await page.context().setOffline(true);
    await list.state('Draft').first().click();
    await offline.waitFor();
    expect(await list.rows.count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText('No posts match.').waitFor();
    expect(await offline.count()).toBe(0);

    const lines = page.locator('.audit-lines > li');
    await page.goto(`${base}/admin/audit`);
    await lines.first().waitFor();
    await page.context().setOffline(true);
    await lines.getByRole('link', { name: 'All about it' }).first().click();
    await offline.waitFor();
    expect(await lines.count()).toBe(0);
    await page.context().setOffline(false);
    await lines.first().waitFor();
    expect(await offline.count()).toBe(0);
  });

  it('a screen that is opened for the first time does not say that it loads', async () => {
    const page = await openSignedIn(await startSession(base, ann), CUT);
    const held: Route[] = [];
    const people = '**/api/admin/people';
    await page.route(people, (route) => void held.push(route));
    await page.goto(`${base}/admin/people`);
    await until(() => held.length > 0);
    await page.context().setOffline(true);
    await Promise.all(held.map((route) => route.abort()));
    await page.getByText(OFFLINE).waitFor();
    expect(await page.getByText('Loading people...').count()).toBe(0);
    await page.unroute(people);
    await page.context().setOffline(false);
    await page.locator('.people-rows').getByText(ann.email).first().waitFor();
  });
});
