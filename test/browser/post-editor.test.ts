import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import sharp from 'sharp';
import { renderContent } from '../../src/posts/content/render-content.js';
import { sanitizeContent } from '../../src/posts/content/sanitize-content.js';
import { markdownToHtml } from '../../src/shared/markdown-to-html.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { openEditor } from '../support/editor-driver.js';
import { everyElement, sanitizedHtml } from '../support/editor-samples.js';
import { serveEditorPage } from '../support/editor-site.js';
import { pressControlAnd } from '../support/other-keyboards.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

/** The blog of a company in each system. */
const BLOGS = new URL('../fixtures/blogs/', import.meta.url);

let base: string;
beforeAll(async () => {
  base = await serveEditorPage();
});

const open = (html?: string, expectedComplaints?: readonly RegExp[]) => openEditor(base, html, expectedComplaints);

describe('a text that nobody touches', () => {
  it('is given back as it was, byte for byte, and no edit elsewhere loses anything of it', async () => {
    const editor = await open('', [/ERR_|net::/, /failed: http/]);
    const documents = fc.sample(sanitizedHtml(), { numRuns: 300, seed: 20_260_101 });
    const some = fewOf(documents, (html) => documents.indexOf(html) % 5 === 0);
    expect(await editor.findLosses(some)).toEqual([]);
    const sample = everyElement.join('\n');
    expect(sanitizeContent(sample)).toBe(sample);
    expect(await editor.findLosses([sample, ...everyElement])).toEqual([]);
  });

  itSlow('keeps blocks of code and quotations in a row apart when one of them is edited', async () => {
    const code = (words: string) => `<pre><code class="language-bash">${words}</code></pre>`;
    const quote = (words: string) => `<blockquote><p>${words}</p></blockquote>`;
    const html = code('make') + code('done') + quote('a') + quote('b');
    const editor = await open(html);
    expect(await editor.html()).toBe(html);
    await editor.text.locator('.ql-code-block').first().click();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.type(' all');
    await editor.text.locator('blockquote').last().click();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.type('!');
    await untilEqual(() => editor.html(), code('make all') + code('done') + quote('a') + quote('b!'));
  });

  itSlow('has room between quotations in a row that Delete takes away, and then what parts them', async () => {
    const html = '<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>';
    const editor = await open(html);
    await editor.text.locator('blockquote').first().click();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.press('Delete');
    expect(await editor.html()).toBe(html);
    await editor.page.keyboard.press('Delete');
    await untilEqual(() => editor.html(), '<blockquote><p>ab</p></blockquote>');
  });

  itSlow('is given back so in the posts of a company', async () => {
    const names = (await readdir(BLOGS, { recursive: true })).filter((name) => /\.(?:md|markdown)$/.test(name));
    const posts = await Promise.all(names.map((name) => readFile(new URL(name, BLOGS), 'utf8')));
    expect(posts.length).toBeGreaterThan(60);
    const editor = await open('', [/ERR_|net::/, /failed: http/]);
    const texts = posts.map((post) =>
      sanitizeContent(markdownToHtml(post.replace(/^(---|\+\+\+)\n[\s\S]*?\n\1\n/, ''))),
    );
    expect(await editor.findLosses(texts)).toEqual([]);
  });

  itSlow('is no change, also when its code has got its colors; the defaults are those of the library', async () => {
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
  itSlow('gives what the sanitizer keeps as it is, for everything that the toolbar has', async () => {
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

  itSlow('shows what is on and what is ticked off where the colors are those of the system', async () => {
    const html = '<ul><li data-list="checked">a</li><li data-list="unchecked">b</li></ul><ul><li>c</li></ul>';
    const editor = await open(html);
    const { page } = editor;
    await editor.showArticle(html);
    await page.emulateMedia({ forcedColors: 'active' });
    const ink = await editor.text.evaluate((text) => getComputedStyle(text).color);
    const isInked = (items: string) =>
      page
        .locator(items)
        .evaluateAll(
          (found, color) => found.map((item) => getComputedStyle(item, '::before').backgroundColor === color),
          ink,
        );
    expect(await isInked('.ql-editor li > .ql-ui')).toEqual([true, false, true]);
    expect(await isInked('main > .prose li')).toEqual([true, false, true]);
    const bold = editor.tool('Bold');
    const frame = () => bold.evaluate((tool) => getComputedStyle(tool).borderBottomStyle);
    expect(await frame()).toBe('none');
    await editor.text.click();
    await bold.click();
    await untilEqual(frame, 'solid');
  });

  itSlow('has its numbers on the ground of the text in the dark', async () => {
    const editor = await open('<ol><li>a</li></ol>');
    await editor.page.emulateMedia({ colorScheme: 'dark' });
    const { x, y } = (await editor.text.locator('.ql-ui').boundingBox())!;
    const clip = { x: x + 3, y: y + 2, width: 1, height: 1 };
    const grounds = [clip, { ...clip, y: y - 2 }].map(async (area) =>
      (
        await sharp(await editor.page.screenshot({ clip: area }))
          .raw()
          .toBuffer()
      ).join(),
    );
    const [number, text] = await Promise.all(grounds);
    expect(number).toBe(text);
  });

  itSlow('understands Markdown while it is typed and when it is pasted, each in one step to undo', async () => {
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

  itSlow('goes on counting in a list that starts at another number, and keeps lines beside objects', async () => {
    const editor = await open();
    const { page } = editor;
    await editor.text.click();
    await page.keyboard.type('3. three\nfour and five');
    await untilEqual(() => editor.html(), '<ol start="3"><li>three</li><li>four and five</li></ol>');
    // In the middle of the item that has the number, too.
    await editor.setHtml('<ol start="3"><li>three</li><li>four and five</li></ol>');
    await editor.text.locator('li').first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await untilEqual(() => editor.html(), '<ol start="3"><li>t</li><li>hree</li><li>four and five</li></ol>');
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<ol start="3"><li>three</li><li>four and five</li></ol>');
    // Also in the place of words that are selected.
    await editor.setHtml('<ol start="3"><li>three</li><li>four and five</li></ol>');
    await editor.text.locator('li').first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await untilEqual(() => editor.html(), '<ol start="3"><li>t</li><li>ree</li><li>four and five</li></ol>');
    await editor.setHtml('<hr>');
    await editor.text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('one\n\ntwo');
    await untilEqual(() => editor.html(), '<hr><p>one</p><p><br></p><p>two</p>');
  });

  itSlow('has looks for selected words, and takes them away again', async () => {
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

  itSlow('shows that a selection has different looks, and gives all of it one of them or none', async () => {
    const editor = await open(
      '<h2>a</h2><p>b <span class="ql-size-large">c</span></p><h3 class="ql-align-center">d</h3>',
    );
    await editor.selectAll();
    for (const [name, kind] of [
      ['Paragraph style', 'Mixed'],
      ['Size', 'Mixed'],
      ['Alignment', 'Mixed'],
      ['Font', 'Sans serif'],
    ] as const) {
      await untilEqual(() => editor.list(name).locator('option:checked').innerText(), kind);
    }
    for (const name of ['Paragraph style', 'Size', 'Alignment']) await editor.list(name).selectOption('');
    await untilEqual(() => editor.html(), '<p>a</p><p>b c</p><p>d</p>');
    await untilEqual(() => editor.list('Paragraph style').locator('option:checked').innerText(), 'Paragraph');
  });

  itSlow('clears the looks of words and lines, and leaves what stands between the words where it is', async () => {
    const html =
      '<h2 class="ql-align-center">a <strong>b</strong></h2>' +
      '<p>c<br><em>d</em><span class="ql-footnote">n</span><img src="/media/a.png" alt="a"></p>' +
      '<table><tbody><tr><td class="ql-align-center"><u>e</u></td><td>f</td></tr></tbody></table>' +
      '<figure><img src="/media/c.png" alt="c"><figcaption>g</figcaption></figure><ol start="3"><li>h</li><li><s>i</s> j</li></ol>';
    const editor = await open(html);
    const { page } = editor;
    await editor.selectAll();
    await editor.tool('Clear formatting').click();
    await untilEqual(
      () => editor.html(),
      '<p>a b</p><p>c<br>d<span class="ql-footnote">n</span><img src="/media/a.png" alt="a"></p>' +
        '<table><tbody><tr><td>e</td><td>f</td></tr></tbody></table>' +
        '<figure><img src="/media/c.png" alt="c"><figcaption>g</figcaption></figure><p>h</p><p>i j</p>',
    );
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), html);
    // What stands in the line behind the selection keeps its looks.
    await editor.text.locator('h2').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await editor.tool('Clear formatting').click();
    await untilEqual(() => editor.text.locator('h2').count(), 0);
    expect(await editor.html()).toBe(html.replace(/<h2.*<\/h2>/, '<p>a <strong>b</strong></p>'));
  });

  itSlow('is not empty where nothing but a film is left', async () => {
    const player = everyElement.find((block) => block.startsWith('<video')) ?? '';
    const editor = await open(`<p>words</p>${player}`, [/ERR_|net::/, /failed: http/]);
    await editor.text.locator('p').first().click();
    await editor.page.keyboard.press('End');
    for (let step = 0; step < 'words'.length; step += 1) await editor.page.keyboard.press('Backspace');
    await untilEqual(() => editor.html(), `<p><br></p>${player}`);
    expect((await editor.changes()).at(-1)).toMatchObject({ isEmpty: false });
  });

  itSlow('replaces the text in one step of undo, and says when it is empty', async () => {
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

  itSlow('makes a table and edits it by keyboard, tools and paste, each change in one step of undo', async () => {
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

  itSlow('edits a block that it has no lines for as it looks, and takes it away with a key', async () => {
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

  itSlow('puts footnotes where the cursor is, and edits them', async () => {
    const editor = await open('<p>said</p>');
    const { page, dialog } = editor;
    await editor.text.locator('p').click();
    await page.keyboard.press('End');
    await editor.tool('Footnote').click();
    await dialog.getByRole('button', { name: 'Save footnote' }).click();
    await dialog.getByText('Footnote is required').waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await findViolationsInBothThemes(page)).toEqual([]);
    const note = dialog.getByRole('textbox', { name: 'Footnote' });
    // An Enter that chooses the letters of a word breaks no line.
    const isLeft = (key: object) =>
      note.evaluate(
        (box, init) => box.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })),
        { key: 'Enter', ...key },
      );
    expect([await isLeft({ isComposing: true }), await isLeft({ keyCode: 229 })]).toEqual([true, true]);
    // Nor is a translation of the page taken for what was written.
    for (const box of [editor.text, note])
      expect(await box.evaluate((node) => node.closest('.notranslate[translate=no]') !== null)).toBe(true);
    await note.click();
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

describe('what code cannot hold', () => {
  itSlow('stands behind the code that the cursor is in', async () => {
    const editor = await open('<pre><code class="language-js">a();\nb();</code></pre>');
    const { page, dialog } = editor;
    await editor.text.locator('.ql-code-block').first().click();
    await editor.chooseImages('x.png');
    await dialog.getByRole('button', { name: 'Later' }).click();
    await editor.answer('x.png', '/media/x.png');
    await editor.text.locator('.ql-code-block').first().click();
    await editor.tool('Footnote').click();
    await dialog.getByRole('textbox', { name: 'Footnote' }).waitFor();
    await page.keyboard.type('note');
    await dialog.getByRole('button', { name: 'Save footnote' }).click();
    const code = '<pre><code class="language-js">a();\nb();</code></pre>';
    const picture = '<p><img src="/media/x.png" alt=""></p>';
    await untilEqual(() => editor.html(), `${code}<p><span class="ql-footnote">note</span></p>${picture}`);
    await dialog.waitFor({ state: 'detached' });
    await editor.text.focus();
    await page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), code + picture);
  });

  itSlow('stands behind the code in which the selection ends', async () => {
    const html = '<p>before</p><pre><code class="language-js">a();\nb();</code></pre>';
    const editor = await open(html);
    await editor.selectAll();
    await editor.tool('Footnote').click();
    await editor.dialog.getByRole('textbox', { name: 'Footnote' }).waitFor();
    await editor.page.keyboard.type('note');
    await editor.dialog.getByRole('button', { name: 'Save footnote' }).click();
    await untilEqual(() => editor.html(), `${html}<p><span class="ql-footnote">note</span></p>`);
  });
});

describe('links, videos, formulas', () => {
  it('leads to what is meant, and nowhere by another scheme', async () => {
    const editor = await open('<p>word</p>');
    const written = [
      ['example.com/x', 'https://example.com/x'],
      ['pat@example.com', 'mailto:pat@example.com'],
      ['+1 (555) 010-0100', 'tel:+15550100100'],
      ['/pricing', '/pricing'],
      ['pricing', '/pricing'],
      ['javascript:alert(1)', 'about:blank'],
      ['sms:1', 'about:blank'],
    ] as const;
    for (const [words, address] of fewOf(written, ([typed]) => /^(?:example|javascript)/.test(typed))) {
      await editor.selectAll();
      await editor.page.keyboard.press('Control+k');
      await editor.dialog.getByLabel('Address').fill(words);
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

  itSlow('is changed as a whole where its words look different', async () => {
    const link = (address: string) => `<p>a <a href="${address}">read <strong>this</strong> page</a> b</p>`;
    const editor = await open(link('/old'));
    await editor.text.locator('strong').click();
    await editor.page.keyboard.press('Control+k');
    await editor.dialog.getByLabel('Address').fill('/new');
    await editor.page.keyboard.press('Enter');
    await untilEqual(() => editor.html(), link('/new'));
    await editor.tool('Link').click();
    await editor.dialog.getByRole('button', { name: 'Remove link' }).click();
    await untilEqual(() => editor.html(), '<p>a read <strong>this</strong> page b</p>');
  });

  itSlow('is shown wherever it stands and however it opens, as is a line by its words', async () => {
    const editor = await open(
      '<p>a <a href="/x" title="T" rel="noopener noreferrer" target="_blank">one</a></p><h2>10&nbsp;kg</h2><p>b</p>' +
        '<dl><dt>c</dt><dd><a href="/y">d</a></dd></dl>' +
        '<figure><a href="/z"><img src="/media/a.png" alt="A"></a><figcaption>e</figcaption></figure>',
    );
    expect(await editor.showPlace({ link: '/x' })).toBe('one');
    expect(await editor.showPlace({ line: '10 kg' })).toBe('10 kg');
    await editor.showPlace({ link: '/y' });
    await untilEqual(() => editor.text.locator('.ql-preserved.ql-chosen').count(), 1);
    await editor.showPlace({ link: '/z' });
    await untilEqual(() => editor.text.locator('.ql-figure.ql-chosen').count(), 1);
  });

  itSlow('takes a video under any of its addresses, and says so when it is none', async () => {
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
    // The player is in the page before the browser asks for what is in it.
    await untilEqual(async () => asked, ['https://player.vimeo.com/video/12?autoplay=1&dnt=1']);
  });

  itSlow('draws a formula, and says what is wrong with it', async () => {
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
    // The words after it stay in their order, which begins with a space.
    await editor.dialog.waitFor({ state: 'detached' });
    await editor.text.focus();
    await editor.page.keyboard.press('Control+End');
    await editor.page.keyboard.type(' and so on');
    await untilEqual(() => editor.html(), '<p><span class="ql-formula" data-value="b">b</span> and so on</p>');
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

  it('has its shortcuts on one of another script, too', async () => {
    const editor = await open('<p>word</p>');
    await editor.selectAll();
    await pressControlAnd(editor.page, { key: 'ъ', code: 'BracketRight', keyCode: 221 });
    await untilEqual(() => editor.html(), '<p class="ql-indent-1">word</p>');
    await pressControlAnd(editor.page, { key: 'л', code: 'KeyK', keyCode: 75 });
    await editor.dialog.getByLabel('Address').waitFor();
  });

  itSlow('stays with who has gone on from the text when code gets its colors and a picture arrives', async () => {
    const editor = await open('<pre><code class="language-js">a</code></pre>');
    const { page } = editor;
    const hasFocus = () =>
      page.getByRole('button', { name: 'After' }).evaluate((node) => node === document.activeElement);
    await editor.text.locator('.ql-code-block').click();
    await page.keyboard.press('End');
    await page.keyboard.type('; if (b)');
    await page.keyboard.press('Tab');
    await untilEqual(hasFocus, true);
    await editor.text.locator('.hljs-keyword').waitFor();
    expect(await hasFocus()).toBe(true);
    await editor.text.focus();
    await editor.chooseImages('x.png');
    await editor.dialog.getByRole('button', { name: 'Later' }).click();
    await editor.dialog.waitFor({ state: 'detached' });
    await editor.text.focus();
    await page.keyboard.press('Tab');
    await untilEqual(hasFocus, true);
    await editor.answer('x.png', '/media/x.png');
    expect(await hasFocus()).toBe(true);
  });
});
