import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { accountsPage } from '../support/accounts-page.js';
import { createAccount } from '../support/accounts.js';
import { openPage, type PageOptions } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { untilEqual } from '../support/until.js';

const PASSWORD = 'a lamp on the left';
const OTHER_PASSWORD = 'a lamp on the right';

// Mails that a real mail server took, read on another device than the one that asked for them.
describe('the code of a mail', () => {
  let app: TestApp;
  let base: string;
  let sink: SmtpSink;
  let count = 0;

  beforeAll(async () => {
    sink = await startSmtpSink();
    app = await createTestApp({
      SMTP_URL: sink.url,
      AUTH_OTP_LENGTH: '8',
      AUTH_REAUTHENTICATION_REQUIRED: 'true',
      // Longer than all tries take before another code is asked for too soon.
      AUTH_MAIL_FREQUENCY: '3600',
    });
    base = await app.listen();
  });

  const someone = () => `reader-${(count += 1)}@example.com`;

  async function newPerson(): Promise<string> {
    const email = someone();
    await createAccount(app, { email, passwordHash: await app.get(PasswordsService).hash(PASSWORD) });
    return email;
  }

  async function open(path: string, options: PageOptions = {}) {
    const page = await openPage({ width: 1440, ...options });
    const screen = accountsPage(page, base);
    await screen.open(path);
    return { page, screen, code: page.getByRole('textbox', { name: 'Code' }) };
  }

  const codeTo = async (email: string) => (await sink.mailTo(email)).code!;

  /** Another code of as many digits. */
  const wrong = (code: string) => code.replace(/\d/g, (digit) => `${(Number(digit) + 1) % 10}`);

  /** Calls the API as a program would. */
  async function call(page: Page, method: string, path: string, body: unknown): Promise<number> {
    return await page.evaluate(
      async ([verb, url, json]) => {
        const kept = JSON.parse(localStorage.getItem('supabase.auth.token') ?? '{}') as { access_token?: string };
        const headers = { authorization: `Bearer ${kept.access_token ?? ''}` };
        return (await fetch(`/auth/v1/${url}`, { method: verb, headers, body: JSON.stringify(json) })).status;
      },
      [method, path, body] as const,
    );
  }

  it('confirms a sign-up where it began, however it was pasted, and says what to do about a wrong one', async () => {
    const { page, screen, code } = await open('/auth', { expectedComplaints: [/403/, /429/] });
    const email = someone();
    await screen.signUp(email, PASSWORD);
    const mailed = await codeTo(email);
    await screen.button('Type in the code').click();
    await page.waitForURL(`${base}/auth/code`);
    await page.getByText(`For the email to ${email}.`).waitFor();
    await page.getByText('The 8 digits in the email.').waitFor();
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await code.getAttribute('inputmode')).toBe('numeric');

    await code.fill('1234');
    await page.keyboard.press('Enter');
    await screen.toast('Please type in all digits of the code').waitFor();
    for (let tries = 1; tries <= 4; tries += 1) {
      await code.fill(wrong(mailed));
      const answered = page.waitForResponse('**/auth/v1/verify');
      await page.keyboard.press('Enter');
      await answered;
      await screen.answer('This code is wrong, too old or used already.').waitFor();
    }
    await untilEqual(() => code.getAttribute('aria-invalid'), 'true');
    await untilEqual(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'code');
    await code.fill(wrong(mailed));
    await page.keyboard.press('Enter');
    await screen.answer('After so many wrong tries this code no longer works.').waitFor();
    await screen.button('Send a new code').click();
    await screen.answer('For security purposes, you can only request this after').waitFor();

    // What was begun here outlives a reload. Once the time is over there is another code.
    await page.reload();
    await page.getByText(`For the email to ${email}.`).waitFor();
    await app.get(EntityManager).fork().execute('delete from auth.rate_limits');
    await app.get(EntityManager).fork().execute('update auth.users set confirmation_sent_at = null');
    await screen.button('Send a new code').click();
    await screen.answer('If we owe this address a code').waitFor();
    const next = await codeTo(email);
    await code.fill(` ${next.slice(0, 4)} ${next.slice(4)} `);
    await page.keyboard.press('Enter');
    await page.getByText('Your email address is confirmed. You are signed in.').waitFor();
    await untilEqual(() => page.evaluate(() => document.activeElement?.tagName), 'H1');
    await screen.accountButton.waitFor();
    // The address is nowhere any more.
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(email);
  });

  it('leads to a new password, which an old session may only set with another code', async () => {
    const { page, screen, code } = await open('/auth/recover', { expectedComplaints: [/400/, /422/] });
    const email = await newPerson();
    await screen.email.fill(email);
    await screen.button('Send the link').click();
    const mailed = await codeTo(email);
    await screen.button('Type in the code').click();
    await code.fill(mailed);
    await screen.button('Continue').click();
    await page.waitForURL(`${base}/auth/new-password`);

    await app
      .get(EntityManager)
      .fork()
      .nativeUpdate(Session, {}, { createdAt: new Date(Date.now() - 48 * 3600 * 1000) });
    await screen.password.fill(OTHER_PASSWORD);
    await screen.button('Save the password').click();
    await screen.answer('Type in the code that we have just mailed to you.').waitFor();
    const proof = await codeTo(email);
    await code.fill(wrong(proof));
    await screen.button('Save the password').click();
    await screen.answer('This code is wrong or too old.').waitFor();
    await code.fill(proof);
    await screen.button('Save the password').click();
    await screen.answer('Your password has been changed.').waitFor();
  });

  it('is asked for with its address where nothing was begun: signing in, both halves of a change', async () => {
    const { page, screen, code } = await open('/auth/code');
    const email = await newPerson();
    expect(await call(page, 'POST', 'otp', { email })).toBe(200);
    const type = async (purpose: string, address: string, value: string) => {
      await page.getByLabel('What is the code for?').selectOption({ label: purpose });
      await screen.email.fill(address);
      await code.fill(value);
      await screen.button('Continue').click();
    };
    await type('Signing in', email, await codeTo(email));
    await page.waitForURL(`${base}/`);
    await screen.accountButton.waitFor();

    const next = someone();
    expect(await call(page, 'PUT', 'user', { email: next })).toBe(200);
    await screen.open('/auth/code');
    await type('Changing my email address', next, await codeTo(next));
    await page.getByRole('heading', { name: 'Halfway there' }).waitFor();
    expect(await page.getByLabel('What is the code for?').inputValue()).toBe('email_change');
    await screen.email.fill(email);
    await code.fill(await codeTo(email));
    await screen.button('Continue').click();
    await page.getByText('Your new email address is confirmed. You are signed in.').waitFor();
    await screen.accountButton.click();
    await page.getByText(next).first().waitFor();
  });

  it('of a change of address is sent anew to the new address, where the change was begun', async () => {
    const { page, screen, code } = await open('/auth');
    const [email, next] = [await newPerson(), someone()];
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    await screen.button('Change email').click();
    await page.getByLabel('New email').fill(next);
    await screen.button('Change the email').click();
    await screen.answer('Open the link that we have just mailed to your new address').waitFor();
    const first = await codeTo(next);
    await screen.button('Type in the code').click();
    await page.getByText(`For the email to ${next}.`).waitFor();

    await app.get(EntityManager).fork().execute('delete from auth.rate_limits');
    await app.get(EntityManager).fork().execute('update auth.users set email_change_sent_at = null');
    await screen.button('Send a new code').click();
    await screen.answer('If we owe this address a code').waitFor();
    const again = await codeTo(next);
    expect(again).not.toBe(first);
    await code.fill(again);
    await screen.button('Continue').click();
    await page.getByRole('heading', { name: 'Halfway there' }).waitFor();
  });
});
