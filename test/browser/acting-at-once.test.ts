import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { Enquiry } from '../../src/contact/enquiry.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { adminPaths } from '../../src/shared/admin-paths.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PostComment } from '../../src/posts/comments/post-comment.entity.js';
import type { AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { InvitedPerson } from '../../src/shared/contracts/people.js';
import { paths } from '../../src/shared/paths.js';
import { buildForm } from '../support/admin-posts.js';
import {
  callAs,
  createMember,
  openSignedIn,
  postListPage,
  startSession,
  type MemberSession,
} from '../support/admin-area.js';
import { recordRequests, type PageOptions } from '../support/browser.js';
import { createComments } from '../support/comments.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedFrom } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

// Whoever reads how something ended goes on at once: not after what the screen shows was read anew, which may take long.
describe('whoever acts at once', () => {
  let app: TestApp;
  let base: string;
  let ada: MemberSession;

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
    ada = await startSession(base, await createMember(app, 'ada@example.com'));
  });

  const em = () => app.get(EntityManager).fork();
  const open = (options: PageOptions = {}) => openSignedIn(ada, options);
  const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text });
  const told = (page: Page) => page.getByRole('status', { name: 'What was done' });

  it('changes an enquiry of the list again, also one that somebody else had changed, and goes on where one is gone', async () => {
    for (const name of ['Eva One', 'Eva Two'])
      await sendEnquiry(app, buildEnquiry({ name, email: `${name.slice(-3).toLowerCase()}@eva.example` }));
    const page = await open({ expectedComplaints: [/409/] });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${base}${paths.admin.enquiries}?search=eva.example`);
    const row = page.getByRole('article', { name: 'Eva Two' });
    const press = (name: RegExp) => row.getByRole('button', { name }).click();
    await row.waitFor();
    const lists = await hold(page, (request) => isReading(request, adminPaths.enquiries));
    await press(/^Close/);
    await row.getByText('Closed', { exact: true }).waitFor();
    await press(/^Open again/);
    await toast(page, 'Enquiry opened again').waitFor();
    const { id } = (await storedFrom(app, 'two@eva.example'))!;
    await em().nativeUpdate(Enquiry, { id }, { note: 'Theirs', version: 9 });
    await press(/^Close/);
    await page.getByRole('alert').filter({ hasText: 'Eva Two: ' }).waitFor();
    await press(/^Close/);
    await row.getByText('Closed', { exact: true }).waitFor();
    await press(/^Erase/);
    await row.waitFor({ state: 'detached' });
    await focused(page, 'Eva One');
    await lists.letGo();
  });

  itSlow('is led on by the keyboard when the row of an enquiry leaves the list', async () => {
    for (const name of ['Row One', 'Row Two'])
      await sendEnquiry(app, buildEnquiry({ name, email: `${name.slice(-3).toLowerCase()}@row.example` }));
    const page = await open();
    await page.goto(`${base}${paths.admin.enquiries}?search=row.example`);
    await page.getByRole('article', { name: 'Row Two' }).getByRole('button', { name: /^Spam/ }).press('Enter');
    await page.getByRole('article', { name: 'Row Two' }).waitFor({ state: 'detached' });
    await focused(page, 'Row One');
  });

  itSlow('is led on by the keyboard when somebody else was faster and what was pressed leaves the page', async () => {
    const page = await open({ expectedComplaints: [/404/, /422/] });
    await createPosts(app, [{ slug: 'faster', category: 'Old name' }]);
    await createComments(app, 'faster', [{ author: 'Rita', html: '<p>Hello.</p>' }]);
    const isTold = (words: string) =>
      untilEqual(
        () =>
          page.evaluate(
            (text) =>
              document.activeElement?.textContent.includes(text) === true &&
              document.querySelector('[aria-label="What was done"]') === document.activeElement,
            words,
          ),
        true,
      );

    await page.goto(base + paths.admin.terms);
    await page.getByRole('button', { name: 'Rename Old name' }).press('Enter');
    await callAs(base, ada, 'POST', adminPaths.renameTerm, { kind: 'category', from: 'Old name', to: 'Theirs' });
    await page.keyboard.type('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Rename Theirs' }).waitFor();
    await isTold('Nothing was renamed');

    const invitation = { email: 'gone@example.com', role: 'author' };
    const { person } = await callAs<InvitedPerson>(base, ada, 'POST', adminPaths.people, invitation);
    await page.goto(base + paths.admin.people);
    await page.getByRole('button', { name: /^Withdraw.*gone@example.com/ }).press('Enter');
    await callAs(base, ada, 'DELETE', adminPaths.person(person.id));
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).press('Enter');
    await page.getByRole('heading', { name: 'gone@example.com' }).waitFor({ state: 'detached' });
    await isTold('Nothing was taken back');

    await page.goto(base + paths.admin.comments);
    await page.getByRole('button', { name: /^Remove/ }).press('Enter');
    await em().nativeUpdate(PostComment, { author: 'Rita' }, { removedAt: new Date() });
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('Rita', { exact: true }).waitFor({ state: 'detached' });
    await isTold('The comment was not removed');
  });

  itSlow('saves a note again, and over that of somebody else, while readings are late or answered of old', async () => {
    await sendEnquiry(app, buildEnquiry({ name: 'Note Person', email: 'note@example.org' }));
    const { id } = (await storedFrom(app, 'note@example.org'))!;
    const page = await open({ expectedComplaints: [/409/] });
    await page.goto(base + paths.admin.enquiry(id));
    const note = page.getByRole('textbox', { name: 'Note' });
    const save = page.getByRole('button', { name: /^Save (note|mine)/ });
    await untilEqual(async () => (await storedFrom(app, 'note@example.org'))?.openedAt !== null, true);
    const readings = await hold(page, (request) => isReading(request, adminPaths.enquiries), { isOfOld: true });
    await lookAgain(page);
    await readings.untilHeld();
    await note.fill('First');
    await save.press('Enter');
    await toast(page, 'Note saved').waitFor();
    await note.fill('Second');
    await save.press('Enter');
    await untilEqual(async () => (await storedFrom(app, 'note@example.org'))?.note, 'Second');
    await note.fill('Third');
    const { version } = (await storedFrom(app, 'note@example.org'))!;
    await em().nativeUpdate(Enquiry, { id }, { note: 'Theirs', version: version + 1 });
    await save.press('Enter');
    await page.getByText('Somebody else saved another note while you wrote:').waitFor();
    await readings.letGo();
    await save.press('Enter');
    await untilEqual(async () => (await storedFrom(app, 'note@example.org'))?.note, 'Third');
  });

  itSlow('sees who looks after an enquiry meanwhile, not whom they had chosen before and never asked for', async () => {
    const [bea, cal] = [await createMember(app, 'bea@example.com'), await createMember(app, 'cal@example.com')];
    await sendEnquiry(app, buildEnquiry({ email: 'assigned@example.org' }));
    const stored = async () => (await storedFrom(app, 'assigned@example.org'))!;
    const { id } = await stored();
    const page = await open();
    await page.goto(base + paths.admin.enquiry(id));
    const assignee = page.getByLabel('Looked after by');
    const assign = page.getByRole('button', { name: 'Assign the enquiry' });
    const isOff = () => assign.getAttribute('aria-disabled');
    await untilEqual(async () => (await stored()).openedAt !== null, true);
    await assignee.selectOption(bea.email);
    await untilEqual(isOff, 'false');
    const { version } = await stored();
    await callAs(base, ada, 'PUT', adminPaths.enquiry(id), { version, assignee_id: cal.id });
    await lookAgain(page);
    await untilEqual(() => assignee.inputValue(), cal.id);
    await untilEqual(isOff, 'true');
    await assignee.selectOption(bea.email);
    await assign.press('Enter');
    await untilEqual(async () => (await stored()).assignee, bea.id);
    await untilEqual(() => assignee.inputValue(), bea.id);
  });

  it('replaces a saved answer that has just been kept, and keeps the name that is typed meanwhile', async () => {
    await sendEnquiry(app, buildEnquiry({ email: 'saved@example.org' }));
    const page = await open();
    // The first reading has come: what is kept goes into what was read.
    const read = page.waitForResponse(`**${adminPaths.savedAnswers}`);
    await page.goto(base + paths.admin.enquiry((await storedFrom(app, 'saved@example.org'))!.id));
    await page.getByText('Saved answers', { exact: true }).click();
    await (await read).finished();
    await hold(page, (request) => isReading(request, adminPaths.savedAnswers));
    const name = page.getByLabel('Keep what is written below as');
    const words = page.getByLabel('Your answer');
    await words.fill('Call us.');
    await name.fill('Call');
    const saving = await hold(page, (request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Keep it' }).dblclick();
    await name.fill('Call ');
    await saving.letGo();
    await page.getByRole('button', { name: 'Replace it' }).waitFor();
    await words.fill('Call us on Monday.');
    await page.getByRole('button', { name: 'Replace it' }).click();
    const texts = async () =>
      (await callAs<readonly { text: string }[]>(base, ada, 'GET', adminPaths.savedAnswers)).map(({ text }) => text);
    await untilEqual(texts, ['Call us on Monday.']);
    await untilEqual(() => name.inputValue(), '');
    expect(await page.getByLabel('Begin with').locator('option').allTextContents()).toEqual([
      'A saved answer ...',
      'Call',
    ]);
  });

  itSlow('types whom to invite next, and takes back two roles one after the other', async () => {
    for (const email of ['one@people.example', 'two@people.example']) {
      const { id } = await createMember(app, email, { isAdmin: false });
      const right = { role: 'author', mayPublish: false } as const;
      await em().transactional((forked) => app.get(RolesService).grant(forked, OPERATOR, id, right));
    }
    const page = await open();
    await page.goto(base + paths.admin.people);
    const rowOf = (name: string) => page.getByRole('article', { name });
    await rowOf('one@people.example').waitFor();
    const lists = await hold(page, (request) => isReading(request, adminPaths.people));
    const email = page.getByLabel('Email address');
    await email.fill('first@people.example');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await told(page).filter({ hasText: 'first@people.example' }).waitFor();
    await untilEqual(() => email.inputValue(), '');
    await email.fill('second@people.example');
    const right = rowOf('one@people.example').getByRole('combobox');
    await changeRight(rowOf('one@people.example'), 'publisher');
    await told(page).filter({ hasText: 'one@people.example' }).waitFor();
    expect(await right.inputValue()).toBe('publisher');
    const removals = await hold(page, (request) => request.method() === 'DELETE');
    for (const name of ['one@people.example', 'two@people.example']) {
      await rowOf(name)
        .getByRole('button', { name: /^Take back/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    }
    await removals.letGo();
    await rowOf('two@people.example').waitFor({ state: 'detached' });
    expect(await rowOf('one@people.example').count()).toBe(0);
    await lists.letGo();
    await rowOf('first@people.example').waitFor();
    expect(await email.inputValue()).toBe('second@people.example');
  });

  it('chooses a role twice in a row, and hears of one that somebody else has given meanwhile', async () => {
    const { id } = await createMember(app, 'ray@people.example', { isAdmin: false });
    const author = { role: 'author', mayPublish: false } as const;
    await em().transactional((forked) => app.get(RolesService).grant(forked, OPERATOR, id, author));
    const page = await open({ expectedComplaints: [/409/] });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(base + paths.admin.people);
    const row = page.getByRole('article', { name: 'ray@people.example' });
    const right = row.getByRole('combobox');
    await right.waitFor();
    const lists = await hold(page, (request) => isReading(request, adminPaths.people));
    const changes = await hold(page, (request) => request.method() === 'PUT');
    await changeRight(row, 'publisher');
    await changes.untilHeld();
    await changeRight(row, 'admin');
    await changes.letGo();
    await told(page).filter({ hasText: 'Administers: everything' }).waitFor();
    await untilEqual(() => right.inputValue(), 'admin');

    // One who was no administrator any more when that was decided stays none.
    await callAs(base, ada, 'PUT', adminPaths.person(id), { role: 'author', may_publish: true });
    await changeRight(row, 'author');
    await told(page).filter({ hasText: 'Somebody else has changed this role meanwhile' }).waitFor();
    await lists.letGo();
    await untilEqual(() => right.inputValue(), 'publisher');
    expect(await app.get(RolesService).findStanding(id)).toEqual({ role: 'author', mayPublish: true });
  });

  itSlow('chooses a role with the arrow keys, and changes nothing by those that they pass', async () => {
    const { id } = await createMember(app, 'kim@people.example', { isAdmin: false });
    const author = { role: 'author', mayPublish: false } as const;
    await em().transactional((forked) => app.get(RolesService).grant(forked, OPERATOR, id, author));
    const page = await open();
    const requests = recordRequests(page);
    await page.goto(base + paths.admin.people);
    const row = page.getByRole('article', { name: 'kim@people.example' });
    const right = row.getByRole('combobox');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await right.press(key);
    expect(await right.inputValue()).toBe('publisher');
    await row.getByRole('button', { name: /^Change/ }).press('Enter');
    await told(page).filter({ hasText: 'kim@people.example' }).waitFor();
    expect(
      requests.filter((request) => request.method() === 'PUT').map((request): unknown => request.postDataJSON()),
    ).toEqual([{ role: 'author', may_publish: true, seen_role: 'author', seen_may_publish: false }]);
  });

  it('sees by whom enquiries are narrowed, also by somebody who is no administrator any more', async () => {
    const { id } = await createMember(app, 'former@people.example', { isAdmin: false });
    const page = await open();
    await page.goto(`${base}${paths.admin.enquiries}?assignee=${id}`);
    const filter = page.getByRole('search').getByRole('combobox', { name: 'Looked after by' });
    await filter
      .locator('option:checked', { hasText: 'somebody who is no administrator now' })
      .waitFor({ state: 'attached' });
    await filter.selectOption('');
    await page.waitForURL(base + paths.admin.enquiries);
  });

  itSlow('stops being an administrator by their own choice, and goes on as an author', async () => {
    const sol = await startSession(base, await createMember(app, 'sol@people.example'));
    const page = await openSignedIn(sol, { expectedComplaints: [/answer 403|status of 403/] });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(base + paths.admin.people);
    // What is read of its own accord is refused before anybody hears that the role is gone.
    await page.route('**/api/admin/people/*', async (route) => {
      const answer = await route.fetch();
      const refused = page.waitForResponse((response) => response.status() === 403);
      await page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
      await refused;
      await route.fulfill({ response: answer });
    });
    await changeRight(page.getByRole('article', { name: 'sol@people.example' }), 'publisher');
    await page.waitForURL(`${base}/admin`);
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Admin' })
      .getByRole('link', { name: 'People' })
      .waitFor({ state: 'detached' });
    expect(await page.getByText('Access Denied').count()).toBe(0);
  });

  itSlow('takes back their own role, and goes on as a visitor', async () => {
    const lee = await startSession(base, await createMember(app, 'lee@people.example'));
    // What is read of its own accord is refused until the page has gone.
    const page = await openSignedIn(lee, { expectedComplaints: [/answer 403|status of 403/] });
    await page.goto(base + paths.admin.people);
    await page.getByRole('button', { name: /^Take back.*lee@people/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.waitForURL(`${base}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Access Denied').count()).toBe(0);
  });

  itSlow('goes on with the name of another tag', async () => {
    await createPosts(app, [{ title: 'Of tags', tags: ['Old', 'Other'] }]);
    const page = await open();
    await page.goto(base + paths.admin.terms);
    await page.getByRole('button', { name: 'Rename Old' }).click();
    const lists = await hold(page, (request) => isReading(request, adminPaths.terms));
    await page.getByRole('combobox', { name: 'New name of “Old”' }).fill('New');
    await page.keyboard.press('Enter');
    await page.getByText('“Old” is “New” now in 1 post.').waitFor();
    await page.getByRole('button', { name: 'Rename Other' }).click();
    const field = page.getByRole('combobox', { name: 'New name of “Other”' });
    await field.fill('Another');
    await lists.letGo();
    await page.getByRole('link', { name: 'New', exact: true }).waitFor();
    expect(await field.inputValue()).toBe('Another');
  });

  itSlow('removes a comment while another one is being removed', async () => {
    const { id } = await callAs(base, ada, 'POST', adminPaths.posts, buildForm({ title: 'Below', slug: 'below' }));
    for (const author of ['Cato', 'Cleo'])
      await em().execute(
        `insert into post_comments (post_id, source_id, parent_id, author, author_url, written_at, html)
         values (?::uuid, ?, null, ?, null, now(), '<p>Words</p>')`,
        [id, author, author],
      );
    const page = await open();
    await page.goto(base + paths.admin.comments);
    await page.getByText('2 comments', { exact: true }).waitFor();
    const removals = await hold(page, (request) => request.method() === 'DELETE');
    for (const author of ['Cato', 'Cleo']) {
      await page.getByRole('button', { name: `Remove the comment by ${author}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    }
    await removals.letGo();
    await page.getByText('By Cleo, below Below').waitFor();
    await untilEqual(() => page.locator('.comment-row').count(), 0);
  });

  itSlow('changes a post as it stands after somebody else has', async () => {
    await createPosts(app, [{ title: 'Contested', slug: 'contested', is_published: false }]);
    const page = await open({ expectedComplaints: [/409/] });
    const list = postListPage(page, base);
    await list.open();
    await list.row('Contested').waitFor();
    const find = async () =>
      (await callAs<AdminPostPage>(base, ada, 'GET', `${adminPaths.posts}?q=Contested`)).items[0]!;
    const { id, version } = await find();
    await callAs(base, ada, 'PUT', adminPaths.publication(id), { version, is_published: true });
    await hold(page, (request) => isReading(request, adminPaths.posts));
    await list.button('Contested', 'Publish').click();
    await list.outcome.filter({ hasText: /“Contested” was changed meanwhile[^]*is now: Published/ }).waitFor();
    await list.button('Contested', 'Unpublish').click();
    await list.toast('Post unpublished').waitFor();
    expect(await find()).toMatchObject({ is_published: false });
  });

  itSlow('narrows a list by two things at once', async () => {
    await createPosts(app, [
      { title: 'Of both', category: 'Backup', tags: ['Cloud'] },
      { title: 'Of one', category: 'Backup', tags: null },
    ]);
    const page = await open();
    const list = postListPage(page, base);
    await list.open();
    for (const choice of ['Backup', 'Cloud'])
      await page.getByRole('option', { name: choice }).waitFor({ state: 'attached' });
    // In one go, as a browser hands out what was pressed while it was busy.
    await page.evaluate(() => {
      for (const value of ['Backup', 'Cloud']) {
        const select = [...document.querySelectorAll('select')].find((one) =>
          [...one.options].some((option) => option.value === value),
        )!;
        Object.assign(select, { value }).dispatchEvent(new Event('change', { bubbles: true }));
      }
    });
    await page.waitForURL(`${base}${paths.admin.blogs}?category=Backup&tag=Cloud`);
    await list.row('Of one').waitFor({ state: 'detached' });
    await untilEqual(() => list.titles(), ['Of both']);
  });

  itSlow('saves a fact again while an older reading of all of them arrives', async () => {
    const page = await open();
    await page.goto(base + paths.admin.company);
    const phone = page.locator('[name="phone"]');
    const save = page.getByRole('button', { name: 'Save draft' });
    const place = page.locator('.save-bar-where [role=status]');
    await phone.waitFor();
    const readings = await hold(page, (request) => isReading(request, adminPaths.settings('company')), {
      isOfOld: true,
    });
    await lookAgain(page);
    await readings.untilHeld();
    await phone.fill('(555) 010-0701');
    await save.click();
    await place.filter({ hasText: /draft/i }).waitFor();
    await readings.letGo();
    await phone.fill('(555) 010-0702');
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await save.click();
    expect((await saved).status()).toBe(200);
  });
});

async function changeRight(row: Locator, right: string): Promise<void> {
  await row.getByRole('combobox').selectOption(right);
  await row.getByRole('button', { name: /^Change/ }).click();
}

const focused = (page: Page, words: string) => page.locator(':focus').filter({ hasText: words }).waitFor();

/** Tells the page that somebody came back to it: it reads anew what it shows. */
const lookAgain = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));

const isReading = (request: Request, path: string) =>
  request.method() === 'GET' && new URL(request.url()).pathname.startsWith(path);

/**
 * Holds requests until they are let go, and no more of them then.
 * @param options `isOfOld` has the server answer at once: what is let go tells how it stood then
 */
async function hold(page: Page, isMeant: (request: Request) => boolean, { isOfOld = false } = {}) {
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  await page.route('**/api/admin/**', async (route: Route) => {
    if (!isHolding || !isMeant(route.request())) return route.fallback();
    const response = isOfOld ? await route.fetch() : undefined;
    // One that was given up meanwhile has nobody to answer.
    held.push(() => (response ? route.fulfill({ response }) : route.continue()).catch(() => undefined));
  });
  return {
    untilHeld: () => until(() => held.length > 0),
    letGo: async () => {
      await until(() => held.length > 0);
      isHolding = false;
      for (const go of held.splice(0)) await go();
    },
  };
}
