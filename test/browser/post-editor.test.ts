import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { renderContent } from '../../src/posts/content/render-content.js';
import { sanitizeContent } from '../../src/posts/content/sanitize-content.js';
import { markdownToHtml } from '../../src/shared/markdown-to-html.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { openPage } from '../support/browser.js';
import { EditorPage } from '../support/editor-driver.js';
import { everyElement, pasteCases, sanitizedHtml } from '../support/editor-samples.js';
import { PIXEL, serveEditorPage } from '../support/editor-site.js';
import { untilEqual } from '../support/until.js';

/** The blog of a company in each system. */
const BLOGS = new URL('../fixtures/blogs/', import.meta.url);

/** Clipboards of other programs, each with the text that is meant and what is said about it. */
const PASTES = new URL('../fixtures/paste/', import.meta.url);

let base: string;
beforeAll(async () => {
  base = await serveEditorPage();
});

async function open(html = '', expectedComplaints: readonly RegExp[] = []): Promise<EditorPage> {
  const page: Page = await openPage({ expectedComplaints });
  await page.goto(base);
  const editor = new EditorPage(page);
  await editor.show(html);
  return editor;
}

describe('a text that nobody touches', () => {
  it('is given back as it was, byte for byte, and no edit elsewhere loses anything of it', async () => {
    const editor = await open('', [/ERR_|net::/, /failed: http/]);
    const documents = fc.sample(sanitizedHtml(), { numRuns: 300, seed: 20_260_101 });
    expect(await editor.findLosses(documents)).toEqual([]);
    const sample = everyElement.join('\n');
    expect(sanitizeContent(sample)).toBe(sample);
    expect(await editor.findLosses([sample, ...everyElement])).toEqual([]);
  });

  it('is given back so in the posts of a company', async () => {
    const names = (await readdir(BLOGS, { recursive: true })).filter((name) => /\.(?:md|markdown)$/.test(name));
    const posts = await Promise.all(names.map((name) => readFile(new URL(name, BLOGS), 'utf8')));
    expect(posts.length).toBeGreaterThan(60);
    const editor = await open('', [/ERR_|net::/, /failed: http/]);
    const texts = posts.map((post) =>
      sanitizeContent(markdownToHtml(post.replace(/^(---|\+\+\+)\n[\s\S]*?\n\1\n/, ''))),
    );
    expect(await editor.findLosses(texts)).toEqual([]);
  });

  it('is no change, also when its code has got its colors; the defaults are those of the library', async () => {
    const html =
      '<h2>a</h2>\n<pre><code class="language-js">if (a)</code></pre><table><tbody><tr><td>1</td></tr></tbody></table>';
    const editor = await open(html);
    await editor.page.locator('.hljs-keyword').waitFor();
    await untilEqual(() => editor.html(), html);
    expect(await editor.changes()).toEqual([]);
    // One word more, and all else stays as it was written.
    await editor.text.locator('h2').click();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.insertText('b');
    await untilEqual(() => editor.html(), html.replace('a</h2>', 'ab</h2>'));
    // product.md 9.4.
    const defaults = await editor.defaults();
    expect(defaults).toEqual({
      version: '2.0.3',
      historyDelay: 1000,
      historyMaxStack: 100,
      indentLevels: [1, 2, 3, 4, 5, 6, 7, 8],
      isSnow: true,
      linkProtocols: ['http', 'https', 'mailto', 'tel'],
      blankAddress: 'about:blank',
    });
  });
});

