import Quill, { Range, type Delta } from 'quill';
import Block from 'quill/blots/block.js';
import type { EditorChange, TextPlace } from './editor-contract.js';
import { parseHtml } from '../../../lib/parse-html.js';
import { isRemotePicture } from '../../../lib/remote-picture.js';
import { registerFormats, formats } from './formats/register-formats.js';
import { writeFigure } from './html/figure.js';
import { toLines, toPieces, type Formats, type Line, type Piece } from './html/lines.js';
import { PostText } from './html/post-text.js';
import { readLinkValue, type FigureValue, type ImageValue } from './html/values.js';
import { keepFocus } from './keep-focus.js';
import { bindings, understandOtherKeyboards, type KeyActions } from './key-bindings.js';
import { balanceTables } from './tables/table-actions.js';
import { findGrid } from './tables/table-grid.js';
import { understandMarkdown } from './markdown/markdown-typing.js';
import { imageOf } from './pictures.js';
import { registerClipboard } from './post-clipboard.js';
import { registerUploader } from './post-uploader.js';
import { at, findPieces } from './uploads.js';

/** The state of a table that the toolbar shows. */
interface TableState {
  readonly hasHeader: boolean;
  /** True if cells reach over several rows or columns, so that none can be added or taken out. */
  readonly isJoined: boolean;
}

/** The state that the toolbar shows. */
export interface EditorState {
  /** The formats where the cursor is, or that all of the selection has. */
  readonly formats: Formats;
  /** Formats of {@link CHOSEN_FORMATS} that the selection does not have throughout, or not the same. */
  readonly mixed: ReadonlySet<string>;
  /** Place of the picture that is selected or beside the cursor; null if there is none. */
  readonly imageIndex: number | null;
  /** The table that the cursor is in; null outside of tables. */
  readonly table: TableState | null;
  /** How many pictures of other sites the text has. */
  readonly remoteCount: number;
}

/** Formats that the toolbar has lists for: those of lines, and those of words. */
const CHOSEN_FORMATS = { lines: ['header', 'align'], words: ['font', 'size', 'color', 'background'] } as const;

interface SessionEvents {
  readonly onChange: (html: string, change: EditorChange) => void;
  readonly onState: (state: EditorState) => void;
  readonly keys: KeyActions;
}

const shownPattern = /<(?:img|iframe|hr|table|audio|video)[ >]/;

/** One Quill in one place of the page, with the text that was loaded into it. */
export class EditorSession {
  readonly quill: Quill;
  private readonly text = new PostText();
  private html: string;
  private afterChange: () => void = () => undefined;
  /** Counted once for each text: a key changes the selection as well. */
  private remoteCount: number | null = null;
  /** Gives what is written in the place of an upload; null for nothing. */
  standIn: (id: string) => Piece | null = () => null;

  constructor(
    place: HTMLElement,
    html: string,
    private readonly events: SessionEvents,
  ) {
    registerFormats();
    registerClipboard();
    registerUploader();
    this.quill = new Quill(place, {
      theme: 'snow',
      formats: [...formats],
      modules: {
        toolbar: false,
        syntax: { hljs: {} },
        keyboard: { bindings: bindings(events.keys) },
        // What the program itself puts in and takes out, such as the place of an upload, is no step of undo. How many
        // steps there are and which edits are one step stays as Quill has it (product.md 9.4).
        history: { userOnly: true },
      },
    });
    this.load(html, 'silent');
    this.quill.history.clear();
    this.html = this.getHtml();
    understandMarkdown(this.quill);
    understandOtherKeyboards(this.quill);
    this.quill.on('text-change', (_change, _before, source) => {
      if (source === 'user' && !this.quill.history.ignoreChange) balanceTables(this.quill);
      this.handleChange();
    });
    this.quill.on('editor-change', (...event) => {
      if (event[0] === 'text-change') {
        this.remoteCount = null;
        this.keepPlace(event[1]);
      }
      this.handleState();
    });
  }

  /** Called after every change of the text, before anyone is told. */
  set onAfterChange(listener: () => void) {
    this.afterChange = listener;
  }

  /** The text as HTML, whole. */
  getHtml(): string {
    return this.text.write(this.lines());
  }

