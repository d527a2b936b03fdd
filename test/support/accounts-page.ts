import type { Page, Route } from 'playwright-core';
import { visit } from './browser.js';

/** The screens of accounts: where things are and what can be done, nothing about what should come of it. */
export function accountsPage(page: Page, base: string) {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
  return {
    /** Opens a page and waits until its scripts have taken it over. */
    open: (path: string) => visit(page, base + path),
    tab: (name: 'Sign In' | 'Sign Up') => page.getByRole('tab', { name, exact: true }),
    email: page.locator('main').getByLabel('Email'),
    password: page.locator('main').getByLabel(/password/i),
    button,
    /** The answer that stays on the page after sending. */
    answer: (text: string) => page.locator('main').getByRole('status').filter({ hasText: text }),
    toast: (title: string) => page.locator('[data-sonner-toast]').filter({ hasText: title }),
    accountButton: page.getByRole('button', { name: 'Account', exact: true }),
    async fill(email: string, password: string) {
      await this.email.fill(email);
      await this.password.fill(password);
    },
    async signIn(email: string, password: string) {
      await this.open('/auth');
      await this.fill(email, password);
      await button('Sign In').click();
      await page.waitForURL(`${base}/`);
    },
    async signUp(email: string, password: string) {
      await this.open('/auth');
      await this.tab('Sign Up').click();
      await this.fill(email, password);
      await button('Sign Up').click();
    },
  };
}

/** Answers as the accounts' server does, without one. */
export const authAnswer = {
  error: (route: Route, status: number, code: string, message: string) =>
    route.fulfill({ status, headers: { 'x-supabase-api-version': '2024-01-01' }, json: { code, message } }),
  session: (route: Route, email = 'pat@example.com') => route.fulfill({ json: makeSession(email) }),
};

const LIFETIME_S = 3600;

/** A session as the server hands it out; its tokens mean nothing to a real one. */
export function makeSession(email = 'pat@example.com', lifetime = LIFETIME_S) {
  const id = '6ab2bd1e-5f66-4a3f-9c1f-0d5f0a4f3a11';
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  return {
    access_token: `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: id, exp })}.${part('signature')}`,
    token_type: 'bearer',
    expires_in: LIFETIME_S,
    expires_at: exp,
    refresh_token: 'abcdefghijkl',
    user: { id, email, aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '2026-01-05T00:00:00Z' },
  };
}

/** Leaves such a session where the accounts' client keeps it, for the next page to find; one that lasts so many seconds. */
export async function remember(page: Page, lifetime = LIFETIME_S): Promise<void> {
  const session = JSON.stringify(makeSession(undefined, lifetime));
  await page.evaluate((value) => localStorage.setItem('supabase.auth.token', value), session);
}
