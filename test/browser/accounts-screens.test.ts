import { AxeBuilder } from '@axe-core/playwright';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { accountsPage, authAnswer, makeSession, remember } from '../support/accounts-page.js';
import { openPage, type PageOptions } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';

// What the screens make of answers; what the server answers is for accounts-journey.test.ts.
describe('account screens', () => {
  let base: string;

  beforeAll(async () => {
    base = await (await createTestApp()).listen();
  });

  async function open(path: string, options: PageOptions = {}) {
    const page = await openPage({ width: 1440, ...options });
    const screen = accountsPage(page, base);
    await screen.open(path);
    return { page, screen };
  }

  const answer = (page: Page, path: string, handle: (route: Route) => Promise<void>) =>
    page.route(`**/auth/v1/${path}*`, handle);

  const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

  it('has two tabs that the arrow keys move between, and keeps the address', async () => {
    const { page, screen } = await open('/auth');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Welcome');
    expect(await page.getByText('Sign in or create an account', { exact: true }).count()).toBe(1);
    expect(await screen.tab('Sign In').getAttribute('aria-selected')).toBe('true');
    await screen.email.fill('pat@example.com');
    expect(await screen.password.getAttribute('autocomplete')).toBe('current-password');
    await screen.tab('Sign In').focus();
    await page.keyboard.press('ArrowRight');
    expect(await screen.tab('Sign Up').evaluate((tab) => tab === document.activeElement)).toBe(true);
    expect(await screen.tab('Sign Up').getAttribute('aria-selected')).toBe('true');
    expect(await screen.email.inputValue()).toBe('pat@example.com');
    expect(await screen.password.getAttribute('autocomplete')).toBe('new-password');
  });

  it('says what is wrong with the fields in a toast, at the field, and by the focus', async () => {
    const { page, screen } = await open('/auth');
    await screen.fill('pat', '12345');
    await screen.button('Sign In').click();
    expect(await screen.toast('Validation error').innerText()).toContain('Invalid email address');
    expect(await screen.email.getAttribute('aria-invalid')).toBe('true');
    expect(await focusedName(page)).toBe('email');
    await screen.email.fill(' pat@example.com ');
    await screen.button('Sign In').click();
    const toast = screen.toast('Password must be at least 6 characters');
    await toast.waitFor();
    const describedBy = await screen.password.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${describedBy}"]`).innerText()).toBe('Password must be at least 6 characters');
    expect(await focusedName(page)).toBe('password');
  });

  it('is busy while it signs in, sends once, and says why it failed', async () => {
    const { page, screen } = await open('/auth', { expectedComplaints: [/400/] });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const sent: unknown[] = [];
    await answer(page, 'token', async (route) => {
      sent.push(route.request().postDataJSON());
      await held;
      await authAnswer.error(route, 400, 'invalid_credentials', 'Invalid login credentials');
    });
    await screen.fill(' pat@example.com ', 'correct horse');
    await screen.button('Sign In').click();
    await screen.button('Signing in...').waitFor();
    await page.keyboard.press('Enter');
    release();
    await screen.answer('Invalid login credentials').waitFor();
    expect(await screen.toast('Sign in failed').innerText()).toContain('Invalid login credentials');
    expect(sent).toEqual([expect.objectContaining({ email: 'pat@example.com', password: 'correct horse' })]);
    expect(await screen.button('Sign In').count()).toBe(1);
  });

  it('offers the mail again to whoever has not confirmed', async () => {
    const { page, screen } = await open('/auth', { expectedComplaints: [/400/, /429/] });
    await answer(page, 'token', (route) => authAnswer.error(route, 400, 'email_not_confirmed', 'Email not confirmed'));
    await answer(page, 'resend', (route) => authAnswer.error(route, 429, 'over_email_send_rate_limit', 'Wait.'));
    await screen.fill('pat@example.com', 'correct horse');
    await screen.button('Sign In').click();
    await screen.answer('Email not confirmed').waitFor();
    await screen.button('Send the email again').click();
    await screen.answer('a new link is on its way').waitFor();
  });

  it('says that the server cannot be reached', async () => {
    const { page, screen } = await open('/auth', { expectedComplaints: [/ERR_FAILED/, /503/] });
    await answer(page, 'token', (route) => route.abort('failed'));
    await screen.fill('pat@example.com', 'correct horse');
    await screen.button('Sign In').click();
    await screen.answer('The server could not be reached').waitFor();
    await screen.tab('Sign Up').click();
    await answer(page, 'signup', (route) => route.fulfill({ status: 503, body: 'No' }));
    await screen.fill('pat@example.com', 'correct horse');
    await screen.button('Sign Up').click();
    await screen.answer('The server could not be reached').waitFor();
    expect(await screen.toast('Sign up failed').count()).toBe(1);
  });

  it('ties a refused password to its field', async () => {
    const { page, screen } = await open('/auth', { expectedComplaints: [/422/] });
    await answer(page, 'signup', (route) => authAnswer.error(route, 422, 'weak_password', 'Password is too common.'));
    await screen.tab('Sign Up').click();
    await screen.fill('pat@example.com', 'password');
    await screen.button('Sign Up').click();
    await screen.toast('Sign up failed').waitFor();
    expect(await screen.password.getAttribute('aria-invalid')).toBe('true');
  });

  it('goes home as soon as somebody is signed in, in this tab or another', async () => {
    const { page, screen } = await open('/auth');
    await answer(page, 'token', (route) => authAnswer.session(route));
    const other = await page.context().newPage();
    await accountsPage(other, base).open('/auth');
    await page.route('**/api/me', (route) => route.fulfill({ json: { is_admin: false } }));
    await other.route('**/api/me', (route) => route.fulfill({ json: { is_admin: false } }));
    await screen.fill('pat@example.com', 'correct horse');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/`);
    await other.waitForURL(`${base}/`);
    await page.goto(`${base}/auth`);
    await page.waitForURL(`${base}/`);
  });

  it('shows three toasts at most, and each for a while only', async () => {
    const { page, screen } = await open('/auth');
    for (let press = 0; press < 4; press += 1) await screen.button('Sign In').click();
    const toasts = page.locator('[data-sonner-toast]');
    await toasts.nth(3).waitFor({ state: 'attached' });
    expect(await page.locator('[data-sonner-toast][data-visible=true]').count()).toBe(3);
    await toasts.first().waitFor({ state: 'detached' });
  });

  it('spends a link only when its button is pressed, and goes on to pages of ours only', async () => {
    const { page, screen } = await open('/auth/confirm?token_hash=abc&type=signup&redirect_to=https%3A%2F%2Fevil.test');
    const spent: unknown[] = [];
    await answer(page, 'verify', async (route) => {
      spent.push(route.request().postDataJSON());
      await authAnswer.session(route);
    });
    await page.route('**/api/me', (route) => route.fulfill({ json: { is_admin: false } }));
    await page.reload({ waitUntil: 'networkidle' });
    expect(spent).toEqual([]);
    await screen.button('Confirm my email address').click();
    await page.getByText('Your email address is confirmed').waitFor();
    expect(spent).toEqual([expect.objectContaining({ token_hash: 'abc', type: 'signup' })]);
    expect(page.url()).toBe(`${base}/auth/confirm`);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${base}/`);
  });

  it('keeps a link that could not be spent for another press', async () => {
    const { page, screen } = await open('/auth/confirm?token_hash=abc&type=recovery', { expectedComplaints: [/429/] });
    await answer(page, 'verify', (route) =>
      authAnswer.error(route, 429, 'over_request_rate_limit', 'Request rate limit reached'),
    );
    await screen.button('Choose a new password').click();
    await screen.answer('Request rate limit reached').waitFor();
    expect(await screen.button('Choose a new password').count()).toBe(1);
  });

  it('tells what a link of the server’s own came to, in its own words', async () => {
    const { page } = await open('/about#error=access_denied&error_code=otp_expired&error_description=Call+us&sb=');
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await page.getByText('Call us', { exact: true }).count()).toBe(0);
    expect(page.url()).toBe(`${base}/auth/confirm`);
  });

  it('takes up a session that the server’s own link brings', async () => {
    const { page, screen } = await open('/about');
    const { user, access_token, refresh_token, expires_at } = makeSession();
    await answer(page, 'user', (route) => route.fulfill({ json: user }));
    await page.route('**/api/me', (route) => route.fulfill({ json: { is_admin: false } }));
    await page.goto('about:blank');
    const fragment = { access_token, expires_at: `${expires_at}`, expires_in: '3600', refresh_token, sb: '' };
    const hash = new URLSearchParams({ ...fragment, token_type: 'bearer', type: 'recovery' });
    await page.goto(`${base}/auth/new-password#${hash.toString()}`);
    await screen.accountButton.waitFor();
    expect(page.url()).not.toContain(access_token);
    expect(await screen.password.isEditable()).toBe(true);
  });

  it('has no form for a new password without a session', async () => {
    const { page, screen } = await open('/auth/new-password');
    await page.getByRole('link', { name: 'Send me a link' }).waitFor();
    expect(await screen.password.count()).toBe(0);
  });

  it('shows the way to the admin area to administrators only, and keeps who cannot be signed out', async () => {
    const { page, screen } = await open('/', { expectedComplaints: [/503/] });
    let isAdmin = false;
    await page.route('**/api/me', (route) => route.fulfill({ json: { is_admin: isAdmin } }));
    await answer(page, 'logout', (route) => route.fulfill({ status: 503, body: '' }));
    await remember(page);
    await screen.open('/');
    await screen.accountButton.click();
    await page.getByText('pat@example.com').first().waitFor();
    expect(await page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
    await screen.button('Sign out everywhere').click();
    await page.getByRole('alert').filter({ hasText: 'The server could not be reached' }).first().waitFor();
    isAdmin = true;
    await screen.open('/');
    await screen.accountButton.click();
    const admin = page.getByRole('link', { name: 'Admin', exact: true });
    await admin.waitFor();
    expect(await admin.getAttribute('href')).toBe('/admin/blogs');
  });

  it('loads nothing about accounts for visitors without one', async () => {
    const page = await openPage({ width: 1440 });
    const before: string[] = [];
    page.on('request', (request) => before.push(request.url()));
    await page.goto(`${base}/`, { waitUntil: 'networkidle' });
    expect(before.filter((url) => /account|toast|auth/.test(url))).toEqual([]);
  });

  it.each(['/auth', '/auth/recover', '/auth/new-password'])(
    'never sends a password from %s without scripts',
    async (path) => {
      const { page } = await open(path, { javaScriptEnabled: false });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.locator('main input:not([hidden])').last().fill('correct horse');
      await page.keyboard.press('Enter');
      expect(requests).toEqual([]);
      expect(await page.locator('main noscript').count()).toBe(1);
    },
  );

  it.each(['light', 'dark'] as const)('is accessible when something went wrong (%s)', async (colorScheme) => {
    const { page, screen } = await open('/auth', { colorScheme, width: 360, expectedComplaints: [/400/] });
    const find = async () => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id);
    await answer(page, 'token', (route) => authAnswer.error(route, 400, 'invalid_credentials', 'Invalid credentials'));
    await page.route('**/api/me', (route) => route.fulfill({ json: { is_admin: true } }));
    await screen.button('Sign In').click();
    await screen.toast('Validation error').waitFor();
    expect(await find()).toEqual([]);
    await screen.fill('pat@example.com', 'correct horse');
    await screen.button('Sign In').click();
    await screen.answer('Invalid credentials').waitFor();
    expect(await find()).toEqual([]);
    await remember(page);
    await screen.open('/about');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Admin', exact: true }).waitFor();
    expect(await find()).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await screen.open('/auth/confirm?token_hash=abc&type=email_change');
    await screen.accountButton.click();
    expect(await find()).toEqual([]);
  });
});
