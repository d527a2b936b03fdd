import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { RemoteImageFetcher } from '../../src/import/images/remote-image-fetcher.js';
import { RemoteImagesService } from '../../src/import/remote-images.service.js';
import { accountsPage } from '../support/accounts-page.js';
import { createMember, endSessions, openSignedIn, startSession } from '../support/admin-area.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { openPage, recordRequests } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { pressControlAnd } from '../support/other-keyboards.js';
import { startPictureSite } from '../support/picture-site.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { startWritingSite, type WritingSite } from '../support/post-writing.js';
import { startS3Server } from '../support/s3-server.js';
import { itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

// A person, a browser and the real server.
describe('writing a post', () => {
  let site: WritingSite;

  beforeAll(async () => {
    site = await startWritingSite();
  });

  const focusedName = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.id);

  it('goes from an empty form to the public page by the keyboard alone', async () => {
    const { page, editor } = await site.open('/admin/blogs/new');
    await untilEqual(() => editor.heading.innerText(), 'Create New Blog Post');
    await untilEqual(() => editor.publishing.isChecked(), false);
    expect(await editor.field('Excerpt').getAttribute('rows')).toBe('3');
    expect(await editor.field('Tags').getAttribute('placeholder')).toBe('IT, Security, Cloud');

    // A save waits three seconds for the rules that the page checks, and has the server alone check then.
    await page.waitForFunction(holdsRules);
    await page.keyboard.press('Control+s');
    expect(await editor.toast('Validation error').innerText()).toContain('Title is required');
    await untilEqual(() => focusedName(page), 'title');
    await untilEqual(
      () => editor.form.locator('.field-error').allInnerTexts(),
      ['Title is required', 'Content is required', 'Slug is required', 'Author is required'],
    );
    const found: Record<string, string[]> = { light: await findViolations(page) };
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ ...found, dark: await findViolations(page, COLOR_RULES) }).toEqual({ light: [], dark: [] });

    await page.keyboard.type('Café & backups!');
    await untilEqual(() => editor.field('Slug').inputValue(), 'cafe-backups');
    await untilEqual(() => editor.form.locator('.field-error').count(), 2);
    await editor.tabTo('Content');
    await page.keyboard.type('Restore one file this week.');
    await editor.tabTo('Publish immediately');
    await page.keyboard.press('Space');
    await editor.tabTo('Author');
    await page.keyboard.type('Support desk');
    await editor.tabTo('Tags');
    await page.keyboard.type(' Backup, , Cloud,');
    await editor.tabTo('Save Post');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.base}/admin/blogs`);
    await editor.toast('Post created successfully').waitFor();
    await page.getByRole('article', { name: 'Café & backups!' }).filter({ hasText: 'Published' }).waitFor();
    const html = await site.publicPage('cafe-backups');
    expect(html).toContain('Restore one file this week.');
    expect(html).toMatch(/Backup[^]*Cloud/);

    await editor.open('/admin/blogs/new');
    expect(await editor.field('Author').inputValue()).toBe('Support desk');
    await editor.field('Tags').fill('IT, ');
    await editor.form.locator('datalist option[value="IT, Backup"]').waitFor({ state: 'attached' });
  });

  it('renews no token at its calls where the clock of the device is ahead', async () => {
    const { path } = await site.makePost();
    const page = await openPage({ width: 1440, reducedMotion: 'reduce' });
    await page.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 2 * 3_600_000;
    });
    const requests = recordRequests(page);
    await accountsPage(page, site.base).signIn(site.ann.email, site.ann.password);
    await postEditorPage(page, site.base).open(path);
    for (let calls = 0; calls < 3; calls += 1) {
      const told = page.waitForResponse((response) => response.url().endsWith('/presence'));
      // Whoever comes back to the page tells of it at once, and not at the next turn.
      await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
      await told;
    }
    const asked = requests
      .map((request) => new URL(request.url()))
      .filter(({ pathname }) => pathname.endsWith('/token'));
    expect(asked.map(({ search }) => search)).toEqual(['?grant_type=password']);
  });

  it('saves by Ctrl and S also on a keyboard without Latin letters', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    await editor.write(' Дальше.');
    await pressControlAnd(page, { key: 'ы', code: 'KeyS', keyCode: 83 });
    await page.waitForURL(`${site.base}/admin/blogs`);
    expect((await read()).saved.content).toBe('<p>As it was. Дальше.</p>');
  });

  itSlow('holds pictures in a bucket, code, formulas and videos, and asks what its pictures show', async () => {
    const other = await createTestApp(await startS3Server());
    const address = await other.listen();
    const session = await startSession(address, await createMember(other, 'bob@example.com'));
    const page = await openSignedIn(session);
    const editor = postEditorPage(page, address);
    await editor.open('/admin/blogs/new');
    await editor.field('Title').fill('A full post');
    await editor.field('Author').fill('Bob');
    const picture = {
      name: 'lamp.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 640, height: 360, channels: 3, background: 'teal' } })
        .png()
        .toBuffer(),
    };
    await editor.image.setInputFiles(picture);
    await editor.toast('Image uploaded successfully').waitFor();
    await editor.write('');
    await editor.tool('More').click();
    await editor.tool('Code block').click();
    await editor.text.locator('.ql-code-block').waitFor();
    await page.keyboard.type('const lamp = 1;\n');
    await editor.tool('Code block').click();
    await page.keyboard.type('A picture:');
    const chooser = page.waitForEvent('filechooser');
    await editor.tool('Picture').click();
    await (await chooser).setFiles(picture);
    await editor.dialog('Describe the picture').getByRole('button', { name: 'Later' }).click();
    await editor.text.locator('img[src^="/media/"]').waitFor();
    await editor.write('\n');
    await editor.tool('Formula').click();
    await editor.dialog('Add a formula').getByLabel('Formula in TeX').fill('a^2+b^2');
    await editor.dialog('Add a formula').getByRole('button').first().click();
    await editor.tool('Video').click();
    await editor.dialog('Add a video').getByLabel('Address').fill('https://youtu.be/dQw4w9WgXcQ');
    await editor.dialog('Add a video').getByLabel('Title').fill('A video');
    await editor.dialog('Add a video').getByRole('button').first().click();
    await editor.publishing.check();
    await editor.button('Save Post').click();

    const question = editor.dialog('What do these pictures show?');
    await question.getByRole('button', { name: 'Describe picture 1' }).click();
    await editor.dialog('Describe the picture').getByLabel('What does it show?').fill('A green lamp');
    await editor.dialog('Describe the picture').getByRole('button', { name: 'Save description' }).click();
    await editor.button('Save Post').click();
    const describeFeatured = question.getByRole('button', { name: 'Describe the featured image' });
    await describeFeatured.waitFor();
    await untilEqual(() => question.getByRole('listitem').count(), 1);
    await describeFeatured.click();
    // The question leads there; whoever types faster than it goes away types somewhere else.
    await page.getByLabel('Alternative text').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Patch cables');
    await editor.save();

    await page.goto(`${address}/blogs/a-full-post`);
    const post = page.locator('main article');
    await post.getByRole('img', { name: 'A green lamp' }).waitFor();
    await post.getByRole('img', { name: 'Patch cables' }).waitFor();
    expect(await post.locator('.katex').count()).toBeGreaterThan(0);
    expect(await post.locator('pre').innerText()).toContain('const lamp = 1;');
    expect(await post.locator('iframe').count()).toBe(0);
  });

  it('keeps the description of a featured image when the same file is chosen again', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    const buffer = await sharp({ create: { width: 64, height: 36, channels: 3, background: 'olive' } })
      .png()
      .toBuffer();
    const choose = async () => {
      const answered = page.waitForResponse('**/api/uploads');
      await editor.image.setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer });
      await answered;
      await editor.form.getByRole('progressbar').waitFor({ state: 'detached' });
    };
    await choose();
    await editor.form.getByLabel('Alternative text').fill('An olive lamp');
    await choose();
    await editor.save();
    expect((await read()).saved.image_alt).toBe('An olive lamp');
  });

  itSlow(
    'loads nothing of other sites, leaves a text with their pictures as it was, and has them fetched',
    async () => {
      const pictures = await startPictureSite('docs/images/editor.webp');
      site.app.get(RemoteImagesService).createFetcher = () =>
        new RemoteImageFetcher({ privateHosts: ['127.0.0.1'], limits: {}, pauseMs: 0 });
      const [one, two] = [`<img src="${pictures.url}/one" alt="One">`, `<img src="${pictures.url}/two" alt="Two">`];
      const content = `<p>Text ${one}</p><table><tbody><tr><td>${two}</td><td>b</td></tr></tbody></table>`;
      const post = await site.makePost({ content, image_url: `${pictures.url}/three`, image_alt: 'Three' });
      const { page, editor } = await site.open(post.path, { expectedComplaints: [/answer 422/, /status of 422/] });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const shown = () =>
        editor.text.locator('img').evaluateAll((all) => all.map((image) => image.getAttribute('src')));
      const isDrawn = (src: string | null) => src?.startsWith('data:image/svg+xml,') && src.includes('127.0.0.1');
      expect((await shown()).map(isDrawn)).toEqual([true, true]);
      await editor.field('Author').fill('Somebody else');
      await editor.save();
      expect((await post.read()).saved).toMatchObject({
        content,
        author: 'Somebody else',
        image_url: `${pictures.url}/three`,
      });

      await editor.open(post.path);
      await editor.form.getByText('2 pictures of this text are on other sites').waitFor();
      await editor.button('Fetch them').click();
      const alert = editor.form.getByRole('alert');
      await alert.getByText(`The picture ${pictures.url}/one was not fetched`).waitFor();
      await alert.getByText(`The picture ${pictures.url}/two was not fetched`).waitFor();
      pictures.open();
      await editor.button('Fetch them').click();
      await editor.button('Fetch them').waitFor({ state: 'detached' });
      // What is written of it meanwhile stays.
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api/uploads/remote', async (route) => {
        await held;
        await route.continue();
      });
      await editor.button('Fetch it from its site').click();
      await editor.field('Alternative text').fill('Three in words');
      release();
      await editor.button('Fetch it from its site').waitFor({ state: 'detached' });
      await editor.form.getByRole('progressbar').waitFor({ state: 'detached' });
      await editor.save();
      const { saved } = await post.read();
      expect(saved.image_alt).toBe('Three in words');
      expect(saved.image_url).toMatch(/^\/media\//);
      const here = (alt: string) => `<img src="${saved.image_url}" alt="${alt}">`;
      expect(saved.content).toBe(content.replace(one, here('One')).replace(two, here('Two')));
      expect(asked.filter((address) => address.startsWith(pictures.url))).toEqual([]);
    },
  );

  itSlow('keeps edits of a published post from its readers until they are saved', async () => {
    const { path, slug, read } = await site.makePost();
    const { page, editor } = await site.open(path, { hasOwnClock: true });
    await page.clock.install();
    await editor.open(path);
    await untilEqual(() => editor.heading.innerText(), 'Edit Blog Post');
    await editor.says(/^Saved .*\d\d:\d\d$/);
    await editor.field('Title').fill('Another title');
    await untilEqual(() => editor.field('Slug').inputValue(), slug);
    // What was typed is sent after a pause, which lasts here until it was looked at.
    await page.clock.pauseAt(Date.now() + 60_000);
    await editor.write(' Half a sent');
    await editor.says(/^Unsaved changes$/);
    await page.clock.resume();
    await editor.says(/^Changes not live yet$/);
    expect(await site.publicPage(slug)).not.toContain('Half a sent');
    expect((await read()).working_copy?.fields.title).toBe('Another title');

    // Left as it is, it is offered again.
    await editor.button('Cancel').click();
    await editor.dialog('Leave with unsaved changes?').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${site.base}/admin/blogs`);
    await editor.open(path);
    await untilEqual(() => editor.field('Title').inputValue(), 'Another title');
    page.once('dialog', (dialog) => void dialog.accept());
    await editor.button('Discard changes').click();
    await editor.toast('Changes discarded').waitFor();
    await page.locator('#tools-title:focus').waitFor();
    await untilEqual(() => editor.text.innerText(), 'As it was.');
    await editor.says(/^Saved/);
    await editor.write(' And more.');
    await editor.save();
    await editor.toast('Post updated successfully').waitFor();
    expect(await site.publicPage(slug)).toContain('As it was. And more.');
  });

  itSlow('says what is wrong beside the bar that saves and the fields, not over them', async () => {
    const { path } = await site.makePost();
    const { page, editor, session } = await site.open(path, { expectedComplaints: [/40[013]/] });
    // The bar is highest where it has a remedy.
    await endSessions(site.base, session);
    await editor.write(' Typed.');
    await editor.button('Enter password').waitFor();
    await editor.field('Title').fill('');
    await editor.field('Author').fill('');
    for (const [width, height] of [
      [360, 740],
      [768, 1024],
      [900, 700],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await editor.button('Save Post').click();
      // The bars take their places after the window has changed.
      await untilEqual(() => page.evaluate(countCovered), { width, covered: 0 });
    }
  });

  itSlow('shows a phone the text or what belongs to it, and turns to the field that is wrong', async () => {
    const { path } = await site.makePost();
    const { page, editor } = await site.open(path, { width: 360, height: 740 });
    expect(await editor.field('Slug').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.querySelector('.ql-editor')!.getBoundingClientRect().top < 370)).toBe(
      true,
    );
    await editor.button('Details').click();
    expect(await editor.text.isVisible()).toBe(false);
    await editor.field('Author').fill('');
    expect(await findViolations(page)).toEqual([]);
    await editor.button('Text').click();
    await editor.button('Save Post').click();
    await untilEqual(() => focusedName(page), 'author');
    await editor.field('Author').fill('Ann');
    await editor.save();
  });

  itSlow('is compared with its cells, captions, terms and footnotes as words of their own', async () => {
    const content =
      '<table><caption>Plan</caption><tbody><tr><td>Mon</td><td>Tue</td></tr></tbody></table>' +
      '<dl><dt>Lamp</dt><dd>Gives light</dd></dl><p>End<span class="ql-footnote">A note</span>.</p>';
    const { path } = await site.makePost({ content });
    const { page, editor } = await site.open(path);
    for (const words of [' One.', ' Two.']) {
      await editor.write(words);
      await editor.save();
      await editor.open(path);
    }
    await page.goto(`${site.base}${path}/revisions`);
    const versions = editor.dialog('Versions of this post');
    await versions
      .getByRole('button', { name: /^Compare/ })
      .nth(1)
      .click();
    const text = editor.dialog('Compare with the form').locator('.compare-text');
    await untilEqual(() => text.textContent(), 'Plan\nMon Tue\nLamp\nGives light\nEnd[Footnote: A note]. One. Two.');
  });

  itSlow('is compared with an earlier version and taken back to it, is copied and deleted', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    for (const words of [' One.', ' Two.']) {
      await editor.write(words);
      await editor.save();
      await editor.open(path);
    }
    await page.goto(`${site.base}${path}/revisions`);
    const versions = editor.dialog('Versions of this post');
    expect(await versions.getByRole('listitem').first().innerText()).toMatch(/ann@example\.com[^]*Saved, published/);
    await versions
      .getByRole('button', { name: /^Compare/ })
      .nth(1)
      .click();
    const comparison = editor.dialog('Compare with the form');
    await untilEqual(() => comparison.locator('.compare-text').innerText(), 'As it was. One. Two.');
    expect(await comparison.locator('ins').allInnerTexts()).toContain(' Two.');
    expect(await findViolations(page)).toEqual([]);
    await comparison.getByRole('button', { name: 'Restore into the form' }).click();
    await editor.says(/^Changes not live yet/);
    await untilEqual(() => editor.text.innerText(), 'As it was. One.');
    await editor.notices.getByRole('button', { name: 'Undo' }).click();
    await untilEqual(() => editor.text.innerText(), 'As it was. One. Two.');
    await page.goto(`${site.base}${path}/revisions`);
    await versions
      .getByRole('button', { name: /^Compare/ })
      .nth(1)
      .click();
    await comparison.getByRole('button', { name: 'Restore into the form' }).click();
    await editor.save();
    expect((await read()).saved.content).toBe('<p>As it was. One.</p>');

    await editor.open(path);
    const owner = page.getByLabel('Belongs to');
    expect(await owner.inputValue()).toBe('');
    await owner.selectOption({ index: 1 });
    await editor.button('Give the post').click();
    await editor.toast('The post belongs to somebody else now').waitFor();
    expect((await read()).owner?.id).toBe(await owner.inputValue());
    await editor.button('Duplicate').click();
    await editor.toast('Post duplicated').waitFor();
    await page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>('[name=title]')?.value.startsWith('Copy'),
    );
    const questions: string[] = [];
    page.once('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await editor.button('Delete').click();
    await page.waitForURL(`${site.base}/admin/blogs`);
    await editor.toast('Post deleted successfully').waitFor();
    expect(questions).toEqual(['Are you sure you want to delete this post?']);
  });

  itSlow('gives the post to whom was chosen, not to each that the arrow keys pass', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    const owner = page.getByLabel('Belongs to');
    const people = owner.locator('option');
    await people.nth(2).waitFor({ state: 'attached' });
    const requests = recordRequests(page);
    for (const key of ['ArrowDown', 'ArrowDown']) await owner.press(key);
    const chosen = await owner.inputValue();
    expect(chosen).toBe(await people.nth(2).getAttribute('value'));
    await editor.button('Give the post').press('Enter');
    await editor.toast('The post belongs to somebody else now').waitFor();
    expect((await read()).owner?.id).toBe(chosen);
    expect(requests.filter((request) => request.url().endsWith('/owner'))).toHaveLength(1);
    expect(await owner.inputValue()).toBe(chosen);
  });

  itSlow('is planned for a time, and read before by whoever has the link', async () => {
    const { path, read, slug } = await site.makePost({ is_published: false });
    const { page, editor } = await site.open(path, { expectedComplaints: [/422/] });
    const plan = async (time: string) => {
      await editor.form.getByLabel(/^Publish (later|at another time)/).fill(time);
      await editor.button('Schedule').click();
    };
    // Enter plans as the button does, instead of saving the post without the plan and leaving.
    const later = editor.form.getByLabel('Publish later');
    await later.fill('2020-01-05T09:00');
    await later.press('Enter');
    await editor.form.getByText('The time must be in the future').waitFor();
    await editor.write(' Unsaved.');
    await plan('2099-01-05T09:00');
    await editor.toast('Post scheduled').waitFor();
    await editor.form.getByText('Scheduled for Jan 5, 2099, 9:00 AM', { exact: true }).waitFor();
    await editor.button('Schedule').and(page.locator(':focus')).waitFor();
    expect(await read()).toMatchObject({ state: 'scheduled', scheduled_at: '2099-01-05T17:00:00.000Z' });
    expect((await read()).saved.content).toContain('Unsaved.');

    await editor.write(' Not for readers yet.');
    await editor.button('Preview').click();
    const link = editor.dialog('Preview').getByLabel('Link');
    await link.waitFor();
    const { pathname } = new URL(await link.inputValue());
    const preview = await (await fetch(site.base + pathname)).text();
    expect(preview).toContain('Not for readers yet.');
    expect(preview).toContain('noindex');
    expect((await fetch(`${site.base}/blogs/${slug}`)).status).toBe(404);
    await editor
      .dialog('Preview')
      .getByRole('button', { name: /^Withdraw the link made/ })
      .click();
    await editor.dialog('Preview').getByText('The link was withdrawn').waitFor();
    const title = editor.dialog('Preview').locator('h2:focus');
    await title.waitFor();
    expect((await fetch(site.base + pathname)).status).toBe(404);
    await editor.dialog('Preview').getByRole('button', { name: 'Make a new link' }).click();
    await link.waitFor();
    await title.waitFor();
    expect((await fetch(site.base + new URL(await link.inputValue()).pathname)).status).toBe(200);
    await editor.dialog('Preview').getByRole('button', { name: 'Close' }).click();
    await editor.button('Remove the schedule').click();
    await editor.toast('Schedule removed').waitFor();
    await page.locator('#publishing-title:focus').waitFor();
    expect(await read()).toMatchObject({ state: 'draft', scheduled_at: null });
    await page.close();
  });

  itSlow('keeps an open dialog where the window becomes narrow, and room around the text', async () => {
    const { path } = await site.makePost();
    const { page, editor } = await site.open(path);
    await editor.write(' Written on.');
    await editor.button('What goes live').click();
    const dialog = editor.dialog('What goes live');
    await dialog.waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await editor.button('What goes live').isVisible()).toBe(false);
    await editor.write(' Here too.');
    const places = await editor.text.evaluate((text) => {
      const paragraph = text.querySelector('p');
      if (paragraph === null) throw new Error('There is no paragraph');
      const [frame, words] = [text.getBoundingClientRect(), paragraph.getBoundingClientRect()];
      return { left: words.left - frame.left, right: frame.right - words.right, rest: window.innerWidth - frame.right };
    });
    // The frame of the focus and that of a picture without a description are drawn there.
    expect(Math.min(places.left, places.right, places.rest)).toBeGreaterThanOrEqual(8);
  });

  itSlow('runs words of right-to-left scripts from the right, in the form and in the list', async () => {
    const { page, editor } = await site.open('/admin/blogs/new');
    const title = 'שלום עולם!';
    const directionOf = (node: Element) => getComputedStyle(node).direction;
    await editor.field('Title').fill(title);
    await editor.field('Slug').fill('shalom');
    await editor.field('Author').fill('Ann');
    await editor.write('As it is.');
    expect(await editor.field('Title').evaluate(directionOf)).toBe('rtl');
    expect(await editor.field('Author').evaluate(directionOf)).toBe('ltr');
    await editor.save();
    expect(await page.getByRole('article', { name: title }).locator('h2 bdi').evaluate(directionOf)).toBe('rtl');
  });

  itSlow(
    'turns a line to the right whose first words come in one piece, as keyboards of phones give them',
    async () => {
      const { page, editor } = await site.open('/admin/blogs/new');
      await editor.text.focus();
      await page.keyboard.insertText('Hello שלום');
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('שלום עולם');
      await editor.text.locator('p.ql-direction-rtl', { hasText: 'שלום עולם' }).waitFor();
      expect(await editor.text.locator('p.ql-direction-rtl').count()).toBe(1);
    },
  );

  it('leads back to the list when there is no such post', async () => {
    const session = await startSession(site.base, site.ann);
    const page = await openSignedIn(session, { expectedComplaints: [/404/, /could not be loaded/] });
    await page.goto(`${site.base}/admin/blogs/2b0f8a0e-5f66-4a3f-9c1f-0d5f0a4f3a11`);
    await page.waitForURL(`${site.base}/admin/blogs`);
    expect(await postEditorPage(page, site.base).toast('Error').innerText()).toContain('Failed to load post');
  });
});

/** Runs in the page: whether the script that checks a post before it is sent has come. */
function holdsRules(): boolean {
  return performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/post-rules-'));
}

/** Runs in the page: how many messages lie over the save bar or over what is said of a field; null without messages. */
function countCovered(): { readonly width: number; readonly covered: number | null } {
  const kept = [...document.querySelectorAll('.save-bar, .field-error')].map((part) => part.getBoundingClientRect());
  const messages = [...document.querySelectorAll('[data-sonner-toast][data-mounted=true][data-removed=false]')];
  const boxes = messages.map((message) => message.getBoundingClientRect());
  const isOver = (a: DOMRect, b: DOMRect) =>
    a.bottom > b.top && a.top < b.bottom && a.right > b.left && a.left < b.right;
  const covered = boxes.filter((box) => kept.some((part) => isOver(box, part))).length;
  return { width: window.innerWidth, covered: boxes.length > 0 ? covered : null };
}
