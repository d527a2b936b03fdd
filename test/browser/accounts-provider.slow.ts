import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accountsPage } from '../support/accounts-page.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { findViolations } from '../support/axe.js';
import { openPage } from '../support/browser.js';
import { findFreePort } from '../support/free-port.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/identity-provider.js';

// A person, a browser, a real provider, and the real server.
describe('signing in with a provider', () => {
  const place = { base: '' };
  let server: AuthServer;
  let provider: IdentityProvider;

  beforeAll(async () => {
    const port = await findFreePort();
    place.base = `http://127.0.0.1:${port}`;
    provider = await startIdentityProvider(`${place.base}/auth/v1/callback`);
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    provider.people.set('bob', { email: 'bob@example.com', email_verified: true, name: 'Bob' });
    server = await startAuthServer({
      PORT: String(port),
      PUBLIC_URL: place.base,
      AUTH_OIDC_ISSUER: provider.issuer,
      AUTH_OIDC_CLIENT_ID: CLIENT_ID,
      AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      AUTH_OIDC_NAME: 'Example & Co',
      AUTH_MANUAL_LINKING: 'true',
    });
  });

  const findAll = async (page: Page) => await findViolations(page);

  it('leads there from a button, says in words what went wrong, and ends signed in', async () => {
    const { base } = place;
    const page = await openPage({ width: 1440 });
    const screen = accountsPage(page, base);
    await screen.open('/auth');
    expect(await findAll(page)).toEqual([]);
    const button = page.getByRole('link', { name: 'Sign in with Example & Co', exact: true });
    await button.click();
    await page.getByText('You are not signed in: it was stopped at Example & Co.').waitFor();
    await page.waitForURL(`${base}/auth`);
    provider.guest = 'ada';
    await button.click();
    await page.waitForURL(`${base}/`);
    await screen.open('/account');
    const ways = page.getByRole('region', { name: 'Ways to sign in' });
    await ways.getByRole('listitem').waitFor();
    expect(await ways.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('Example & Co')]);
    expect(await findAll(page)).toEqual([]);
  });

  it('is linked to an account at its page, and removed there', async () => {
    const { base } = place;
    const page = await openPage({ width: 1440 });
    const screen = accountsPage(page, base);
    const email = await server.newPerson();
    await screen.signIn(email, PASSWORD);
    await screen.open('/account');
    provider.guest = 'ada';
    await screen.button('Link Example & Co').click();
    await page.getByText('This sign-in of Example & Co is linked to an account already.').waitFor();
    // Somebody else signs in there.
    await page.context().clearCookies();
    provider.guest = 'bob';
    await screen.button('Link Example & Co').click();
    await page.getByText('bob@example.com').waitFor();
    await screen.button('Remove Example & Co').click();
    await screen.button('Remove Example & Co').click();
    await screen.button('Link Example & Co').waitFor();
    expect(await page.getByText('bob@example.com').count()).toBe(0);
  });
});