  /** Replaces the whole text in one step of undo. */
  setHtml(html: string): void {
    this.quill.history.cutoff();
    this.load(html, 'user');
    this.quill.history.cutoff();
    // No place of another text is the one of before.
    if (this.quill.getSelection() === null) this.quill.selection.savedRange = new Range(0, 0);
  }

  /** The selection, or the last one while the focus is elsewhere. */
  range(): Range {
    return this.quill.getSelection() ?? this.quill.selection.savedRange;
  }

  /** Moves the last selection with the text while the focus is elsewhere, as in a dialog: Quill leaves it where it was. */
  private keepPlace(change: Delta): void {
    const { selection } = this.quill;
    if (selection.getRange()[0] !== null) return;
    const { index, length } = selection.savedRange;
    const last = this.quill.getLength() - 1;
    const start = Math.min(change.transformPosition(index), last);
    // What is put in right behind it is no part of it.
    const end = Math.min(change.transformPosition(index + length, true), last);
    selection.savedRange = new Range(start, Math.max(0, end - start));
  }

  /** Applies a format to the selection. The focus stays in the toolbar where that makes sense. */
  format(name: string, value: unknown): void {
    const range = this.range();
    const { Scope } = Quill.import('parchment');
    const isOfLines = this.quill.scroll.query(name, Scope.BLOCK) !== null;
    if (this.quill.hasFocus() || (range.length === 0 && !isOfLines)) {
      // A format without a selection is one for what is typed next.
      this.quill.format(name, value, 'user');
    } else if (isOfLines) {
      this.quill.formatLine(range.index, Math.max(1, range.length), name, value, 'user');
    } else {
      this.quill.formatText(range.index, range.length, name, value, 'user');
    }
    this.handleState();
  }

  /**
   * Takes the looks of the selected words and of their lines away. What stands between the words stays, and so do the cells
   * of tables: Quill's own way would take them along.
   */
  clearFormats(): void {
    const { index, length } = this.range();
    if (length === 0) return;
    const end = index + length;
    const [last, offset] = this.quill.getLine(end - 1);
    const afterLast = end - 1 - offset + (last?.length() ?? 1);
    const isLineOpen = afterLast > end;
    this.quill.updateContents(
      [
        ...at(index),
        ...withoutLooks(this.quill.getContents(index, length)),
        ...(isLineOpen ? [...at(afterLast - 1 - end), ...withoutLooks(this.quill.getContents(afterLast - 1, 1))] : []),
      ],
      'user',
    );
  }

  /** Puts a line across after that of the cursor. */
  insertDivider(): void {
    const { index } = this.range();
    const [line, offset] = this.quill.getLine(index);
    const isEmpty = line?.length() === 1;
    const place = isEmpty ? index : index - offset + (line?.length() ?? 1);
    this.quill.history.cutoff();
    this.quill.updateContents([...at(place), { insert: { divider: true } }], 'user');
    this.quill.history.cutoff();
    this.quill.setSelection(place + 1, 0, 'silent');
    this.quill.focus();
  }

  /** The pictures of the text, in their order, with their place. */
  images(): { readonly image: ImageValue; readonly index: number }[] {
    return findPieces(this.quill, (object) => imageOf(object) !== null).flatMap(({ object, index }) => {
      const image = imageOf(object);
      return image === null ? [] : [{ image, index }];
    });
  }

  /** The addresses of pictures on other sites, those within tables and the like included. */
  remoteAddresses(): readonly string[] {
    const addresses = findPieces(this.quill, () => true).flatMap(
      ({ object }) => imageOf(object)?.src ?? findImages(object['preserved']).map(({ src }) => src),
    );
    return [...new Set(addresses)].filter(isRemotePicture);
  }

  /** Finds the first such place of the text; null for none. */
  findPlace(place: TextPlace): Range | null {
    if ('table' in place) return this.findTable(place.table);
    const pieces = this.quill.getContents().ops as Piece[];
    const texts = pieces.map(({ insert }) => (typeof insert === 'string' ? insert : '\ufffc'));
    if ('line' in place) {
      // Who names a line by its words has blanks for all that look so.
      const index = `\n${texts.join('').replaceAll('\u00a0', ' ')}`.indexOf(`\n${place.line}\n`);
      return index === -1 ? null : { index, length: place.line.length };
    }
    const at = pieces.findIndex((piece) => hasLink(piece, place.link));
    return at === -1 ? null : { index: texts.slice(0, at).join('').length, length: texts[at]?.length ?? 0 };
  }

