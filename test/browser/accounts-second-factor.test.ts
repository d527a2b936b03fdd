import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { TOTP } from 'otpauth';
import { EntityManager } from '@mikro-orm/postgresql';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { Clock } from '../../src/shared/clock.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { accountsPage } from '../support/accounts-page.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { drawn, openPage, type PageOptions, visit } from '../support/browser.js';
import { createPosts } from '../support/factories.js';
import { enrollTotp, newSecuredPerson, showTotp, signInAs, type Authenticator } from '../support/second-factor.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const PHONE = '+15550100199';
const PHONE_CODE = '246810';

// A person, a browser, an authenticator app, and the real server, whose clock is wound by hand.
describe('a second factor', () => {
  let server: AuthServer;
  let base: string;

  beforeAll(async () => {
    server = await startAuthServer({
      AUTH_PHONE_FACTORS_ENABLED: 'true',
      AUTH_SMS_TEST_OTP: `${PHONE.slice(1)}:${PHONE_CODE}`,
    });
    base = new URL(server.url).origin;
  });

  async function open(options: PageOptions = {}) {
    const page = await openPage({ width: 1440, ...options });
    return { page, screen: accountsPage(page, base) };
  }

  /** The code that an app with this secret shows, in 30 seconds of its own. */
  function codeOf(secret: string): string {
    server.advance(31);
    return new TOTP({ secret }).generate({ timestamp: server.app.get(Clock).now().getTime() });
  }

  const codeField = (page: Page) => page.getByLabel('Authenticator code');

  async function giveCode(page: Page, code: string) {
    await codeField(page).fill(code);
    await page.keyboard.press('Enter');
  }

  async function givePassword(page: Page, email: string) {
    const screen = accountsPage(page, base);
    await screen.open('/auth');
    await screen.fill(email, PASSWORD);
    await screen.button('Sign In').click();
    await page.getByRole('heading', { level: 1, name: 'One more step' }).waitFor();
  }

  async function signIn(page: Page, email: string, app: Authenticator) {
    await givePassword(page, email);
    await giveCode(page, codeOf(app.secret));
    await page.waitForURL(`${base}/`);
  }

  itSlow('is added with the keyboard alone, asked for at the next sign-in, and removed', async () => {
    const { page, screen } = await open({ reducedMotion: 'reduce', expectedComplaints: [/422/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.accountButton.click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await untilEqual(() => screen.button('Add an authenticator app').isEnabled(), true);
    await screen.button('Add an authenticator app').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' of Ada');
    await page.keyboard.press('Enter');
    const picture = page.getByRole('img', { name: 'QR code' });
    await untilEqual(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0), true);
    const secret = (await page.locator('.account-key').innerText()).replaceAll(/\s/g, '');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);

    // Nobody is asked for an app that never showed a code.
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await page.keyboard.type('12 34');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the 6 digits that your app shows.').waitFor();
    const right = codeOf(secret);
    await giveCode(page, right === '000000' ? '000001' : '000000');
    await page.getByText('This code is not right').waitFor();
    await untilEqual(() => codeField(page).getAttribute('aria-invalid'), 'true');
    expect(await codeField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await giveCode(page, `${right.slice(0, 3)} ${right.slice(3)}`);
    await screen.answer('From now on, signing in asks for a code of this app.').waitFor();
    await page.getByRole('button', { name: 'Remove Phone of Ada' }).waitFor();
    await untilEqual(() => page.evaluate(() => document.activeElement?.textContent), 'Authenticator apps');
    expect(await findViolationsInBothThemes(page)).toEqual([]);

    await screen.accountButton.click();
    await screen.button('Sign out').click();
    await page.getByText('To see your account, you have to be signed in.').waitFor();
    await givePassword(page, email);
    expect(await codeField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    // The code that opened the account once opens nothing.
    await giveCode(page, right);
    await page.getByText('This code is not right').waitFor();
    await giveCode(page, codeOf(secret));
    await page.waitForURL(`${base}/`);

    await screen.open('/account');
    await page.locator('footer').getByRole('link', { name: 'Your account' }).waitFor();
    expect(await page.locator('footer').getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    expect(await page.getByText('Locked out?').count()).toBe(0);
    const codes = await makeRecoveryCodes(page);
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await screen.button('Keep them').click();
    await page.locator('#account-codes:focus').waitFor();
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByText('The codes that you have kept will no longer work.').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const [first = ''] = await keepCodes(page);
    expect(codes).not.toContain(first);
    await screen.accountButton.click();
    await screen.button('Sign out').click();
    await givePassword(page, email);
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    const recoveryField = page.getByLabel('Recovery code');
    expect(await recoveryField.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await page.keyboard.type(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('Each code works once.').waitFor();
    await page.getByRole('button', { name: 'Use the authenticator app instead' }).click();
    await codeField(page).waitFor();
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await recoveryField.fill(first.toUpperCase());
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/`);
    await screen.open('/account');
    await page.getByText('9 of 10 codes are left.').waitFor();

    await page.getByRole('button', { name: 'Remove Phone of Ada' }).click();
    await page.getByText('Your recovery codes go with it.').waitFor();
    await screen.button('Keep it').click();
    await page.getByRole('button', { name: 'Remove Phone of Ada' }).and(page.locator(':focus')).click();
    await page.keyboard.press('Enter');
    await screen.answer('The app is no longer asked for.').waitFor();
    await screen.button('Add an authenticator app').waitFor();
    expect(await page.getByRole('heading', { name: 'Recovery codes' }).count()).toBe(0);
    await screen.accountButton.click();
    await screen.button('Sign out').click();
    await screen.signIn(email, PASSWORD);
  });

  itSlow('of a phone is added, asked for by message at most once a minute, and removed', async () => {
    const { page, screen } = await open({ reducedMotion: 'reduce', expectedComplaints: [/4(?:22|29)/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    await screen.button('Add a phone').click();
    await page.keyboard.type('555 010 0199');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the number with the code of its country').waitFor();
    // Nothing can be sent there.
    await page.getByLabel('Phone number').fill('+1 555 010 0100');
    await page.keyboard.press('Enter');
    await page.getByText('Error sending confirmation OTP to provider').waitFor();
    await page.getByLabel('Phone number').fill('+1 (555) 010-0199');
    await page.keyboard.press('Enter');
    await page.getByText(`It was sent to ${PHONE}`).waitFor();
    const field = page.getByLabel('Code of the message');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText('This code is not right. Enter the one of the newest message.').waitFor();
    await screen.button('Send another code').click();
    await page.getByText('you can only request this').waitFor();
    await field.fill(PHONE_CODE);
    await page.keyboard.press('Enter');
    await screen.answer('a code that goes to this phone').waitFor();
    await page.getByRole('button', { name: 'Remove Phone ending in 199' }).waitFor();
    await screen.accountButton.click();
    await screen.button('Sign out').click();

    server.advance(61);
    await givePassword(page, email);
    await page.getByText('A message with a code goes to the number ending in 199, at most one a minute.').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    const send = screen.button('Send the code');
    expect(await send.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await field.waitFor();
    // One that came too late is told from a wrong one.
    server.advance(301);
    await page.keyboard.type(PHONE_CODE);
    await page.keyboard.press('Enter');
    await page.getByText('This code is too old, or was used before.').waitFor();
    await screen.button('Send another code').click();
    await page.getByText('Another code is on its way.').waitFor();
    await field.fill(PHONE_CODE);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/`);
    await screen.open('/account');
    await page.getByRole('button', { name: 'Remove Phone ending in 199' }).click();
    await page.keyboard.press('Enter');
    await screen.answer('Codes no longer go to this phone.').waitFor();
  });

  itSlow(
    'of a phone leads back to the password where the session was ended before the message was asked for',
    async () => {
      const { page, screen } = await open({ expectedComplaints: [/403/] });
      const email = await server.newPerson();
      const client = await signInAs(server, email);
      const enrolled = await client.mfa.enroll({ factorType: 'phone', phone: PHONE, friendlyName: 'phone' });
      const factorId = enrolled.data!.id;
      server.advance(61);
      const challenge = await client.mfa.challenge({ factorId, channel: 'sms' });
      const verified = await client.mfa.verify({ factorId, challengeId: challenge.data!.id, code: PHONE_CODE });
      expect(verified.error).toBeNull();

      await givePassword(page, email);
      await screen.button('Send the code').waitFor();
      await server.app.get(EntityManager).fork().nativeDelete(Session, { userId: verified.data!.user.id });
      await screen.button('Send the code').click();
      await screen.toast('You have been signed out. Please sign in again.').waitFor();
      await screen.tab('Sign In').waitFor();
    },
  );

  itSlow('is asked for wherever a session without it comes to, and the way back is open', async () => {
    const { email, app } = await newSecuredPerson(server);
    const { page, screen } = await open();
    await givePassword(page, email);
    for (const path of ['/account', '/auth/new-password', '/auth']) {
      await screen.open(path);
      await codeField(page).waitFor();
      expect(await screen.password.count()).toBe(0);
    }
    await screen.open('/about');
    await screen.accountButton.click();
    await page.getByText('Not signed in yet:').first().waitFor();
    expect(
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Your account' }).count(),
    ).toBe(0);
    await page.getByRole('link', { name: 'Finish signing in' }).click();
    await page.waitForURL(`${base}/auth`);
    await codeField(page).waitFor();
    await page.locator('main').getByRole('button', { name: 'Sign out' }).click();
    await screen.tab('Sign In').waitFor();
    await signIn(page, email, app);
    await screen.open('/auth/new-password');
    await screen.password.waitFor();
  });

  itSlow('is asked for after the code of a mail, which leads on to what it is for', async () => {
    const { email, app } = await newSecuredPerson(server);
    await server.client().resetPasswordForEmail(email);
    const { page, screen } = await open();
    await screen.open('/auth/code');
    await page.getByLabel('What is the code for?').selectOption({ label: 'Choosing a new password' });
    await screen.email.fill(email);
    await page.getByRole('textbox', { name: 'Code' }).fill((await server.mailbox.read(email)).otp);
    await screen.button('Continue').click();
    await page.getByRole('heading', { level: 1, name: 'One more step' }).waitFor();
    expect(await screen.password.count()).toBe(0);
    await giveCode(page, codeOf(app.secret));
    await screen.password.waitFor();
  });

  itSlow('is asked for after the link of a mail that signs in, before the page that it is for', async () => {
    const { email, app } = await newSecuredPerson(server);
    await server.client().signInWithOtp({ email });
    const { page, screen } = await open();
    const { query } = await server.mailbox.read(email);
    query.set('redirect_to', `${base}/about`);
    await screen.open(`/auth/confirm?${query.toString()}`);
    await screen.button('Sign me in').click();
    await page.getByRole('heading', { level: 1, name: 'One more step' }).waitFor();
    await page.waitForURL(`${base}/auth/confirm`);
    await giveCode(page, codeOf(app.secret));
    await page.waitForURL(`${base}/about`);
  });

  itSlow('is missing still after the links that confirm a new address, which say so', async () => {
    const { email, app, client } = await newSecuredPerson(server);
    const next = server.newEmail();
    await client.updateUser({ email: next });
    const { page, screen } = await open();
    for (const address of [next, email]) {
      const { query } = await server.mailbox.read(address);
      query.set('redirect_to', `${base}/account`);
      await screen.open(`/auth/confirm?${query.toString()}`);
      await screen.button('Confirm this address').click();
      await page.getByRole('heading', { level: 1, name: /^(?:Halfway there|Confirmed)$/ }).waitFor();
    }
    await page.getByText('Your new email address is confirmed. Your account asks for a second proof').waitFor();
    expect(await page.getByText('You are signed in').count()).toBe(0);
    await page.getByRole('link', { name: 'Finish signing in' }).click();
    await giveCode(page, codeOf(app.secret));
    await page.waitForURL(`${base}/`);
  });

  itSlow('leads to a full load of the page where its form cannot be loaded', async () => {
    const { email } = await newSecuredPerson(server);
    const { page } = await open({ expectedComplaints: [/ERR_FAILED/, /could not be loaded/] });
    await page.route(/second-step-(?!page)[^/]*\.js/, (route) => route.abort('failed'));
    await givePassword(page, email);
    await page.getByRole('alert').getByRole('link', { name: 'Load the page again' }).waitFor();
  });

  it('lets nobody into the admin area by the password alone, and is asked for when a session ends there', async () => {
    const { email, app, client } = await newSecuredPerson(server);
    const made = await client.mfa.recoveryCodes.generate();
    const { data } = await client.getUser();
    await server.app.get(RolesService).grantAdmin(OPERATOR, data.user!.id);
    await createPosts(server.app, [{ title: 'Kept', slug: 'kept', is_published: false }]);
    const { page, screen } = await open({ reducedMotion: 'reduce', expectedComplaints: [/40[0134]/] });
    await givePassword(page, email);
    await visit(page, `${base}/admin/blogs`);
    await page.waitForURL(`${base}/auth`);
    await giveCode(page, codeOf(app.secret));
    await page.waitForURL(`${base}/`);
    await page.goto(`${base}/admin/blogs`);
    await page.getByText('Kept', { exact: true }).first().waitFor();

    // The menu has asked who this is: it would hear of the end as well, and forget whoever signs in meanwhile.
    await page.locator('.account-items').getByText('Admin', { exact: true }).first().waitFor({ state: 'attached' });
    await server.app.get(EntityManager).fork().nativeDelete(Session, { userId: data.user!.id });
    await page.getByRole('button', { name: 'Publish' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again to go on' });
    await dialog.getByLabel('Password').first().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Authenticator code').waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await dialog.getByLabel('Recovery code').fill(made.data?.codes[3] ?? '');
    await page.keyboard.press('Enter');
    await screen.toast('Post published').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  itSlow('has another name suggested for the next one, and its codes known, before they are read anew', async () => {
    const { page, screen } = await open({ reducedMotion: 'reduce' });
    await screen.signIn(await server.newPerson(), PASSWORD);
    await screen.open('/account');
    const add = async () => {
      await screen.button('Add an authenticator app').click();
      await screen.button('Show the QR code').waitFor();
    };
    await add();
    await screen.button('Show the QR code').click();
    const secret = (await page.locator('.account-key').innerText()).replaceAll(/\s/g, '');
    const readings = await holdUser(page);
    await giveCode(page, codeOf(secret));
    await screen.answer('From now on, signing in asks for a code of this app.').waitFor();
    await add();
    expect(await page.getByLabel('Name of the app or phone').inputValue()).toBe('Phone 2');
    await readings.letGo();
    await screen.button('Show the QR code').click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();

    const read = page.waitForResponse((answer) => isOfUser(answer.url()));
    await screen.button('Make recovery codes').click();
    await page.getByRole('list', { name: 'Your recovery codes' }).waitFor();
    await (await read).finished();
    await holdUser(page);
    await screen.button('I have kept them').click();
    await screen.button('Make new codes').waitFor();
  });

  itSlow('that was removed does not come back with an answer of before', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    await showTotp(server, client, await enrollTotp(server, client, 'two'));
    const { page, screen } = await open({ reducedMotion: 'reduce' });
    await signIn(page, email, app);
    await screen.open('/account');
    const remove = async (name: string) => {
      const row = page.getByRole('listitem').filter({ hasText: `${name} added` });
      await row.getByRole('button', { name: `Remove ${name}` }).click();
      await row.getByRole('button', { name: 'Keep it' }).waitFor();
      await page.keyboard.press('Enter');
    };
    await page.getByRole('button', { name: 'Remove app' }).waitFor();
    const readings = await holdUser(page, { isFirstOnly: true });
    await remove('two');
    await readings.untilHeld();
    await remove('app');
    await screen.button('Add an authenticator app').waitFor();
    const late = page.waitForResponse((answer) => isOfUser(answer.url()));
    await readings.letGo();
    await (await late).finished();
    await drawn(page);
    expect(await screen.button('Remove app').count()).toBe(0);
  });

  itSlow('goes on where an app was removed elsewhere while its code was asked for', async () => {
    const { email, app, client } = await newSecuredPerson(server);
    const second = await enrollTotp(server, client, 'other app');
    await showTotp(server, client, second);
    const { page } = await open({ expectedComplaints: [/404/] });
    await givePassword(page, email);
    await page.getByLabel('Authenticator app').selectOption('app');
    await client.mfa.unenroll({ factorId: app.factorId });
    await giveCode(page, '000000');
    await page.locator('main').getByText('Your account does not have this second factor any more.').waitFor();
    await page.getByLabel('Authenticator app').waitFor({ state: 'detached' });
    await client.mfa.unenroll({ factorId: second.factorId });
    await giveCode(page, '000000');
    await page.waitForURL(`${base}/`);
  });

  itSlow('says what another window did to codes and to an app that is being added', async () => {
    const { page, screen } = await open({ expectedComplaints: [/40[34]|422/] });
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    await screen.button('Add an authenticator app').click();
    await page.keyboard.press('Enter');
    await codeField(page).waitFor();
    const client = await signInAs(server, email);
    const { data } = await client.mfa.listFactors();
    await client.mfa.unenroll({ factorId: data?.all[0]?.id ?? '' });
    await giveCode(page, '000000');
    await page.getByText('this QR code no longer counts').waitFor();
    await screen.button('Cancel').click();

    await screen.accountButton.click();
    await screen.button('Sign out').click();
    const { email: other, app, client: theirs } = await newSecuredPerson(server);
    await signIn(page, other, app);
    await screen.open('/account');
    await page.getByRole('button', { name: 'Make recovery codes' }).waitFor();
    await theirs.mfa.recoveryCodes.generate();
    await page.getByRole('button', { name: 'Make recovery codes' }).click();
    const told = page
      .locator('main')
      .getByRole('alert')
      .getByText('Your second factors were changed in another window');
    await told.waitFor();
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await theirs.mfa.recoveryCodes.unenroll();
    await page.getByRole('button', { name: 'Replace the codes' }).click();
    await page.getByRole('button', { name: 'Make recovery codes' }).waitFor();
    await told.waitFor();
    await untilEqual(() => page.evaluate(() => document.activeElement?.textContent), 'Recovery codes');
    await page.getByRole('button', { name: 'Make recovery codes' }).click();
    await page.getByRole('list', { name: 'Your recovery codes' }).waitFor();
    expect(await told.count()).toBe(0);
  });

  itSlow('says that kept codes may no longer work when nobody heard whether there are new ones', async () => {
    const { page, screen } = await open({ expectedComplaints: [/504/] });
    const { email, app, client } = await newSecuredPerson(server);
    const kept = await client.mfa.recoveryCodes.generate();
    await signIn(page, email, app);
    await screen.open('/account');
    const unsure = page.locator('main').getByRole('alert').getByText('those you kept may no longer work');
    // They are made, and what says so comes too late.
    await page.route('**/recovery-codes/regenerate', async (route) => {
      await route.fetch();
      await route.fulfill({ status: 504, json: { code: 'request_timeout', message: 'This took too long.' } });
    });
    await screen.button('Make new codes').click();
    await screen.button('Replace the codes').click();
    await unsure.waitFor();
    await page.unroute('**/recovery-codes/regenerate');
    await screen.button('Replace the codes').click();
    const list = page.getByRole('list', { name: 'Your recovery codes' });
    await list.waitFor();
    expect(await unsure.count()).toBe(0);
    expect(await list.getByRole('listitem').allInnerTexts()).not.toContain(kept.data?.codes[0]);
  });

  /** Makes recovery codes with the keyboard, and keeps them as a file. */
  async function makeRecoveryCodes(page: Page): Promise<string[]> {
    await page.getByRole('button', { name: 'Make recovery codes' }).focus();
    await page.keyboard.press('Enter');
    return await keepCodes(page);
  }

  /** Downloads and copies the codes that are shown, and returns them. */
  async function keepCodes(page: Page): Promise<string[]> {
    const list = page.getByRole('list', { name: 'Your recovery codes' });
    await list.waitFor();
    const codes = await list.getByRole('listitem').allInnerTexts();
    expect(codes).toEqual(Array(10).fill(expect.stringMatching(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/)));
    expect(await list.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toContain(`\n\n${codes.join('\n')}\n`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('The codes are copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(codes.join('\n'));
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 of 10 codes are left.').waitFor();
    await untilEqual(() => page.evaluate(() => document.activeElement?.textContent), 'Recovery codes');
    return codes;
  }
});

const isOfUser = (url: string) => new URL(url).pathname === '/auth/v1/user';

/** Has the server answer what the page reads about the user, and holds the answers until they are let go. */
async function holdUser(page: Page, { isFirstOnly = false } = {}) {
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  await page.route('**/auth/v1/user', async (route: Route) => {
    if (!isHolding || route.request().method() !== 'GET') return route.fallback();
    if (isFirstOnly) isHolding = false;
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  const untilHeld = () => until(() => held.length > 0);
  return {
    untilHeld,
    letGo: async () => {
      await untilHeld();
      isHolding = false;
      for (const go of held.splice(0)) await go();
    },
  };
}
