import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Page, Request, Route } from 'playwright-core';
import { adminPaths } from '../../src/shared/admin-paths.js';
import type { AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import { callAs, openSignedIn, startSession } from '../support/admin-area.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { startWritingSite, type WritingSite } from '../support/post-writing.js';
import { until, untilEqual } from '../support/until.js';

// Nothing that somebody asked for happens later under their hands, and nothing that they wrote goes with it.
describe('an answer that comes late, or never', () => {
  let site: WritingSite;

  beforeAll(async () => {
    site = await startWritingSite();
  });

  const isKeeping = (request: Request) => request.method() === 'PUT' && request.url().endsWith('/working-copy');

  async function findDrafts(words: string) {
    const { items } = await callAs<AdminPostPage>(site.base, site.others, 'GET', `${adminPaths.posts}?q=${words}`);
    return items;
  }

  it('to an autosave lets who leaves throw the changes away after it, and never while they write on', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    const keeping = await hold(page, isKeeping);
    await editor.write(' Thrown away.');
    await keeping.arrived();
    await editor.button('Cancel').click();
    const dialog = editor.dialog('Leave with unsaved changes?');
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.getByRole('button', { name: 'Discarding...' }).and(page.locator(':focus')).waitFor();
    // Nobody can write on: what they wrote would go with the rest.
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { disabled: true }).count()).toBe(3);
    await keeping.letGo();
    await page.waitForURL(`${site.base}/admin/blogs`);
    expect(await read()).toMatchObject({ working_copy: null, saved: { content: '<p>As it was.</p>' } });
    await editor.open(path);
    await untilEqual(() => editor.text.innerText(), 'As it was.');
    expect(await editor.copies.count()).toBe(0);
  });

  it('to a save leaves the focus on its button, and what was typed meanwhile to the next save', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    const saving = await hold(page, (request) => request.method() === 'PUT' && !isKeeping(request));
    await editor.write(' One.');
    await editor.button('Save Post').press('Enter');
    await saving.arrived();
    await editor.write(' Two.');
    const busy = editor.button('Saving...');
    await busy.focus();
    expect(await busy.getAttribute('aria-disabled')).toBe('true');
    // A press meanwhile saves nothing, neither twice nor what came later.
    await busy.press('Enter');
    await saving.letGo();
    await editor.button('Save Post').and(page.locator(':focus')).waitFor();
    await editor.says(/^Changes not live yet$/);
    expect((await read()).saved.content).toBe('<p>As it was. One.</p>');
    await editor.save();
    expect((await read()).saved.content).toBe('<p>As it was. One. Two.</p>');
  });

  it('to the first autosave of a post leaves nothing of a draft that its author deleted', async () => {
    const { page, editor } = await site.open('/admin/blogs/new');
    const keeping = await hold(page, isKeeping);
    await editor.field('Title').fill('Never to be seen');
    await keeping.arrived();
    await editor.button('Cancel').click();
    await editor.dialog('Leave with unsaved changes?').getByRole('button', { name: 'Delete this draft' }).click();
    await keeping.letGo();
    await page.waitForURL(`${site.base}/admin/blogs`);
    expect(await findDrafts('Never')).toEqual([]);
  });

  it('to an autosave that fails deletes nothing afterward', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path, { expectedComplaints: [/ERR_FAILED/] });
    page.on('dialog', (question) => void question.accept());
    const keeping = await hold(page, isKeeping);
    await editor.write(' Written on.');
    await keeping.arrived();
    await editor.button('Delete').click();
    await keeping.letGo((route) => route.abort());
    await editor.toast('Failed to delete post').waitFor();
    await until(async () => (await read()).working_copy !== null);
    await editor.says(/^Changes not live yet/);
    expect(await read()).toMatchObject({ state: 'published', working_copy: { kept_by: 'ann@example.com' } });
    await editor.button('Delete').click();
    await editor.toast('Post deleted successfully').waitFor();
    expect(await read()).toMatchObject({ state: 'trashed' });
  });

  const pages = [
    ['sends a page', { contentType: 'text/html', body: '<title>Sign in to the guest network</title>' }],
    ['gives up waiting', { status: 408, contentType: 'text/html', body: '<title>Request timeout</title>' }],
    ['knows no server', { status: 404, contentType: 'text/plain', body: 'default backend - 404' }],
  ] as const;

  it.each(pages)(
    'in whose place something in between %s keeps the text here, which is sent by itself later',
    async (_name, answer) => {
      const { path, read } = await site.makePost();
      const { page, editor } = await site.open(path, { expectedComplaints: [/408|404/] });
      const stepIn = (route: Route) => (isKeeping(route.request()) ? route.fulfill(answer) : route.fallback());
      await page.route('**', stepIn);
      await editor.write(' Written on.');
      await editor.says(/^Offline – kept on this device/);
      await page.unroute('**', stepIn);
      await until(async () => (await read()).working_copy !== null);
      await editor.says(/^Changes not live yet/);
      expect(await read()).toMatchObject({ state: 'published', working_copy: { kept_by: 'ann@example.com' } });
    },
  );

  it('of a server that does not know a field leaves that field here, and saves it once a server does', async () => {
    const { id, path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
    const upgrade = await forget(page, id, 'seo_title');
    await editor.form.locator('summary', { hasText: 'Search and sharing' }).click();
    await editor.field('Title in search results').fill('Found');
    await editor.write(' And more.');
    await editor.button('Save Post').click();
    await editor.toast('did not take all of your text').waitFor();
    await editor.says(/^Not saved/);
    expect((await read()).saved).toMatchObject({ content: '<p>As it was. And more.</p>', seo_title: '' });
    const stored = () => page.evaluate(() => JSON.stringify(localStorage));
    expect(await stored()).toContain('Found');
    await upgrade();
    await page.waitForURL(`${site.base}/admin/blogs`);
    expect(await read()).toMatchObject({ saved: { seo_title: 'Found' }, working_copy: null });
    expect(await stored()).not.toContain('Found');
  });

  it('to the question who wrote since a text of this device began loses nothing that is typed meanwhile', async () => {
    const { id, path, read } = await site.makePost();
    const { page, editor, session } = await site.open(path);
    const begun = await read();
    await editor.write(' And more.');
    await editor.save();
    const fields = { ...begun.saved, content: '<p>On a train.</p>' };
    const copy = {
      postId: id,
      version: begun.version,
      at: '2026-01-01T00:00:00Z',
      reason: 'unsent',
      fields,
      base: '1',
    };
    const { user } = session as typeof session & { readonly user: { readonly id: string } };
    const item = [`post-copy-2:${user.id}:${id}:late`, JSON.stringify(copy)] as const;
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), item);
    await editor.open(path);
    const asking = await hold(page, (request) => new URL(request.url()).pathname === adminPaths.revisions(id));
    // Pressed twice, it is restored once.
    await editor.copies.getByRole('button', { name: 'Restore' }).dblclick();
    await asking.arrived();
    await editor.write(' Meanwhile.');
    await asking.letGo();
    await untilEqual(() => editor.text.innerText(), 'On a train.');
    await editor.notices.getByRole('button', { name: 'Undo' }).click();
    await untilEqual(() => editor.text.innerText(), 'As it was. And more. Meanwhile.');
  });

  it('that never comes after a post was deleted says nothing against its deletion', async () => {
    const { id, path, read } = await site.makePost();
    const { page, editor } = await site.open(path, { expectedComplaints: [/ERR_FAILED/] });
    page.on('dialog', (question) => void question.accept());
    await page.route(`**${adminPaths.post(id)}`, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    );
    await editor.button('Delete').click();
    await page.locator('[data-sonner-toast]').waitFor();
    expect(await page.locator('[data-sonner-toast]').innerText()).toContain('Post deleted successfully');
    expect(await read()).toMatchObject({ state: 'trashed', deleted_by: 'ann@example.com' });
  });

  it('to the reading after somebody has signed in again leads nobody away from what they write', async () => {
    const { id, path } = await site.makePost();
    const { page, editor, session } = await site.open(path, { expectedComplaints: [/404/] });
    // As the accounts' client does in another tab.
    const tell = (event: string, now: typeof session | null) =>
      page.evaluate((message) => new BroadcastChannel('supabase.auth.token').postMessage(message), {
        event,
        session: now,
      });
    const notice = page.getByText('You have been signed out. What you see here is kept');
    const isReading = (url: URL) => url.pathname === adminPaths.post(id);
    await page.route(isReading, (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ status: 404, json: { code: 'post_not_found', message: 'There is no such post' } })
        : route.fallback(),
    );
    await tell('SIGNED_OUT', null);
    await notice.waitFor();
    const read = page.waitForResponse((answer) => isReading(new URL(answer.url())));
    await tell('SIGNED_IN', session);
    await notice.waitFor({ state: 'detached' });
    await (await read).finished();
    await editor.write(' Still here.');
    await editor.says(/^Changes not live yet/);
    expect(page.url()).toBe(site.base + path);
  });

  it('that somebody else was faster is told, where no text was lost and no dialog tells', async () => {
    const { id, path, read } = await site.makePost({ is_published: false });
    const { page, editor } = await site.open(path, { expectedComplaints: [/409/] });
    page.on('dialog', (question) => void question.accept());
    const { version } = await read();
    const publish_at = '2099-01-05T09:00:00.000Z';
    await callAs(site.base, site.others, 'PUT', adminPaths.schedule(id), { version, publish_at });
    await editor.button('Delete').click();
    await editor.toast('The post was changed meanwhile').waitFor();
    expect(await read()).toMatchObject({ state: 'scheduled' });
    await editor.button('Delete').click();
    await editor.toast('Post deleted successfully').waitFor();
  });

  it('to a press of Duplicate is one copy, however often it is pressed', async () => {
    const { title, path } = await site.makePost();
    const { page, editor } = await site.open(path);
    await editor.button('Duplicate').dblclick();
    await editor.toast('Post duplicated').first().waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(path));
    await page.waitForLoadState('networkidle');
    expect(await findDrafts(encodeURIComponent(`Copy of ${title}`))).toHaveLength(1);
  });

  it('to an upload is waited for by saving and planning, and missed where another text takes its place', async () => {
    const { id, path, read } = await site.makePost({ is_published: false });
    const { page, editor } = await site.open(path, { expectedComplaints: [/409/] });
    const uploading = await hold(page, (request) => request.url().endsWith('/api/uploads'));
    await editor.form.getByLabel('Publish later').fill('2099-01-05T09:00');
    expect(await editor.button('Schedule').isDisabled()).toBe(false);
    await editor.text.click();
    const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#369' } })
      .png()
      .toBuffer();
    const chooser = editor.form.locator('.editor-field input[type=file]');
    await chooser.setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer });
    await page.getByRole('dialog').getByRole('button', { name: 'Later' }).click();
    await uploading.arrived();
    await page.keyboard.press('Control+s');
    await editor.toast('A picture is still on its way').waitFor();
    expect(await editor.button('Schedule').isDisabled()).toBe(true);

    const { version, saved } = await read();
    const theirs = { ...saved, content: '<p>Theirs.</p>', version };
    await callAs(site.base, site.others, 'PUT', adminPaths.post(id), theirs);
    await editor.write(' Mine.');
    const dialog = editor.dialog('This post was changed meanwhile');
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await editor.toast('A picture did not arrive').waitFor();
    await untilEqual(() => editor.text.innerText(), 'Theirs.');
    expect(await editor.button('Save Post').isDisabled()).toBe(false);
    await uploading.letGo((route) => route.abort());
  });

  it('of a script that a save would like to have holds it up for moments only', async () => {
    const { path, read } = await site.makePost();
    const page = await openSignedIn(await startSession(site.base, site.ann));
    const scripts = await hold(page, (request) => request.url().includes('post-rules'));
    const editor = postEditorPage(page, site.base);
    await editor.open(path);
    await scripts.arrived();
    await editor.write(' Saved.');
    await editor.save();
    expect((await read()).saved.content).toBe('<p>As it was. Saved.</p>');
  });
});

