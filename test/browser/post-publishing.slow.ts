import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import type { AdminPost } from '../../src/shared/contracts/admin-posts.js';
import { callAs, postListPage } from '../support/admin-area.js';
import { findViolations } from '../support/axe.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { startWritingSite, type WritingSite } from '../support/post-writing.js';
import { until, untilEqual } from '../support/until.js';

// What readers see is the last decision of a person or of the schedule, and no text that is saved decides it.
describe('publishing from the editor', () => {
  let site: WritingSite;

  beforeAll(async () => {
    site = await startWritingSite();
  });

  async function makePost(overrides: Parameters<WritingSite['makePost']>[0] = {}) {
    const post = await site.makePost(overrides);
    const publish = async (is_published: boolean) => {
      const { version } = await post.read();
      await callAs(site.base, site.others, 'PUT', `/api/admin/posts/${post.id}/publication`, { version, is_published });
    };
    /** Has the time come at which it is planned. */
    const fire = async () => {
      const past = "update blog_posts set scheduled_at = now() - interval '1 second' where id = ?";
      await site.app.get(EntityManager).fork().execute(past, [post.id]);
      await site.app.get(SchedulingService).publishDue();
    };
    return { ...post, publish, fire };
  }

  it('stays done when the schedule did it beside kept edits and the post is saved later', async () => {
    const { path, slug, fire } = await makePost({ is_published: false });
    const { page, editor } = await site.open(path);
    await editor.form.getByLabel('Publish later').fill('2099-01-05T09:00');
    await editor.button('Schedule').click();
    await editor.toast('Post scheduled').waitFor();
    await editor.write(' Typed on.');
    await editor.says(/^Changes not live yet/);
    await fire();
    expect(await site.publicPage(slug)).not.toContain('Typed on.');

    await editor.open(path);
    expect(await editor.publishing.isChecked()).toBe(true);
    await untilEqual(() => editor.text.innerText(), 'As it was. Typed on.');
    await editor.form.getByText(/^Live since/).waitFor();
    await editor.button('What goes live').click();
    const live = editor.dialog('What goes live');
    expect(await live.locator('ins').allInnerTexts()).toContain(' Typed on.');
    expect(await findViolations(page)).toEqual([]);
    await live.getByRole('button', { name: 'Close' }).click();
    await editor.save();
    await editor.toast('Post updated successfully').waitFor();
    expect(await site.publicPage(slug)).toContain('Typed on.');
  });

  it('stays undone when it was undone in the list beside unsaved changes', async () => {
    const { path, slug, title, read } = await makePost();
    const { page, editor } = await site.open(path);
    await editor.write(' Half a sent');
    await editor.says(/^Changes not live yet/);
    const list = postListPage(page, site.base);
    await list.open();
    await list.button(title, 'Unpublish').click();
    await list.toast('Post unpublished').waitFor();

    await editor.open(path);
    expect(await editor.publishing.isChecked()).toBe(false);
    await editor.write('ence.');
    await editor.save();
    await editor.toast('Post updated successfully').waitFor();
    expect(await site.publicPage(slug)).toBeNull();
    expect(await read()).toMatchObject({ state: 'draft', saved: { content: '<p>As it was. Half a sentence.</p>' } });
  });

  it('is told to who saves after somebody else has unpublished the post, and then saves it as a draft', async () => {
    const { path, slug, publish, read } = await makePost();
    const { page, editor } = await site.open(path, { expectedComplaints: [/409/] });
    await publish(false);
    await editor.write(' By Ann.');
    await editor.button('Save Post').click();
    const dialog = editor.dialog('This post was unpublished meanwhile');
    await dialog.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Continue editing' }).click();
    expect(await editor.publishing.isChecked()).toBe(false);
    await editor.says(/^Saved/);
    await editor.save();
    expect(await site.publicPage(slug)).toBeNull();
    expect(await read()).toMatchObject({ state: 'draft', saved: { content: '<p>As it was. By Ann.</p>' } });
  });

  it('is told while writing too, and asked once more before readers see what was written since', async () => {
    const { path, slug, publish } = await makePost({ is_published: false });
    const { page, editor } = await site.open(path, { expectedComplaints: [/409/] });
    await publish(true);
    await editor.write(' Unfinished');
    await editor.notices.getByText('This post was published meanwhile.').waitFor();
    await editor.says(/^Changes not live yet/);
    expect(await site.publicPage(slug)).not.toContain('Unfinished');
    await editor.button('Save Post').click();
    const dialog = editor.dialog('This post was published meanwhile');
    await dialog.getByRole('button', { name: 'Continue editing' }).click();
    await editor.publishing.uncheck();
    await editor.form.getByText('Saving takes the post off the site').waitFor();
    await editor.save();
    expect(await site.publicPage(slug)).toBeNull();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await editor.toast('Post published').waitFor();
    expect(await site.publicPage(slug)).toContain('Unfinished');
  });

  it('is asked about together with another text, in one dialog, when both were changed before the save', async () => {
    const { id, path, read, publish } = await makePost();
    const { page, editor } = await site.open(path, { expectedComplaints: [/409/] });
    await publish(false);
    await editor.write(' By Ann.');
    await editor.notices.getByText('This post was unpublished meanwhile.').waitFor();
    const [sent, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/working-copy', async (route) => {
      sent.resolve();
      await answered.promise;
      await route.continue();
    });
    await editor.write(' And on.');
    await sent.promise;
    await editor.button('Save Post').click();
    const publication = editor.dialog('This post was unpublished meanwhile');
    await publication.waitFor();
    const { saved, version } = await read();
    await callAs(site.base, site.others, 'PUT', `/api/admin/posts/${id}`, {
      ...saved,
      content: '<p>By Bob.</p>',
      version,
    });
    answered.resolve();
    const texts = editor.dialog('This post was changed meanwhile');
    await texts.getByText('The post is not on the site, and stays so').waitFor();
    expect(await publication.count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);

    // Who puts it off is not asked for less instead: nothing is saved before it is answered.
    await texts.getByRole('button', { name: 'Continue editing' }).click();
    await editor.says(/^Conflict$/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await editor.button('Compare both versions').click();
    await texts.getByRole('button', { name: 'Keep mine' }).click();
    await editor.says(/^Saved/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await editor.save();
    expect(await read()).toMatchObject({ state: 'draft', saved: { content: '<p>As it was. By Ann. And on.</p>' } });
  });

  it('is in no copy of the text: what is restored is the text alone', async () => {
    const { path, slug, id } = await makePost({ is_published: false });
    const { page, editor } = await site.open(path);
    // As the release before left it, with the switch on.
    const fields = (await callAs<AdminPost>(site.base, site.others, 'GET', `/api/admin/posts/${id}`)).saved;
    const left = {
      postId: id,
      version: 1,
      at: new Date().toISOString(),
      reason: 'unsent',
      draft: { fields: { ...fields, content: '<p>Left behind.</p>' }, isPublished: true },
    };
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
      [`post-copy-1:${site.ann.id}:${id}:0`, JSON.stringify(left)],
    );
    await page.reload();
    await editor.copies.getByRole('button', { name: 'Restore' }).click();
    await untilEqual(() => editor.text.innerText(), 'Left behind.');
    expect(await editor.publishing.isChecked()).toBe(false);
    await editor.says(/^Saved/);

    // A switch that was moved is kept nowhere: who leaves is told so, and it is off again afterward.
    await editor.publishing.check();
    await editor.button('Cancel').click();
    const leaving = editor.dialog('Leave with unsaved changes?');
    await leaving.getByText('it counts only when you save').waitFor();
    await leaving.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${site.base}/admin/blogs`);
    await editor.open(path);
    expect(await editor.publishing.isChecked()).toBe(false);
    await editor.save();
    expect(await site.publicPage(slug)).toBeNull();
  });

  it('dates the post with the save, and offers a date that was chosen and not saved', async () => {
    const { path, read } = await makePost({ is_published: true });
    const { page, editor } = await site.open(path);
    const [shown, { published_date: before }] = [await editor.date.inputValue(), await read()];
    // Typed as people do: the input reports each digit of the year, and a zero as nothing.
    await editor.date.focus();
    await page.keyboard.type('01052024');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('0900AM');
    expect(await editor.date.inputValue()).toBe('2024-01-05T09:00');
    await editor.says(/the date counts once you save/);
    await editor.write(' Typed on.');
    await editor.says(/^Changes not live yet/);
    expect((await read()).published_date).toBe(before);
    await editor.button('Cancel').click();
    const leaving = editor.dialog('Leave with unsaved changes?');
    await leaving.getByText('You chose a published date.').waitFor();
    await leaving.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${site.base}/admin/blogs`);

    await editor.open(path);
    expect(await editor.date.inputValue()).toBe(shown);
    await editor.copies.getByText('was chosen with it and not saved').waitFor();
    await editor.copies.getByRole('button', { name: 'Restore' }).click();
    expect(await editor.date.inputValue()).toBe(shown);
    await editor.button('Use this date').click();
    expect(await editor.date.inputValue()).toBe('2024-01-05T09:00');
    await editor.button('Use this date').waitFor({ state: 'detached' });
    await editor.save();
    const dated = await read();
    expect(dated.published_date).toMatch(/^2024-01-05T/);
    expect(dated.saved.content).toContain('Typed on.');
    await editor.open(path);
    expect(await editor.copies.count()).toBe(0);
  });

  it('offers what was on the screen for a second when the tab crashes under somebody who types on', async () => {
    const paragraph = '<p>Ten words of a post that somebody wrote long ago.</p>';
    const { path } = await makePost({ content: paragraph.repeat(300) });
    const { page, editor } = await site.open(path);
    // No autosave is answered, as when the server goes first.
    await page.route('**/working-copy', () => undefined);
    await editor.write('');
    const shown: string[] = [];
    // Until the tab is gone, which ends it.
    const typing = (async (): Promise<never> => {
      for (;;) {
        await page.keyboard.type(`word${shown.length} `);
        shown.push(`word${shown.length}`);
      }
    })();
    const ended = expect(typing).rejects.toThrow();
    await until(() => shown.length >= 8);
    const expected = [...shown];
    // A second of the page's own time: the writer does not stop for it.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    const context = page.context();
    const devtools = await context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    // A tab that is gone answers nothing.
    void devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
    await ended;

    const next = await context.newPage();
    const reopened = postEditorPage(next, site.base);
    await reopened.open(path);
    await reopened.copies.getByRole('button', { name: 'Restore' }).click();
    await until(async () => (await reopened.text.innerText()).includes(expected.join(' ')));
  });

  it('says once that the browser keeps no copies, and goes on writing to the server', async () => {
    const { path, read } = await makePost();
    const { page, editor } = await site.open(path);
    await page.addInitScript(() => {
      const setItem = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (key.startsWith('post-copy')) throw new DOMException('No room', 'QuotaExceededError');
        setItem.call(this, key, value);
      };
    });
    await page.reload();
    await editor.text.waitFor();
    await editor.write(' More.');
    await editor.notices.getByText('This browser keeps no copy of what you write').waitFor();
    await editor.notices.getByRole('button', { name: 'OK' }).click();
    await editor.says(/^Changes not live yet/);
    await editor.write(' And more.');
    await until(async () => (await read()).working_copy?.fields.content === '<p>As it was. More. And more.</p>');
    expect(await editor.notices.innerText()).toBe('');
  });
});
