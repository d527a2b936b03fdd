import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { TrashService } from '../../src/posts/trash.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { PresenceInput } from '../../src/shared/contracts/post-presence.js';
import { callAs, createMember, endSessions, type MemberSession } from '../support/admin-area.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { startWritingSite, type WritingSite } from '../support/post-writing.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

// What happens to it when somebody else writes, the network goes, the tab crashes, or its author leaves.
describe('a text that is being written', () => {
  let site: WritingSite;

  beforeAll(async () => {
    site = await startWritingSite();
  });

  itSlow('shows both versions when a race is lost, and throws neither away', async () => {
    const { path, read } = await site.makePost();
    const bob = await createMember(site.app, 'bob@example.com');
    const mine = await site.open(path, { expectedComplaints: [/409/] });
    const theirs = await site.open(path, {}, bob);
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

  itSlow('puts together what two people wrote, and asks where both changed the same passage', async () => {
    const { path, read } = await site.makePost({
      content: '<p>One.</p><p>Two.</p><p>Three.</p>',
      excerpt: null,
      category: null,
    });
    const begun = await callAs<AdminPost>(site.base, site.others, 'PUT', `/api/admin/posts/${(await read()).id}`, {
      ...(await read()).saved,
      version: 1,
    });
    const cleo = await createMember(site.app, 'cleo@example.com');
    const mine = await site.open(path, { expectedComplaints: [/409/] });
    const theirs = await site.open(path, {}, cleo);
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

  itSlow('is shown to others who have it open, with who they are and what they save', async () => {
    const { path } = await site.makePost();
    const bea = await createMember(site.app, 'bea@example.com');
    const mine = await site.open(path);
    const theirs = await site.open(path, {}, bea);
    await untilEqual(() => mine.editor.presence.innerText(), 'bea@example.com has this post open, too.');
    await untilEqual(() => theirs.editor.presence.innerText(), 'ann@example.com has this post open, too.');
    await theirs.editor.write(' By Bea.');
    await theirs.editor.save();
    await mine.editor.presence.getByText(/bea@example\.com saved this post (?:at|on .+,) \d\d:\d\d\./).waitFor();
    expect(await findViolations(mine.page)).toEqual([]);
    await mine.editor.button('Show it').click();
    await untilEqual(() => mine.editor.text.innerText(), 'As it was. By Bea.');
    // The button that had the focus is gone.
    await mine.page.waitForFunction(() => document.activeElement?.classList.contains('ql-editor'));
    await mine.editor.says(/^Saved .*\d\d:\d\d$/);

    // A page that is left becomes hidden as well, but is no tab behind others, which is named for longer.
    const told: unknown[] = [];
    theirs.page.on('request', (request) => {
      if (request.url().endsWith('/presence')) told.push((request.postDataJSON() as PresenceInput).is_hidden);
    });
    await theirs.editor.open(path);
    await untilEqual(() => mine.editor.presence.innerText(), 'bea@example.com has this post open, too.');
    await theirs.page.waitForResponse(/\/presence$/);
    told.length = 0;
    await theirs.page.evaluate(leaveAndComeBack);
    await until(() => told.length > 0);
    expect(told).toEqual([false]);
    await theirs.page.goto(`${site.base}/admin/blogs`);
    await untilEqual(() => mine.editor.presence.innerText(), '');
  });

  itSlow('can be brought back by its author when somebody else deleted the post, and says who did', async () => {
    const { path, read } = await site.makePost();
    const { editor } = await site.open(path, { expectedComplaints: [/409/] });
    await editor.write(' By Ann.');
    await editor.save();
    await editor.open(path);
    const { id, version } = await read();
    await callAs(site.base, site.others, 'DELETE', `/api/admin/posts/${id}?version=${version}`);
    await editor.write(' And on.');
    const dialog = editor.dialog('This post was deleted meanwhile');
    await editor.button('Save Post').click();
    await untilEqual(
      () => dialog.locator('p').innerText(),
      'others@example.com deleted it after you began. Your text is still here, and it can be brought back as a draft with it.',
    );
    await dialog.getByRole('button', { name: 'Bring it back with my text' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => (await read()).state === 'draft');
    await untilEqual(async () => (await read()).saved.content, '<p>As it was. By Ann. And on.</p>');
    expect((await read()).deleted_by).toBeNull();
  });

  it('survives a crash, a lost network and an ended session', async () => {
    const { path, read } = await site.makePost();
    const complaints = [/40[013]/, /ERR_INTERNET_DISCONNECTED/];
    const { page, editor, session } = await site.open(path, { expectedComplaints: complaints });
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
    const reopened = postEditorPage(next, site.base);
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

    await endSessions(site.base, session);
    await reopened.write(' After all.');
    await reopened.button('Save Post').click();
    const prompt = next.getByRole('dialog', { name: 'Sign in again to go on' });
    await prompt.locator('[name=password]').fill(site.ann.password);
    await prompt.getByRole('button', { name: 'Sign In' }).click();
    await next.waitForURL(`${site.base}/admin/blogs`);
    expect((await read()).saved.content).toContain('Written in a tunnel. Again. After all.');
  });

  itSlow('is offered for another post when its own was deleted for good meanwhile', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path, { expectedComplaints: [/404/, /ERR_INTERNET_DISCONNECTED/] });
    await page.context().setOffline(true);
    await editor.write(' Written in a cellar.');
    await editor.says(/^Offline – kept on this device$/);
    await page.waitForFunction(holdsCopyOf, 'Written in a cellar.');
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    await context.setOffline(false);
    const { id, version } = await read();
    const trashed = await site.app.get(TrashService).trash(OPERATOR, id, version);
    await site.app.get(TrashService).deletePermanently(OPERATOR, id, trashed.version);

    const next = postEditorPage(await context.newPage(), site.base);
    await next.open('/admin/blogs/new');
    await next.copies
      .getByText('The post that it belongs to is not there any more. Its date was Jan 5, 2025')
      .waitFor();
    await next.copies.getByRole('button', { name: 'Restore' }).click();
    await next.copies.waitFor({ state: 'detached' });
    await next.save();
    const { items } = await callAs<AdminPostPage>(site.base, site.others, 'GET', '/api/admin/posts?q=cellar');
    expect(items.map(({ id: other }) => other === id)).toEqual([false]);
  });

  itSlow('can be saved again when nobody answers an upload', async () => {
    const { path } = await site.makePost();
    const { page, editor } = await site.open(path, { hasOwnClock: true });
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

  itSlow('is not left by mistake', async () => {
    const { path } = await site.makePost();
    const { page, editor } = await site.open(path);
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
    await page.waitForURL(`${site.base}/admin/blogs`);
    await editor.open(path);
    expect(await editor.field('Excerpt').inputValue()).not.toBe('Half an ex');
    expect(await editor.copies.count()).toBe(0);
  });

  itSlow('is not left without a word while a picture is on its way', async () => {
    const { path, read } = await site.makePost();
    const { page, editor } = await site.open(path);
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
});

/** Runs in the page: what the browser does with a page that it keeps, and brings back by its back button. */
function leaveAndComeBack(): void {
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  Reflect.deleteProperty(document, 'hidden');
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
}

/** Runs in the page: whether these parts of the scripts have come. */
function holdsParts(names: readonly string[]): boolean {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  return names.every((name) => files.some((file) => file.includes(`/assets/${name}-`)));
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
