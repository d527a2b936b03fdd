import Quill, { Range, type Delta } from 'quill';
import Clipboard, { traverse } from 'quill/modules/clipboard.js';
import { deleteRange } from 'quill/modules/keyboard.js';
import { parseDocument } from '../../../lib/parse-html.js';
import { randomId } from '../../../lib/random-id.js';
import { toLines, type Piece } from './html/lines.js';
import { writeLines } from './html/write-lines.js';
import { withoutHandlers } from './html/safe-fragment.js';
import { leaveCode } from './leave-code.js';
import { asOneStep } from './markdown/markdown-typing.js';
import { readPastedMarkdown } from './markdown/pasted-markdown.js';
import { countTables, toCellPieces } from './paste/cell-pieces.js';
import { clearCells } from './tables/table-keys.js';
import { cleanPasted } from './paste/clean-pasted.js';
import { buildWordLists } from './paste/word-lists.js';
import type { PostUploader } from './post-uploader.js';
import { at } from './uploads.js';

/** The type under which a drag has the mark of its editor. */
const DRAG_TYPE = 'application/x-post-editor';

/**
 * Copies as clean HTML instead of Quill's export, and cleans what is pasted: what other programs say about looks goes,
 * what they say about meaning stays, and pictures that come inside the text, or
 * lie on other sites, are stored here.
 */
export class PostClipboard extends Clipboard {
  /** Called when a text that was pasted has been given the formats that it names in Markdown. */
  onMarkdown: () => void = () => undefined;
  /** Called when it stays as it was pasted, as the script that reads it did not come. */
  onMarkdownLeft: () => void = () => undefined;
  /** Marks what is dragged of this text, also for an editor of another page. */
  private readonly mark = randomId();

  constructor(...parameters: ConstructorParameters<typeof Clipboard>) {
    super(...parameters);
    const { root } = this.quill;
    // Before Quill, which lets nothing be dragged.
    root.addEventListener('dragstart', (event) => this.onDragStart(event), { capture: true });
  }

  override onCopy(range: Range): { html: string; text: string } {
    const { ops } = this.quill.getContents(range.index, range.length);
    return { html: writeLines(toLines(ops as never, true)).join(''), text: toPlainText(ops) };
  }

  override convert(content: { html?: string; text?: string }, formats?: Record<string, unknown>): Delta {
    const { html } = content;
    // Windows ends lines with two characters, of which the text gets one: the cursor would be set too far, and a cell parted.
    const text = content.text?.replace(/\r\n?/g, '\n');
    return super.convert({ ...(text === undefined ? {} : { text }), ...(html ? { html: disarm(html) } : {}) }, formats);
  }

  override onPaste(range: Range, content: { text?: string; html?: string }): void {
    const formats = this.quill.getFormat(range.index);
    if (formats['table'] !== undefined) {
      this.pasteIntoCell(range, content);
      return;
    }
    const isCode = formats['code-block'] !== undefined || formats['code'] !== undefined;
    const markdown = isCode ? null : readPastedMarkdown(content);
    super.onPaste(range, markdown === null ? content : { text: markdown });
    this.uploader.finishPaste();
    if (markdown !== null) void this.formatMarkdown(range.index, markdown);
  }

  /** A cell is one line: what is pasted into it has breaks where it had blocks. */
  private pasteIntoCell({ index, length }: Range, content: { text?: string; html?: string }): void {
    const pasted = this.convert(content).ops as Piece[];
    this.uploader.nestTables(countTables(pasted));
    const pieces = toCellPieces(pasted);
    if (length > 0 && !clearCells(this.quill, { index, length })) this.quill.deleteText(index, length, 'user');
    const grown = pieces.reduce((sum, { insert }) => sum + (typeof insert === 'string' ? insert.length : 1), 0);
    asOneStep(this.quill, () => {
      this.quill.updateContents([...at(index), ...pieces], 'user');
      this.quill.setSelection(index + grown, 0, 'silent');
    });
    this.uploader.finishPaste();
  }

