import type { Locator, Page } from 'playwright-core';
import { openPage } from './browser.js';
import { PIXEL } from './editor-site.js';

/** The interface of the page of test/support/editor-page.mjs. */
interface Harness {
  initialHtml: string;
  readonly changes: { html: string; isEmpty: boolean }[];
  readonly uploading: boolean[];
  readonly uploads: {
    readonly name: string;
    readonly signal: AbortSignal;
    readonly resolve: (answer: { url: string }) => void;
    readonly reject: (error: Error) => void;
  }[];
  readonly editor: {
    current: {
      getHtml(): string;
      setHtml(html: string): void;
      imagesWithoutAlternative(): { url: string; index: number }[];
      focusImage(image: { url: string; index: number }): void;
      focusPlace(place: { line: string } | { link: string }): void;
    };
  };
  /** As the editor does: the page's policy lets nobody else. */
  parseHtml(html: string): DocumentFragment;
  show(): void;
  hide(): void;
  setArticle(html: string): void;
  quill(): {
    getLength(): number;
    insertText(index: number, text: string, source: string): void;
    readonly history: { undo(): void; readonly options: { delay: number; maxStack: number } };
    readonly container: HTMLElement;
  };
  readonly Quill: { readonly version: string; import(name: string): never };
}

declare global {
  var harness: Harness;
}

/** The editor alone in a page: what can be done with it, and what it says. */
export class EditorPage {
  readonly text: Locator;
  readonly dialog: Locator;

  constructor(readonly page: Page) {
    this.text = page.locator('.ql-editor');
    this.dialog = page.getByRole('dialog');
  }

  async show(html: string): Promise<void> {
    await this.page.waitForFunction('window.harness && window.harness.show');
    await this.page.evaluate((initial) => {
      harness.initialHtml = initial;
      harness.show();
    }, html);
    await this.page.getByRole('textbox', { name: 'Content' }).waitFor();
    // All tools are in sight.
    await this.tool('More').click();
  }

  /** Shows a text as the published page does. */
  async showArticle(html: string): Promise<void> {
    await this.page.evaluate((text) => harness.setArticle(text), html);
  }

  tool(name: string): Locator {
    return this.page.getByRole('toolbar').getByRole('button', { name, exact: true });
  }

  list(name: string): Locator {
    return this.page.getByRole('toolbar').getByRole('combobox', { name, exact: true });
  }

  async selectAll(): Promise<void> {
    await this.text.focus();
    await this.page.keyboard.press('Control+a');
  }

  html(): Promise<string> {
    return this.page.evaluate(() => harness.editor.current.getHtml());
  }

  async setHtml(html: string): Promise<void> {
    await this.page.evaluate((text) => harness.editor.current.setHtml(text), html);
  }

  changes(): Promise<{ html: string; isEmpty: boolean }[]> {
    return this.page.evaluate(() => harness.changes);
  }

  uploading(): Promise<boolean[]> {
    return this.page.evaluate(() => harness.uploading);
  }

  missing(): Promise<{ url: string; index: number }[]> {
    return this.page.evaluate(() => harness.editor.current.imagesWithoutAlternative());
  }

  async focusMissing(): Promise<void> {
    await this.page.evaluate(() => {
      const { current } = harness.editor;
      const [image] = current.imagesWithoutAlternative();
      if (image) current.focusImage(image);
    });
  }

  /** Shows a line or a link of the text, and returns the words that are selected then. */
  showPlace(place: { line: string } | { link: string }): Promise<string> {
    return this.page.evaluate((wanted) => {
      harness.editor.current.focusPlace(wanted);
      return (getSelection()?.toString() ?? '').replace(/\s/g, ' ');
    }, place);
  }

  async chooseImages(...names: string[]): Promise<void> {
    const files = names.map((name) => ({ name, mimeType: 'image/png', buffer: PIXEL }));
    await this.page.locator('input[type=file]').setInputFiles(files);
  }

