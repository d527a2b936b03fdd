import type { Formats } from '../html/lines.js';
import { toLinkValue } from '../html/values.js';
import { BLANK_ADDRESS, toLinkAddress } from '../link-address.js';

/** Signs at the start of a line, blank included, and what they make of the line. */
interface LineMark {
  /** How many characters the signs have. */
  readonly length: number;
  readonly formats: Formats;
}

/** Signs around a text, and what they make of it. */
export interface TextMark {
  /** Place in the line at which the first sign stands. */
  readonly start: number;
  /** The text between the signs. */
  readonly text: string;
  /** How many characters stand before the text, its first signs. */
  readonly before: number;
  readonly format: readonly [name: string, value: string | true];
}

const lineMarks: readonly (readonly [RegExp, (signs: RegExpExecArray) => Formats])[] = [
  // The page's title is its one first heading: a text begins with the second, as everywhere in the product.
  [/^(#{1,6}) $/, ([, signs = '']) => ({ header: Math.max(2, signs.length) })],
  [/^> $/, () => ({ blockquote: true })],
  [/^[-*+] $/, () => ({ list: 'bullet' })],
  [/^1[.)] $/, () => ({ list: 'ordered' })],
  [/^(\d{1,6})[.)] $/, ([, number = '']) => ({ list: 'ordered', 'list-start': String(Number(number)) })],
  [/^(?:[-*+] )?\[ ?\] $/, () => ({ list: 'unchecked' })],
  [/^(?:[-*+] )?\[[xX]\] $/, () => ({ list: 'checked' })],
];

/** Reads the text of a line up to the cursor, where a blank was typed; null if it is no sign. */
export function readLineMark(text: string): LineMark | null {
  for (const [pattern, toFormats] of lineMarks) {
    const match = pattern.exec(text);
    if (match !== null) return { length: text.length, formats: toFormats(match) };
  }
  return null;
}

/** The language of the block of code that a line of this text opens; null if it opens none. */
export function readFence(text: string): string | null {
  return /^```([\w+#.-]{0,30})$/.exec(text)?.[1]?.toLowerCase() ?? null;
}

export function isRule(text: string): boolean {
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(text);
}

/** Signs around words, the longer ones first. A sign that follows a letter, a digit or a backslash is none. */
const textMarks: readonly (readonly [RegExp, name: string])[] = [
  [around('\\*\\*', '*'), 'bold'],
  [around('__', '_'), 'bold'],
  [around('~~', '~'), 'strike'],
  [around('==', '='), 'mark'],
  [around('\\*', '*'), 'italic'],
  [around('_', '_'), 'italic'],
];

function around(sign: string, character: string): RegExp {
  const inner = `[^\\s${character}](?:[^${character}]*[^\\s${character}])?`;
  return new RegExp(`(^|[^\\p{L}\\p{N}\\\\${character}])(${sign})(${inner})${sign}$`, 'u');
}

/** Reads the end of a line's text up to the cursor, whose last character was typed just now; null if it is no sign. */
export function readTextMark(line: string): TextMark | null {
  const code = /(^|[^`\\])`([^`]+)`$/.exec(line);
  if (code !== null) return { start: placeOf(code), before: 1, text: code[2] ?? '', format: ['code', true] };
  const link = /(^|[^!\\])\[([^\][]+)\]\(((?:[^()\s]|\([^()\s]*\))+)\)$/.exec(line);
  if (link !== null && !isInCode(line, placeOf(link))) return toLink(link);
  for (const [pattern, name] of textMarks) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const [, , sign = '', text = ''] = match;
    const start = placeOf(match);
    return isInCode(line, start) ? null : { start, before: sign.length, text, format: [name, true] };
  }
  return null;
}

/** The place of a sign, behind the character before it, which its pattern takes as well. */
function placeOf({ index, 1: before = '' }: RegExpExecArray): number {
  return index + before.length;
}

/** An address that cannot be a link stays as it was typed, to be seen. */
function toLink(match: RegExpExecArray): TextMark | null {
  const { 2: text = '', 3: written = '' } = match;
  const href = toLinkAddress(written);
  if (href === BLANK_ADDRESS) return null;
  return {
    start: placeOf(match),
    before: 1,
    text,
    format: ['link', toLinkValue({ href, title: '', opensWindow: false })],
  };
}

/** Code that has been opened and not closed yet. */
function isInCode(line: string, index: number): boolean {
  return (line.slice(0, index).match(/`/g)?.length ?? 0) % 2 === 1;
}
