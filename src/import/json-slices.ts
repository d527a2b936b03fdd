import { BrokenOffError } from './source-bytes.js';

/** Keys and positions that lead from the outermost value to one inside it. */
export type JsonPath = readonly (string | number)[];

/** Treatment of a value: read the values inside one by one, hand it out, or skip it. */
export type JsonChoice = 'enter' | 'take' | 'skip';

/** A value of a larger text. */
export interface JsonSlice {
  readonly path: JsonPath;
  /** Line of the file in which it begins. */
  readonly line: number;
  /** Null when it has a problem. */
  readonly bytes: Buffer | null;
  /** Why it is not handed out. */
  readonly problem: string | null;
}

interface Frame {
  readonly isArray: boolean;
  key: string | number;
}

/** A value that is being passed over, and perhaps kept. */
interface Pending {
  readonly path: JsonPath;
  readonly line: number;
  readonly kind: Kind;
  /** Null once it is not to be kept. */
  parts: Buffer[] | null;
  problem: string | null;
  length: number;
  depth: number;
}

type Kind = 'container' | 'string' | 'scalar';
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_DEPTH = 200;
const MAX_ENTERED = 20;
const MAX_KEY_BYTES = 1000;

const code = (sign: string) => sign.charCodeAt(0);
const QUOTE = code('"');
const BACKSLASH = code('\\');
const NEWLINE = code('\n');

/**
 * Cuts JSON into values without reading what is in them, so that one that is broken, badly encoded or enormous harms no
 * other. Memory is bounded by the largest value that is accepted.
 *
 * Not done with stream-json, which users are read with: it reads every token, so that one broken post ends the file.
 */
export class JsonSlicer {
  private readonly frames: Frame[] = [];
  private expected: Expected = 'value';
  private pending: Pending | null = null;
  private isInString = false;
  private isEscaped = false;
  private key: Buffer[] | null = null;
  private line = 1;
  private taken = 0;

  /** @param choose asked about every value that is not inside one handed out or passed over */
  constructor(
    private readonly name: string,
    private readonly choose: (path: JsonPath, isContainer: boolean) => JsonChoice,
  ) {}