describe('writing', () => {
  it('gives what the sanitizer keeps as it is, for everything that the toolbar has', async () => {
    const editor = await open();
    const { page } = editor;
    await editor.text.click();
    await page.keyboard.insertText('Plain ');
    for (const name of ['Bold', 'Italic', 'Underline', 'Strikethrough', 'Code']) {
      await editor.tool(name).click();
      await untilEqual(() => editor.tool(name).getAttribute('aria-pressed'), 'true');
      await page.keyboard.insertText(`${name} `);
      await editor.tool(name).click();
    }
    await page.keyboard.press('Enter');
    await editor.list('Paragraph style').selectOption({ label: 'Subheading' });
    await page.keyboard.insertText('Sub');
    await page.keyboard.press('Enter');
    for (const name of ['Bulleted list', 'Numbered list', 'Checklist', 'Quotation']) {
      await editor.tool(name).click();
      await page.keyboard.insertText(name);
      await page.keyboard.press('Enter');
      await editor.tool(name).click();
    }
    await page.keyboard.insertText('Deep');
    for (let level = 0; level < 9; level += 1) await page.keyboard.press('Control+]');
    await page.keyboard.press('Enter');
    for (let level = 0; level < 8; level += 1) await page.keyboard.press('Control+[');
    await page.keyboard.insertText('Line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.insertText('break');
    await editor.list('Alignment').selectOption('center');
    await page.keyboard.press('Enter');
    await editor.list('Alignment').selectOption('');
    await editor.tool('Code block').click();
    await editor.list('Language of the code').selectOption('bash');
    await editor.text.locator('.ql-code-block').click();
    await page.keyboard.insertText('echo 1');
    const html = await editor.html();
    expect(html).toBe(
      '<p>Plain <strong>Bold </strong><em>Italic </em><u>Underline </u><s>Strikethrough </s><code>Code </code></p>' +
        '<h3>Sub</h3><ul><li>Bulleted list</li></ul><ol><li>Numbered list</li></ol>' +
        '<ul><li data-list="unchecked">Checklist</li></ul><blockquote><p>Quotation</p></blockquote>' +
        '<p class="ql-indent-8">Deep</p><p class="ql-align-center">Line<br>break</p>' +
        '<pre><code class="language-bash">echo 1</code></pre>',
    );
    expect(sanitizeContent(html)).toBe(html);
    expect((await editor.changes()).at(-1)).toEqual({ html, isEmpty: false });
  });

  it('understands Markdown while it is typed and when it is pasted, each in one step to undo', async () => {
    const editor = await open();
    const { page } = editor;
    await editor.text.click();
    await page.keyboard.type(
      '## Title\nsome **bold** and `co*d*e` in [words](/pricing)\n- [x] done\n\n> said\n\n---\n```js\na *b*',
    );
    await untilEqual(
      () => editor.html(),
      '<h2>Title</h2><p>some <strong>bold</strong> and <code>co*d*e</code> in <a href="/pricing">words</a></p>' +
        '<ul><li data-list="checked">done</li></ul><blockquote><p>said</p></blockquote><hr>' +
        '<pre><code class="language-js">a *b*</code></pre>',
    );
    await editor.setHtml('');
    await editor.text.click();
    await page.keyboard.type('# ');
    await untilEqual(() => editor.text.locator('h2').count(), 1);
    await page.keyboard.press('Control+z');
    await page.keyboard.type('a *b*');
    await untilEqual(() => editor.html(), '<p># a <em>b</em></p>');
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<p># a *b*</p>');
    await editor.setHtml('<p>a</p>');
    await editor.selectAll();
    await editor.paste('', '# Title\n\n1. one\n2. **two**');
    const formatted = '<h2>Title</h2><ol><li>one</li><li><strong>two</strong></li></ol>';
    await untilEqual(() => editor.html(), formatted);
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<p># Title</p><p><br></p><p>1. one</p><p>2. **two**</p>');
    await page.keyboard.press('Control+Shift+z');
    await untilEqual(() => editor.html(), formatted);
  });

  it('has looks for selected words, and takes them away again', async () => {
    const editor = await open('<p>words</p>');
    await editor.selectAll();
    await editor.list('Text color').selectOption({ label: 'Red' });
    await editor.list('Highlight').selectOption({ label: 'Yellow' });
    await editor.list('Font').selectOption('serif');
    await editor.list('Size').selectOption('large');
    const html = await editor.html();
    expect(html).toBe(
      '<p><span class="ql-font-serif ql-size-large" style="color: #e60000; background-color: #ffff99;">words</span></p>',
    );
    expect(sanitizeContent(html)).toBe(html);
    await editor.tool('Clear formatting').click();
    await untilEqual(() => editor.html(), '<p>words</p>');
  });

  it('replaces the text in one step of undo, and says when it is empty', async () => {
    const editor = await open('<p>first</p>');
    await editor.setHtml('<p>second</p><dl><dt>a</dt></dl>');
    await untilEqual(() => editor.html(), '<p>second</p><dl><dt>a</dt></dl>');
    await editor.text.locator('p').first().click();
    await editor.page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<p>first</p>');
    await editor.selectAll();
    await editor.page.keyboard.press('Delete');
    expect((await editor.changes()).at(-1)).toEqual({ html: '', isEmpty: true });
  });

  it('makes a table and edits it by keyboard, tools and paste, each change in one step of undo', async () => {
    const editor = await open('<p>a</p>');
    const { page } = editor;
    await editor.text.locator('p').click();
    await editor.tool('Table').click();
    for (const [index, text] of ['A', 'B', '**C**', 'one\nline', '', 'x', '', '', 'last', 'new'].entries()) {
      if (index > 0) await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    const head =
      '<thead><tr><th scope="col">A</th><th scope="col">B</th><th scope="col"><strong>C</strong></th></tr></thead>';
    const rows =
      '<tr><td>one<br>line</td><td></td><td>x</td></tr><tr><td></td><td></td><td>last</td></tr><tr><td>new</td><td></td><td></td></tr>';
    const made = `<p>a</p><table>${head}<tbody>${rows}</tbody></table>`;
    await untilEqual(() => editor.html(), made);
    expect(sanitizeContent(made)).toBe(made);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    for (const name of [
      'Add row above',
      'Add column after',
      'Delete column',
      'Delete row',
      'Header row',
      'Header row',
    ]) {
      await editor.tool(name).click();
    }
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.text.locator('th').count(), 0);
    await page.keyboard.press('Control+Shift+z');
    await untilEqual(() => editor.html(), made);
    // What is deleted across cells leaves the cells; what is pasted into one stays in it.
    await editor.text.locator('td').nth(1).click();
    await editor.paste('<p>p</p><ul><li>q</li></ul><table><tr><td>r</td><td>s</td></tr></table>');
    await untilEqual(() => editor.html(), made.replace('<td></td><td>x', '<td>p<br>q<br>r | s</td><td>x'));
    await page.getByRole('alert').getByText('A table cannot stand in a cell').waitFor();
    await editor.text.locator('td').nth(5).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await untilEqual(() => editor.text.locator('td').count(), 9);
    await page.keyboard.press('ArrowDown');
    await editor.tool('Delete table').click();
    await untilEqual(() => editor.html(), '<p>a</p>');
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.text.locator('td').count(), 9);
  });

  it('edits a block that it has no lines for as it looks, and takes it away with a key', async () => {
    const editor = await open('<p>a</p><dl><dt>1 <em>x</em></dt><dd>y</dd></dl><p>b</p>');
    await editor.text.locator('.ql-preserved').click();
    await editor.page.keyboard.press('Enter');
    await editor.dialog.getByRole('textbox', { name: 'Text' }).locator('dd').click();
    await editor.page.keyboard.type(' and z');
    await editor.dialog.getByRole('button', { name: 'Save block' }).click();
    const html = '<p>a</p><dl><dt>1 <em>x</em></dt><dd>y and z</dd></dl><p>b</p>';
    await untilEqual(() => editor.html(), html);
    expect(sanitizeContent(html)).toBe(html);
    await editor.text.locator('.ql-preserved').click();
    await editor.page.keyboard.press('Delete');
    await untilEqual(() => editor.html(), '<p>a</p><p>b</p>');
    await editor.tool('Definitions').click();
    await editor.dialog.getByRole('textbox', { name: 'Terms and definitions' }).waitFor();
    for (const words of ['NAS', 'Disks in a box', 'RAID', 'Several disks', '']) {
      await editor.page.keyboard.type(words);
      await editor.page.keyboard.press('Enter');
    }
    await editor.dialog.getByRole('button', { name: 'Add definitions' }).click();
    const added = '<dl><dt>NAS</dt><dd>Disks in a box</dd><dt>RAID</dt><dd>Several disks</dd></dl>';
    await untilEqual(async () => (await editor.html()).replace(/<p>[ab]?<\/p>/g, ''), added);
    expect(sanitizeContent(added)).toBe(added);
  });

  it('puts footnotes where the cursor is, and edits them', async () => {
    const editor = await open('<p>said</p>');
    const { page, dialog } = editor;
    await editor.text.locator('p').click();
    await page.keyboard.press('End');
    await editor.tool('Footnote').click();
    await dialog.getByRole('button', { name: 'Save footnote' }).click();
    await dialog.getByText('Footnote is required').waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Footnote' }).click();
    await page.keyboard.type('by ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('him');
    await dialog.getByRole('button', { name: 'Save footnote' }).click();
    await page.keyboard.type('.');
    const html = '<p>said<span class="ql-footnote">by <b>him</b></span>.</p>';
    await untilEqual(() => editor.html(), html);
    expect(sanitizeContent(html)).toBe(html.replaceAll('b>', 'strong>'));
    await editor.text.locator('.ql-footnote').click();
    await dialog.getByRole('button', { name: 'Remove footnote' }).click();
    await untilEqual(() => editor.html(), '<p>said.</p>');
  });
});

describe('links, videos, formulas', () => {
  it('leads to what is meant, and nowhere by another scheme', async () => {
    const editor = await open('<p>word</p>');
    for (const [written, address] of [
      ['example.com/x', 'https://example.com/x'],
      ['pat@example.com', 'mailto:pat@example.com'],
      ['+1 (555) 010-0100', 'tel:+15550100100'],
      ['/pricing', '/pricing'],
      ['pricing', '/pricing'],
      ['javascript:alert(1)', 'about:blank'],
      ['sms:1', 'about:blank'],
    ] as const) {
      await editor.selectAll();
      await editor.page.keyboard.press('Control+k');
      await editor.dialog.getByLabel('Address').fill(written);
      await editor.page.keyboard.press('Enter');
      await untilEqual(() => editor.html(), `<p><a href="${address}">word</a></p>`);
    }
    await editor.tool('Link').click();
    await editor.dialog.getByLabel('Open in a new tab').check();
    await editor.dialog.getByRole('button', { name: 'Save link' }).click();
    await untilEqual(
      () => editor.html(),
      '<p><a href="about:blank" rel="noopener noreferrer" target="_blank">word</a></p>',
    );
    await editor.selectAll();
    await editor.tool('Link').click();
    await editor.dialog.getByRole('button', { name: 'Remove link' }).click();
    await untilEqual(() => editor.html(), '<p>word</p>');
  });

  it('takes a video under any of its addresses, and says so when it is none', async () => {
    const editor = await open();
    await editor.tool('Video').click();
    await editor.dialog.getByLabel('Address').fill('https://example.com/v.mp4');
    await editor.dialog.getByRole('button', { name: 'Save video' }).click();
    await untilEqual(() => editor.dialog.getByText('That is no video on YouTube or Vimeo').count(), 1);
    await editor.dialog.getByLabel('Address').fill('youtube.com/shorts/dQw4w9WgXcQ');
    await editor.dialog.getByLabel('Title').fill('How to');
    await editor.dialog.getByRole('button', { name: 'Save video' }).click();
    const html = await editor.html();
    expect(html).toBe(
      '<iframe class="ql-video" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="How to" loading="lazy" allowfullscreen="true"></iframe>',
    );
    expect(sanitizeContent(html)).toBe(html);
    expect(await editor.page.locator('iframe').count()).toBe(0);
  });

  it('plays a published video where its link was, when it is pressed and not before', async () => {
    const editor = await open();
    const asked: string[] = [];
    await editor.page.route('https://player.vimeo.com/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: 'player' });
    });
    const video = sanitizeContent('<iframe src="https://vimeo.com/12" title="How to"></iframe>');
    await editor.showArticle(
      (await renderContent(video, { siteUrl: 'https://own.example', publicBase: undefined })).html,
    );
    const link = editor.page.getByRole('link', { name: 'Play: How to Plays from Vimeo' });
    expect(await link.getAttribute('href')).toBe('https://vimeo.com/12');
    expect(asked).toEqual([]);
    await link.focus();
    await editor.page.keyboard.press('Enter');
    const player = editor.page.locator('iframe');
    await untilEqual(() => player.getAttribute('title'), 'How to');
    await untilEqual(() => player.evaluate((node) => node === document.activeElement), true);
    expect(asked).toEqual(['https://player.vimeo.com/video/12?autoplay=1&dnt=1']);
  });

  it('draws a formula, and says what is wrong with it', async () => {
    const editor = await open();
    await editor.tool('Formula').click();
    await editor.dialog.getByLabel('Formula in TeX').fill('\\frac{1');
    await editor.page.keyboard.press('Tab');
    await untilEqual(() => editor.dialog.locator('.field-error').count(), 1);
    await editor.dialog.getByLabel('Formula in TeX').fill('a < \\frac{1}{2}');
    await editor.dialog.locator('math').waitFor();
    await editor.dialog.getByRole('button', { name: 'Save formula' }).click();
    await untilEqual(() => editor.text.locator('math').count(), 1);
    await untilEqual(
      () => editor.html(),
      '<p><span class="ql-formula" data-value="a &lt; \\frac{1}{2}">a &lt; \\frac{1}{2}</span></p>',
    );
    await editor.text.locator('.ql-formula').click();
    await editor.dialog.getByLabel('Formula in TeX').fill('b');
    await editor.dialog.getByRole('button', { name: 'Save formula' }).click();
    await untilEqual(() => editor.html(), '<p><span class="ql-formula" data-value="b">b</span></p>');
  });
});