  /** Chooses a picture of 5 MB. */
  async chooseLargeImage(name: string): Promise<void> {
    const file = { name, mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024) };
    await this.page.locator('input[type=file]').setInputFiles(file);
  }

  private async begun(name: string): Promise<void> {
    await this.page.waitForFunction((file) => harness.uploads.some((upload) => upload.name === file), name);
  }

  /** The picture has arrived. */
  async answer(name: string, url: string): Promise<void> {
    await this.begun(name);
    const pictures = this.page.locator(`.ql-editor img[src="${url}"]`);
    const former = await pictures.count();
    await this.page.evaluate(
      ([file, address]) => harness.uploads.findLast((upload) => upload.name === file)?.resolve({ url: address ?? '' }),
      [name, url],
    );
    await pictures.nth(former).waitFor();
  }

  /** One picture has arrived, then the editor goes, which breaks the other one off. */
  async settleHidden(arrived: string, url: string, broken: string): Promise<void> {
    await this.begun(arrived);
    await this.begun(broken);
    await this.page.evaluate(
      ([file, address]) => {
        const { uploads } = harness;
        uploads.find(({ name }) => name === file)?.resolve({ url: address ?? '' });
        harness.hide();
      },
      [arrived, url],
    );
    await this.text.waitFor({ state: 'detached' });
    await this.page.evaluate((file) => {
      harness.uploads.find(({ name }) => name === file)?.reject(new Error('Broken off'));
    }, broken);
    // What followed from it has been done.
    await this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  }

  async refuse(name: string, message: string): Promise<void> {
    await this.begun(name);
    await this.page.evaluate(
      ([file, text]) => harness.uploads.findLast((upload) => upload.name === file)?.reject(new Error(text)),
      [name, message],
    );
  }

  isAborted(name: string): Promise<boolean | undefined> {
    return this.page.evaluate(
      (file) => harness.uploads.findLast((upload) => upload.name === file)?.signal.aborted,
      name,
    );
  }

  /** Pastes as a browser does from the clipboard of another program, which may have put a picture beside the text. */
  async paste(html: string, text = html.replace(/<[^>]*>/g, ''), picture?: string): Promise<void> {
    await this.text.evaluate(
      (node, clipboard) => {
        const data = new DataTransfer();
        data.setData('text/html', clipboard.html);
        data.setData('text/plain', clipboard.text);
        if (clipboard.picture) data.items.add(new File(['x'], clipboard.picture, { type: 'image/png' }));
        node.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      { html, text, picture },
    );
  }

  /** Returns what the editor puts on the clipboard, or that it leaves the clipboard as it is. */
  copy(type: 'text/html' | 'text/plain' = 'text/html', event: 'copy' | 'cut' = 'copy'): Promise<string> {
    return this.text.evaluate(
      (node, [wanted, name]) => {
        const data = new DataTransfer();
        const copying = new ClipboardEvent(name, { clipboardData: data, bubbles: true, cancelable: true });
        return node.dispatchEvent(copying) ? '(as it was)' : data.getData(wanted);
      },
      [type, event] as const,
    );
  }

  /** Returns what the editor puts on the clipboard as HTML while it takes the selection away. */
  cut(): Promise<string> {
    return this.copy('text/html', 'cut');
  }

  async dropFiles(...files: [name: string, type: string][]): Promise<void> {
    await this.text.evaluate((node, dropped) => {
      const data = new DataTransfer();
      for (const [name, type] of dropped) data.items.add(new File(['x'], name, { type }));
      const { left, top } = node.getBoundingClientRect();
      const place = { clientX: left + 60, clientY: top + 40 };
      node.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, ...place }));
    }, files);
  }

  /** Drops what was dragged from another program at the end of a line. */
  async drop(line: Locator, html: string, text = html.replace(/<[^>]*>/g, '')): Promise<void> {
    const { x, y } = await line.evaluate(findEnd);
    await line.evaluate(
      (node, dropped) => {
        const data = new DataTransfer();
        data.setData('text/html', dropped.html);
        data.setData('text/plain', dropped.text);
        const place = { clientX: dropped.x, clientY: dropped.y };
        node.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, ...place }));
      },
      { html, text, x, y },
    );
  }

  /** Drags what is selected to the end of a line, with the mouse. */
  async dragSelection(line: Locator): Promise<void> {
    const from = await this.page.evaluate(() => {
      const { left, top, width, height } = getSelection()?.getRangeAt(0).getBoundingClientRect() ?? new DOMRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    await this.page.mouse.move(from.x, from.y);
    await this.dragFromHere(line);
  }

  /** Drags a picture to the end of a line, with the mouse. */
  async dragPicture(picture: Locator, line: Locator): Promise<void> {
    await picture.hover();
    await this.dragFromHere(line);
  }

  private async dragFromHere(line: Locator): Promise<void> {
    const { mouse } = this.page;
    const { x, y } = await line.evaluate(findEnd);
    await mouse.down();
    await mouse.move(x, y, { steps: 4 });
    await mouse.up();
  }

  /**
   * Loads texts one after the other and edits each somewhere; gives those that were not given back as they were, or lost
   * a word, a picture or a table by the edit, or were not as before after undo.
   */
  findLosses(documents: readonly string[]): Promise<readonly (readonly [document: string, result: string])[]> {
    return this.page.evaluate((texts) => {
      const { current } = harness.editor;
      const quill = harness.quill();
      const words = (html: string) => {
        return harness.parseHtml(html).textContent.replace(/[\s\u00a0Ж]+/g, '');
      };
      const things = (html: string) =>
        (html.match(/<(?:table|tr|td|dl|dt|figure|img|iframe|hr|pre)[ >]/g) ?? []).sort().join('');
      const losses: (readonly [string, string])[] = [];
      texts.forEach((html, index) => {
        current.setHtml(html);
        if (current.getHtml() !== html) losses.push([html, current.getHtml()]);
        quill.insertText((index * 7) % quill.getLength(), 'Ж', 'user');
        const edited = current.getHtml();
        if (words(edited) !== words(html) || things(edited) !== things(html)) losses.push([html, edited]);
        quill.history.undo();
        if (current.getHtml() !== html) losses.push([html, current.getHtml()]);
      });
      return losses;
    }, documents);
  }

  /** The defaults of the library, as the editor runs with them. */
  defaults() {
    return this.page.evaluate(() => {
      const quill = harness.quill();
      const { delay, maxStack } = quill.history.options;
      const link = harness.Quill.import('formats/link') as { PROTOCOL_WHITELIST: string[]; SANITIZED_URL: string };
      const indent = harness.Quill.import('formats/indent') as { whitelist: number[] };
      return {
        version: harness.Quill.version,
        historyDelay: delay,
        historyMaxStack: maxStack,
        indentLevels: indent.whitelist,
        isSnow: quill.container.classList.contains('ql-snow'),
        linkProtocols: link.PROTOCOL_WHITELIST,
        blankAddress: link.SANITIZED_URL,
      };
    });
  }
}

/** Runs in the page: finds the point where the words of a line end. */
function findEnd(line: Element): { readonly x: number; readonly y: number } {
  const words = document.createRange();
  words.selectNodeContents(line);
  const { right, top, height } = words.getBoundingClientRect();
  return { x: right - 1, y: top + height / 2 };
}

/** Opens the editor alone, over a text, in a session of its own. */
export async function openEditor(
  base: string,
  html = '',
  expectedComplaints: readonly RegExp[] = [],
): Promise<EditorPage> {
  const page = await openPage({ expectedComplaints });
  await page.goto(base);
  const editor = new EditorPage(page);
  await editor.show(html);
  return editor;
}
