import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { TOTP } from 'otpauth';
import { EntityManager } from '@mikro-orm/postgresql';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { Clock } from '../../src/shared/clock.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { accountsPage } from '../support/accounts-page.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { openPage, visit, type PageOptions } from '../support/browser.js';
import { signInAs } from '../support/second-factor.js';
import { until, untilEqual } from '../support/until.js';

const NEW_PASSWORD = `${PASSWORD} of Ada`;

// The page on which people look after their account, over the real server, whose clock is wound by hand.
describe('the page of an account', () => {
  let server: AuthServer;
  let base: string;

  beforeAll(async () => {
    server = await startAuthServer({
      AUTH_CURRENT_PASSWORD_REQUIRED: 'true',
      AUTH_REQUIRE_ADMIN_MFA: 'true',
      AUTH_ADDRESS_PROOF_REQUIRED: 'true',
    });
    base = new URL(server.url).origin;
  });

  async function open(options: PageOptions = {}) {
    const page = await openPage({ width: 1440, reducedMotion: 'reduce', ...options });
    return { page, screen: accountsPage(page, base) };
  }

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  async function addAuthenticator({ page, screen }: Awaited<ReturnType<typeof open>>) {
    await screen.button('Add an authenticator app').click();
    await screen.button('Show the QR code').click();
    const secret = (await page.locator('.account-key').innerText()).replaceAll(/\s/g, '');
    server.advance(31);
    const code = new TOTP({ secret }).generate({ timestamp: server.app.get(Clock).now().getTime() });
    await page.getByLabel('Authenticator code').fill(code);
    await page.keyboard.press('Enter');
  }
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
  const idOf = async (email: string) => (await server.app.get(UsersService).findByEmailOrId(OPERATOR, email))?.id ?? '';

  it('stays open to whoever has filled the storage of the browser, as with copies of posts', async () => {
    const { page, screen } = await open();
    await screen.signIn(await server.newPerson(), PASSWORD);
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    await page.evaluate(() => {
      for (let size = 2 ** 23; size >= 1; size /= 2) {
        try {
          for (let at = 0; at < 8; at += 1) localStorage.setItem(`copy-${size}-${at}`, 'x'.repeat(size));
        } catch {
          // Half as much may have room.
        }
      }
    });
    await screen.open('/account');
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await untilEqual(() => page.evaluate(() => localStorage.getItem('supabase.auth.token')), null);
  });

  it('lets in for a page whoever forbids the browser to store anything', async () => {
    const { page, screen } = await open();
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('Forbidden', 'SecurityError');
        },
      });
    });
    // Leads home, which it does once there is a session.
    await screen.signIn(await server.newPerson(), PASSWORD);
  });

  it('keeps name, address and password, shows devices, hands out the data, and ends the account', async () => {
    const { page, screen } = await open({ expectedComplaints: [/40[0139]|422/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    const elsewhere = [await signInAs(server, email), await signInAs(server, email)];
    await screen.open('/account');

    const name = part(page, 'Your name');
    await name.getByLabel('Name').fill('a'.repeat(201));
    await page.keyboard.press('Enter');
    await name.getByText('At most 200 characters').waitFor();
    await name.getByLabel('Name').fill('Ada Lovelace');
    await page.keyboard.press('Enter');
    await name.getByText('Your name is saved.').waitFor();

    const devices = part(page, 'Devices');
    await untilEqual(() => devices.getByRole('listitem').count(), 4);
    expect(await devices.getByRole('listitem').first().innerText()).toMatch(/Chrome on Linux.+This device/);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await devices
      .getByRole('button', { name: /^Sign out Unknown device/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await devices.getByText('The device is signed out.').waitFor();
    expect(await focused(page)).toBe('Devices');
    await untilEqual(() => devices.getByRole('listitem').count(), 3);
    await devices.getByRole('button', { name: 'Sign out all other devices' }).click();
    await devices.getByText('2 other devices are signed out.').waitFor();
    await untilEqual(() => devices.getByRole('listitem').count(), 1);
    for (const client of elsewhere) expect((await client.getUser()).error).not.toBeNull();

    const address = part(page, 'Email and password');
    await address.getByRole('button', { name: 'Change email' }).click();
    await address.getByRole('button', { name: 'Close' }).click();
    expect(await focused(page)).toBe('Change email');
    await page.keyboard.press('Enter');
    const taken = await server.newPerson();
    await address.getByLabel('New email').fill(taken);
    await page.keyboard.press('Enter');
    await address.getByText('Type in your current password as well.').first().waitFor();
    await address.getByLabel('Current password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await address.getByText('A user with this email address has already been registered').first().waitFor();
    expect(await address.getByLabel('New email').inputValue()).toBe(taken);
    const fresh = `new-${email}`;
    await address.getByLabel('New email').fill(fresh);
    await page.keyboard.press('Enter');
    await address.getByText('Open the link that we have just mailed').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    const codes = { [fresh]: (await server.mailbox.read(fresh)).otp, [email]: (await server.mailbox.read(email)).otp };
    await address.getByRole('button', { name: 'Type in the code' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[fresh] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('Now type in the code that we sent to your other address').waitFor();
    await screen.email.fill(email);
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[email] ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Confirmed' }).waitFor();
    await screen.open('/account');
    await part(page, 'Email and password').getByText(fresh).waitFor();
    expect(await part(page, 'Your name').getByLabel('Name').inputValue()).toBe('Ada Lovelace');

    // Nothing is promised that does not happen where the address is only assumed.
    const ofMyAddress = 'the messages that came from your address, if we know that you read its mail.';
    const data = part(page, 'Your data');
    await data.getByText(ofMyAddress).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      data.getByRole('button', { name: 'Download my data' }).click(),
    ]);
    const copy = JSON.parse(await readFile(await download.path(), 'utf8')) as { email: string };
    expect([download.suggestedFilename(), copy.email]).toEqual(['account.json', fresh]);

    const end = part(page, 'Delete your account');
    await end.getByText(ofMyAddress).waitFor();
    await end.getByRole('button', { name: 'Delete my account' }).click();
    await end.getByRole('button', { name: 'Keep it' }).click();
    expect(await focused(page)).toBe('Delete my account');
    await page.keyboard.press('Enter');
    await end.getByLabel('Type: delete my account').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('delete it');
    await page.keyboard.press('Enter');
    await end.getByText('Type in: delete my account').waitFor();
    await end.getByLabel('Type: delete my account').fill('delete my account');
    await end.getByLabel('Password').first().fill('wrong');
    await page.keyboard.press('Enter');
    await end.getByText('This is not your password.').first().waitFor();
    expect(await end.getByLabel('Type: delete my account').inputValue()).toBe('delete my account');
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    // The last administrator has to find another one first.
    await server.app.get(RolesService).grantAdmin(OPERATOR, await idOf(fresh));
    await end.getByLabel('Password').first().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await end.getByText('make someone else an administrator first').waitFor();
    await server.app.get(RolesService).revokeAdmin(OPERATOR, await idOf(fresh), { isForced: true });
    await page.keyboard.press('Enter');
    await page.getByText('Your account is deleted.').waitFor();
    expect(await idOf(fresh)).toBe('');
  });

  it('asks for the password to end an account whose second factor was added in the same session', async () => {
    const { page, screen } = await open({ expectedComplaints: [/40[03]/] });
    await screen.signIn(await server.newPerson(), PASSWORD);
    await screen.open('/account');
    await untilEqual(() => screen.button('Add an authenticator app').isEnabled(), true);
    await addAuthenticator({ page, screen });
    await screen.button('Add another app').waitFor();
    const end = part(page, 'Delete your account');
    await end.getByRole('button', { name: 'Delete my account' }).click();
    await untilEqual(() => end.locator('[name="password"]').count(), 0);
    await end.getByLabel('Type: delete my account').fill('delete my account');
    await page.keyboard.press('Enter');
    await end.getByText('Type in your password.').first().waitFor();
    const password = end.locator('[name="password"]');
    await untilEqual(() => password.evaluate((field) => field === document.activeElement), true);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Your account is deleted.').waitFor();
  });

  it('offers to sign out one device at a time', async () => {
    const { page, screen } = await open();
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    for (let count = 0; count < 2; count += 1) await signInAs(server, email);
    await screen.open('/account');
    const devices = part(page, 'Devices').getByRole('listitem');
    const buttons = devices.getByRole('button', { name: 'Sign out' });
    await untilEqual(() => buttons.count(), 3);
    const held: Route[] = [];
    await page.route('**/api/account/sessions/*', (route) => void held.push(route));
    await buttons.first().click();
    await untilEqual(() => buttons.nth(1).getAttribute('aria-disabled'), 'true');
    await until(() => held.length > 0);
    await held[0]!.continue();
    await untilEqual(() => buttons.count(), 2);
    await untilEqual(() => buttons.first().getAttribute('aria-disabled'), 'false');
  });

  it('says that the devices cannot be read, and not that it takes a moment, and reads them again', async () => {
    const { page, screen } = await open({ expectedComplaints: [/503/] });
    await screen.signIn(await server.newPerson(), PASSWORD);
    const json = { code: 'database_unavailable', message: 'The database is away' };
    await page.route('**/api/account/sessions', (route) => route.fulfill({ status: 503, json }));
    await screen.open('/account');
    const devices = part(page, 'Devices');
    await devices.getByText('The database is away').waitFor();
    expect(await devices.getByText('One moment...').count()).toBe(0);
    await page.unroute('**/api/account/sessions');
    await devices.getByRole('button', { name: 'Try again' }).click();
    await devices.getByText('This device').waitFor();
  });

  it('tells password managers whose password it asks for, and not that the words are a name', async () => {
    const { page, screen } = await open({ expectedComplaints: [/400/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    /** The names of accounts that stand before a password, as a password manager finds them. */
    const namesIn = (name: string) =>
      part(page, name)
        .locator('form input[autocomplete="username"]')
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    await part(page, 'Delete your account').getByRole('button', { name: 'Delete my account' }).click();
    expect(await namesIn('Delete your account')).toEqual([email]);
    const address = part(page, 'Email and password');
    await address.getByRole('button', { name: 'Change email' }).click();
    await address.getByLabel('New email').fill(`new-${email}`);
    await page.keyboard.press('Enter');
    await address.getByLabel('Current password').waitFor();
    expect(await namesIn('Email and password')).toEqual([email]);
  });

  it('offers to sign in where a change finds that the session was ended elsewhere', async () => {
    const { page, screen } = await open({ expectedComplaints: [/403/] });
    const email = await server.newPerson();
    const end = async () => {
      const sessions = server.app.get(EntityManager).fork();
      await sessions.nativeDelete(Session, { userId: await idOf(email) });
    };
    const expectSignIn = async () => {
      await screen.toast('You have been signed out. Please sign in again.').waitFor();
      await page.getByText('To see your account, you have to be signed in.').waitFor();
      await page.locator('main').getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL(`${base}/auth`);
      await screen.password.waitFor();
    };
    // The menu would hear of the end as well, and so would the parts that read the user: names, ways to sign in, factors.
    await page.route('**/api/me', (route) => route.fulfill({ json: { role: null } }));
    let readings = 0;
    page.on('requestfinished', (request) => {
      if (request.method() === 'GET' && request.url().endsWith('/auth/v1/user')) readings += 1;
    });
    const begin = async () => {
      await screen.signIn(email, PASSWORD);
      readings = 0;
      await screen.open('/account');
      await part(page, 'Devices').getByText('This device').waitFor();
      await part(page, 'Your name').getByLabel('Name').waitFor();
      await until(() => readings === 3);
    };
    await begin();
    await end();
    await part(page, 'Your name').getByLabel('Name').fill('Ada');
    await page.keyboard.press('Enter');
    await expectSignIn();

    await begin();
    await untilEqual(() => screen.button('Add an authenticator app').isEnabled(), true);
    await addAuthenticator({ page, screen });
    const apps = part(page, 'Authenticator apps');
    await apps.getByRole('button', { name: 'Remove Phone' }).click();
    await end();
    await page.keyboard.press('Enter');
    await expectSignIn();
  });

  it('says on another device that the account is gone, in words for people', async () => {
    const { page, screen } = await open({ expectedComplaints: [/403/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    await part(page, 'Your name').getByRole('textbox').fill('Nobody');
    await part(page, 'Devices').getByText('This device').waitFor();
    await server.app.get(UsersService).deleteUser(OPERATOR, await idOf(email));
    await page.keyboard.press('Enter');
    await part(page, 'Your name').getByText('This account is not there any more.').waitFor();
  });

  it('asks for the current password where it is demanded, and keeps what was typed', async () => {
    const { page, screen } = await open({ expectedComplaints: [/400/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/auth/new-password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Type in your current password as well.').first().waitFor();
    const current = page.getByLabel('Current password');
    expect(await current.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This is not your current password.').first().waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe(NEW_PASSWORD);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await current.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Your password has been changed. You are signed in.').waitFor();
  });

  it('leads administrators who need a second factor through adding one, and back to where they wanted to go', async () => {
    const { page, screen } = await open();
    const email = await server.newPerson();
    await server.app.get(RolesService).grantAdmin(OPERATOR, await idOf(email));
    await screen.signIn(email, PASSWORD);
    await visit(page, `${base}/admin/audit`);
    await page.waitForURL(`${base}/account`);
    await page.getByText('Administrators of this site need a second factor.').waitFor();
    await untilEqual(() => screen.button('Add an authenticator app').isEnabled(), true);
    expect(await page.locator('.account-panel h2').first().innerText()).toBe('Authenticator apps');
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await addAuthenticator({ page, screen });
    await page.getByRole('link', { name: 'Go on to the admin area' }).click();
    await page.waitForURL(`${base}/admin/audit`);
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  });
});
