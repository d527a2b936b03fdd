import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addReadingAids } from '../../src/posts/content/reading-aids.js';
import { renderContent } from '../../src/posts/content/render-content.js';
import { sanitizeContent } from '../../src/posts/content/sanitize-content.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { openEditor } from '../support/editor-driver.js';
import { everyElement, pasteCases } from '../support/editor-samples.js';
import { PIXEL, serveEditorPage } from '../support/editor-site.js';
import { itSlow } from '../support/slow-tests.js';
import { untilEqual } from '../support/until.js';

/** Clipboards of other programs, each with the text that is meant and what is said about it. */
const PASTES = new URL('../fixtures/paste/', import.meta.url);

let base: string;
beforeAll(async () => {
  base = await serveEditorPage();
});

const open = (html?: string, expectedComplaints?: readonly RegExp[]) => openEditor(base, html, expectedComplaints);

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

  itSlow('of the same file as another one are described for themselves', async () => {
    const first = '<p>one <img src="/media/a.png" alt="The front"> two';
    const editor = await open(`${first}</p>`);
    await editor.text.focus();
    await editor.page.keyboard.press('Control+End');
    await editor.chooseImages('a.png');
    // The same bytes have the same address, and arrive before anybody has described them.
    await editor.answer('a.png', '/media/a.png');
    await untilEqual(() => editor.html(), `${first}<img src="/media/a.png" alt=""></p>`);
    await editor.dialog.getByLabel('What does it show?').fill('The back');
    await editor.dialog.getByRole('button', { name: 'Save description' }).click();
    await untilEqual(() => editor.html(), `${first}<img src="/media/a.png" alt="The back"></p>`);
  });

  itSlow('get a caption, a width and a link, on arrival and later, by keyboard and mouse', async () => {
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

  itSlow('that fail say so and leave the text as it was; deleting one breaks it off', async () => {
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

  itSlow(
    'that are cut on their way come where they are pasted, each time, and where undo brings them back',
    async () => {
      const editor = await open('<p>one</p><p>two</p>');
      const { keyboard } = editor.page;
      const begun = () => editor.page.evaluate(() => harness.uploads.filter(({ signal }) => !signal.aborted).length);
      await editor.text.locator('p').first().click();
      await keyboard.press('End');
      await editor.chooseImages('a.png');
      await editor.dialog.getByRole('button', { name: 'Later' }).click();
      await untilEqual(begun, 1);
      // The place of a picture is an object of the text.
      await editor.showPlace({ line: 'one\ufffc' });
      const cut = await editor.cut();
      expect(await editor.isAborted('a.png')).toBe(true);
      await keyboard.press('Control+z');
      await untilEqual(begun, 1);
      await editor.showPlace({ line: 'one\ufffc' });
      await editor.cut();
      expect(await begun()).toBe(0);
      await keyboard.press('Control+End');
      await editor.paste(cut);
      await editor.paste(cut);
      await untilEqual(begun, 1);
      await editor.answer('a.png', '/media/a.png');
      const picture = 'one<img src="/media/a.png" alt="">';
      await untilEqual(() => editor.html(), `<p><br></p><p>two${picture}${picture}</p>`);
      expect(await editor.text.locator('.ql-upload').count()).toBe(0);
      // What another page has on its way is none of this one.
      await keyboard.press('Control+End');
      await editor.paste('<p>, and <span class="ql-upload" data-upload="1"></span>more</p>');
      await untilEqual(() => editor.html(), `<p><br></p><p>two${picture}${picture}, and more</p>`);
      expect(await editor.text.locator('.ql-upload').count()).toBe(0);
    },
  );

  itSlow('of other sites that cannot be had leave links, and each is named with the reason', async () => {
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

  itSlow('of other sites that are fetched for a text that is put away change nothing any more', async () => {
    const image = (name: string) => `<img src="https://a.example/${name}.png" alt="${name}">`;
    const editor = await open(`<p>${image('one')} ${image('two')}</p>`, [/ERR_|net::/, /failed: http/]);
    await editor.page.getByRole('button', { name: 'Fetch them' }).click();
    await editor.settleHidden('https://a.example/one.png', '/media/one.png', 'https://a.example/two.png');
    expect(await editor.changes()).toEqual([]);
  });

  itSlow('of other sites that are fetched leave the focus where somebody has gone on to', async () => {
    const image = (address: string) => `<p>words <img src="${address}" alt="one"></p>`;
    const editor = await open(image('https://a.example/one.png'), [/ERR_|net::/, /failed: http/]);
    await editor.text.focus();
    await editor.page.getByRole('button', { name: 'Fetch them' }).press('Enter');
    const after = editor.page.getByRole('button', { name: 'After' });
    await after.focus();
    await editor.answer('https://a.example/one.png', '/media/one.png');
    await untilEqual(() => editor.html(), image('/media/one.png'));
    expect(await after.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  itSlow(
    'of other sites are fetched by a button that keeps the focus, and leads into the text when it goes',
    async () => {
      const image = (address: string) => `<p>words <img src="${address}" alt="one"></p>`;
      const editor = await open(image('https://a.example/one.png'), [/ERR_|net::/, /failed: http/]);
      await editor.page.getByRole('button', { name: 'Fetch them' }).press('Enter');
      const busy = editor.page.getByRole('button', { name: 'Fetching...' });
      await busy.and(editor.page.locator(':focus')).waitFor();
      expect(await busy.getAttribute('aria-disabled')).toBe('true');
      await busy.press('Enter');
      await editor.answer('https://a.example/one.png', '/media/one.png');
      await untilEqual(() => editor.html(), image('/media/one.png'));
      await busy.waitFor({ state: 'detached' });
      await editor.text.and(editor.page.locator(':focus')).waitFor();
    },
  );

  itSlow('are uploaded from the clipboard and from drops too, never kept inside the text', async () => {
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

  itSlow('that leave a link while a dialog is open do not move what it is about', async () => {
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

  itSlow('that leave a link while something new is asked for do not move its place', async () => {
    const editor = await open('');
    const { page } = editor;
    await editor.text.click();
    await editor.paste('<p><img src="https://a.example/one.png" alt="a long description"> and words</p>');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await editor.tool('Formula').click();
    await editor.dialog.getByLabel('Formula in TeX').fill('b');
    await editor.refuse('https://a.example/one.png', 'The picture answered 404');
    const lost = '<a href="https://a.example/one.png">a long description</a>';
    await untilEqual(() => editor.text.locator('.ql-upload').count(), 0);
    await editor.dialog.getByRole('button', { name: 'Save formula' }).click();
    const formula = '<span class="ql-formula" data-value="b">b</span>';
    await untilEqual(() => editor.html(), `<p>${lost} and ${formula}</p>`);
  });

  itSlow('that arrive among the words of which a link is asked leave it to the others', async () => {
    const editor = await open('');
    await editor.text.click();
    const far = (name: string) => `<img src="https://a.example/${name}.png" alt="${name}">`;
    await editor.paste(`<p>${far('one')}${far('two')} and</p><p>b</p>`);
    // Places of pictures are objects of the text.
    await editor.showPlace({ line: '\ufffc\ufffc and' });
    await editor.page.keyboard.press('Control+k');
    await editor.dialog.getByLabel('Address').fill('/x');
    for (const name of ['one', 'two']) await editor.answer(`https://a.example/${name}.png`, `/media/${name}.png`);
    await editor.page.keyboard.press('Enter');
    const near = (name: string) => `<img src="/media/${name}.png" alt="${name}">`;
    await untilEqual(() => editor.html(), `<p>${near('one')}${near('two')} <a href="/x">and</a></p><p>b</p>`);
  });

  itSlow(
    'are uploaded when one was copied in a browser; of text that has a picture beside it, the text is pasted',
    async () => {
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
    },
  );
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

  itSlow('from a post as this site shows it is the post, without what helps to read it', async () => {
    const editor = await open('', [/ERR_|net::/, /failed: http/]);
    const post =
      '<h2>Costs</h2><p>Said<span class="ql-footnote">by <strong>him</strong></span>.</p>' +
      '<pre><code class="language-bash">make install</code></pre><p>then</p>' +
      '<iframe class="ql-video" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="How to" loading="lazy" allowfullscreen="true"></iframe>' +
      (everyElement.find((block) => block.startsWith('<video')) ?? '');
    const rendered = await renderContent(post, { siteUrl: base, publicBase: undefined });
    const shown = addReadingAids(rendered.html).html;
    const picture =
      '<a class="picture-link" href="/media/a.png"><picture><img src="/media/a.png" alt="A"></picture></a>';
    // Browsers write whole addresses into the clipboard.
    const whole = (html: string, page: string) =>
      html.replaceAll(/(href|src|poster)="(#|\/media\/)/g, (_, name: string, start: string) =>
        start === '#' ? `${name}="${page}#` : `${name}="${new URL(start, page).href}`,
      );
    await editor.text.click();
    await editor.paste(whole(`${shown}<p>${picture} and words</p>`, editor.page.url()));
    // In whichever order a browser writes the attributes of a player.
    const sorted = (html: string) =>
      html.replace(
        /<video ([^>]*)>/,
        (_whole, names: string) =>
          `<video ${names
            .split(/ (?=\w+=)/)
            .sort()
            .join(' ')}>`,
      );
    const expected = sorted(`${post}<p><img src="/media/a.png" alt="A"> and words</p>`);
    await untilEqual(async () => sorted(await editor.html()), expected);
  });

  itSlow('from the programs that people write with loses nothing in silence', async () => {
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

  itSlow('of a plain text from Windows puts the cursor behind it, and parts no table', async () => {
    const editor = await open('<p>ab</p>');
    await editor.text.locator('p').click();
    await editor.page.keyboard.press('Home');
    await editor.page.keyboard.press('ArrowRight');
    await editor.paste('', 'one\r\ntwo');
    await editor.page.keyboard.type('X');
    await untilEqual(() => editor.html(), '<p>aone</p><p>twoXb</p>');
    const table = (cell: string) => `<table><tbody><tr><td>${cell}</td><td>b</td></tr></tbody></table>`;
    await editor.setHtml(table('a'));
    await editor.text.locator('td').first().click();
    await editor.page.keyboard.press('End');
    await editor.paste('', '1\r\n2');
    await untilEqual(() => editor.html(), table('a1<br>2'));
  });

  it('keeps blocks of code in a row apart, and together what other programs write line by line', async () => {
    const editor = await open();
    const code = (...blocks: string[]) => blocks.map((words) => `<pre><code>${words}</code></pre>`).join('');
    const bash = (words: string) => code(words).replace('<code>', '<code class="language-bash">');
    for (const [html, text, expected] of [
      ['<pre>a\nb</pre>\n<div><pre>c</pre></div>', '', code('a\nb', 'c')],
      [bash('npm ci') + bash('npm test') + code('c'), '', bash('npm ci') + bash('npm test') + code('c')],
      ['', '```bash\nnpm ci\n```\n\n```bash\nnpm test\n```', bash('npm ci') + bash('npm test')],
      ['<pre>a<o:p></o:p></pre><pre>b<o:p></o:p></pre>', '', code('a\nb')],
    ] as const) {
      await editor.setHtml('');
      await editor.text.click();
      await editor.paste(html, text);
      await untilEqual(() => editor.html(), expected);
    }
    const cell = (words: string) => `<table><tbody><tr><td>${words}</td><td>b</td></tr></tbody></table>`;
    await editor.setHtml(cell('a'));
    await editor.text.locator('td').first().click();
    await editor.page.keyboard.press('End');
    await editor.paste(code('b', 'c'));
    expect(await editor.html()).not.toContain('<br><br>');
  });

  it('into a plain text keeps lines apart, and nothing is copied where nothing is selected', async () => {
    const editor = await open('<p>one<br>two</p><p>three</p>');
    await editor.selectAll();
    expect((await editor.copy('text/plain')).trimEnd()).toBe('one\ntwo\nthree');
    await editor.page.keyboard.press('ArrowLeft');
    expect(await editor.copy('text/plain')).toBe('(as it was)');
  });

  itSlow('keeps everything between two places of the text, and gives clean HTML to others', async () => {
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

describe('text', () => {
  it('that is dropped comes to its place as if it were pasted there', async () => {
    const editor = await open('<p>one</p><p>two</p>');
    await editor.drop(editor.text.locator('p').first(), ', <b onclick="x()">bold</b>');
    await untilEqual(() => editor.html(), '<p>one, <strong>bold</strong></p><p>two</p>');
    await editor.page.keyboard.press('Control+z');
    await untilEqual(() => editor.html(), '<p>one</p><p>two</p>');
    await editor.drop(editor.text.locator('p').last(), '', ', three');
    await editor.page.keyboard.type('!');
    await untilEqual(() => editor.html(), '<p>one</p><p>two, three!</p>');
  });

  it('that is dragged moves, also into a table, in one step to undo', async () => {
    const table = (cell: string) => `<table><tbody><tr><td>${cell}</td><td>c</td></tr></tbody></table>`;
    const html = `<p>one</p><p>two</p><p>three</p>${table('b')}`;
    const editor = await open(html);
    for (const [tag, hasText, expected] of [
      ['p', 'three', `<p>one</p><p><br></p><p>threetwo</p>${table('b')}`],
      ['p', 'one', `<p>onetwo</p><p><br></p><p>three</p>${table('b')}`],
      ['td', 'b', `<p>one</p><p><br></p><p>three</p>${table('btwo')}`],
    ] as const) {
      expect(await editor.showPlace({ line: 'two' })).toBe('two');
      await editor.dragSelection(editor.text.locator(tag, { hasText }));
      await untilEqual(() => editor.html(), expected);
      await editor.page.keyboard.press('Control+z');
      await untilEqual(() => editor.html(), html);
    }
  });

  itSlow('that is dragged loses nothing in code and in a table, which cannot hold everything', async () => {
    const picture = '<img src="/media/a.png" alt="a" width="20">';
    const code = '<pre><code>code</code></pre>';
    const table = (cell: string) => `<table><tbody><tr><td>${cell}</td><td>c</td></tr></tbody></table>`;
    const figure = `<figure>${picture}<figcaption>d &amp; <em>e</em></figcaption></figure>`;
    const list = `<dl><dt>d</dt><dd>${picture}</dd></dl>`;
    const editor = await open();
    for (const [html, expected] of [
      [`<p>one${picture}</p>${code}`, `<p>one</p>${code}<p>${picture}</p>`],
      [`<p>one</p>${figure}${table('b')}`, `<p>one</p>${table(`b${picture}<br>d &amp; e`)}`],
      [`<p>one</p>${list}${table('b')}`, null],
    ] as const) {
      await editor.setHtml(html);
      const dropped = editor.text.evaluate((node) => {
        return new Promise<void>((resolve) => node.addEventListener('drop', () => resolve(), { once: true }));
      });
      await editor.dragPicture(editor.text.locator('img'), editor.text.locator('.ql-code-block, td').first());
      await dropped;
      await untilEqual(() => editor.html(), expected ?? html);
      if (expected !== null) await editor.page.keyboard.press('Control+z');
      await untilEqual(() => editor.html(), html);
    }
  });

  itSlow('that is dragged into another field is forgotten by the editor, which goes on', async () => {
    const editor = await open('<p><strong>one</strong></p><p>two</p>');
    await editor.page.evaluate(() => {
      const field = document.createElement('p');
      Object.assign(field, { id: 'field', textContent: 'field', contentEditable: 'true' });
      document.querySelector('main')?.append(field);
    });
    const field = editor.page.locator('#field');
    expect(await editor.showPlace({ line: 'two' })).toBe('two');
    await editor.dragSelection(field);
    await untilEqual(async () => (await field.textContent())?.includes('two'), true);
    await untilEqual(() => editor.html(), '<p><strong>one</strong></p>');
    await editor.text.focus();
    for (const key of ['Control+Home', 'End']) await editor.page.keyboard.press(key);
    await untilEqual(() => editor.tool('Bold').getAttribute('aria-pressed'), 'true');
    await editor.dropFiles(['a.png', 'image/png']);
    await untilEqual(() => editor.uploading(), [true]);
  });
});