  /** The cells of a table; the whole block where the table stands in one that is kept as it is. */
  private findTable(place: number): Range | null {
    const table = this.quill.root.querySelectorAll('table')[place];
    const cell = table?.querySelector('[data-cell]') ?? null;
    const index = this.indexOf(cell ?? table?.closest('.ql-preserved, .ql-figure') ?? this.quill.root);
    if (table === undefined || index === null) return null;
    const cells = findGrid(this.quill, index)?.cells ?? [];
    const [first, last] = [cells[0], cells.at(-1)];
    if (cell === null || first === undefined || last === undefined) return { index, length: 1 };
    return { index: first.index, length: last.index + last.length - 1 - first.index };
  }

  /** Gives pictures other addresses, in one step of undo. */
  moveImages(addresses: ReadonlyMap<string, string>): void {
    let skipped = 0;
    const changes = this.quill.getContents().ops.flatMap(({ insert, attributes }) => {
      const moved = typeof insert === 'object' ? moveImages(insert, addresses) : null;
      if (moved === null) {
        skipped += typeof insert === 'string' ? insert.length : 1;
        return [];
      }
      const place = at(skipped);
      skipped = 0;
      return [...place, { insert: moved, ...(attributes === undefined ? {} : { attributes }) }, { delete: 1 }];
    });
    if (changes.length === 0) return;
    this.quill.history.cutoff();
    keepFocus(this.quill, () => this.quill.updateContents(changes, 'user'));
    this.quill.history.cutoff();
  }

  /** The object at a place, if there is one. */
  objectAt(index: number): Readonly<Record<string, unknown>> | null {
    const insert = index < 0 ? undefined : this.quill.getContents(index, 1).ops[0]?.insert;
    return typeof insert === 'object' ? insert : null;
  }

  /** The place of an element of the text; null if it is not there any more. */
  indexOf(element: Element): number | null {
    const blot = Quill.find(element, true);
    return blot === null || blot instanceof Quill ? null : blot.offset(this.quill.scroll);
  }

  private load(html: string, source: 'silent' | 'user'): void {
    const lines = this.text.load(html);
    this.quill.setContents(toPieces(lines), source);
    const misread = this.text.findMisread(lines, this.lines(), html);
    if (misread.size > 0) this.quill.setContents(toPieces(this.text.load(html, misread)), source);
  }

  private lines(): Line[] {
    const pieces = this.quill.getContents().ops as Piece[];
    return toLines(
      pieces.map((piece) => {
        const isUpload = typeof piece.insert === 'object' && 'upload' in piece.insert;
        return (isUpload ? this.standIn(String(piece.insert['upload'])) : null) ?? piece;
      }),
    );
  }

  private handleChange(): void {
    this.afterChange();
    const html = this.getHtml();
    if (html === this.html) return;
    this.html = html;
    const isEmpty = !shownPattern.test(html) && html.replace(/<[^>]*>|&nbsp;/g, '').trim() === '';
    this.events.onChange(html, { isEmpty });
  }

  private handleState(): void {
    const range = this.range();
    const { index, length } = range;
    const places = length > 0 ? [index] : [index, index - 1];
    const imageIndex = places.find((place) => imageOf(this.objectAt(place)) !== null) ?? null;
    this.markSelected(range);
    const formats = this.quill.getFormat(index, length) as Formats;
    const table = formats['table'] === undefined ? null : this.tableState(index);
    this.events.onState({
      formats,
      mixed: this.findMixed(range),
      imageIndex,
      table,
      remoteCount: (this.remoteCount ??= this.remoteAddresses().length),
    });
  }

