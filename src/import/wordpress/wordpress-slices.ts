import { ImportSourceError } from '../import.errors.js';
import { BrokenOffError } from '../source-bytes.js';

/** The largest post: a book of a thousand pages has 3 MB. */
export const MAX_SLICE_BYTES = 10 * 1024 * 1024;

/** A part of an export that is complete in itself. */
export interface Slice {
  /** The head is everything before the first item. */
  readonly kind: 'head' | 'item';
  /** Counted from 1; 0 for the head. */
  readonly ordinal: number;
  /** Line of the file in which it begins. */
  readonly line: number;
  /** Null for what is larger than {@link MAX_SLICE_BYTES}. */
  readonly bytes: Buffer | null;
  /** True when it ends properly; false for an item inside which another one begins. */
  readonly isClosed: boolean;
}

/** The longest mark that decides something. */
const MARK_BYTES = 9;
const ITEM_END = Buffer.from('</item>');
const SPACE = /[\t\n\r >/]/;

/**
 * Cuts an export into its items without reading what is in them, so that one that is broken, badly encoded or
 * enormous harms no other. Only what can hide a tag is understood: comments, CDATA and processing instructions.
 */
export class WordPressSlicer {
  private buffer: Buffer = Buffer.alloc(0);
  /** Everything before it has been read. */
  private position = 0;
  private ordinal = 0;
  private line = 1;
  private sliceLine = 1;
  private kind: 'head' | 'item' | 'between' = 'head';
  /** The end of the part of the text in which tags have no meaning. */
  private hiddenUntil: '-->' | ']]>' | '?>' | null = null;
  private isTooLarge = false;
  private isComplete = false;

  constructor(private readonly name: string) {}

  /**
   * The slices that are complete with these bytes.
   * @throws ImportSourceError for a document type or declared entities
   */
  *push(chunk: Buffer): Generator<Slice, void, undefined> {
    this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
    for (;;) {
      if (this.hiddenUntil !== null && !this.leaveHidden(this.hiddenUntil)) break;
      const start = this.buffer.indexOf('<', this.position);
      if (start < 0) {
        this.position = this.buffer.length;
        break;
      }
      this.position = start;
      if (start + MARK_BYTES >= this.buffer.length) break;
      yield* this.readMark(start);
    }
    this.forget();
  }

  /** @throws BrokenOffError when the file breaks off before its end */
  *end(): Generator<Slice, void, undefined> {
    // What is shorter than a mark was waiting for more.
    yield* this.push(Buffer.alloc(MARK_BYTES + 1, ' '));
    if (this.kind === 'item') {
      throw new BrokenOffError(
        `${this.name}: breaks off in item ${this.ordinal}, which begins in line ${this.sliceLine}`,
      );
    }
    if (!this.isComplete) {
      throw new BrokenOffError(
        `${this.name}: breaks off after ${this.ordinal === 0 ? 'its head' : `item ${this.ordinal}`}`,
      );
    }
  }

  private leaveHidden(mark: string): boolean {
    const end = this.buffer.indexOf(mark, this.position);
    if (end < 0) {
      this.position = Math.max(this.position, this.buffer.length - mark.length + 1);
      return false;
    }
    this.hiddenUntil = null;
    this.position = end + mark.length;
    return true;
  }

  private *readMark(start: number): Generator<Slice, void, undefined> {
    const mark = this.buffer.toString('latin1', start, start + MARK_BYTES);
    this.position = start + 1;
    if (mark.startsWith('<?')) this.hide(start + 2, '?>');
    else if (mark.startsWith('<!--')) this.hide(start + 4, '-->');
    else if (mark === '<![CDATA[') this.hide(start + 9, ']]>');
    else if (/^<!(?:DOCTYPE|ENTITY|ATTLIST|ELEMENT)/i.test(mark.slice(0, 9))) this.refuseDeclarations();
    else if (mark.startsWith('<item') && SPACE.test(mark.charAt(5))) yield* this.begin(start);
    else if (mark.startsWith('</item') && SPACE.test(mark.charAt(6))) yield* this.finish(start);
    else if (mark.startsWith('</channe')) yield* this.close(start);
  }

  private hide(position: number, until: '-->' | ']]>' | '?>'): void {
    this.position = position;
    this.hiddenUntil = until;
  }

  private refuseDeclarations(): never {
    throw new ImportSourceError(`${this.name}: the file declares entities or a document type, which is refused`);
  }

  private *begin(start: number): Generator<Slice, void, undefined> {
    if (this.kind !== 'between') yield this.take(start, this.kind === 'head');
    this.cut(start);
    this.kind = 'item';
    this.ordinal += 1;
    this.sliceLine = this.line;
    this.position = 1;
  }

  private *finish(start: number): Generator<Slice, void, undefined> {
    if (this.kind !== 'item') return;
    yield this.take(start, true);
    this.cut(start + '</item'.length);
    this.kind = 'between';
  }

  private *close(start: number): Generator<Slice, void, undefined> {
    if (this.kind !== 'between') yield this.take(start, this.kind === 'head');
    this.cut(start);
    this.kind = 'between';
    this.isComplete = true;
    this.position = 1;
  }

  private take(end: number, isClosed: boolean): Slice {
    const isHead = this.kind === 'head';
    const isTooLarge = this.isTooLarge || end > MAX_SLICE_BYTES;
    const written = this.buffer.subarray(0, end);
    return {
      kind: isHead ? 'head' : 'item',
      ordinal: this.ordinal,
      line: this.sliceLine,
      bytes: isTooLarge ? null : Buffer.concat(isHead ? [written] : [written, ITEM_END]),
      isClosed,
    };
  }

  /** Drops what has been read. */
  private cut(end: number): void {
    for (let at = this.buffer.indexOf(10); at >= 0 && at < end; at = this.buffer.indexOf(10, at + 1)) this.line += 1;
    this.buffer = this.buffer.subarray(end);
    this.position = 0;
    this.isTooLarge = false;
  }

  /** Keeps no more than what may become a slice. */
  private forget(): void {
    if (this.kind !== 'between' && this.position <= MAX_SLICE_BYTES) return;
    this.cut(this.position);
    this.isTooLarge = this.kind !== 'between';
  }
}
