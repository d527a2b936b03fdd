import { expect, it } from '@jest/globals';
import { SetupAccessService } from '../../src/setup/setup-access.service.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { openPage } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { findNarrowScrolling } from '../support/sideways-scrolling.js';
import { fewOf } from '../support/slow-tests.js';
import { startSmtpSink } from '../support/smtp-sink.js';

const PASSWORD = 'a harbor of quiet lamps';

// A person with a browser, a new server in production, and a real mail server.
it('sets a new site up by the keyboard, from the token to the first sign-in', async () => {
  const sink = await startSmtpSink();
  const app = await createTestApp({ NODE_ENV: 'production', SMTP_URL: sink.url, SITE_EMAIL: '' });
  const base = await app.listen();
  // Closed, a token that is none, and a password that everybody has.
  const page = await openPage({ width: 1440, reducedMotion: 'reduce', expectedComplaints: [/503/, /403/, /422/] });
  const found: Record<string, string[]> = {};
  const steps = ['closed', 'token', 'wrong token', 'account', 'weak password', 'company', 'mail', 'mail sent'];
  const looked = fewOf(steps, (step) => ['weak password', 'company'].includes(step));
  const look = async (what: string) => {
    if (!looked.includes(what)) return;
    found[what] = await findViolationsInBothThemes(page);
    expect([what, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([what, 0]);
    expect([what, await findNarrowScrolling(page)]).toEqual([what, []]);
  };
  await page.goto(base);
  await look('closed');
  await page.getByRole('link', { name: 'the setup' }).press('Enter');
  await page.waitForURL(`${base}/setup`);
  await look('token');
  const token = page.getByRole('textbox');
  await token.fill('ABCDE-FGHJK');
  await token.press('Enter');
  await page.locator('[aria-invalid=true], [role=alert], .notice-error').first().waitFor();
  await look('wrong token');
  await token.fill((await app.get(SetupAccessService).issue({ isOnly: false })) ?? '');
  await token.press('Enter');

  const email = page.locator('[name=email]');
  await email.fill('ada@harbor.company');
  await look('account');
  for (const password of ['password1', PASSWORD]) {
    await page.locator('[name=password]').fill(password);
    await page.locator('[name=again]').fill(password);
    await page.locator('[name=again]').press('Enter');
    if (password === PASSWORD) break;
    await page.getByText('Password is known to be weak').waitFor();
    await look('weak password');
    // What was typed is still there.
    expect(await email.inputValue()).toBe('ada@harbor.company');
  }

  await page.locator('[name=phone]').fill('(212) 555-0142');
  await page.locator('[name=name]').fill('Harbor & Sons');
  await email.fill('desk@harbor.company');
  await look('company');
  await email.press('Enter');
  const to = page.getByLabel('Send a test mail to');
  expect(await to.inputValue()).toBe('ada@harbor.company');
  await look('mail');
  await to.press('Enter');
  expect(await sink.mailTo('ada@harbor.company')).toMatchObject({
    from: expect.stringContaining('desk@harbor.company'),
  });
  const open = page.getByRole('button', { name: 'Open the site', exact: true });
  await open.waitFor();
  await look('mail sent');
  await open.press('Enter');

  // By another address than the public one, people sign in by hand.
  await page.waitForURL(`${base}/auth`);
  const form = page.getByRole('main').locator('form');
  await form.getByLabel('Email').fill('ada@harbor.company');
  await form.locator('input[type=password]').fill(PASSWORD);
  await form.locator('input[type=password]').press('Enter');
  await page.waitForURL(`${base}/`);
  expect(await page.title()).toContain('Harbor & Sons');
  await page.goto(`${base}/admin`);
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
  expect(found).toEqual(Object.fromEntries(looked.map((what) => [what, []])));
});
