import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import { ENQUIRY_LIMITS } from '../../src/shared/limits.js';
import { paths } from '../../src/shared/paths.js';
import {
  callAs,
  createMember,
  openSignedIn,
  postListPage,
  startSession,
  type MemberSession,
} from '../support/admin-area.js';
import { openPage, visit } from '../support/browser.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { createPosts } from '../support/factories.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { itSlow } from '../support/slow-tests.js';

describe('a page that the browser translates', () => {
  let app: TestApp;
  let base: string;
  let ann: MemberSession;

  beforeAll(async () => {
    app = await createTestApp();
    const content = '<p>Run it.</p><pre><code class="language-bash">make install</code></pre>';
    await createPosts(app, [{ slug: 'printers', title: 'Backups for printers', content }]);
    base = await app.listen();
    ann = await startSession(base, await createMember(app, 'ann@example.com'));
  });

  itSlow(
    'shows what is searched for next, where the words of the last answer are not those of the page any more',
    async () => {
      const page = await openPage();
      await visit(page, `${base}/blogs`);
      const field = page.getByRole('searchbox', { name: 'Search the blog' });
      const marked = (word: string) => page.locator('.search-live mark').filter({ hasText: word });
      await field.fill('backups');
      await marked('Backups').waitFor();
      await translate(page);
      await field.fill('printers');
      await marked('printers').waitFor();
      expect(await marked('Backups').count()).toBe(0);
    },
  );

  itSlow('leaves code as it is, which readers copy', async () => {
    // Parts of a page may still be taken up by its scripts, which would draw what was translated anew.
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${base}/blogs/printers`);
    await translate(page);
    expect(await page.locator('.prose p font').count()).toBeGreaterThan(0);
    expect(await page.locator('pre font').count()).toBe(0);
  });

  itSlow('says what the next press of a button does to a post, and what can be undone', async () => {
    await createPosts(app, [{ title: 'Unread', slug: 'unread', is_published: false }]);
    const page = await openSignedIn(ann);
    const list = postListPage(page, base);
    await list.open('?q=Unread');
    await list.button('Unread', 'Publish').waitFor();
    await translate(page);
    await list.button('Unread', 'Publish').click();
    await list.button('Unread', 'Unpublish').waitFor();
    expect(await list.button('Unread', 'Publish').count()).toBe(0);
    await list.row('Unread').getByText('Post published.').waitFor();
    await translate(page);
    await list.button('Unread', 'Unpublish').click();
    await list.row('Unread').getByText('Post unpublished.').waitFor();
    await list.button('Unread', 'Publish').waitFor();
  });

  itSlow('narrows the list of posts by a category, not by what the translation calls it', async () => {
    await createPosts(app, [{ title: 'Kept twice', slug: 'kept-twice', category: 'Backup' }]);
    const page = await openSignedIn(ann);
    await postListPage(page, base).open();
    const category = page.getByRole('combobox', { name: 'Category' });
    await category.locator('option', { hasText: 'Backup' }).waitFor({ state: 'attached' });
    await translate(page, { Backup: 'Sicherung' });
    await category.selectOption({ label: 'Sicherung' });
    await page.waitForURL(`${base}${paths.admin.blogs}?category=Backup`);
  });

  it('says what the next press of a button does to an enquiry', async () => {
    await sendEnquiry(app, buildEnquiry({ name: 'Tess', email: 'tess@translated.example' }));
    const page = await openSignedIn(ann);
    await page.goto(`${base}${paths.admin.enquiries}?search=translated.example`);
    const button = (name: RegExp) => page.getByRole('article', { name: 'Tess' }).getByRole('button', { name });
    await button(/^Close/).waitFor();
    await translate(page);
    await button(/^Close/).click();
    await button(/^Open again/).waitFor();
  });

  itSlow('says whether the next press shows or hides a password', async () => {
    const page = await openPage();
    await visit(page, `${base}/auth`);
    const button = (name: string) => page.locator('main').getByRole('button', { name });
    await button('Show password').waitFor();
    await translate(page);
    await button('Show password').click();
    await button('Hide password').waitFor();
  });

  itSlow('says what is wrong with a field now, not what was', async () => {
    const page = await openPage();
    await visit(page, `${base}/contact`);
    const problem = (words: string) => page.locator('.field-error').filter({ hasText: words });
    const send = page.getByRole('button', { name: 'Schedule Free Consultation' });
    await page.getByLabel('Full Name').fill('Tess');
    await page.getByLabel('Business Email').fill('tess@problems.example');
    await page.locator('[name="message"]').fill('   ');
    await send.click();
    await problem('Please tell us how we can help you').waitFor();
    await translate(page);
    await page.locator('[name="message"]').fill('x'.repeat(ENQUIRY_LIMITS.message + 1));
    await send.click();
    await problem('Your message is too long').waitFor();
    expect(await problem('Please tell us').count()).toBe(0);
  });

  itSlow('names the field of the editor that plans a post as what it does next', async () => {
    await createPosts(app, [{ title: 'Planned', slug: 'planned', content: '<p>Words.</p>', is_published: false }]);
    const { items } = await callAs<AdminPostPage>(base, ann, 'GET', '/api/admin/posts?q=Planned');
    const page = await openSignedIn(ann);
    const editor = postEditorPage(page, base);
    await editor.open(paths.admin.blog(items[0]!.id));
    const time = editor.form.getByLabel('Publish later');
    await time.waitFor();
    await translate(page);
    await time.fill('2099-01-05T09:00');
    await editor.button('Schedule').click();
    await editor.form.getByLabel('Publish at another time').waitFor();
    expect(await time.count()).toBe(0);
  });

  itSlow('numbers the entries of a list anew that are moved', async () => {
    const page = await openSignedIn(ann);
    await page.goto(base + paths.admin.pageTexts('pricing'));
    const down = page.getByRole('button', { name: /^Down\s*: plan 1$/ });
    await down.waitFor();
    await translate(page);
    await down.click();
    await page.getByText('2. Managed IT Service').waitFor();
    expect(await down.count()).toBe(1);
  });
});

/**
 * Does to a page what browsers do that translate it: texts make room for others, in elements that nobody knows.
 * @param words the translations of whole texts; others stay as they are
 */
async function translate(page: Page, words: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.evaluate((known) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('script, style, textarea, [translate=no]')) continue;
      const place = document.createElement('font');
      place.textContent = known[text.data] ?? text.data;
      text.replaceWith(place);
    }
  }, words);
}