  /** @throws BrokenOffError when the text is no JSON outside of the values that are handed out */
  *push(chunk: Buffer): Generator<JsonSlice, void, undefined> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.pending === null && this.key === null) start = at;
      if (byte === NEWLINE) this.line += 1;
      if (this.key !== null) {
        if (this.passString(byte)) this.endKey(chunk.subarray(start, at + 1));
        else if (at === chunk.length - 1) this.keepKey(chunk.subarray(start));
        continue;
      }
      if (this.pending === null) this.readSign(byte);
      else if (this.passValue(byte, this.pending)) {
        const isIncluded = this.pending.kind !== 'scalar';
        yield* this.endValue(this.pending, chunk.subarray(start, isIncluded ? at + 1 : at));
        if (!isIncluded) this.readSign(byte);
      }
    }
    if (this.pending !== null) keep(this.pending, chunk.subarray(start));
  }

  /** @throws BrokenOffError when the text is not complete */
  end(): void {
    if (this.expected === 'nothing') return;
    const where = this.pending === null ? `after item ${this.taken}` : `in item ${this.taken + 1}`;
    throw new BrokenOffError(`${this.name}: breaks off ${where}, in line ${this.line}`);
  }

  private readSign(byte: number): void {
    const sign = String.fromCharCode(byte);
    if (/[\t\n\r ]/.test(sign)) return;
    const { expected } = this;
    if (/[\]}]/.test(sign) && expected.endsWith('end')) this.leave(sign);
    else if (sign === ',' && expected === 'comma or end') this.expected = this.top?.isArray === true ? 'value' : 'key';
    else if (sign === ':' && expected === 'colon') this.expected = 'value';
    else if (sign === '"' && expected.startsWith('key')) this.beginKey();
    else if (expected.startsWith('value') && /["[{\-\dtfn]/.test(sign)) this.beginValue(sign);
    else this.fail(`${expected} expected, '${/[!-~]/.test(sign) ? sign : `byte ${byte}`}' found`);
  }

  private get top(): Frame | undefined {
    return this.frames.at(-1);
  }

  private leave(sign: string): void {
    if ((sign === ']') !== (this.top?.isArray === true)) this.fail(`'${sign}' closes what it did not open`);
    this.frames.pop();
    this.expectNext();
  }

  private expectNext(): void {
    this.expected = this.frames.length === 0 ? 'nothing' : 'comma or end';
  }

  private beginKey(): void {
    this.key = [];
    this.isInString = true;
  }

  private keepKey(bytes: Buffer): void {
    this.key?.push(Buffer.from(bytes));
    if ((this.key ?? []).reduce((sum, part) => sum + part.length, 0) > MAX_KEY_BYTES) this.fail('a name is too long');
  }

  private endKey(bytes: Buffer): void {
    this.keepKey(bytes);
    const text = Buffer.concat(this.key ?? []).toString();
    this.key = null;
    this.isInString = false;
    const { top } = this;
    try {
      if (top !== undefined) top.key = String(JSON.parse(text));
    } catch {
      this.fail(`the name ${text.slice(0, 100)} cannot be read`);
    }
    this.expected = 'colon';
  }

  private beginValue(sign: string): void {
    const { top } = this;
    if (top?.isArray === true) top.key = Number(top.key) + 1;
    const path = this.frames.map(({ key }) => key);
    const isContainer = sign === '{' || sign === '[';
    const choice = this.choose(path, isContainer);
    if (choice === 'enter' && isContainer) {
      if (this.frames.length >= MAX_ENTERED) this.fail('too deep');
      this.frames.push({ isArray: sign === '[', key: sign === '[' ? -1 : '' });
      this.expected = sign === '[' ? 'value or end' : 'key or end';
      return;
    }
    const kind = isContainer ? 'container' : sign === '"' ? 'string' : 'scalar';
    const parts = choice === 'skip' ? null : [];
    this.pending = { path, line: this.line, kind, parts, problem: null, length: 0, depth: isContainer ? 1 : 0 };
    this.isInString = sign === '"';
  }

  /** Returns true when the value ends with this byte, or before it if it is a number or a word. */
  private passValue(byte: number, pending: Pending): boolean {
    if (this.isInString) return this.passString(byte) && this.leaveString(pending);
    if (pending.kind === 'scalar') return /[\t\n\r ,\]}]/.test(String.fromCharCode(byte));
    // 0x7b and 0x5b open, 0x7d and 0x5d close; the bit that makes them differ from each other does not matter here.
    const sign = byte & 0xdf;
    if (byte === QUOTE) this.isInString = true;
    else if (sign === 0x5b) pending.depth += 1;
    else if (sign === 0x5d) pending.depth -= 1;
    if (pending.depth > MAX_DEPTH) drop(pending, 'it is nested more than 200 deep');
    return pending.depth === 0;
  }

  /** Returns true when the string ends with this byte. */
  private passString(byte: number): boolean {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else return byte === QUOTE;
    return false;
  }

  private leaveString(pending: Pending): boolean {
    this.isInString = false;
    return pending.kind === 'string';
  }

  private *endValue(pending: Pending, last: Buffer): Generator<JsonSlice, void, undefined> {
    this.pending = null;
    this.expectNext();
    keep(pending, last);
    const { path, line, parts, problem } = pending;
    if (parts === null && problem === null) return;
    this.taken += 1;
    yield { path, line, bytes: parts === null ? null : Buffer.concat(parts), problem };
  }

  private fail(reason: string): never {
    throw new BrokenOffError(`${this.name}: is not JSON in line ${this.line}, after item ${this.taken}: ${reason}`);
  }
}

function keep(pending: Pending, bytes: Buffer): void {
  if (pending.parts === null) return;
  pending.length += bytes.length;
  if (pending.length > MAX_BYTES) drop(pending, 'it is larger than 10 MB');
  else pending.parts.push(bytes);
}

function drop(pending: Pending, problem: string): void {
  if (pending.parts === null) return;
  pending.parts = null;
  pending.problem = problem;
}