  override onCaptureCopy(event: ClipboardEvent, isCut = false): void {
    const [selected] = this.quill.selection.getRange();
    // Of nothing, the clipboard would be left empty.
    if (selected?.length === 0 || event.defaultPrevented) return;
    const range = isCut ? this.quill.getSelection() : null;
    super.onCaptureCopy(event);
    if (range !== null) this.takeAway(range);
  }

  /** Takes a part of the text away; cells of a table stay, empty. */
  private takeAway(range: Range): void {
    if (this.quill.getFormat(range)['table'] === undefined) deleteRange({ quill: this.quill, range });
    else if (!clearCells(this.quill, range)) this.quill.deleteText(range, 'user');
  }

  /** Drags what copying gives: the selection, or else the picture or the link under the pointer. */
  private onDragStart(event: DragEvent): void {
    const { target, dataTransfer } = event;
    const object = target instanceof Element ? target.closest('a, img') : null;
    const blot = object === null ? null : Quill.find(object, true);
    if (blot !== null && !(blot instanceof Quill)) this.select(blot.offset(this.quill.scroll), blot.length());
    const [range] = this.quill.selection.getRange();
    if (range === null || range.length === 0) return;
    event.stopImmediatePropagation();
    const { html, text } = this.onCopy(range);
    dataTransfer?.setData(DRAG_TYPE, this.mark);
    dataTransfer?.setData('text/html', html);
    dataTransfer?.setData('text/plain', text);
  }

  /** Selects a part of the text that is not within the selection already. */
  private select(index: number, length: number): void {
    const [range] = this.quill.selection.getRange();
    const isSelected = range !== null && range.index <= index && index + length <= range.index + range.length;
    if (!isSelected) this.quill.setSelection(index, length, 'silent');
  }

  /**
   * Tells Quill of the end of a drag, until which it heeds no selection. The mouse says nothing of it, and what was dragged is
   * told of it no more where a drop into another field took it away.
   * @param gone aborts when the editor leaves the page
   */
  followDrags(gone: AbortSignal): void {
    const end = () => {
      this.quill.selection.mouseDown = false;
    };
    for (const name of ['drop', 'dragend']) document.addEventListener(name, end, { capture: true, signal: gone });
  }

  /**
   * Puts what is dropped at its place, as pasting it there would. What was dragged within the text leaves its former place, in the
   * same step of undo, unless a key asks for a copy. Nothing gets lost by it: with pictures and other objects it comes behind code,
   * not into it, and a block that is kept as it is does not move into a cell, which has only words for it.
   * @returns false for files of elsewhere
   */
  takeDrop({ index }: Range, { dataTransfer, ctrlKey, altKey }: DragEvent): boolean {
    // What is dragged stays selected.
    const selected = dataTransfer?.getData(DRAG_TYPE) === this.mark ? this.quill.selection.getRange()[0] : null;
    if (dataTransfer === null || (selected === null && dataTransfer.files.length > 0)) return false;
    const html = dataTransfer.getData('text/html');
    const text = dataTransfer.getData('text/plain');
    const moved = ctrlKey || altKey ? null : selected;
    const isInPlace = moved !== null && moved.index <= index && index <= moved.index + moved.length;
    const objects = selected === null ? [] : this.objectsIn(selected);
    const isCell = this.quill.getFormat(index)['table'] !== undefined;
    const isUnfit = moved !== null && isCell && objects.some((object) => 'preserved' in object);
    if (isInPlace || isUnfit || (html === '' && text === '') || !this.quill.isEnabled()) return true;
    asOneStep(this.quill, () => {
      const former = this.quill.getLength();
      if (moved !== null) this.takeAway(moved);
      const gone = moved !== null && moved.index < index ? former - this.quill.getLength() : 0;
      const place = new Range(index - gone, 0);
      this.onPaste(objects.length > 0 ? leaveCode(this.quill, place) : place, { html, text });
    });
    return true;
  }

