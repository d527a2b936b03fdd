const MAX_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A line that is not empty, without its line break. */
export interface LineSlice {
  /** Line of the file, counted from 1. */
  readonly line: number;
  /** Null when it has a problem. */
  readonly bytes: Buffer | null;
  readonly problem: string | null;
}

/** Cuts a file into lines, keeping no more than one. */
export class LineSlicer {
  private parts: Buffer[] = [];
  private length = 0;
  private line = 1;

  *push(chunk: Buffer): Generator<LineSlice, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      yield* this.finish();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  /** Hands out the text after the last line break. */
  *end(): Generator<LineSlice, void, undefined> {
    yield* this.finish();
  }

  private keep(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > MAX_BYTES) this.parts = [];
    else this.parts.push(bytes);
  }

  private *finish(): Generator<LineSlice, void, undefined> {
    const isTooLarge = this.length > MAX_BYTES;
    const bytes = Buffer.concat(this.parts);
    const { line } = this;
    this.parts = [];
    this.length = 0;
    this.line += 1;
    if (isTooLarge) yield { line, bytes: null, problem: 'it is larger than 10 MB' };
    else if (/[^\s]/.test(bytes.toString('latin1', 0, 100)) || bytes.length > 100) yield { line, bytes, problem: null };
  }
}
