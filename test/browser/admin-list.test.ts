import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import { accountsPage } from '../support/accounts-page.js';
import {
  callAs,
  createMember,
  endSessions,
  openSignedIn,
  postListPage,
  startSession,
  type Member,
  type MemberSession,
} from '../support/admin-area.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { openPage, type PageOptions } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const FILLERS = 60;

// A person, a browser and the real server.
describe('the list of posts', () => {
  let app: TestApp;
  let base: string;
  let member: Member;
  let session: MemberSession;

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
    member = await createMember(app, 'ann@example.com');
    // One after the other: the list is ordered by when they were written.
    await createPosts(
      app,
      Array.from({ length: FILLERS }, (_, index) => ({ title: `Filler ${index}`, slug: `filler-${index}` })),
    );
    await createPosts(app, [
      { title: 'Backups', slug: 'backups', category: 'Backup', tags: null, is_published: false },
    ]);
    await createPosts(app, [{ title: 'Five settings', slug: 'five-settings', tags: ['Cloud'] }]);
    session = await startSession(base, member);
  });

  async function open(search = '', options: PageOptions = {}) {
    const page = await openSignedIn(session, options);
    const list = postListPage(page, base);
    await list.open(search);
    await list.rows.first().waitFor();
    return { page, list };
  }

  /** The post of a title as the server has it. */
  async function find(title: string) {
    const { items } = await callAs<AdminPostPage>(base, session, 'GET', `/api/admin/posts?q=${title}`);
    return items[0]!;
  }

  /** Waits until what has these words has the focus. */
  const focused = (page: Page, words = '') => page.locator(':focus').filter({ hasText: words }).waitFor();

  itSlow('is closed to who is not signed in, and to who is no administrator', async () => {
    const stranger = await openPage({ width: 1440 });
    await stranger.goto(`${base}/admin/blogs`);
    await stranger.waitForURL(`${base}/auth`);

    const visitor = await createMember(app, 'visitor@example.com', { isAdmin: false });
    const page = await openSignedIn(await startSession(base, visitor));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${base}/admin`);
    await page.waitForURL(`${base}/`);
    const toast = postListPage(page, base).toast('Access Denied');
    expect(await toast.innerText()).toContain('You must be an admin to access this page.');
    expect(asked.filter((path) => path.startsWith('/api/admin'))).toEqual([]);
  });

  itSlow('shows every post newest first, in words, and goes on where it ends', async () => {
    const { page, list } = await open();
    await untilEqual(() => page.getByRole('heading', { level: 1 }).allTextContents(), ['Manage Blog Posts']);
    await untilEqual(() => page.getByText('Create, edit, and publish your blog content', { exact: true }).count(), 1);
    expect(await page.getByRole('link', { name: 'New Post' }).getAttribute('href')).toBe('/admin/blogs/new');
    expect((await list.titles()).slice(0, 2)).toEqual(['Five settings', 'Backups']);
    const text = await list.row('Five settings').innerText();
    expect(text).toMatch(/Published[^]*Security[^]*By Support desk • Jan 5, 2025[^]*Created [A-Z][a-z]+ \d+, \d{4}/);
    const row = list.row('Five settings');
    expect(await row.getByRole('link', { name: 'View Five settings' }).getAttribute('href')).toBe(
      '/blogs/five-settings',
    );
    const opened = `/admin/blogs/edit/${(await find('Five')).id}`;
    expect(await row.getByRole('link', { name: 'Five settings', exact: true }).getAttribute('href')).toBe(opened);
    expect(await list.row('Backups').getByRole('link', { name: 'View' }).count()).toBe(0);
    expect(await list.row('Backups').innerText()).toMatch(/Draft[^]*Backup/);
    const edit = list.row('Backups').getByRole('link', { name: 'Edit' });
    expect(await edit.getAttribute('href')).toBe(`/admin/blogs/edit/${(await find('Backups')).id}`);

    await untilEqual(() => list.rows.count(), 50);
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('button', { name: `Select all ${FILLERS + 2} that match` }).click();
    const bar = page.getByRole('region', { name: 'Selected posts' });
    await bar.getByText(`${FILLERS + 2} posts selected`).waitFor();
    await bar.getByText(`1 becomes public, ${FILLERS + 1} are public already`).waitFor();
    await list.bulk('Clear selection').click();

    // Near its end the list goes on by itself, and nobody's focus moves.
    await list.rows.nth(49).scrollIntoViewIfNeeded();
    await list.rows.nth(FILLERS + 1).waitFor({ state: 'attached' });
    await untilEqual(() => list.more.count(), 0);
    expect(new Set(await list.titles()).size).toBe(FILLERS + 2);

    const found: Record<string, string[]> = { light: await findViolations(page) };
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ ...found, dark: await findViolations(page, COLOR_RULES) }).toEqual({ light: [], dark: [] });
  });

  itSlow('moves the focus to what was asked for, and nowhere once that failed', async () => {
    const { page, list } = await open('', { expectedComplaints: [/ 422/] });
    await untilEqual(() => list.rows.count(), 50);
    // Without scrolling there, which loads more by itself.
    const pressMore = async () => {
      await list.more.evaluate((button) => button.focus({ preventScroll: true }));
      await page.keyboard.press('Enter');
    };
    await page.route('**/api/admin/posts?*cursor=*', (route) =>
      route.fulfill({ status: 422, json: { code: 'invalid', message: 'No' } }),
    );
    await pressMore();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/api/admin/posts?*cursor=*');
    const last = list.rows.nth(49).getByRole('checkbox');
    await last.focus();
    // Back in the tab, the list is read anew, and goes on by itself.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await list.rows.nth(FILLERS + 1).waitFor({ state: 'attached' });
    await untilEqual(() => list.more.count(), 0);
    await page.keyboard.press('Space');
    await untilEqual(() => last.isChecked(), true);

    await page.reload();
    await pressMore();
    await list.rows.nth(50).and(page.locator(':focus')).waitFor();
  });

  itSlow('is searched, narrowed and ordered by what stands in its address', async () => {
    const { page, list } = await open();
    // Between two lists there may be none.
    const shows = (...titles: string[]) => until(async () => String(await list.titles()) === String(titles));
    // Numbers of posts are those of the lists that the links lead to, or there are none.
    const hasNumber = async () => /\d/.test(await list.state('Drafts').innerText());
    await untilEqual(hasNumber, true);
    await list.search.pressSequentially('settings');
    await page.waitForURL(`${base}/admin/blogs?q=settings`);
    await shows('Five settings');
    await untilEqual(hasNumber, false);
    await page.reload();
    await list.row('Five settings').waitFor();
    await untilEqual(() => list.search.inputValue(), 'settings');

    await list.search.fill('no such words');
    await page.getByText('No posts match.').waitFor();
    await list.search.fill('');
    await page.waitForURL(`${base}/admin/blogs`);
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Backup');
    await shows('Backups');
    await page.getByRole('combobox', { name: 'Category' }).selectOption('');
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('Cloud');
    await shows('Five settings');
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('');
    await list.state('Drafts').click();
    await page.waitForURL(`${base}/admin/blogs?state=draft`);
    await shows('Backups');
    await list.open('?order=title');
    await list.row('Backups').waitFor();
    expect((await list.titles())[0]).toBe('Backups');
  });

  itSlow('publishes and takes back a post, copies it, deletes it and gets it back', async () => {
    await createPosts(app, [{ title: 'Passwords', slug: 'passwords', is_published: false }]);
    const { page, list } = await open();
    const questions = list.answerQuestions();

    await list.button('Passwords', 'Publish').click();
    await list.toast('Post published').waitFor();
    await list.button('Passwords', 'Unpublish').click();
    await list.toast('Post unpublished').waitFor();
    expect(await find('Passwords')).toMatchObject({ is_published: false });
    await list.openMenu('Passwords');
    await list.button('Passwords', 'Duplicate').click();
    await list.toast('Post duplicated').waitFor();
    await list.row('Copy of Passwords').waitFor();

    await list.button('Passwords', 'Delete').click();
    await list.toast('Post deleted successfully').waitFor();
    await list.row('Passwords').waitFor({ state: 'detached' });
    await focused(page, 'stays in the trash for 30 days');
    await list.outcome.getByRole('button', { name: 'Undo' }).click();
    await list.row('Passwords').waitFor();

    await list.button('Passwords', 'Delete').click();
    await list.row('Passwords').waitFor({ state: 'detached' });
    await list.state('Trash').click();
    await list.row('Passwords').waitFor();
    expect(await list.row('Passwords').innerText()).toMatch(/In the trash[^]*gone for good on/);
    await list.button('Passwords', 'Delete for good').click();
    await page.getByText('The trash is empty.').waitFor();
    expect(questions).toEqual([
      'Are you sure you want to delete this post?',
      'Are you sure you want to delete this post?',
      'Delete this post for good? This cannot be undone.',
    ]);
  });

  itSlow('offers to undo a decision in the row, also of a post that left the list by it, by the keyboard', async () => {
    await createPosts(app, [{ title: 'Kept in sight', slug: 'kept-in-sight' }]);
    const { page, list } = await open('?state=published&q=sight');
    await list.button('Kept in sight', 'Unpublish').click();
    const undo = list.button('Kept in sight', 'Undo');
    await list.row('Kept in sight').getByText('Post unpublished.').waitFor();
    expect(await find('Kept in sight')).toMatchObject({ is_published: false });
    await undo.focus();
    await page.keyboard.press('Enter');
    await list.toast('Post published').waitFor();
    await undo.waitFor({ state: 'detached' });
    await focused(page, 'Kept in sight');
    expect(await find('Kept in sight')).toMatchObject({ is_published: true });
  });

  itSlow('leaves a post alone that somebody else changed, and says how it stands', async () => {
    await createPosts(app, [{ title: 'Contested', slug: 'contested', is_published: false }]);
    const { list } = await open('', { expectedComplaints: [/409/] });
    const { id, version } = await find('Contested');
    await callAs(base, session, 'PUT', `/api/admin/posts/${id}/publication`, { version, is_published: true });
    await list.button('Contested', 'Publish').click();
    await list.toast('Failed to update post status').waitFor();
    await list.outcome.filter({ hasText: /“Contested” was changed meanwhile[^]*is now: Published/ }).waitFor();
    await list.button('Contested', 'Unpublish').waitFor();
    expect(await find('Contested')).toMatchObject({ is_published: true });
  });

  itSlow('changes many posts at once by the keyboard, each by itself, and tells of each', async () => {
    await createPosts(app, [{ title: 'Many 1', slug: 'many-1', is_published: false }]);
    await createPosts(app, [{ title: 'Many 2', slug: 'many-2', is_published: false }]);
    const { page, list } = await open('?q=Many');
    const questions = list.answerQuestions();
    const { id, version } = await find('Many 1');
    await list.select('Many 2').focus();
    await page.keyboard.press('Space');
    await list.select('Many 1').focus();
    await page.keyboard.press('Space');
    await callAs(base, session, 'PUT', `/api/admin/posts/${id}/publication`, { version, is_published: true });
    await list.bulk('Publish selected posts').focus();
    await page.keyboard.press('Enter');
    await list.toast('1 post published').waitFor();
    await list.outcome.filter({ hasText: '“Many 1” was changed since this list was loaded' }).waitFor();
    expect(await find('Many 2')).toMatchObject({ is_published: true });

    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await list.bulk('Delete selected posts').click();
    await list.toast('2 posts deleted').waitFor();
    expect(questions).toEqual(['Are you sure you want to delete these 2 posts?']);
    await page.getByText('No posts match.').waitFor();
    await list.outcome.filter({ hasText: 'Undo brings them back as drafts.' }).waitFor();
    await list.outcome.getByRole('button', { name: 'Undo' }).click();
    await list.toast('2 posts restored as drafts').waitFor();
    await list.row('Many 1').waitFor();
    await list.row('Many 2').filter({ hasText: 'Draft' }).waitFor();
  });

  itSlow('keeps up with posts that match and are not loaded, through one change after another', async () => {
    await createPosts(
      app,
      Array.from({ length: 55 }, (_, index) => ({
        title: `Heap ${index}`,
        slug: `heap-${index}`,
        is_published: false,
      })),
    );
    const { page, list } = await open('?q=Heap');
    list.answerQuestions();
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('button', { name: 'Select all 55 that match' }).click();
    await page.getByText('55 posts selected').waitFor();
    await list.bulk('Publish selected posts').click();
    await list.toast('55 posts published').waitFor();
    await page.getByText('55 leave the site', { exact: true }).first().waitFor();
    await list.bulk('Unpublish selected posts').click();
    await list.toast('55 posts unpublished').waitFor();
    await list.bulk('Delete selected posts').click();
    await list.toast('55 posts deleted').waitFor();
    await page.getByText('No posts match.').waitFor();
  });

  itSlow(
    'tells of the posts that were changed before a request failed, goes on with the others, and takes all back',
    async () => {
      await createPosts(
        app,
        Array.from({ length: 55 }, (_, index) => ({
          title: `Pile ${index}`,
          slug: `pile-${index}`,
          is_published: false,
        })),
      );
      const { page, list } = await open('?q=Pile', { expectedComplaints: [/503/] });
      let asked = 0;
      await page.route('**/api/admin/posts/bulk', async (route) => {
        asked += 1;
        if (asked !== 3) return await route.continue();
        await route.fulfill({ status: 503, json: { code: 'database_unavailable', message: 'The database is away.' } });
      });
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await page.getByRole('button', { name: 'Select all 55 that match' }).click();
      await list.bulk('Publish selected posts').click();
      await list.outcome
        .filter({ hasText: '50 posts published: Stopped after 50 of 55 posts. The database is away.' })
        .waitFor();
      await page.getByText('5 become public, 50 are public already', { exact: true }).first().waitFor();
      await list.bulk('Publish selected posts').click();
      await list.toast('5 posts published').waitFor();

      asked = 0;
      await list.bulk('Unpublish selected posts').click();
      await list.toast('50 posts unpublished').waitFor();
      await list.outcome.getByRole('button', { name: 'Undo' }).click();
      await list.toast('50 posts as before').waitFor();
      await page.getByText('55 are public already', { exact: true }).first().waitFor();
    },
  );

  itSlow('says that it is empty, and what went wrong, on the page as in a toast', async () => {
    const page = await openSignedIn(session, { expectedComplaints: [/422/] });
    const list = postListPage(page, base);
    let answer: object = { json: { items: [], next_cursor: null } };
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/admin/posts?*', async (route) => {
      await held;
      await route.fulfill(answer);
    });
    await list.open();
    await page.getByText('Loading posts...', { exact: true }).waitFor();
    release();
    await page.getByText('No blog posts yet. Create your first one!', { exact: true }).waitFor();
    answer = { status: 422, json: { code: 'bad_request', message: 'The search is too long' } };
    await list.open('?q=long');
    await list.toast('Failed to fetch blog posts').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/Failed to fetch blog posts: The search is too long/);
    await page.unroute('**/api/admin/posts?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No posts match.').waitFor();
  });

  itSlow('asks for the password in place when the session has ended, and then does what was asked', async () => {
    await createPosts(app, [{ title: 'Kept', slug: 'kept', is_published: false }]);
    const own = await startSession(base, member);
    const page = await openSignedIn(own, { expectedComplaints: [/40[0-3]/] });
    const list = postListPage(page, base);
    await list.open();
    await list.row('Kept').waitFor();
    await endSessions(base, own);

    // Another person in another tab does not become the one whose page this is.
    const tab = await page.context().newPage();
    await tab.goto(`${base}/about`);
    await tab.evaluate(() => localStorage.removeItem('supabase.auth.token'));
    const visitor = await createMember(app, 'second@example.com', { isAdmin: false });
    await accountsPage(tab, base).signIn(visitor.email, visitor.password);
    await page.getByText('This page belongs to ann@example.com, but second@example.com has signed in').waitFor();

    await list.button('Kept', 'Publish').click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again to go on' });
    await dialog.waitFor();
    await untilEqual(() => dialog.getByLabel('Email').inputValue(), member.email);
    const password = dialog.getByLabel('Password', { exact: false }).first();
    await password.fill('not the password');
    await page.keyboard.press('Enter');
    await dialog.getByText('Invalid login credentials').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await password.fill(member.password);
    await page.keyboard.press('Enter');
    await list.toast('Post published').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('This page belongs to').waitFor({ state: 'detached' });
    // For the tests that follow.
    session = await startSession(base, member);
  });

  it('merges two tags by the keyboard, and says before what that does', async () => {
    await createPosts(app, [
      { title: 'One of two', tags: ['Hosting'] },
      { title: 'Two of two', tags: ['Hosted'] },
    ]);
    const page = await openSignedIn(session);
    await page.goto(`${base}/admin/terms`);
    const rename = page.getByRole('button', { name: 'Rename Hosted' });
    await rename.press('Enter');
    const field = page.getByRole('combobox', { name: 'New name of “Hosted”' });
    // Given up, the focus goes back to what opened the form.
    for (const giveUp of [field, page.getByRole('button', { name: 'Cancel' })]) {
      await giveUp.press(giveUp === field ? 'Escape' : 'Enter');
      await rename.and(page.locator(':focus')).press('Enter');
    }
    await field.and(page.locator(':focus')).fill('Hosting');
    // An Escape that gives up the letters of a word gives up nothing else.
    for (const key of [{ isComposing: true }, { keyCode: 229 }])
      await field.dispatchEvent('keydown', { key: 'Escape', ...key });
    await page.getByText('There is a tag “Hosting”, with 1 post').waitFor();
    const found: Record<string, string[]> = { light: await findViolations(page) };
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ ...found, dark: await findViolations(page, COLOR_RULES) }).toEqual({ light: [], dark: [] });
    await page.keyboard.press('Enter');
    await page.getByText('“Hosted” is “Hosting” now in 1 post.').waitFor();
    await focused(page, 'Merged');
    await page.getByRole('listitem').filter({ hasText: 'Hosting' }).getByText('2 posts').waitFor();
    expect(await page.getByRole('link', { name: 'Hosted' }).count()).toBe(0);
  });

  it('begins with what came in, what waits and what needs attention', async () => {
    await createPosts(app, [{ title: 'Half written', is_published: false }]);
    const page = await openSignedIn(session);
    await page.goto(`${base}/admin`);
    const drafts = page.getByRole('region', { name: /^Drafts and unsaved changes/ });
    await drafts.getByRole('link', { name: 'Half written' }).waitFor();
    await page.getByRole('region', { name: 'New enquiries' }).getByText('No enquiry waits for you.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Admin' }).locator('[aria-current]').allTextContents()).toEqual([
      'Start',
    ]);
    const found: Record<string, string[]> = { light: await findViolations(page) };
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ ...found, dark: await findViolations(page, COLOR_RULES) }).toEqual({ light: [], dark: [] });
    const start = page.getByRole('region', { name: /^A good start/ });
    expect(await start.getByRole('listitem').filter({ hasText: 'A backup is made' }).innerText()).toContain(
      'npm run cli -- backup create',
    );
    await start.getByRole('button', { name: 'Hide this list' }).press('Enter');
    await start.waitFor({ state: 'detached' });
    await untilEqual(() => page.evaluate(() => document.activeElement?.tagName), 'H1');
    await page.reload();
    await drafts.getByRole('link', { name: 'Half written' }).waitFor();
    expect(await start.count()).toBe(0);
    await drafts.getByRole('link', { name: 'Half written' }).press('Enter');
    await page.waitForURL(/\/admin\/blogs\/edit\//);
  });

  itSlow(
    'leads administrators and authors to their screens and to no others, in both themes, by the keyboard',
    async () => {
      const anna = await createMember(app, 'anna@example.com', { isAdmin: false });
      const grant = { role: 'author', mayPublish: false } as const;
      await app
        .get(EntityManager)
        .fork()
        .transactional((em) => app.get(RolesService).grant(em, OPERATOR, anna.id, grant));
      const screens: Record<string, string[]> = {};
      for (const [who, theirs] of [
        ['administrators', session],
        ['authors', await startSession(base, anna)],
      ] as const) {
        const page = await openSignedIn(theirs);
        await page.goto(`${base}/admin`);
        const links = page.getByRole('navigation', { name: 'Admin' }).getByRole('link');
        // Until it is known who came, there are links to everything.
        await page.getByRole('region', { name: /^Drafts and unsaved changes/ }).waitFor();
        const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
        screens[who] = hrefs;
        // Reached from the list of posts.
        for (const href of [...hrefs, '/admin/reads']) {
          if (hrefs.includes(href)) await page.locator(`nav a[href="${href}"]`).press('Enter');
          else await page.goto(base + href);
          await page.waitForURL(base + href);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await until(async () => (await page.locator('main [aria-busy=true]').count()) === 0);
          const light = await findViolations(page);
          await page.emulateMedia({ colorScheme: 'dark' });
          expect({ href, light, dark: await findViolations(page, COLOR_RULES) }).toEqual({ href, light: [], dark: [] });
          await page.emulateMedia({ colorScheme: 'light' });
        }
      }
      expect(screens['authors']).toEqual(['/admin', '/admin/blogs', '/admin/comments', '/admin/media']);
      expect(screens['administrators']).toEqual(expect.arrayContaining(screens['authors'] ?? ['none']));
      expect(screens['administrators']!.length).toBeGreaterThan(7);
    },
  );

  itSlow('shows what was done, in plain words', async () => {
    const page = await openSignedIn(await startSession(base, member));
    await page.goto(`${base}/admin/audit`);
    const lines = page.getByRole('main').getByRole('listitem');
    await lines.first().waitFor();
    await untilEqual(() => page.getByRole('heading', { level: 1 }).textContent(), 'Activity');
    expect(await lines.filter({ hasText: 'Kept' }).first().innerText()).toContain(
      'ann@example.com published the post Kept',
    );
    const found: Record<string, string[]> = { light: await findViolations(page) };
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ ...found, dark: await findViolations(page, COLOR_RULES) }).toEqual({ light: [], dark: [] });
    await page.getByRole('combobox', { name: 'What was done' }).selectOption('post.deleted');
    await lines.filter({ hasText: 'Kept' }).first().waitFor({ state: 'detached' });
    expect(await lines.allInnerTexts()).toEqual([expect.stringContaining('deleted the post Passwords for good')]);
    await page.getByRole('button', { name: 'Show everything' }).press('Enter');
    await page.locator('[role="search"]:focus').waitFor();

    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${base}/`);
  });

  itSlow('marks posts with dead links, until they are mended', async () => {
    const [first, second] = [`<p><a href="/nowhere">a</a></p>`, `<p><a href="#gone">b</a></p>`];
    await createPosts(app, [{ title: 'Led astray', slug: 'astray', content: first + second }]);
    const { page, list } = await open('?q=astray');
    await list.row('Led astray').getByText('2 dead links', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const [post] = (await callAs<AdminPostPage>(base, session, 'GET', '/api/admin/posts?q=astray')).items;
    await callAs(base, session, 'POST', '/api/admin/posts/bulk', {
      action: 'trash',
      posts: [{ id: post!.id, version: post!.version }],
    });
    await page.reload();
    await untilEqual(() => page.getByText('dead link').count(), 0);
  });

  it('is left at once by who is no administrator any more', async () => {
    await createMember(app, 'other@example.com');
    await createPosts(app, [{ title: 'Not ours any more', slug: 'not-ours-any-more' }]);
    const { page, list } = await open('?q=ours+any+more', { expectedComplaints: [/403/] });
    await app.get(RolesService).revokeAdmin(OPERATOR, member.id, { isForced: false });
    await list.button('Not ours any more', 'Unpublish').click();
    await page.waitForURL(`${base}/`);
    expect(await list.toast('Access Denied').innerText()).toContain('You must be an admin to access this page.');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
  });

  itSlow('does not say that nobody wrote where all that came is spam', async () => {
    await sendEnquiry(app, buildEnquiry({ name: 'Sam Pal' }));
    const page = await openSignedIn(await startSession(base, await createMember(app, 'sorter@example.com')));
    await page.goto(`${base}/admin/enquiries`);
    await page.getByRole('article', { name: 'Sam Pal' }).getByRole('button', { name: /^Spam/ }).click();
    await page.getByText('No enquiries here.').waitFor();
    await page.getByRole('link', { name: 'Look into the spam' }).click();
    await page.getByRole('article', { name: 'Sam Pal' }).waitFor();
  });
});