describe('pictures', () => {
  it('are uploaded, described, and taken back by undo', async () => {
    const editor = await open('<p>text</p>');
    await editor.text.click();
    await editor.page.keyboard.press('End');
    await editor.chooseImages('a.png', 'b.png');
    expect(await editor.uploading()).toEqual([true]);
    // Nothing of it is in the text before it has arrived.
    await untilEqual(() => editor.html(), '<p>text</p>');
    await editor.dialog.getByText('(1 of 2)').waitFor();
    await editor.dialog.getByRole('button', { name: 'Save description' }).click();
    await untilEqual(() => editor.dialog.getByText('Describe the picture, or mark it as decorative').count(), 1);
    await editor.dialog.getByLabel('What does it show?').fill('A  cable');
    await editor.dialog.getByRole('button', { name: 'Save description' }).click();
    // One after the other, in the order of the files.
    await editor.answer('a.png', '/media/a.png');
    await editor.answer('b.png', '/media/b.png');
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await untilEqual(
      () => editor.html(),
      '<p>text<img src="/media/a.png" alt="A cable"><img src="/media/b.png" alt=""></p>',
    );
    expect(await editor.uploading()).toEqual([true, false]);
    expect(await editor.missing()).toEqual([{ url: '/media/b.png', index: 5 }]);
    await editor.focusMissing();
    await editor.dialog.getByLabel('Decorative').check();
    await editor.dialog.getByRole('button', { name: 'Save description' }).click();
    const html = '<p>text<img src="/media/a.png" alt="A cable"><img src="/media/b.png" alt="" role="presentation"></p>';
    await untilEqual(() => editor.html(), html);
    expect(sanitizeContent(html)).toBe(html);
    expect(await editor.missing()).toEqual([]);
    const undone: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      await editor.page.keyboard.press('Control+z');
      undone.push(await editor.html());
    }
    expect(undone).toEqual([
      '<p>text<img src="/media/a.png" alt="A cable"><img src="/media/b.png" alt=""></p>',
      '<p>text<img src="/media/a.png" alt="A cable"></p>',
      '<p>text</p>',
    ]);
    for (const keys of ['Control+Shift+Z', 'Control+y', 'Control+y']) await editor.page.keyboard.press(keys);
    await untilEqual(() => editor.html(), html);
  });

  it('get a caption, a width and a link, on arrival and later, by keyboard and mouse', async () => {
    const editor = await open('<ul><li>one two</li></ul>');
    const { page, dialog } = editor;
    await editor.text.locator('li').click();
    await page.keyboard.press('Home');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    await editor.chooseImages('a.png');
    await dialog.getByLabel('Link').fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await untilEqual(() => dialog.locator('.field-error').count(), 2);
    await dialog.getByLabel('What does it show?').fill('A cable');
    await dialog.getByRole('textbox', { name: 'Caption' }).click();
    await page.keyboard.type('In the ');
    await page.keyboard.press('Control+i');
    await page.keyboard.type('rack');
    await dialog.getByLabel('Width').selectOption('wide');
    await dialog.getByLabel('Link').fill('pricing');
    // Colors on their way from one theme to the other are none of either.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save description' }).click();
    await editor.answer('a.png', '/media/a.png');
    const figure =
      '<figure class="ql-width-wide"><a href="/pricing"><img src="/media/a.png" alt="A cable"></a>' +
      '<figcaption>In the <i>rack</i></figcaption></figure>';
    const html = `<ul><li>one </li></ul>${figure}<ul><li>two</li></ul>`;
    await untilEqual(() => editor.html(), html);
    expect(sanitizeContent(html)).toBe(html.replaceAll('i>rack</i', 'em>rack</em'));
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<ul><li>one two</li></ul>');
    await page.keyboard.press('Control+Shift+z');
    await untilEqual(() => editor.html(), html);

    // A press opens it; its link leads nowhere while it is edited.
    await editor.text.getByText('In the rack').click();
    await dialog.getByLabel('Width').selectOption('text');
    await dialog.getByLabel('Link').fill('');
    await page.keyboard.press('Enter');
    const plain = figure.replace(' class="ql-width-wide"', '').replace(/<\/?a[^>]*>/g, '');
    await untilEqual(() => editor.html(), html.replace(figure, plain));
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), html);

    // By keyboard alone; a picture that stood in its line without a caption is raised from it.
    await editor.setHtml('<p>a</p><p><img src="/media/a.png" alt="A"></p>');
    await editor.text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Width').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Tab', 'Enter']) await page.keyboard.press(key);
    const full = '<p>a</p><figure class="ql-width-full"><img src="/media/a.png" alt="A"></figure>';
    await untilEqual(() => editor.html(), full);
    expect(sanitizeContent(full)).toBe(full);
    await editor.selectAll();
    const copied = await editor.copy();
    await page.keyboard.press('Delete');
    await editor.paste(copied);
    await untilEqual(() => editor.html(), full);

    // One that was imported, and one that a cell holds.
    await editor.setHtml(
      '<figure>\n<p><img src="/media/a.png" alt="A"></p>\n<figcaption><p>An <em>old</em> one</p></figcaption></figure>' +
        '<table><tbody><tr><td><img src="/media/b.png" alt="B"></td></tr></tbody></table>',
    );
    await editor.text.locator('figcaption').click();
    await dialog.getByRole('textbox', { name: 'Caption' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and new');
    await dialog.getByRole('button', { name: 'Save description' }).click();
    await editor.text.locator('td img').click();
    expect(await dialog.getByRole('textbox', { name: 'Caption' }).count()).toBe(0);
    await dialog.getByLabel('Link').fill('/b');
    await dialog.getByRole('button', { name: 'Save description' }).click();
    await untilEqual(
      () => editor.html(),
      '<figure><img src="/media/a.png" alt="A"><figcaption>An <em>old</em> one and new</figcaption></figure>' +
        '<table><tbody><tr><td><a href="/b"><img src="/media/b.png" alt="B"></a></td></tr></tbody></table>',
    );
  });

  it('that fail say so and leave the text as it was; deleting one breaks it off', async () => {
    const editor = await open('<p>text</p>');
    await editor.text.click();
    await editor.chooseImages('a.png');
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await editor.page.keyboard.insertText('more ');
    await editor.refuse('a.png', 'The disk is full');
    await editor.page.getByRole('alert').getByText('a.png was not uploaded: The disk is full').waitFor();
    await untilEqual(() => editor.text.locator('.ql-upload').count(), 0);
    expect(await editor.html()).toContain('more ');
    await editor.setHtml('<p>text</p>');
    await editor.chooseImages('c.png');
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await editor.selectAll();
    await editor.page.keyboard.press('Delete');
    expect(await editor.isAborted('c.png')).toBe(true);
    expect(await editor.uploading()).toEqual([true, false, true, false]);

    await editor.setHtml('<p>text</p>');
    await editor.chooseLargeImage('poster.png');
    await editor.page
      .getByRole('alert')
      .getByText('poster.png was not uploaded: Image must be less than 5MB')
      .waitFor();
    await untilEqual(() => editor.dialog.count(), 0);
    await untilEqual(() => editor.html(), '<p>text</p>');
  });

  it('of other sites that cannot be had leave links, and each is named with the reason', async () => {
    const editor = await open('<p>text</p>');
    await editor.text.click();
    await editor.page.keyboard.press('End');
    const image = (name: string, more = '') => `<img src="https://a.example/${name}.png" alt="${name}"${more}>`;
    await editor.paste(`<p>${image('one')}, ${image('two')}${image('dot', ' width="1" height="1"')}</p>`);
    // One does not wait for the other.
    await editor.refuse('https://a.example/two.png', 'The picture is larger than 5 MB');
    await editor.refuse('https://a.example/one.png', 'The picture answered 404');
    const alert = editor.page.getByRole('alert');
    await alert.getByText('A link stands in the place of the picture https://a.example/one.png').waitFor();
    await alert.getByText('https://a.example/two.png: The picture is larger than 5 MB.').waitFor();
    const link = (name: string) => `<a href="https://a.example/${name}.png">${name}</a>`;
    await untilEqual(() => editor.html(), `<p>text${link('one')}, ${link('two')}</p>`);
    await untilEqual(() => editor.text.locator('.ql-upload').count(), 0);
    expect(await editor.uploading()).toEqual([true, false]);
    for (let step = 0; step < 3; step += 1) await editor.page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<p>text</p>');
  });

  it('of other sites that are fetched for a text that is put away change nothing any more', async () => {
    const image = (name: string) => `<img src="https://a.example/${name}.png" alt="${name}">`;
    const editor = await open(`<p>${image('one')} ${image('two')}</p>`, [/ERR_|net::/, /failed: http/]);
    await editor.page.getByRole('button', { name: 'Fetch them' }).click();
    await editor.settleHidden('https://a.example/one.png', '/media/one.png', 'https://a.example/two.png');
    expect(await editor.changes()).toEqual([]);
  });

  it('are uploaded from the clipboard and from drops too, never kept inside the text', async () => {
    const editor = await open('<p>text</p>');
    const data = `data:image/png;base64,${PIXEL.toString('base64')}`;
    await editor.text.click();
    await editor.page.keyboard.press('End');
    await editor.paste(
      `<p>one <img src="${data}"> two <img src="https://a.example/x.png" alt="far"></p><img src="file:///c/x.png">`,
    );
    expect(await editor.html()).not.toContain('data:');
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await editor.answer('pasted.png', '/media/a.png');
    // A picture of another site is fetched; what is saved meanwhile leads to it.
    const text = (picture: string) => `<p>textone <img src="/media/a.png" alt=""> two ${picture}</p>`;
    await untilEqual(() => editor.html(), text('<a href="https://a.example/x.png">far</a>'));
    await editor.answer('https://a.example/x.png', '/media/x.png');
    await untilEqual(() => editor.html(), text('<img src="/media/x.png" alt="far">'));
    await editor.page.getByRole('alert').getByText('One picture did not come along').waitFor();
    await editor.dropFiles(['x.png', 'image/png'], ['y.svg', 'image/svg+xml']);
    await editor.page.getByRole('alert').getByText('y.svg').waitFor();
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await editor.answer('x.png', '/media/c.png');
    expect(await editor.html()).toContain('/media/c.png');
    expect(await editor.html()).not.toContain('svg');
  });

  it('that leave a link while a dialog is open do not move what it is about', async () => {
    const editor = await open('');
    const { page } = editor;
    await editor.text.click();
    await editor.paste('<p><img src="https://a.example/one.png" alt="a long description"> and words</p>');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await page.keyboard.press('Control+k');
    await editor.dialog.getByLabel('Address').fill('/pricing');
    await editor.refuse('https://a.example/one.png', 'The picture answered 404');
    const lost = '<a href="https://a.example/one.png">a long description</a>';
    await untilEqual(() => editor.text.locator('.ql-upload').count(), 0);
    await editor.dialog.getByRole('button', { name: 'Save link' }).click();
    await untilEqual(() => editor.html(), `<p>${lost} and <a href="/pricing">words</a></p>`);
  });

  it('are uploaded when one was copied in a browser; of text that has a picture beside it, the text is pasted', async () => {
    const editor = await open('<p>text</p>');
    await editor.text.click();
    await editor.page.keyboard.press('End');
    await editor.paste('<meta charset="utf-8"><img src="https://a.example/x.png" alt="far">', '', 'copied.png');
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await editor.answer('copied.png', '/media/a.png');
    await untilEqual(() => editor.html(), '<p>text<img src="/media/a.png" alt=""></p>');
    await editor.setHtml('<p>text</p>');
    await editor.text.click();
    await editor.page.keyboard.press('End');
    await editor.paste('<p>, <b onclick="x()">a table</b></p>', ', a table', 'drawn.png');
    expect(await editor.html()).toBe('<p>text, <strong>a table</strong></p>');
  });
});

