import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accountsPage } from '../support/accounts-page.js';
import { PeopleService } from '../../src/people/people.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { createAccount } from '../support/accounts.js';
import { hydrated, openPage, type PageOptions } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { untilEqual } from '../support/until.js';

const PASSWORD = 'a lamp on the left';
const OTHER_PASSWORD = 'a lamp on the right';

// A person, a browser, the real server and a real mail server.
describe('an account', () => {
  let app: TestApp;
  let base: string;
  let sink: SmtpSink;
  let count = 0;

  beforeAll(async () => {
    sink = await startSmtpSink();
    app = await createTestApp({ SMTP_URL: sink.url, AUTH_PASSWORD_MIN_LENGTH: '12' });
    base = await app.listen();
  });

  const someone = () => `person-${(count += 1)}@example.com`;

  async function open(options: PageOptions = {}) {
    const page = await openPage({ width: 1440, ...options });
    return { page, screen: accountsPage(page, base) };
  }

  /** Path of the link in the next mail to that address, on the server under test. */
  async function mailedPath(email: string): Promise<string> {
    const { link } = await sink.mailTo(email);
    const { pathname, search } = new URL(link!);
    return pathname + search;
  }

  async function confirm(page: Page, path: string) {
    await accountsPage(page, base).open(path);
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
  }

  /** The address of an account that is confirmed. */
  async function newPerson(): Promise<string> {
    const email = someone();
    await createAccount(app, { email, passwordHash: await app.get(PasswordsService).hash(PASSWORD) });
    return email;
  }

  it('begins with a confirmed address, lasts over reloads and tabs, and ends in all of them', async () => {
    const { page, screen } = await open({ expectedComplaints: [/40[03]/] });
    const email = someone();
    await screen.signUp(email, PASSWORD);
    await screen.answer('Check your email to confirm your account.').waitFor();
    expect(await screen.toast('Success!').innerText()).toContain('Check your email to confirm your account.');
    const path = await mailedPath(email);

    await screen.tab('Sign In').click();
    await screen.password.fill(PASSWORD);
    await screen.button('Sign In').click();
    await screen.toast('Email not confirmed').waitFor();

    await confirm(page, path);
    await page.getByText('Your email address is confirmed').waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${base}/`);
    await screen.accountButton.waitFor();
    await page.reload();
    await screen.accountButton.waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${base}/auth`);
    await tab.waitForURL(`${base}/`);
    await accountsPage(tab, base).accountButton.click();
    await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
    await screen.accountButton.waitFor({ state: 'detached' });
    // Whoever has no session is not asked about: all there will be is there when the page answers.
    await page.reload();
    await hydrated(page);
    expect(await page.evaluate(() => localStorage.getItem('supabase.auth.token'))).toBeNull();
    expect(await screen.accountButton.count()).toBe(0);

    await screen.signIn(email, PASSWORD);
    await screen.accountButton.waitFor();

    // The link was good once.
    await confirm(page, path);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await screen.email.fill(email);
    await screen.button('Send a new link').click();
    await screen.answer('a new link is on its way').waitFor();
  });

  itSlow('cannot be entered with a wrong password, nor made twice', async () => {
    const { page, screen } = await open({ expectedComplaints: [/400/, /422/] });
    const email = await newPerson();
    await screen.open('/auth');
    await screen.fill(email, OTHER_PASSWORD);
    await screen.button('Sign In').click();
    await screen.toast('Sign in failed').waitFor();
    await screen.answer('Invalid login credentials').waitFor();

    await screen.tab('Sign Up').click();
    await page.getByText('At least 12 characters.').waitFor();
    await screen.password.fill(OTHER_PASSWORD);
    await screen.button('Sign Up').click();
    await screen.toast('Account exists').waitFor();
    await screen.answer('This email is already registered. Please sign in instead.').waitFor();
    await screen.button('Sign in instead').click();
    await untilEqual(() => screen.email.inputValue(), email);
  });

  itSlow('gets a new password by mail, which ends its other sessions', async () => {
    const elsewhere = await open({ expectedComplaints: [/40[13]/] });
    const email = await newPerson();
    await elsewhere.screen.signIn(email, PASSWORD);

    const { page, screen } = await open({ expectedComplaints: [/400/] });
    await screen.open('/auth/recover');
    await screen.email.fill('nobody@example.com');
    await screen.button('Send the link').click();
    await screen.answer('If there is an account').waitFor();
    // The same about an address with an account.
    await screen.open('/auth/recover');
    await screen.email.fill(email);
    await screen.button('Send the link').click();
    await screen.answer('If there is an account').waitFor();
    await screen.open(await mailedPath(email));
    await screen.button('Choose a new password').click();
    await page.waitForURL(`${base}/auth/new-password`);
    await screen.password.fill(OTHER_PASSWORD);
    await screen.button('Save the password').click();
    await screen.answer('Your password has been changed.').waitFor();

    await elsewhere.screen.open('/auth/new-password');
    await elsewhere.page.getByRole('link', { name: 'Send me a link' }).waitFor();
    expect(await elsewhere.screen.accountButton.count()).toBe(0);

    await screen.accountButton.click();
    await screen.button('Sign out').click();
    await screen.accountButton.waitFor({ state: 'detached' });
    await screen.open('/auth');
    await screen.fill(email, PASSWORD);
    await screen.button('Sign In').click();
    await screen.toast('Sign in failed').waitFor();
    await screen.signIn(email, OTHER_PASSWORD);
  });

  itSlow(
    'does not take the password that was typed for another one, nor say that it is signed in once it is not',
    async () => {
      const { page, screen } = await open();
      const [email, other] = [await newPerson(), await newPerson()];
      await screen.signIn(email, PASSWORD);
      await screen.open('/auth/new-password');
      await screen.accountButton.waitFor();
      await screen.password.fill(OTHER_PASSWORD);

      // The link of another account, in another tab of this browser.
      const tab = await page.context().newPage();
      const elsewhere = accountsPage(tab, base);
      await elsewhere.open('/auth/recover');
      await elsewhere.email.fill(other);
      await elsewhere.button('Send the link').click();
      await elsewhere.open(await mailedPath(other));
      await elsewhere.button('Choose a new password').click();
      await tab.waitForURL(`${base}/auth/new-password`);
      await page.getByText('This is another account than the one that was signed in here.').waitFor();
      expect(await screen.password.inputValue()).toBe('');

      await screen.password.fill(OTHER_PASSWORD);
      await screen.button('Save the password').click();
      await screen.answer('Your password has been changed. You are signed in.').waitFor();
      await screen.accountButton.click();
      await screen.button('Sign out').click();
      await screen.answer('To choose a new password, you have to be signed in').waitFor();
      expect(await screen.answer('You are signed in.').count()).toBe(0);
      await screen.signIn(email, PASSWORD);
    },
  );

  itSlow(
    'begins with an invitation: a first password, the admin area, and posts with the name of the account',
    async () => {
      const email = someone();
      await app.get(PeopleService).invite(OPERATOR, { email, role: 'author' });
      const { page, screen } = await open();
      const { pathname, searchParams } = new URL(await mailedPath(email), base);
      // The site that is tried stands at another address than the one it is told.
      searchParams.set('redirect_to', `${base}/admin`);
      await screen.open(`${pathname}?${searchParams.toString()}`);
      await screen.button('Accept the invitation').click();
      await page.getByRole('heading', { level: 1, name: 'Your password' }).waitFor();
      await page.reload();
      await hydrated(page);
      await page.getByText('Choose the password that you sign in with from now on.').waitFor();
      await screen.password.fill(PASSWORD);
      await screen.button('Save the password').click();
      await screen.answer('Your password is set.').waitFor();
      expect(await page.getByText('changed').count()).toBe(0);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL(`${base}/admin`);
      const author = page.getByLabel('Author');
      await page.goto(`${base}/admin/blogs/new`);
      await page.getByText('Your name, as readers see it.').waitFor();
      expect(await author.inputValue()).toBe('');
      await screen.open('/account');
      await page.getByLabel('Name', { exact: true }).fill('Cleo Vale');
      await screen.button('Save the name').click();
      await page.getByText('Your name is saved.').first().waitFor();
      await page.goto(`${base}/admin/blogs/new`);
      await untilEqual(() => author.inputValue(), 'Cleo Vale');
    },
  );

  itSlow('begins with the code of an invitation as well, and leads where the invited person works', async () => {
    const email = someone();
    await app.get(PeopleService).invite(OPERATOR, { email, role: 'author' });
    const { page, screen } = await open();
    await screen.open('/auth/code');
    await page.getByLabel('What is the code for?').selectOption('invite');
    await screen.email.fill(email);
    await page.getByRole('textbox', { name: 'Code' }).fill((await sink.mailTo(email)).code!);
    await screen.button('Continue').click();
    await page.getByRole('heading', { level: 1, name: 'Your password' }).waitFor();
    await screen.password.fill(PASSWORD);
    await screen.button('Save the password').click();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${base}/admin`);
  });

  itSlow('is signed out everywhere from one place', async () => {
    const { screen } = await open();
    const email = await newPerson();
    await screen.signIn(email, PASSWORD);
    const elsewhere = await open({ expectedComplaints: [/40[13]/] });
    await elsewhere.screen.signIn(email, PASSWORD);
    await elsewhere.screen.accountButton.waitFor();
    await screen.accountButton.click();
    await screen.button('Sign out everywhere').click();
    await screen.toast('You are signed out on every device.').waitFor();
    const asked = elsewhere.page.waitForResponse('**/auth/v1/user');
    await elsewhere.page.reload();
    await asked;
    await elsewhere.screen.accountButton.waitFor({ state: 'detached' });
  });
});
