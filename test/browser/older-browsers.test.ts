import { beforeAll, describe, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accountsPage } from '../support/accounts-page.js';
import { createMember, openSignedIn, postListPage, startSession, type Member } from '../support/admin-area.js';
import { openPage, visit } from '../support/browser.js';
import { createTestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { postEditorPage } from '../support/post-editor-page.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

/** Takes away what the oldest browsers that are served lack (product.md 2.18). Runs in the page, before its scripts. */
function forgetYoungThings(): void {
  const young: [owner: object, names: string[]][] = [
    [URL, ['parse', 'canParse']],
    [AbortSignal, ['any']],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Promise, ['withResolvers', 'try']],
    [Array, ['fromAsync']],
    [RegExp, ['escape']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
    [HTMLElement.prototype, ['popover', 'showPopover', 'hidePopover', 'togglePopover']],
    [Document.prototype, ['startViewTransition']],
    [Intl, ['Segmenter']],
    [window, ['requestIdleCallback', 'cancelIdleCallback', 'scheduler']],
  ];
  for (const [owner, names] of young) for (const name of names) Reflect.deleteProperty(owner, name);
  // In style sheets such a selector leaves out its rule, in scripts it is an error.
  for (const owner of [Document.prototype, DocumentFragment.prototype, Element.prototype]) {
    for (const name of ['querySelector', 'querySelectorAll', 'matches', 'closest']) {
      const find = Reflect.get(owner, name) as ((this: unknown, selector: string) => unknown) | undefined;
      if (find === undefined) continue;
      Reflect.set(owner, name, function (this: unknown, selector: string) {
        if (selector.includes(':has(')) throw new DOMException(`'${selector}' is not a valid selector`, 'SyntaxError');
        return find.call(this, selector);
      });
    }
  }
}

describe('in the oldest browsers that are served', () => {
  let base: string;
  let sink: SmtpSink;
  let ann: Member;

  beforeAll(async () => {
    sink = await startSmtpSink();
    const app = await createTestApp({ SMTP_URL: sink.url, READ_COUNTS: 'true' });
    base = await app.listen();
    ann = await createMember(app, 'ann@example.com');
    const formula = `<p><span class="ql-formula" data-value="${'a+'.repeat(120)}a">a</span></p>`;
    await createPosts(app, [
      { slug: 'tips', title: 'Tips', category: 'Backup', tags: ['Cloud'], content: `<p>First.</p>${formula}` },
    ]);
  });

  async function aged(page: Page): Promise<Page> {
    await page.addInitScript(forgetYoungThings);
    return page;
  }

  itSlow('the link of a mail confirms an address', async () => {
    const email = 'guest@example.com';
    const page = await aged(await openPage());
    const screen = accountsPage(page, base);
    await screen.signUp(email, 'a lamp on the left');
    await screen.answer('Check your email to confirm your account.').waitFor();
    const { pathname, search } = new URL((await sink.mailTo(email)).link!);
    await screen.open(pathname + search);
    await screen.button('Confirm my email address').click();
    await page.getByText('Your email address is confirmed').waitFor();
  });

  it('administrators see lists, and write', async () => {
    const page = await aged(await openSignedIn(await startSession(base, ann)));
    const list = postListPage(page, base);
    await list.open();
    await list.row('Tips').waitFor();
    await page.goto(`${base}/admin/audit`);
    await page.locator('.audit-lines > li').first().waitFor();
    const editor = postEditorPage(page, base);
    await editor.open('/admin/blogs/new');
    await editor.field('Title').fill('Written in an old browser');
    await editor.field('Author').fill('Ann');
    await editor.write('Every word of it.');
    await editor.paste('', '<p>And <b>bold</b></p><figure><p>Drawn</p></figure>');
    await editor.text.locator('strong', { hasText: 'bold' }).waitFor();
    await editor.save();
    await list.row('Written in an old browser').waitFor();
  });

  it('posts are read, and counted, and the header goes on to the next part', async () => {
    const page = await aged(await openPage());
    // Programs are not counted.
    await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }));
    const counted = page.waitForRequest('**/api/reads');
    await visit(page, `${base}/blogs/tips`);
    await page.locator('.drop-down > button').first().press('Tab');
    await counted;
    await page.getByRole('heading', { level: 1, name: 'Tips' }).waitFor();
    // It is wider than the page, and reached by the keyboard.
    await page.getByRole('group', { name: 'Formula' }).waitFor();
  });
});