describe('paste', () => {
  it('from other programs comes out clean', async () => {
    const editor = await open();
    for (const { name, clipboard, expected } of pasteCases) {
      await editor.setHtml('');
      await editor.text.click();
      await editor.paste(clipboard);
      const html = await editor.html();
      expect([name, html]).toEqual([name, expected]);
      expect([name, sanitizeContent(html)]).toEqual([name, html]);
    }
  });

  it('from the programs that people write with loses nothing in silence', async () => {
    const editor = await open('', [/ERR_|net::/, /failed: http/]);
    const names = (await readdir(PASTES)).filter((name) => /^[a-z-]+\.html$/.test(name));
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) {
      const [clipboard, expected] = await Promise.all(
        [name, name.replace('.html', '.expected.html')].map((file) => readFile(new URL(file, PASTES), 'utf8')),
      );
      await editor.setHtml('');
      await editor.text.click();
      const alerts = async () => (await editor.page.getByRole('alert').allInnerTexts()).join(' ').trim();
      const before = await alerts();
      await editor.paste(clipboard ?? '');
      const html = await editor.html();
      // One block a line, so that a difference can be read; what is told of the paste is the last one.
      const said = (await alerts()).replace(before, '');
      const result = `${html.replace(/(<\/(?:p|h\d|ul|ol|table|pre|blockquote|dl|details)>|<hr>)/g, '$1\n')}\n${said}\n`;
      expect([name, result]).toEqual([name, expected]);
      expect([name, sanitizeContent(html)]).toEqual([name, html]);
    }
  });

  it('keeps everything between two places of the text, and gives clean HTML to others', async () => {
    const html = everyElement.join('');
    const editor = await open(html, [/ERR_|net::/, /failed: http/]);
    await editor.selectAll();
    const copied = await editor.copy();
    expect(copied).not.toMatch(/ql-ui|contenteditable/);
    expect(copied.match(/&nbsp;/g)).toHaveLength(1);
    await editor.page.keyboard.press('Delete');
    await editor.paste(copied);
    // Quill pastes no-break spaces as spaces.
    const words = (text: string) => text.replace(/<[^>]*>|&nbsp;|\s/g, '');
    expect(words(await editor.html())).toBe(words(html));
  });
});

