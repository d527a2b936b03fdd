import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, expect, it } from '@jest/globals';
import { paths } from '../../src/shared/paths.js';
import { createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

let app: TestApp;
let base: string;
let ada: MemberSession;
let status = 204;
const received: string[] = [];

beforeAll(async () => {
  const other = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onCleanup(() => {
    other.closeAllConnections();
    other.close();
  });
  const { port } = other.address() as { port: number };
  app = await createTestApp({
    NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks`,
    NOTIFY_WEBHOOK_SECRET: 'a secret that nobody guesses',
  });
  base = await app.listen();
  ada = await startSession(base, await createMember(app, 'ada@example.com'));
});

it('shows what another system was told, and sends a test with the keyboard', async () => {
  const page = await openSignedIn(ada);
  await page.goto(base + paths.admin.audit);
  const summary = page.locator('.webhooks summary');
  await summary.filter({ hasText: 'Messages to 127.0.0.1' }).waitFor();
  await summary.press('Enter');
  await page.getByText('Nothing was sent yet.').waitFor();

  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  await page
    .getByRole('status', { name: 'What was done' })
    .getByText('Whether it arrives stands in the list.')
    .waitFor();
  const deliveries = page.locator('.webhooks li');
  await deliveries.filter({ hasText: 'Delivered' }).waitFor();
  await until(() => received.length === 1);
  // Facts of a line are told apart in its text.
  expect(await deliveries.first().locator('.row-meta').textContent()).toMatch(/M\u00a0· Delivered$/);
  expect(await findViolationsInBothThemes(page)).toEqual([]);
});

itSlow('shows that a test has not arrived, and the next try without loading the page again', async () => {
  const page = await openSignedIn(ada);
  await page.goto(base + paths.admin.audit);
  const summary = page.locator('.webhooks summary');
  await summary.filter({ hasText: 'Messages to 127.0.0.1' }).waitFor();
  await summary.press('Enter');
  const deliveries = page.locator('.webhooks li');
  await deliveries.filter({ hasText: 'Delivered' }).waitFor();

  status = 500;
  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  // Ten seconds later it would be tried again by itself, while axe looks at the page.
  const change = (time: string) =>
    app
      .get(EntityManager)
      .fork()
      .execute<object[]>(`update pgboss.job set start_after = ${time} where state = 'retry' returning id`);
  await until(async () => (await change("now() + interval '1 hour'")).length > 0);
  await deliveries.first().getByText('it is tried again').waitFor();
  await summary.filter({ hasText: '(1 not delivered)' }).waitFor();
  expect(await deliveries.count()).toBe(2);
  expect(await findViolationsInBothThemes(page)).toEqual([]);
  // The next try, which is due at once here, is seen without loading the page again.
  status = 204;
  await change('now()');
  await deliveries.first().getByText('Delivered').waitFor();
  await deliveries.first().getByText('2 tries').waitFor();
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

itSlow('says that the messages could not be read, instead of showing none', async () => {
  const page = await openSignedIn(ada, { expectedComplaints: [/429/] });
  const reading = '**/api/admin/webhooks';
  const json = { code: 'over_request_rate_limit', message: 'Try again in a minute.' };
  await page.route(reading, (route) => route.fulfill({ status: 429, json }));
  await page.goto(base + paths.admin.audit);
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to fetch the messages to the other system' });
  await failure.getByText('Try again in a minute.').waitFor();
  await page.unroute(reading);
  await failure.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.locator('.webhooks summary').waitFor();
  await failure.waitFor({ state: 'detached' });
});
