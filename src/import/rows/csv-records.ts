import { BrokenOffError } from '../source-bytes.js';

/** One row of a table. */
export interface CsvRecord {
  /** Line of the file in which it begins. */
  readonly line: number;
  readonly fields: readonly Buffer[];
  /** Why its fields are not to be trusted. */
  readonly problem: string | null;
  /** False for what the file ends with if no line break follows. */
  readonly isEnded: boolean;
}

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_FIELDS = 1000;
const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;

type State = 'start' | 'plain' | 'quoted' | 'after quote' | 'broken';

/**
 * Cuts a table into rows (RFC 4180), without decoding them. A row that is too large or badly quoted ends at the next
 * line break, so that it harms no other; quotation marks inside a field without them stand for themselves.
 *
 * Not done with csv-parse, which users and redirects are read with: after text behind a closing quotation mark, or a row
 * beyond `max_record_size`, its `skip_records_with_error` (7.0.3) loses the good rows that follow.
 */
export class CsvSlicer {
  private state: State = 'start';
  private fields: Buffer[] = [];
  /** Pieces of the field that is being read. */
  private parts: Buffer[] = [];
  private length = 0;
  private problem: string | null = null;
  private line = 1;
  private recordLine = 1;

  constructor(
    private readonly name: string,
    private readonly delimiter: number,
  ) {}

  *push(chunk: Buffer): Generator<CsvRecord, void, undefined> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === NEWLINE) this.line += 1;
      if (this.state === 'quoted') {
        if (byte !== QUOTE) continue;
        this.keep(chunk.subarray(start, at));
        this.state = 'after quote';
      } else if (byte === NEWLINE) {
        this.endField(chunk.subarray(start, at));
        yield* this.endRecord(true);
        start = at + 1;
      } else if (byte === this.delimiter && this.state !== 'broken') {
        this.endField(chunk.subarray(start, at));
        start = at + 1;
      } else if (byte === QUOTE && (this.state === 'start' || this.state === 'after quote')) {
        // A quotation mark that is doubled stands for itself: the next piece begins with it.
        start = this.state === 'start' ? at + 1 : at;
        this.state = 'quoted';
      } else if (this.state === 'start') {
        this.state = 'plain';
      } else if (this.state === 'after quote' && byte !== RETURN && byte !== BLANK) {
        this.fail('text follows a closing quotation mark');
        this.state = 'broken';
      }
    }
    if (this.state === 'plain' || this.state === 'quoted') this.keep(chunk.subarray(start));
  }

  /** @throws BrokenOffError when the last row is not complete */
  *end(): Generator<CsvRecord, void, undefined> {
    if (this.state === 'quoted') {
      const where = `in the row that begins in line ${this.recordLine}`;
      throw new BrokenOffError(`${this.name}: breaks off ${where}: a quotation mark is never closed`);
    }
    if (this.state === 'start' && this.fields.length === 0) return;
    this.endField(Buffer.alloc(0));
    yield* this.endRecord(false);
  }

  private endField(last: Buffer): void {
    if (this.state === 'plain') this.keep(last);
    const field = Buffer.concat(this.parts);
    const hasReturn = this.state === 'plain' && field.at(-1) === RETURN;
    if (this.problem === null) this.fields.push(hasReturn ? field.subarray(0, -1) : field);
    if (this.fields.length > MAX_FIELDS) this.fail('it has more than 1,000 columns');
    this.parts = [];
    this.state = 'start';
  }

  private *endRecord(isEnded: boolean): Generator<CsvRecord, void, undefined> {
    const { fields, problem, recordLine } = this;
    this.fields = [];
    this.length = 0;
    this.problem = null;
    this.recordLine = this.line;
    const isBlank = fields.length <= 1 && (fields[0]?.length ?? 0) === 0;
    if (!isBlank || problem !== null) yield { line: recordLine, fields, problem, isEnded };
  }

  private keep(bytes: Buffer): void {
    if (this.problem !== null) return;
    this.length += bytes.length;
    if (this.length > MAX_BYTES) this.fail('it is larger than 10 MB');
    else this.parts.push(bytes);
  }

  /** Notes a problem and drops the row's data, which nobody needs any more. */
  private fail(problem: string): void {
    this.problem ??= problem;
    this.fields = [];
    this.parts = [];
  }
}