describe('the keyboard', () => {
  it('reaches every tool in one stop, and leaves the text with Tab', async () => {
    const editor = await open('<p>text</p>');
    const { page } = editor;
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    await page.getByRole('button', { name: 'Before' }).focus();
    await page.keyboard.press('Tab');
    const visited = [await focused()];
    for (let step = 0; step < 40 && visited.length === new Set(visited).size; step += 1) {
      await page.keyboard.press('ArrowRight');
      visited.push(await focused());
    }
    const tools = page.getByRole('toolbar').locator('button, select');
    const names = await tools.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label')));
    expect(names.every(Boolean)).toBe(true);
    expect(visited).toEqual([...names, names[0]]);
    const sizes = await page.locator('.tool, .tool-select').evaluateAll((nodes) =>
      nodes.map((node) => {
        const { width, height } = node.getBoundingClientRect();
        return Math.min(width, height);
      }),
    );
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    // What a sign means can be read, not only heard.
    await page.getByRole('tooltip', { name: 'Undo' }).waitFor();
    await page.keyboard.press('Tab');
    await untilEqual(() => editor.text.evaluate((node) => node === document.activeElement), true);
    await page.keyboard.press('Alt+F10');
    await untilEqual(() => focused(), names[0]);
    await page.keyboard.press('Escape');
    await untilEqual(() => editor.text.evaluate((node) => node === document.activeElement), true);
    await page.keyboard.press('Tab');
    await untilEqual(() => focused(), 'After');
    await page.keyboard.press('Shift+Tab');
    await untilEqual(() => editor.text.evaluate((node) => node === document.activeElement), true);
    await untilEqual(() => editor.html(), '<p>text</p>');
    const box = page.getByRole('textbox', { name: 'Content' });
    expect(await box.getAttribute('aria-multiline')).toBe('true');
    expect(await box.getAttribute('aria-required')).toBe('true');
  });
});