/** Has a server of another release answer for a post, which does not know a field, until the returned function is called. */
async function forget(page: Page, id: string, field: string): Promise<() => Promise<void>> {
  const isMeant = ({ pathname }: URL) => [adminPaths.post(id), adminPaths.workingCopy(id)].includes(pathname);
  const without = (text: string) =>
    JSON.stringify(JSON.parse(text, (name, value: unknown) => (name === field ? undefined : value)));
  const answer = async (route: Route) => {
    const sent = route.request().postData();
    const response = await route.fetch(sent === null ? {} : { postData: without(sent) });
    await route.fulfill({ response, body: without(await response.text()) });
  };
  await page.route(isMeant, answer);
  return () => page.unroute(isMeant, answer);
}

/** Holds requests back until told to let them go. */
async function hold(page: Page, isMeant: (request: Request) => boolean) {
  const held: Route[] = [];
  let isHolding = true;
  await page.route('**/*', async (route: Route) => {
    if (!isHolding || !isMeant(route.request())) return route.fallback();
    held.push(route);
  });
  return {
    arrived: () => until(() => held.length > 0),
    letGo: async (how: (route: Route) => Promise<void> = (route) => route.continue()) => {
      isHolding = false;
      // One that was given up meanwhile has nobody to answer.
      for (const route of held.splice(0)) await how(route).catch(() => undefined);
    },
  };
}