  /** The objects of a part of the text, without breaks, which code has as well. */
  private objectsIn({ index, length }: Range): object[] {
    const { ops } = this.quill.getContents(index, length);
    return ops.flatMap(({ insert }) => (typeof insert === 'object' && !('soft-break' in insert) ? [insert] : []));
  }

  /** Gives pasted Markdown its formats, in a step that undo takes back, unless the text has been changed meanwhile. */
  private async formatMarkdown(index: number, markdown: string): Promise<void> {
    const reader = await import('../../../../src/shared/markdown-to-html.js').catch(() => null);
    if (reader === null) return this.onMarkdownLeft();
    if (!this.quill.root.isConnected || this.quill.getText(index, markdown.length) !== markdown) return;
    const { ops } = this.convert({ html: reader.markdownToHtml(markdown) });
    asOneStep(this.quill, () => {
      const change = [...at(index), { delete: markdown.length }, ...ops];
      this.quill.updateContents(change, 'user');
      const length = ops.reduce((sum, { insert }) => sum + (typeof insert === 'string' ? insert.length : 1), 0);
      this.quill.setSelection(index + length, 0, 'silent');
    });
    this.uploader.finishPaste();
    this.onMarkdown();
  }

  /** As Quill's, which would read HTML that comes with files in a way that the page's policy forbids. */
  override onCapturePaste(event: ClipboardEvent): void {
    const { clipboardData } = event;
    const html = clipboardData?.getData('text/html') ?? '';
    const files = [...(clipboardData?.files ?? [])];
    const isLeft = event.defaultPrevented || !this.quill.isEnabled() || html === '' || files.length === 0;
    if (isLeft) return super.onCapturePaste(event);
    event.preventDefault();
    const range = this.quill.getSelection(true);
    // A picture that was copied in a browser.
    const { children } = parseDocument(disarm(html)).body;
    if (children.length === 1 && children[0]?.tagName === 'IMG') this.uploader.upload(range, files);
    else this.onPaste(range, { html, text: clipboardData?.getData('text/plain') });
  }

  /** As Quill's, which would read the HTML in a way that the page's policy forbids. */
  protected override convertHTML(html: string): Delta {
    const doc = parseDocument(html);
    this.normalizeHTML(doc);
    const matches: Parameters<Clipboard['prepareMatching']>[1] = new WeakMap();
    const [elementMatchers = [], textMatchers = []] = this.prepareMatching(doc.body, matches);
    return traverse(this.quill.scroll, doc.body, elementMatchers, textMatchers, matches);
  }

  protected override normalizeHTML(doc: Document): void {
    buildWordLists(doc);
    super.normalizeHTML(doc);
    this.uploader.addLost(cleanPasted(doc, (picture) => this.uploader.addPasted(picture)));
  }

  private get uploader(): PostUploader {
    return this.quill.uploader as PostUploader;
  }
}

/** The words, with a line for each line that people see: Quill leaves breaks within a paragraph out. */
function toPlainText(ops: Delta['ops']): string {
  return ops
    .map(({ insert }) => (typeof insert === 'string' ? insert : insert?.['soft-break'] === undefined ? '' : '\n'))
    .join('');
}

/**
 * Quill reads the clipboard as a document of this page, whose policy would complain of every style sheet and every
 * handler in it. Word's style sheet stays as a comment: it says which lists are numbered.
 */
function disarm(html: string): string {
  const styles = /<style[^>]*>([\s\S]*?)<\/style>/gi;
  return withoutHandlers(html).replace(styles, (_tag, rules: string) => `<!--${rules.replace(/<!--|-->|--/g, '')}-->`);
}

/** Puts the clipboard in the place of Quill's. */
export function registerClipboard(): void {
  Quill.register({ 'modules/clipboard': PostClipboard }, true);
}
