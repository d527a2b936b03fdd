import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { accountsPage, authAnswer, makeSession, remember } from '../support/accounts-page.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { openPage, recordRequests, visit, type PageOptions } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

const UNREACHABLE = 'The server could not be reached';

// What the screens make of answers; what the server answers is for accounts-journey.test.ts. A page is opened once and
// goes through everything: opening one costs more than all that is then done with it.
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

  /** The last one that was given for a path counts. */
  const answer = (page: Page, path: string, handle: (route: Route) => Promise<void>) =>
    page.route(`**/auth/v1/${path}*`, handle);

  const answerMe = (page: Page, isAdmin: () => boolean) =>
    page.route('**/api/me', (route) => route.fulfill({ json: { is_admin: isAdmin() } }));

  const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

  itSlow(
    'has two tabs, and says what is wrong with the fields in a toast, at the field, and by the focus',
    async () => {
      const { page, screen } = await open('/auth');
      await untilEqual(() => page.getByRole('heading', { level: 1 }).textContent(), 'Welcome');
      await untilEqual(() => page.getByText('Sign in or create an account', { exact: true }).count(), 1);
      await untilEqual(() => screen.tab('Sign In').getAttribute('aria-selected'), 'true');
      await screen.email.fill('pat');
      await untilEqual(() => screen.password.getAttribute('autocomplete'), 'current-password');
      await screen.tab('Sign In').focus();
      await page.keyboard.press('ArrowRight');
      await untilEqual(() => screen.tab('Sign Up').evaluate((tab) => tab === document.activeElement), true);
      await untilEqual(() => screen.tab('Sign Up').getAttribute('aria-selected'), 'true');
      await untilEqual(() => screen.email.inputValue(), 'pat');
      await untilEqual(() => screen.password.getAttribute('autocomplete'), 'new-password');
      await page.keyboard.press('ArrowLeft');

      await screen.fill('pat', '12345');
      await screen.button('Sign In').click();
      expect(await screen.toast('Validation error').innerText()).toContain('Invalid email address');
      await untilEqual(() => screen.email.getAttribute('aria-invalid'), 'true');
      await untilEqual(() => focusedName(page), 'email');
      await screen.email.fill(' pat@example.com ');
      await screen.button('Sign In').click();
      await screen.toast('Password must be at least 6 characters').waitFor();
      const describedBy = await screen.password.getAttribute('aria-describedby');
      await untilEqual(
        () => page.locator(`[id="${describedBy}"]`).innerText(),
        'Password must be at least 6 characters',
      );
      await untilEqual(() => focusedName(page), 'password');

      // Three toasts at most, and each for a while only: so all at once, and looked at by the page itself.
      const hasShownThree = page.waitForFunction(() => {
        const toasts = [...document.querySelectorAll('[data-sonner-toast]')];
        return toasts.length > 3 && toasts.filter((toast) => toast.matches('[data-visible=true]')).length === 3;
      });
      await screen.button('Sign In').evaluate((button) => {
        for (let press = 0; press < 4; press += 1) (button as HTMLButtonElement).click();
      });
      await hasShownThree;
      await page.locator('[data-sonner-toast]').first().waitFor({ state: 'detached' });
    },
  );

  itSlow('signs in when the script that checks what was typed cannot be had, as the server checks it too', async () => {
    const { page, screen } = await open('/auth', { expectedComplaints: [/ERR_FAILED/] });
    await page.route('**/assets/credentials-rules-*', (route) => route.abort('failed'));
    let sent: unknown;
    await answer(page, 'token', async (route) => {
      sent = route.request().postDataJSON();
      await authAnswer.session(route);
    });
    await answerMe(page, () => false);
    await screen.fill('pat@example.com', ' a secret ');
    await screen.button('Sign In').click();
    await page.waitForURL(`${base}/`);
    expect(sent).toMatchObject({ email: 'pat@example.com', password: ' a secret ' });
  });

  itSlow('is busy while it sends, sends once, and says why it failed', async () => {
    const expectedComplaints = [/400/, /422/, /429/, /50[234]/, /ERR_FAILED/];
    const { page, screen } = await open('/auth', { expectedComplaints });
    const told = (title: string, text: string) => screen.toast(title).filter({ hasText: text }).waitFor();
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
    await told('Sign in failed', 'Invalid login credentials');
    expect(sent).toEqual([expect.objectContaining({ email: 'pat@example.com', password: 'correct horse' })]);

    // Whoever has not confirmed is offered the mail again.
    await answer(page, 'token', (route) => authAnswer.error(route, 400, 'email_not_confirmed', 'Email not confirmed'));
    await answer(page, 'resend', (route) => authAnswer.error(route, 429, 'over_email_send_rate_limit', 'Wait.'));
    await screen.button('Sign In').click();
    await screen.answer('Email not confirmed').waitFor();
    await screen.button('Send the email again').click();
    await screen.answer('a new link is on its way').waitFor();

    // The client's AuthRetryableFetchError, whose own words nobody would understand.
    await answer(page, 'token', (route) => route.abort('failed'));
    await screen.button('Sign In').click();
    await screen.answer(UNREACHABLE).waitFor();
    await told('Sign in failed', UNREACHABLE);
    await screen.tab('Sign Up').click();
    await screen.fill('pat@example.com', 'correct horse');
    for (const status of [502, 503, 504]) {
      const asked = page.waitForResponse('**/auth/v1/signup*');
      await answer(page, 'signup', (route) => route.fulfill({ status, body: 'No' }));
      await screen.button('Sign Up').click();
      expect((await asked).status()).toBe(status);
      await screen.answer(UNREACHABLE).waitFor();
    }
    await screen.toast('Sign up failed').filter({ hasText: UNREACHABLE }).first().waitFor();

    await answer(page, 'signup', (route) => authAnswer.error(route, 422, 'weak_password', 'Password is too common.'));
    await screen.button('Sign Up').click();
    await told('Sign up failed', 'Password is too common.');
    await untilEqual(() => screen.password.getAttribute('aria-invalid'), 'true');
  });

  itSlow('loads nothing for visitors, goes home with a session, and keeps it while the server is away', async () => {
    const page = await openPage({ width: 1440, expectedComplaints: [/503/] });
    const screen = accountsPage(page, base);
    const requests = recordRequests(page);
    await visit(page, `${base}/`);
    expect(requests.map((request) => request.url()).filter((url) => /account|toast|auth/.test(url))).toEqual([]);

    let isAdmin = false;
    await answerMe(page, () => isAdmin);
    await screen.open('/auth');
    await answer(page, 'token', (route) => authAnswer.session(route));
    const other = await page.context().newPage();
    await answerMe(other, () => false);
    await accountsPage(other, base).open('/auth');
    await screen.fill('pat@example.com', 'correct horse');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/`);
    await other.waitForURL(`${base}/`);
    await other.close();
    await page.goto(`${base}/auth`);
    await page.waitForURL(`${base}/`);

    // Whoever cannot be signed out stays; the way to the admin area is for administrators only.
    await answer(page, 'logout', (route) => route.fulfill({ status: 503, body: '' }));
    await screen.accountButton.click();
    await page.getByText('pat@example.com').first().waitFor();
    const admin = page.getByRole('link', { name: 'Admin', exact: true });
    expect(await admin.count()).toBe(0);
    await screen.button('Sign out everywhere').click();
    await page.getByRole('alert').filter({ hasText: UNREACHABLE }).first().waitFor();
    isAdmin = true;
    await screen.open('/about');
    await screen.accountButton.click();
    await admin.waitFor();
    expect(await admin.getAttribute('href')).toBe('/admin/blogs');
    // The narrowest screen with the whole navigation still has room for the site's name beside it.
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.evaluate(() => document.fonts.ready);
    expect((await page.locator('.site-header .wrap > .brand span').boundingBox())?.height).toBeLessThan(40);
    await page.setViewportSize({ width: 1440, height: 800 });

    let refusals = 0;
    await answer(page, 'token', async (route) => {
      if (refusals === 2) return await authAnswer.session(route);
      refusals += 1;
      await route.fulfill({ status: 503, body: '' });
    });
    await remember(page, -60);
    await screen.open('/about');
    await screen.accountButton.waitFor();
    expect(refusals).toBe(2);
  });

  itSlow('spends a link only when its button is pressed, and takes up what the server’s own links bring', async () => {
    const { page, screen } = await open('/auth/new-password', { expectedComplaints: [/429/] });
    await page.getByRole('link', { name: 'Send me a link' }).waitFor();
    expect(await screen.password.count()).toBe(0);

    await screen.open('/about#error=access_denied&error_code=otp_expired&error_description=Call+us&sb=');
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await page.getByText('Call us', { exact: true }).count()).toBe(0);
    expect(page.url()).toBe(`${base}/auth/confirm`);

    await answerMe(page, () => false);
    await answer(page, 'verify', (route) =>
      authAnswer.error(route, 429, 'over_request_rate_limit', 'Request rate limit reached'),
    );
    await screen.open('/auth/confirm?token_hash=abc&type=signup&redirect_to=https%3A%2F%2F');
    await screen.button('Confirm my email address').click();
    await screen.answer('Request rate limit reached').waitFor();
    // A link that could not be spent is kept for another press.
    const spent: unknown[] = [];
    await answer(page, 'verify', async (route) => {
      spent.push(route.request().postDataJSON());
      await authAnswer.session(route);
    });
    await page.reload();
    await screen.button('Confirm my email address').waitFor();
    expect(spent).toEqual([]);
    await screen.button('Confirm my email address').click();
    await page.getByText('Your email address is confirmed').waitFor();
    expect(spent).toEqual([expect.objectContaining({ token_hash: 'abc', type: 'signup' })]);
    expect(page.url()).toBe(`${base}/auth/confirm`);
    await untilEqual(() => page.evaluate(() => document.activeElement?.tagName), 'H1');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${base}/`);

    await page.evaluate(() => localStorage.clear());
    const { user, access_token, refresh_token, expires_at } = makeSession();
    await answer(page, 'user', (route) => route.fulfill({ json: user }));
    await page.goto('about:blank');
    const fragment = { access_token, expires_at: `${expires_at}`, expires_in: '3600', refresh_token, sb: '' };
    const hash = new URLSearchParams({ ...fragment, token_type: 'bearer', type: 'recovery' });
    await page.goto(`${base}/auth/new-password#${hash.toString()}`);
    await screen.accountButton.waitFor();
    expect(page.url()).not.toContain(access_token);
    expect(await screen.password.isEditable()).toBe(true);
  });

  itSlow('leads from a dead link to what helps, and offers no mail that nobody would get', async () => {
    const dead = '/auth/confirm?token_hash=abc&type=email_change';
    const { page, screen } = await open(dead, { expectedComplaints: [/403/] });
    await screen.button('Confirm this address').click();
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    // That form asks for the mail of a sign-up, which nobody gets whose account was confirmed.
    expect(await screen.button('Send a new link').count()).toBe(0);
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.waitForURL(`${base}/account`);

    await screen.open('/auth/confirm?token_hash=abc&type=magiclink');
    await screen.button('Sign me in').click();
    await page.locator('main').getByRole('link', { name: 'Choose a new password' }).waitFor();
    expect(await screen.button('Send a new link').count()).toBe(0);
  });

  it('asks for an address and a masked password, and for nothing that others could know', async () => {
    const page = await openPage();
    const fields = () =>
      page
        .locator('main input:not([hidden])')
        .evaluateAll((inputs) => inputs.map((input) => [input.getAttribute('name'), input.getAttribute('type')]));
    const address = ['email', 'email'];
    const password = ['password', 'password'];
    for (const [path, expected] of [
      ['/auth', [address, password]],
      ['/auth/recover', [address]],
    ] as const) {
      await visit(page, base + path);
      expect({ path, fields: await fields() }).toEqual({ path, fields: expected });
    }
    await visit(page, `${base}/auth`);
    const { password: field, tab } = accountsPage(page, base);
    await tab('Sign Up').click();
    await untilEqual(() => field.getAttribute('autocomplete'), 'new-password');
    expect(await fields()).toEqual([address, password]);
  });

  it('never sends a password without scripts', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    for (const path of ['/auth', '/auth/recover', '/auth/new-password']) {
      await page.goto(base + path);
      const requests = recordRequests(page);
      await page.locator('main input:not([hidden])').last().fill('correct horse');
      await page.keyboard.press('Enter');
      await untilEqual(() => page.locator('main noscript').count(), 1);
      expect(requests).toEqual([]);
      page.removeAllListeners('request');
    }
  });

  itSlow('is accessible when something went wrong, in both themes', async () => {
    const { page, screen } = await open('/auth', { width: 360, reducedMotion: 'reduce', expectedComplaints: [/400/] });
    const find = async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      const light = await findViolations(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      return [...light, ...(await findViolations(page, COLOR_RULES))];
    };
    await answer(page, 'token', (route) => authAnswer.error(route, 400, 'invalid_credentials', 'Invalid credentials'));
    await answerMe(page, () => true);
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