  /** Quill tells of a format that some of the selection lacks as of one that all of it lacks. */
  private findMixed({ index, length }: Range): ReadonlySet<string> {
    if (length === 0) return new Set();
    const lines = this.quill
      .getLines(index, length)
      .filter((line) => line instanceof Block)
      .map((line) => line.formats() as Formats)
      .filter((formats) => formats['filler'] === undefined);
    const words = this.quill
      .getContents(index, length)
      .filter(({ insert }) => typeof insert === 'string' && /[^\n]/.test(insert))
      .map(({ attributes }) => (attributes ?? {}) as Formats);
    const isMixed = (parts: readonly Formats[]) => (name: string) => new Set(parts.map((part) => part[name])).size > 1;
    return new Set([...CHOSEN_FORMATS.lines.filter(isMixed(lines)), ...CHOSEN_FORMATS.words.filter(isMixed(words))]);
  }

  private tableState(index: number): TableState | null {
    const grid = findGrid(this.quill, index);
    if (grid === null) return null;
    return { hasHeader: grid.rows[0]?.[0]?.value.part === 'head', isJoined: grid.isJoined };
  }

  /** Browsers do not show that an object which cannot be edited is part of the selection. */
  private markSelected({ index, length }: Range): void {
    const selected = new Set<Node>();
    if (length > 0) {
      for (const line of this.quill.getLines(index, length)) selected.add(line.domNode);
      const [leaf] = this.quill.getLeaf(index + 1);
      if (leaf && length === 1) selected.add(leaf.domNode);
    }
    for (const node of this.quill.root.querySelectorAll(
      'img, .ql-figure, .ql-video, .ql-preserved, .ql-formula, .ql-footnote, hr',
    )) {
      node.classList.toggle('ql-chosen', selected.has(node));
      if (node.classList.length === 0) node.removeAttribute('class');
    }
  }
}

/** Formats of a line that say what it is, not how it looks. */
const lasting: ReadonlySet<string> = new Set(['table', 'filler']);

/** The change that takes the looks of all this away. */
function withoutLooks({ ops }: Delta): { retain: number; attributes?: Record<string, null> }[] {
  return ops.map(({ insert, attributes = {} }) => {
    const retain = typeof insert === 'string' ? insert.length : 1;
    const looks = Object.keys(attributes).filter((name) => !lasting.has(name));
    return looks.length === 0
      ? { retain }
      : { retain, attributes: Object.fromEntries(looks.map((name) => [name, null])) };
  });
}

/** Returns true for words, or an object, of which a link leads to this address, however it opens. */
function hasLink({ insert, attributes }: Piece, address: string): boolean {
  const own = attributes?.['link'];
  if (typeof own === 'string' && readLinkValue(own).href === address) return true;
  if (typeof insert === 'string') return false;
  const figure = insert['figure'] as FigureValue | undefined;
  const html = figure === undefined ? (insert['preserved'] ?? insert['footnote']) : writeFigure(figure);
  if (typeof html !== 'string') return false;
  return [...parseHtml(html).querySelectorAll('a')].some((link) => link.getAttribute('href') === address);
}

/** The pictures within a block that is kept as its HTML. */
function findImages(
  html: unknown,
): { readonly image: Element; readonly src: string; readonly holder: DocumentFragment }[] {
  if (typeof html !== 'string' || !html.includes('<img ')) return [];
  const holder = parseHtml(html);
  return [...holder.querySelectorAll('img')].map((image) => ({ image, src: image.getAttribute('src') ?? '', holder }));
}

/** The object with the other addresses; null if it has none of these pictures. */
function moveImages(
  object: Readonly<Record<string, unknown>>,
  addresses: ReadonlyMap<string, string>,
): Record<string, unknown> | null {
  const image = imageOf(object);
  if (image !== null) {
    const src = addresses.get(image.src);
    if (src === undefined) return null;
    const moved = { ...image, src };
    return 'figure' in object ? { figure: { ...(object['figure'] as FigureValue), image: moved } } : { image: moved };
  }
  const moved = findImages(object['preserved']).filter(({ src }) => addresses.has(src));
  for (const { image: element, src } of moved) element.setAttribute('src', addresses.get(src) ?? src);
  if (moved[0] === undefined) return null;
  const { holder } = moved[0];
  const block = holder.ownerDocument.createElement('div');
  block.append(holder);
  return { preserved: block.innerHTML };
}
