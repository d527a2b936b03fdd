import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { adminPaths } from '../../src/shared/admin-paths.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import { fieldNames } from '../../src/shared/contracts/post-fields.js';
import { callAs, createMember, openSignedIn, startSession, type MemberSession } from '../support/admin-area.js';
import { COLOR_RULES, findViolations } from '../support/axe.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { makeUpForm, marksOf } from '../support/post-values.js';
import { createPosts } from '../support/factories.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

describe('a post in search results and where it is shared', () => {
  let app: TestApp;
  let base: string;
  let session: MemberSession & { readonly user: { readonly id: string } };

  beforeAll(async () => {
    app = await createTestApp();
    base = await app.listen();
    session = (await startSession(base, await createMember(app, 'ann@example.com'))) as typeof session;
    const cells = [1, 2, 3, 4, 5].map((cell) => `<td>${cell}</td>`).join('');
    const table = `${'<p>Lines.</p>'.repeat(60)}<table><tbody><tr>${cells}</tr></tbody></table>`;
    const content = '<p>Not so.</p><p>It is <a href="/nowhere">here</a>.</p>' + table;
    await createPosts(app, [{ slug: 'shared', title: 'Shared', excerpt: 'The excerpt', content }]);
  });

  const find = async (slug: string) => {
    const { items } = await callAs<AdminPostPage>(base, session, 'GET', `/api/admin/posts?q=${slug}`);
    return await callAs<AdminPost>(base, session, 'GET', `/api/admin/posts/${items[0]!.id}`);
  };
  const pictureOf = async (background: string) => ({
    name: `${background}.png`,
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 1200, height: 630, channels: 3, background } })
      .png()
      .toBuffer(),
  });

  itSlow('has the caption, the texts and the image that its author gave it', async () => {
    const page = await openSignedIn(session);
    const editor = postEditorPage(page, base);
    const { id } = await find('shared');
    await editor.open(`/admin/blogs/edit/${id}`);
    expect(await editor.field('Caption').count()).toBe(0);
    await editor.image.setInputFiles(await pictureOf('navy'));
    // By keyboard, by pointer, and gone with its picture.
    const onCard = editor.form.locator('.focal-point figure img');
    const point = () => onCard.evaluate((image: HTMLImageElement) => image.style.objectPosition);
    await editor.form.locator('summary', { hasText: 'Focal point' }).press('Enter');
    await editor.form.getByRole('slider', { name: 'From the top' }).press('ArrowRight');
    await untilEqual(point, '50% 51%');
    await editor.image.setInputFiles(await pictureOf('teal'));
    await untilEqual(point, '50% 50%');
    const { width, height } = (await editor.form.locator('.focal-picture').boundingBox())!;
    await editor.form.locator('.focal-picture').click({ position: { x: width / 4, y: (height * 3) / 4 } });
    await editor.form.getByRole('slider', { name: 'From the left' }).press('Home');
    await untilEqual(point, '0% 75%');
    await editor.field('Alternative text').fill('A lamp');
    await editor.field('Caption').fill('A lamp in our office');

    // 'Show' selects what was found.
    const checks = editor.form.getByRole('region', { name: 'Before it goes live' });
    await checks.locator('summary').click();
    await checks.getByRole('button', { name: /link ‘here’/ }).click();
    await untilEqual(
      () => page.evaluate(() => [document.activeElement?.id, getSelection()?.toString()]),
      ['post-content', 'here'],
    );
    await checks.getByRole('button', { name: /table has 5 columns/ }).click();
    await untilEqual(() => page.evaluate(() => getSelection()?.toString().replaceAll(/\s/g, '')), '12345');
    expect(await editor.text.locator('table').evaluate(isInSight)).toBe(true);

    // What is wrong in the closed part is shown.
    const section = editor.form.locator('details', { hasText: 'Search and sharing' });
    expect(await section.evaluate((details: HTMLDetailsElement) => details.open)).toBe(false);
    await section.locator('summary').click();
    const title = editor.field('Title in search results');
    await title.fill('x'.repeat(71));
    await section.locator('summary').click();
    await editor.button('Save Post').click();
    await editor.toast('Validation error').waitFor();
    await untilEqual(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'seo_title');
    const found = { light: await findViolations(page) };
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ ...found, dark: await findViolations(page, COLOR_RULES) }).toEqual({ light: [], dark: [] });

    await title.fill('Found');
    await editor.field('Description in search results').fill('The description');
    await editor.form.getByLabel('Image for sharing').setInputFiles(await pictureOf('plum'));
    await section.locator('.image-preview').waitFor();
    expect(await section.getByLabel('Alternative text').count()).toBe(0);
    await editor.field('Canonical address').fill('https://first.example/found');
    expect(await section.locator('.search-result-title').innerText()).toMatch(/^Found \| /);
    await editor.save();

    const { saved } = await find('shared');
    await page.goto(`${base}/blogs/shared`);
    const meta = (name: string) =>
      page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content');
    expect(await page.title()).toMatch(/^Found \| /);
    const names = [
      'description',
      'og:title',
      'og:description',
      'og:image',
      'twitter:card',
      'twitter:title',
      'twitter:description',
    ];
    expect(await Promise.all(names.map(meta))).toEqual([
      ...['The description', 'Found', 'The description'],
      new URL(saved.social_image, app.config.server.publicUrl).href,
      ...['summary_large_image', 'Found', 'The description'],
    ]);
    expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe('https://first.example/found');
    expect(await (await fetch(`${base}/sitemap.xml`)).text()).not.toContain('/blogs/shared<');
    expect(await page.locator('h1').innerText()).toBe('Shared');
    expect(await page.locator('.post-caption').innerText()).toBe('A lamp in our office');
    expect(await page.locator('.cover img').evaluate((image) => getComputedStyle(image).objectPosition)).toBe('0% 75%');
    const card = /<li class="post-card">.*?<\/li>/s.exec(await (await fetch(`${base}/blogs`)).text())?.[0];
    expect(card).toContain('style="object-position:0% 75%"');
  });

  itSlow('is not called well before it goes live while nobody could look at its links', async () => {
    const content = '<p>It is <a href="/blogs">here</a>.</p>';
    await createPosts(app, [{ slug: 'linking', title: 'Linking', excerpt: 'The excerpt', content }]);
    const page = await openSignedIn(session, { expectedComplaints: [/400/] });
    let isRefused = true;
    await page.route(`**${adminPaths.deadLinks}/check`, async (route) => {
      if (!isRefused) return await route.continue();
      await route.fulfill({ status: 400, json: { code: 'validation_failed', message: 'Not now.' } });
    });
    const editor = postEditorPage(page, base);
    await editor.open(`/admin/blogs/edit/${(await find('linking')).id}`);
    const checks = editor.form.getByRole('region', { name: 'Before it goes live' });
    const summary = checks.locator('summary');
    await summary.getByText('links and pictures could not be looked at').waitFor();
    await summary.click();
    await checks.getByText('Headings, tables and texts for search results are in order.').waitFor();
    isRefused = false;
    await checks.getByRole('button', { name: 'Try again' }).click();
    await summary.getByText('all is well').waitFor();
    await checks.getByText('Pictures, headings, links, tables and texts').waitFor();
  });

  it('is shown field by field in the form, so that no text can only be read', async () => {
    const made = await makeUpForm(app);
    const path = `/api/admin/posts/${randomUUID()}`;
    const { id } = await callAs<AdminPost>(base, session, 'PUT', path, { ...made, version: 0, is_published: false });
    const page = await openSignedIn(session);
    const editor = postEditorPage(page, base);
    await editor.open(`/admin/blogs/edit/${id}`);
    await untilEqual(async () => {
      const shown = await editor.form.evaluate((form) =>
        [...form.querySelectorAll<HTMLElement>('input, textarea, img, .ql-editor')]
          .map((element) =>
            element instanceof HTMLImageElement
              ? `${element.src} ${element.style.objectPosition}`
              : element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
                ? element.value
                : element.innerText,
          )
          .join('\n'),
      );
      return fieldNames().filter((name) => marksOf(made, name).some((mark) => !shown.includes(mark)));
    }, []);
  });

  itSlow('is not emptied by a text that the release before left on this device', async () => {
    const page = await openSignedIn(session);
    const editor = postEditorPage(page, base);
    const post = await find('shared');
    const { title, slug, excerpt, content, author, category, tags, image_url, image_alt } = post.saved;
    const texts = { title, slug, excerpt, content, author, category, tags, image_url, image_alt };
    const known = { ...texts, published_date: post.published_date };
    const copies = [known, { ...known, title: 'Typed before' }].map((fields, index) => [
      `post-copy-2:${session.user.id}:${post.id}:${index}`,
      JSON.stringify({ postId: post.id, version: 1, at: '2026-01-01T00:00:00Z', reason: 'unsent', fields, base: '1' }),
    ]);
    await page.addInitScript((items) => {
      if (!sessionStorage.getItem('has-copies')) for (const [key, value] of items) localStorage.setItem(key!, value!);
      sessionStorage.setItem('has-copies', 'yes');
    }, copies);
    await editor.open(`/admin/blogs/edit/${post.id}`);
    // The copy of what the server has has done its work.
    await untilEqual(() => editor.copies.getByRole('listitem').count(), 1);
    await editor.copies.getByRole('button', { name: 'Restore' }).click();
    await untilEqual(() => editor.field('Title').inputValue(), 'Typed before');
    await editor.says(/Saved|kept/i);
    await until(async () => (await find('shared')).has_unsaved_changes);
    const { working_copy: kept } = await find('shared');
    expect(kept!.fields).toEqual({ ...post.saved, title: 'Typed before' });
  });
});

/** Runs in the page. */
function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}
