import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { accountsPage, authAnswer } from '../support/accounts-page.js';
import { createAccount } from '../support/accounts.js';
import { arrived, callClient, startApplication, userOf, type ApplicationSite } from '../support/application-site.js';
import { openPage, visit, type PageOptions } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

const PASSWORD = 'a lamp on the left';

// The published client in a browser, at another origin, with mails that a real mail server took.
describe('the link of a mail that another application asked for', () => {
  let app: TestApp;
  let base: string;
  let sink: SmtpSink;
  let application: ApplicationSite;
  let count = 0;

  beforeAll(async () => {
    sink = await startSmtpSink();
    application = await startApplication(() => `${base}/auth/v1`);
    app = await createTestApp({
      SMTP_URL: sink.url,
      AUTH_SITE_URL: application.page('implicit'),
      AUTH_REDIRECT_URLS: 'myapp://back',
    });
    base = await app.listen();
  });

  const someone = () => `guest-${(count += 1)}@example.com`;

  async function newPerson(): Promise<string> {
    const email = someone();
    await createAccount(app, { email, passwordHash: await app.get(PasswordsService).hash(PASSWORD) });
    return email;
  }

  async function openApplication(flow: 'implicit' | 'pkce', options: PageOptions = {}): Promise<Page> {
    const page = await openPage(options);
    await page.goto(application.page(flow));
    await arrived(page);
    return page;
  }

  /** The mailed link, on the server under test. */
  async function mailedLink(email: string): Promise<string> {
    const { pathname, search } = new URL((await sink.mailTo(email)).link!);
    return base + pathname + search;
  }

  /** Opens a link, presses its button and waits for the application. */
  async function press(page: Page, link: string, button: string, address: string): Promise<void> {
    await visit(page, link);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL((url) => url.href.startsWith(address));
    await arrived(page);
  }

  const arrivedAt = (page: Page) => page.evaluate(() => (window as unknown as { arrivedAt: string }).arrivedAt);

  async function expectNobodyHere(page: Page): Promise<void> {
    await visit(page, `${base}/about`);
    expect(await page.evaluate(() => localStorage.getItem('supabase.auth.token'))).toBeNull();
    expect(await accountsPage(page, base).accountButton.count()).toBe(0);
  }

  it('signs in there and nowhere else, however many programs have opened it before', async () => {
    const page = await openApplication('implicit');
    const email = someone();
    await callClient(page, 'signUp', {
      email,
      password: PASSWORD,
      options: { emailRedirectTo: `${application.page('implicit')}?a=1` },
    });
    const link = await mailedLink(email);
    // A program that follows links, and one that runs the page.
    expect((await fetch(link)).status).toBe(200);
    await visit(await page.context().newPage(), link);

    await visit(page, link);
    await page.getByText('You then go on in the application that asked for this email.').waitFor();
    await press(page, link, 'Confirm my email address', `${application.page('implicit')}?a=1`);
    const { hash } = new URL(await arrivedAt(page));
    const keys = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type'];
    expect([...new URLSearchParams(hash.slice(1)).keys()]).toEqual(keys);
    // The address with the token is not told to the next page.
    expect(await page.evaluate(() => document.referrer)).toBe('');
    expect(await userOf(page)).toBe(email);
    await expectNobodyHere(page);
  });

  it('brings a code to who has the verifier', async () => {
    const page = await openApplication('pkce');
    const email = await newPerson();
    const emailRedirectTo = application.page('pkce');
    await callClient(page, 'signInWithOtp', { email, options: { emailRedirectTo } });
    await press(page, await mailedLink(email), 'Sign me in', emailRedirectTo);
    expect([...new URL(await arrivedAt(page)).searchParams.keys()]).toContain('code');
    expect(await userOf(page)).toBe(email);
    await expectNobodyHere(page);
  });

  it('tells the application what became of it, and both halves of a change of address', async () => {
    const page = await openApplication('implicit');
    const email = await newPerson();
    const redirectTo = application.page('implicit');
    await callClient(page, 'resetPasswordForEmail', email, { redirectTo });
    const link = await mailedLink(email);
    await press(page, link, 'Choose a new password', redirectTo);
    expect(new URLSearchParams(new URL(await arrivedAt(page)).hash.slice(1)).get('type')).toBe('recovery');

    const next = someone();
    await callClient(page, 'updateUser', { email: next }, { emailRedirectTo: redirectTo });
    const links = [await mailedLink(next), await mailedLink(email)];
    await press(page, links[0]!, 'Confirm this address', `${redirectTo}#message=`);
    await press(page, links[1]!, 'Confirm this address', redirectTo);
    expect(await userOf(page)).toBe(next);

    // Used before. Whatever else the address of the link claims, the server decides where it leads.
    const spent = new URL(link);
    spent.searchParams.set('redirect_to', 'https://evil.example/');
    await press(page, spent.href, 'Choose a new password', redirectTo);
    const told = await page.evaluate(() => {
      const { error } = (window as unknown as { arrival: { error: { name: string; details: { code: string } } } })
        .arrival;
      return { name: error.name, code: error.details.code };
    });
    expect(told).toEqual({ name: 'AuthImplicitGrantRedirectError', code: 'otp_expired' });
  });

  it('is kept while the server has no time for it, and opens applications that are no pages', async () => {
    const expectedComplaints = [/429/, /503/, /myapp/];
    const page = await openApplication('implicit', { expectedComplaints });
    const screen = accountsPage(page, base);
    const email = await newPerson();
    await callClient(page, 'signInWithOtp', { email, options: { emailRedirectTo: 'myapp://back' } });
    await visit(page, await mailedLink(email));
    const refusals = [
      [429, 'over_request_rate_limit', 'Request rate limit reached'],
      [503, 'database_unavailable', 'The database is away'],
    ] as const;
    for (const [status, code, message] of refusals) {
      await page.route('**/verify/link', (route) => authAnswer.error(route, status, code, message));
      await screen.button('Sign me in').click();
      await screen.answer(message).waitFor();
    }
    await page.unroute('**/verify/link');
    await screen.button('Sign me in').click();
    await page.getByRole('heading', { name: 'On your way' }).waitFor();
    const address = await page.getByRole('link', { name: 'open it yourself' }).getAttribute('href');
    expect(address).toMatch(/^myapp:\/\/back#access_token=/);
    await page.waitForURL(`${base}/auth/confirm`);
    await expectNobodyHere(page);
  });
});
