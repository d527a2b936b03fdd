import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { EntityManager } from '@mikro-orm/postgresql';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { accountsPage } from '../support/accounts-page.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { openPage } from '../support/browser.js';
import { createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

// A person, a browser, and an authenticator that the browser pretends to have.
describe('security keys and passkeys', () => {
  let server: AuthServer;
  let base: string;

  beforeAll(async () => {
    server = await startAuthServer({
      AUTH_WEBAUTHN_ENABLED: 'true',
      AUTH_PASSKEYS_ENABLED: 'true',
      AUTH_WEBAUTHN_RP_ID: 'localhost',
    });
    // An IP address cannot be a relying party, and the port is known only now.
    base = `http://localhost:${new URL(server.url).port}`;
    Object.assign(server.app.config.auth.webauthn, { origins: [base] });
  });

  itSlow('are added, asked for and taken away, and a passkey does not replace the key', async () => {
    const page = await openPage({ width: 1440, reducedMotion: 'reduce', expectedComplaints: [/40[03]/] });
    const screen = accountsPage(page, base);
    const { devtools, authenticatorId } = await addAuthenticator(page);
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');

    // With the keyboard alone.
    await screen.button('Add a security key').focus();
    await page.keyboard.press('Enter');
    await untilEqual(() => focused(page), 'name');
    await page.keyboard.type(' of Ada');
    await page.keyboard.press('Enter');
    await screen.answer('From now on, signing in takes this key as the second step.').waitFor();
    await page.getByRole('button', { name: 'Remove Security key of Ada' }).waitFor();
    await untilEqual(() => focused(page), 'account-keys');
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await screen.button('Add a security key').click();
    await screen.button('Register the key').click();
    await page.getByText('This key is registered already.').waitFor();
    await untilEqual(() => focused(page), 'name');
    await screen.button('Cancel').click();

    await screen.button('Add a passkey').click();
    await screen.button('Create the passkey').click();
    await screen.answer('From now on, you can sign in with this passkey.').waitFor();
    await page.getByRole('button', { name: 'Remove Passkey' }).waitFor();
    await untilEqual(async () => (await stored(devtools, authenticatorId)).toSorted(), [false, true]);

    await signOut(page);
    await screen.open('/auth');
    await screen.fill(email, PASSWORD);
    await screen.button('Sign In').click();
    await useKey(page);
    await signOut(page);
    await screen.open('/auth');
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await screen.button('Sign in with a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'One more step' }).waitFor();
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await useKey(page);

    await screen.open('/account');
    await remove(page, 'Security key of Ada', 'The key is no longer taken.');
    await signOut(page);
    await screen.open('/auth');
    await screen.button('Sign in with a passkey').click();
    await page.waitForURL(`${base}/`);
    await screen.open('/account');
    await remove(page, 'Passkey', 'Nobody signs in with this passkey any more.');
    await signOut(page);
    await screen.open('/auth');
    await screen.button('Sign in with a passkey').click();
    await page.getByText('This passkey is not known here. Sign in with your password.').waitFor();
    await screen.signIn(email, PASSWORD);
  });

  it('a passkey goes on with the work of an administrator whose session ended', async () => {
    const page = await openPage({ width: 1440, reducedMotion: 'reduce', expectedComplaints: [/40[01]/] });
    const screen = accountsPage(page, base);
    await addAuthenticator(page);
    const email = await server.newPerson();
    const user = await server.app.get(UsersService).findByEmailOrId(OPERATOR, email);
    await server.app.get(RolesService).grantAdmin(OPERATOR, user!.id);
    await createPosts(server.app, [{ title: 'Kept', slug: 'kept', is_published: false }]);
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    await screen.button('Add a passkey').click();
    await screen.button('Create the passkey').click();
    await screen.answer('From now on, you can sign in with this passkey.').waitFor();
    await page.goto(`${base}/admin/blogs`);
    await page.getByText('Kept', { exact: true }).first().waitFor();
    await page.locator('.account-items').getByText('Admin', { exact: true }).first().waitFor({ state: 'attached' });
    await server.app.get(EntityManager).fork().nativeDelete(Session, { userId: user!.id });
    await page.getByRole('button', { name: 'Publish' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again to go on' });
    await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await screen.toast('Post published').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  /** A key of level 2 of CTAP that is touched at once, by whom it knows. */
  async function addAuthenticator(page: Page) {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'usb',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { devtools, authenticatorId };
  }

  type Devtools = Awaited<ReturnType<typeof addAuthenticator>>['devtools'];

  /** Tells of each credential of an authenticator whether it can be found without its id. */
  async function stored(devtools: Devtools, authenticatorId: string): Promise<boolean[]> {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.map(({ isResidentCredential }) => isResidentCredential);
  }

  async function useKey(page: Page) {
    const button = page.getByRole('button', { name: 'Use the security key' });
    await button.waitFor();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/`);
  }

  async function remove(page: Page, name: string, outcome: string) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.keyboard.press('Enter');
    await accountsPage(page, base).answer(outcome).waitFor();
  }

  async function signOut(page: Page) {
    const screen = accountsPage(page, base);
    await screen.open('/about');
    await screen.accountButton.click();
    await screen.button('Sign out').click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  }

  /** The name or id of what has the focus. */
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.id);
});
