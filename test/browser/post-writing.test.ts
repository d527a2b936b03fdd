import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { RemoteImageFetcher } from '../../src/import/images/remote-image-fetcher.js';
import { RemoteImagesService } from '../../src/import/remote-images.service.js';
import { TrashService } from '../../src/posts/trash.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import {
  callAs,
  createMember,
  endSessions,
  openSignedIn,
  startSession,
  type Member,
  type MemberSession,
} from '../support/admin-area.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import type { PageOptions } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { startPictureSite } from '../support/picture-site.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { startS3Server } from '../support/s3-server.js';
import { untilEqual } from '../support/until.js';

// A person, a browser and the real server.
describe('writing a post', () => {
  let app: TestApp;
  let base: string;
  let ann: Member;
  /** Looks things up, whatever becomes of the sessions of others. */
  let reader: MemberSession;
  let count = 0;

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
    ann = await createMember(app, 'ann@example.com');
    reader = await startSession(base, await createMember(app, 'reader@example.com'));
  });

  async function open(path: string, options: PageOptions = {}, member = ann) {
    const session = await startSession(base, member);
    const page = await openSignedIn(session, options);
    const editor = postEditorPage(page, base);
    await editor.open(path);
    return { page, editor, session };
  }

  /** A published post and where its editor is. */
  async function makePost(overrides: Parameters<typeof createPosts>[1][number] = {}) {
    count += 1;
    const title = `Written ${count}`;
    const slug = `written-${count}`;
    await createPosts(app, [{ title, slug, content: '<p>As it was.</p>', ...overrides }]);
    const { items } = await callAs<AdminPostPage>(base, reader, 'GET', `/api/admin/posts?q=${slug}`);
    const { id } = items[0]!;
    const read = () => callAs<AdminPost>(base, reader, 'GET', `/api/admin/posts/${id}`);
    return { slug, read, path: `/admin/blogs/edit/${id}` };
  }

  /** The page that readers get. */
  const publicPage = async (slug: string) => (await fetch(`${base}/blogs/${slug}`)).text();

  const focusedName = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.id);

  it('goes from an empty form to the public page by the keyboard alone', async () => {
    const { page, editor } = await open('/admin/blogs/new');
    await untilEqual(() => editor.heading.innerText(), 'Create New Blog Post');
    await untilEqual(() => editor.publishing.isChecked(), false);
    expect(await editor.field('Excerpt').getAttribute('rows')).toBe('3');
    expect(await editor.field('Tags').getAttribute('placeholder')).toBe('IT, Security, Cloud');

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
    await page.waitForURL(`${base}/admin/blogs`);
    await editor.toast('Post created successfully').waitFor();
    await page.getByRole('article', { name: 'Café & backups!' }).filter({ hasText: 'Published' }).waitFor();
    const html = await publicPage('cafe-backups');
    expect(html).toContain('Restore one file this week.');
    expect(html).toMatch(/Backup[^]*Cloud/);

    await editor.open('/admin/blogs/new');
    expect(await editor.field('Author').inputValue()).toBe('Support desk');
    await editor.field('Tags').fill('IT, ');
    await editor.form.locator('datalist option[value="IT, Backup"]').waitFor({ state: 'attached' });
  });

  it('holds pictures in a bucket, code, formulas and videos, and asks what its pictures show', async () => {
    const other = await createTestApp(await startS3Server());
    const site = await other.listen();
    const session = await startSession(site, await createMember(other, 'bob@example.com'));
    const page = await openSignedIn(session);
    const editor = postEditorPage(page, site);
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

    await page.goto(`${site}/blogs/a-full-post`);
    const post = page.locator('main article');
    await post.getByRole('img', { name: 'A green lamp' }).waitFor();
    await post.getByRole('img', { name: 'Patch cables' }).waitFor();
    expect(await post.locator('.katex').count()).toBeGreaterThan(0);
    expect(await post.locator('pre').innerText()).toContain('const lamp = 1;');
    expect(await post.locator('iframe').count()).toBe(0);
  });

  it('loads nothing of other sites, leaves a text with their pictures as it was, and has them fetched', async () => {
    const site = await startPictureSite('docs/images/editor.webp');
    app.get(RemoteImagesService).createFetcher = () =>
      new RemoteImageFetcher({ privateHosts: ['127.0.0.1'], limits: {}, pauseMs: 0 });
    const [one, two] = [`<img src="${site.url}/one" alt="One">`, `<img src="${site.url}/two" alt="Two">`];
    const content = `<p>Text ${one}</p><table><tbody><tr><td>${two}</td><td>b</td></tr></tbody></table>`;
    const post = await makePost({ content, image_url: `${site.url}/three`, image_alt: 'Three' });
    const { page, editor } = await open(post.path, { expectedComplaints: [/answer 422/, /status of 422/] });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const shown = () => editor.text.locator('img').evaluateAll((all) => all.map((image) => image.getAttribute('src')));
    const isDrawn = (src: string | null) => src?.startsWith('data:image/svg+xml,') && src.includes('127.0.0.1');
    expect((await shown()).map(isDrawn)).toEqual([true, true]);
    await editor.field('Author').fill('Somebody else');
    await editor.save();
    expect((await post.read()).saved).toMatchObject({
      content,
      author: 'Somebody else',
      image_url: `${site.url}/three`,
    });

    await editor.open(post.path);
    await editor.form.getByText('2 pictures of this text are on other sites').waitFor();
    await editor.button('Fetch them').click();
    const alert = editor.form.getByRole('alert');
    await alert.getByText(`The picture ${site.url}/one was not fetched`).waitFor();
    await alert.getByText(`The picture ${site.url}/two was not fetched`).waitFor();
    site.open();
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
    expect(asked.filter((address) => address.startsWith(site.url))).toEqual([]);
  });

  it('keeps edits of a published post from its readers until they are saved', async () => {
    const { path, slug, read } = await makePost();
    const { page, editor } = await open(path, { hasOwnClock: true });
    await page.clock.install();
    await editor.open(path);
    await untilEqual(() => editor.heading.innerText(), 'Edit Blog Post');
    await editor.says(/^Saved \d\d:\d\d$/);
    await editor.field('Title').fill('Another title');
    await untilEqual(() => editor.field('Slug').inputValue(), slug);
    // What was typed is sent after a pause, which lasts here until it was looked at.
    await page.clock.pauseAt(Date.now() + 60_000);
    await editor.write(' Half a sent');
    await editor.says(/^Unsaved changes$/);
    await page.clock.resume();
    await editor.says(/^Changes not live yet$/);
    expect(await publicPage(slug)).not.toContain('Half a sent');
    expect((await read()).working_copy?.fields.title).toBe('Another title');

    // Left as it is, it is offered again.
    await editor.button('Cancel').click();
    await editor.dialog('Leave with unsaved changes?').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${base}/admin/blogs`);
    await editor.open(path);
    await untilEqual(() => editor.field('Title').inputValue(), 'Another title');
    page.once('dialog', (dialog) => void dialog.accept());
    await editor.button('Discard changes').click();
    await editor.toast('Changes discarded').waitFor();
    await untilEqual(() => editor.text.innerText(), 'As it was.');
    await editor.says(/^Saved/);
    await editor.write(' And more.');
    await editor.save();
    await editor.toast('Post updated successfully').waitFor();
    expect(await publicPage(slug)).toContain('As it was. And more.');
  });

  it('shows both versions when a race is lost, and throws neither away', async () => {
    const { path, read } = await makePost();
    const bob = await createMember(app, 'bob@example.com');
    const mine = await open(path, { expectedComplaints: [/409/] });
    const theirs = await open(path, {}, bob);
    await theirs.editor.write(' By Bob.');
    await theirs.editor.save();
    await mine.editor.write(' By Ann.');
    await mine.editor.button('Save Post').click();
    const dialog = mine.editor.dialog('This post was changed meanwhile');
    await dialog.waitFor();
    await untilEqual(
      () => dialog.locator('.compare-text').allInnerTexts(),
      ['As it was. By Ann.', 'As it was. By Bob.'],
    );
    expect(await dialog.locator('p').first().innerText()).toContain('bob@example.com');
    expect(await findViolations(mine.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Continue editing' }).click();
    await mine.editor.says(/^Conflict$/);
    await mine.editor.button('Compare both versions').click();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await mine.editor.says(/^Saved/);
    await untilEqual(() => mine.editor.text.innerText(), 'As it was. By Bob.');

    // Mine lies on this device, and goes into the form and back.
    await mine.editor.copies.getByRole('button', { name: 'Restore' }).click();
    await untilEqual(() => mine.editor.text.innerText(), 'As it was. By Ann.');
    await mine.editor.notices.getByRole('button', { name: 'Undo' }).click();
    await untilEqual(() => mine.editor.text.innerText(), 'As it was. By Bob.');
    await mine.editor.copies.getByRole('button', { name: 'Restore' }).click();
    await mine.editor.save();
    expect((await read()).saved.content).toContain('By Ann.');
  });

  it('puts together what two people wrote, and asks where both changed the same passage', async () => {
    const { path, read } = await makePost({
      content: '<p>One.</p><p>Two.</p><p>Three.</p>',
      excerpt: null,
      category: null,
    });
    const begun = await callAs<AdminPost>(base, reader, 'PUT', `/api/admin/posts/${(await read()).id}`, {
      ...(await read()).saved,
      version: 1,
    });
    const cleo = await createMember(app, 'cleo@example.com');
    const mine = await open(path, { expectedComplaints: [/409/] });
    const theirs = await open(path, {}, cleo);
    const { page } = mine;
    await theirs.editor.field('Category').fill('Lamps');
    await theirs.editor.text.focus();
    await theirs.page.keyboard.press('Control+Home');
    await theirs.page.keyboard.type('Cleo, ');
    await theirs.editor.write(' Cleo.');
    await theirs.editor.save();
    await mine.editor.field('Excerpt').fill('By Ann.');
    await mine.editor.write(' Ann.');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.type(' Too.');
    await mine.editor.button('Save Post').click();
    const dialog = mine.editor.dialog('This post was changed meanwhile');
    await dialog.getByText('From cleo@example.com').first().waitFor();
    await untilEqual(
      () => dialog.locator('.merge-change').allInnerTexts(),
      [
        'From you\n\nBy Ann.',
        'From you\n\nOne. Too.\n\nFrom cleo@example.com, elsewhere in the same passage\n\nCleo, One.',
        'From cleo@example.com\n\nLamps',
      ],
    );

    // With the keyboard alone. Nothing is chosen for anybody.
    await mine.editor.tabTo('Put both into the form');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('One passage was changed by both of you').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('radio');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await dialog.getByRole('radio', { name: 'Both, mine first' }).isChecked()).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, COLOR_RULES)).toEqual([]);
    await mine.editor.tabTo('Put both into the form');
    await page.keyboard.press('Enter');
    await mine.editor.toast('Both texts are in the form').waitFor();
    await untilEqual(
      () => mine.editor.text.locator('p').allInnerTexts(),
      ['Cleo, One. Too.', 'Two.', 'Three. Ann.', 'Three. Cleo.'],
    );
    await page.waitForFunction(() => document.activeElement?.classList.contains('ql-editor'));
    expect((await read()).saved).toMatchObject({ excerpt: '', category: 'Lamps' });
    await mine.editor.copies.getByText('Your version, which another one replaced').waitFor();

    await mine.editor.save();
    const { saved } = await read();
    expect(saved).toMatchObject({ excerpt: 'By Ann.', category: 'Lamps' });
    expect(saved.content).toBe('<p>Cleo, One. Too.</p><p>Two.</p><p>Three. Ann.</p><p>Three. Cleo.</p>');
    await mine.editor.open(path);
    await untilEqual(() => mine.editor.copies.count(), 0);

    // A text of this device that is older than what others saved does not take its place unseen.
    const { id } = await read();
    const fields = { ...begun.saved, content: '<p>One.</p><p>Two, on a train.</p><p>Three.</p>' };
    const copy = {
      postId: id,
      version: begun.version,
      at: '2026-01-01T00:00:00Z',
      reason: 'unsent',
      fields,
      base: '1',
    };
    const { user } = mine.session as MemberSession & { readonly user: { readonly id: string } };
    const item = [`post-copy-2:${user.id}:${id}:late`, JSON.stringify(copy)] as const;
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), item);
    await mine.editor.open(path);
    await mine.editor.copies.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByRole('button', { name: 'Put both into the form' }).click();
    await untilEqual(
      () => mine.editor.text.locator('p').allInnerTexts(),
      ['Cleo, One. Too.', 'Two, on a train.', 'Three. Ann.', 'Three. Cleo.'],
    );
    expect(await mine.editor.field('Category').inputValue()).toBe('Lamps');
  });

  it('is shown to others who have it open, with who they are and what they save', async () => {
    const { path } = await makePost();
    const bea = await createMember(app, 'bea@example.com');
    const mine = await open(path);
    const theirs = await open(path, {}, bea);
    await untilEqual(() => mine.editor.presence.innerText(), 'bea@example.com has this post open, too.');
    await untilEqual(() => theirs.editor.presence.innerText(), 'ann@example.com has this post open, too.');
    await theirs.editor.write(' By Bea.');
    await theirs.editor.save();
    await mine.editor.presence.getByText(/bea@example\.com saved this post at \d\d:\d\d\./).waitFor();
    expect(await findViolations(mine.page)).toEqual([]);
    await mine.editor.button('Show it').click();
    await untilEqual(() => mine.editor.text.innerText(), 'As it was. By Bea.');
    // The button that had the focus is gone.
    await mine.page.waitForFunction(() => document.activeElement?.classList.contains('ql-editor'));
    await mine.editor.says(/^Saved \d\d:\d\d$/);
  });

  it('survives a crash, a lost network and an ended session', async () => {
    const { path, read } = await makePost();
    const complaints = [/40[013]/, /ERR_INTERNET_DISCONNECTED/];
    const { page, editor, session } = await open(path, { expectedComplaints: complaints });
    const text = async () => (await read()).working_copy?.fields.content;

    await page.waitForFunction(holdsParts, ['toast-region', 'markdown-to-html', 'post-rules']);
    await page.context().setOffline(true);
    await editor.write(' Written in a tunnel.');
    await editor.says(/^Offline – kept on this device$/);
    await page.keyboard.press('Control+Home');
    await editor.paste('# In the dark\n\nNo **light**.\n\n');
    await untilEqual(() => editor.text.locator('h2, strong').allInnerTexts(), ['In the dark', 'light']);
    await editor.toast('Markdown was formatted').waitFor();
    const doomed = page.context();
    await page.waitForFunction(holdsCopyOf, 'Written in a tunnel.');
    await page.close({ runBeforeUnload: false });
    await doomed.setOffline(false);

    const next = await doomed.newPage();
    // It cannot be had while the network is away, and never again once another release runs.
    await next.route(/\/assets\/post-rules-/, (route) => route.abort());
    const reopened = postEditorPage(next, base);
    await reopened.open(path);
    await untilEqual(() => reopened.text.innerText(), 'As it was.');
    await reopened.copies.getByRole('button', { name: 'Restore' }).click();
    await reopened.says(/^Changes not live yet/);
    expect(await text()).toContain('Written in a tunnel.');
    await reopened.copies.waitFor({ state: 'detached' });

    await doomed.setOffline(true);
    await reopened.write(' Again.');
    await reopened.says(/^Offline/);
    await doomed.setOffline(false);
    await reopened.says(/^Changes not live yet/);
    expect(await text()).toContain('Again.');

    await endSessions(base, session);
    await reopened.write(' After all.');
    await reopened.button('Save Post').click();
    const prompt = next.getByRole('dialog', { name: 'Sign in again to go on' });
    await prompt.locator('[name=password]').fill(ann.password);
    await prompt.getByRole('button', { name: 'Sign In' }).click();
    await next.waitForURL(`${base}/admin/blogs`);
    expect((await read()).saved.content).toContain('Written in a tunnel. Again. After all.');
  });

  it('is offered for another post when its own was deleted for good meanwhile', async () => {
    const { path, read } = await makePost();
    const { page, editor } = await open(path, { expectedComplaints: [/404/, /ERR_INTERNET_DISCONNECTED/] });
    await page.context().setOffline(true);
    await editor.write(' Written in a cellar.');
    await editor.says(/^Offline – kept on this device$/);
    await page.waitForFunction(holdsCopyOf, 'Written in a cellar.');
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    await context.setOffline(false);
    const { id, version } = await read();
    const trashed = await app.get(TrashService).trash(OPERATOR, id, version);
    await app.get(TrashService).deletePermanently(OPERATOR, id, trashed.version);

    const next = postEditorPage(await context.newPage(), base);
    await next.open('/admin/blogs/new');
    await next.copies.getByText('The post that it belongs to is not there any more').waitFor();
    await next.copies.getByRole('button', { name: 'Restore' }).click();
    await next.copies.waitFor({ state: 'detached' });
    await next.save();
    const { items } = await callAs<AdminPostPage>(base, reader, 'GET', '/api/admin/posts?q=cellar');
    expect(items.map(({ id: other }) => other === id)).toEqual([false]);
  });

  it('says what is wrong beside the bar that saves and the fields, not over them', async () => {
    const { path } = await makePost();
    const { page, editor, session } = await open(path, { expectedComplaints: [/40[013]/] });
    // The bar is highest where it has a remedy.
    await endSessions(base, session);
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

  it('shows a phone the text or what belongs to it, and turns to the field that is wrong', async () => {
    const { path } = await makePost();
    const { page, editor } = await open(path, { width: 360, height: 740 });
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

  it('is compared with an earlier version and taken back to it, is copied and deleted', async () => {
    const { path, read } = await makePost();
    const { page, editor } = await open(path);
    for (const words of [' One.', ' Two.']) {
      await editor.write(words);
      await editor.save();
      await editor.open(path);
    }
    await page.goto(`${base}${path}/revisions`);
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
    await page.goto(`${base}${path}/revisions`);
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
    await page.waitForURL(`${base}/admin/blogs`);
    await editor.toast('Post deleted successfully').waitFor();
    expect(questions).toEqual(['Are you sure you want to delete this post?']);
  });

  it('can be saved again when nobody answers an upload', async () => {
    const { path } = await makePost();
    const { page, editor } = await open(path, { hasOwnClock: true });
    await page.clock.install();
    const asked = new Promise<void>((resolve) => {
      void page.route('**/api/uploads', () => resolve());
    });
    await editor.text.click();
    const chooser = editor.form.locator('.editor-field input[type=file]');
    const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#963' } })
      .png()
      .toBuffer();
    await chooser.setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer });
    await page.getByRole('dialog').getByRole('button', { name: 'Later' }).click();
    await asked;
    expect(await editor.button('Save Post').isEnabled()).toBe(false);
    await page.clock.fastForward(61_000);
    await editor.form.getByRole('alert').getByText('slow.png was not uploaded: The server could not be').waitFor();
    await editor.save();
  });

  it('is planned for a time, and read before by whoever has the link', async () => {
    const { path, read, slug } = await makePost({ is_published: false });
    const { page, editor } = await open(path, { expectedComplaints: [/422/] });
    const plan = async (time: string) => {
      await editor.form.getByLabel(/^Publish (later|at another time)/).fill(time);
      await editor.button('Schedule').click();
    };
    await plan('2020-01-05T09:00');
    await editor.form.getByText('The time must be in the future').waitFor();
    await editor.write(' Unsaved.');
    await plan('2099-01-05T09:00');
    await editor.toast('Post scheduled').waitFor();
    await editor.form.getByText('Scheduled for Jan 5, 2099, 9:00 AM', { exact: true }).waitFor();
    expect(await read()).toMatchObject({ state: 'scheduled', scheduled_at: '2099-01-05T17:00:00.000Z' });
    expect((await read()).saved.content).toContain('Unsaved.');

    await editor.write(' Not for readers yet.');
    await editor.button('Preview').click();
    const link = editor.dialog('Preview').getByLabel('Link');
    await link.waitFor();
    const { pathname } = new URL(await link.inputValue());
    const preview = await (await fetch(base + pathname)).text();
    expect(preview).toContain('Not for readers yet.');
    expect(preview).toContain('noindex');
    expect((await fetch(`${base}/blogs/${slug}`)).status).toBe(404);
    await editor
      .dialog('Preview')
      .getByRole('button', { name: /^Withdraw the link made/ })
      .click();
    await editor.dialog('Preview').getByText('The link was withdrawn').waitFor();
    expect((await fetch(base + pathname)).status).toBe(404);
    await editor.dialog('Preview').getByRole('button', { name: 'Make a new link' }).click();
    await link.waitFor();
    expect((await fetch(base + new URL(await link.inputValue()).pathname)).status).toBe(200);
    await editor.dialog('Preview').getByRole('button', { name: 'Close' }).click();
    await editor.button('Remove the schedule').click();
    await editor.toast('Schedule removed').waitFor();
    expect(await read()).toMatchObject({ state: 'draft', scheduled_at: null });
    await page.close();
  });

  it('is not left by mistake', async () => {
    const { path } = await makePost();
    const { page, editor } = await open(path);
    await editor.field('Excerpt').fill('Half an ex');
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      });
    });
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    await page.getByRole('link', { name: 'Media' }).click();
    const dialog = editor.dialog('Leave with unsaved changes?');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Media');
    expect(await editor.field('Excerpt').inputValue()).toBe('Half an ex');
    await editor.button('Cancel').click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL(`${base}/admin/blogs`);
    await editor.open(path);
    expect(await editor.field('Excerpt').inputValue()).not.toBe('Half an ex');
    expect(await editor.copies.count()).toBe(0);
  });

  it('is not left without a word while a picture is on its way', async () => {
    const { path, read } = await makePost();
    const { page, editor } = await open(path);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/uploads', async (route) => {
      await held;
      await route.continue();
    });
    const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#369' } })
      .png()
      .toBuffer();
    await editor.text.click();
    const chooser = editor.form.locator('.editor-field input[type=file]');
    await chooser.setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer });
    await page.getByRole('dialog').getByRole('button', { name: 'Later' }).click();
    await page.getByRole('link', { name: 'Media' }).click();
    const dialog = editor.dialog('Leave with unsaved changes?');
    await dialog.getByText('A picture is still on its way').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Keep editing', 'Leave']);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (question) => {
        resolve(question.type());
        void question.dismiss();
      });
    });
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    release();
    await editor.says(/^Changes not live yet/);
    expect((await read()).working_copy?.fields.content).toContain('<img src="/media/');
  });

  it('leads back to the list when there is no such post', async () => {
    const session = await startSession(base, ann);
    const page = await openSignedIn(session, { expectedComplaints: [/404/, /could not be loaded/] });
    await page.goto(`${base}/admin/blogs/2b0f8a0e-5f66-4a3f-9c1f-0d5f0a4f3a11`);
    await page.waitForURL(`${base}/admin/blogs`);
    expect(await postEditorPage(page, base).toast('Error').innerText()).toContain('Failed to load post');
  });
});

/** Runs in the page: whether these parts of the scripts have come. */
function holdsParts(names: readonly string[]): boolean {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  return names.every((name) => files.some((file) => file.includes(`/assets/${name}-`)));
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

/** Runs in the page: whether a copy on this device, with what was changed since it was written whole, has these words. */
function holdsCopyOf(words: string): boolean {
  interface Kept {
    readonly base?: string;
    readonly fields?: { readonly content?: string };
    readonly content?: { readonly from: number; readonly to: number; readonly text: string };
  }
  const names = Object.keys(localStorage).filter((key) => key.startsWith('post-copy'));
  const kept = names.map((key) => JSON.parse(localStorage.getItem(key) ?? '{}') as Kept);
  return kept.some(({ base, fields: { content = '' } = {} }) => {
    const change = kept.find((other) => other.base === base && other.content !== undefined)?.content;
    const text = change ? content.slice(0, change.from) + change.text + content.slice(change.to) : content;
    return text.includes(words);
  });
}
