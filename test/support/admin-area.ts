import type { Page } from 'playwright-core';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { openPage, type PageOptions } from './browser.js';
import type { TestApp } from './create-test-app.js';

const PASSWORD = 'a lamp on the left';

/** Someone with an account and a password. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** Creates a confirmed account that can be signed in to, an administrator's unless told otherwise. */
export async function createMember(app: TestApp, email: string, { isAdmin = true } = {}): Promise<Member> {
  const { id } = await app.get(UsersService).createUser(OPERATOR, { email, password: PASSWORD, isConfirmed: true });
  if (isAdmin) await app.get(RolesService).grantAdmin(OPERATOR, id);
  return { id, email, password: PASSWORD };
}

/** A session of a member as the accounts' client keeps it. */
export interface MemberSession {
  readonly access_token: string;
}

/** Signs a member in, as the form does. */
export async function startSession(base: string, { email, password }: Member): Promise<MemberSession> {
  const response = await fetch(`${base}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Signing in answered ${response.status}`);
  return (await response.json()) as MemberSession;
}

/** Ends every session of whoever has this one, as 'Sign out everywhere' on another device does. */
export async function endSessions(base: string, { access_token: token }: MemberSession): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${base}/auth/v1/logout?scope=global`, { method: 'POST', headers });
  if (!response.ok) throw new Error(`Signing out answered ${response.status}`);
}

/** A tab in which that session is kept already. */
export async function openSignedIn(session: MemberSession, options: PageOptions = {}): Promise<Page> {
  const page = await openPage({ width: 1440, reducedMotion: 'reduce', ...options });
  await page.addInitScript((value) => {
    // Only for the first page: what happens to the session then is up to the site.
    if (sessionStorage.getItem('is-prepared')) return;
    sessionStorage.setItem('is-prepared', 'yes');
    localStorage.setItem('supabase.auth.token', value);
  }, JSON.stringify(session));
  return page;
}

/** Calls the API as whoever has the session, as another browser would. */
export async function callAs<T = AdminPost>(
  base: string,
  { access_token: token }: MemberSession,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** The list of posts: where things are and what can be done, nothing about what should come of it. */
export function postListPage(page: Page, base: string) {
  const row = (title: string) => page.getByRole('article', { name: title, exact: true });
  return {
    open: (search = '') => page.goto(`${base}/admin/blogs${search}`),
    row,
    rows: page.getByRole('article'),
    titles: () => page.getByRole('article').getByRole('heading').allTextContents(),
    button: (title: string, name: string) => row(title).getByRole('button', { name: `${name} ${title}`, exact: true }),
    /** Opens the menu of a row, for a button that `button` finds then. */
    openMenu: (title: string) =>
      row(title)
        .getByRole('button', { name: `More for ${title}`, exact: true })
        .click(),
    select: (title: string) => row(title).getByRole('checkbox'),
    outcome: page.getByRole('status', { name: 'What was done' }),
    toast: (text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text }),
    search: page.getByRole('searchbox', { name: 'Search' }),
    state: (name: string) => page.getByRole('navigation', { name: 'States' }).getByRole('link', { name }),
    more: page.getByRole('button', { name: 'Load more posts' }),
    bulk: (name: string) =>
      page.getByRole('region', { name: 'Selected posts' }).getByRole('button', { name, exact: true }),
    /** Answers every question of the browser with yes, and keeps what was asked. */
    answerQuestions(): string[] {
      const questions: string[] = [];
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void dialog.accept();
      });
      return questions;
    },
  };
}
