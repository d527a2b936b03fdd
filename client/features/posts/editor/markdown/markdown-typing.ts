import type Quill from 'quill';
import { type Delta } from 'quill';
import { RIGHT_TO_LEFT_SIGNS } from '../../../../../src/shared/right-to-left.js';
import { at } from '../uploads.js';
import { isRule, readFence, readLineMark, readTextMark, type TextMark } from './typed-markdown.js';
import { PLAIN_LANGUAGE } from '../html/read-block.js';

/** Lines of these formats have their meaning already; a blank typed in them is a blank. */
const settled = ['header', 'list', 'blockquote', 'code-block', 'table'];
/** Stands for an object in the text of a line. */
const OBJECT = '\ufffc';

/**
 * Gives Markdown its meaning while it is typed. The signs are typed first and what they mean is a change of its own, so
 * one step of undo brings the signs back, and they stay.
 */
export function understandMarkdown(quill: Quill): void {
  quill.on('text-change', (delta: Delta, _before: Delta, source: string) => {
    if (source === 'user' && !quill.history.ignoreChange) giveDirection(quill, delta);
    const place = source === 'user' && !quill.history.ignoreChange ? placeOfCharacter(delta) : null;
    // Only after the key has been dealt with: Quill sets the cursor after it.
    if (place !== null) queueMicrotask(() => readTyped(quill, place));
  });
}

const rightToLeft = new RegExp(`^[${RIGHT_TO_LEFT_SIGNS}]`, 'u');

/**
 * A line that begins with a letter of Hebrew, Arabic and the like runs from right to left. Keyboards of phones and dictation
 * give its first words in one piece, as pasting does.
 */
function giveDirection(quill: Quill, { ops }: Delta): void {
  const [first, second] = ops;
  const place = typeof first?.retain === 'number' ? first.retain : 0;
  const insert = first?.insert ?? second?.insert;
  if (ops.length > 2 || typeof insert !== 'string' || insert.includes('\n') || !rightToLeft.test(insert)) return;
  const [line, offset] = quill.getLine(place);
  const formats = quill.getFormat(place, 0);
  if (line === null || offset > 0 || formats['direction'] !== undefined || formats['code-block'] !== undefined) return;
  queueMicrotask(() => quill.formatLine(place, 1, 'direction', 'rtl', 'user'));
}

/** The place after the one character that a change inserts; null for any other change. */
function placeOfCharacter({ ops }: Delta): number | null {
  const [typed, ...others] = ops.filter(({ retain }) => retain === undefined).map(({ insert }) => insert);
  const [first] = ops;
  const place = typeof first?.retain === 'number' ? first.retain : 0;
  return others.length === 0 && typeof typed === 'string' && /^[ *_`~=)]$/.test(typed) ? place + 1 : null;
}

function readTyped(quill: Quill, place: number): void {
  if (place > quill.getLength()) return;
  const [line, offset] = quill.getLine(place);
  if (line === null || quill.getFormat(place, 0)['code-block'] !== undefined) return;
  const start = place - offset;
  const text = textOf(quill, start, offset);
  if (text.endsWith(' ')) readLineStart(quill, start, text, line.length());
  else readWords(quill, start, text);
}

function textOf(quill: Quill, index: number, length: number): string {
  return quill
    .getContents(index, length)
    .ops.map(({ insert }) => (typeof insert === 'string' ? insert : OBJECT))
    .join('');
}

function readLineStart(quill: Quill, start: number, text: string, length: number): void {
  const mark = readLineMark(text);
  if (mark === null || quill.getFormat(start, 1)['code'] !== undefined) return;
  const formats = quill.getFormat(start, 0);
  // An item of a list can still become one to tick off.
  const isTick = formats['list'] === 'bullet' && String(mark.formats['list']).endsWith('checked');
  if (!isTick && settled.some((name) => formats[name] !== undefined)) return;
  const rest = length - 1 - mark.length;
  asOneStep(quill, () => {
    const skip = rest > 0 ? [{ retain: rest }] : [];
    quill.updateContents(
      [...at(start), { delete: mark.length }, ...skip, { retain: 1, attributes: mark.formats }],
      'user',
    );
    quill.setSelection(start, 0, 'silent');
  });
}

function readWords(quill: Quill, lineStart: number, text: string): void {
  const mark = readTextMark(text);
  if (mark === null || mark.text.includes(OBJECT)) return;
  const start = lineStart + mark.start;
  const end = lineStart + text.length;
  const isCode = quill.getContents(start, end - start).ops.some(({ attributes }) => attributes?.['code'] !== undefined);
  if (isCode) return;
  asOneStep(quill, () => formatWords(quill, start, end, mark));
}

function formatWords(quill: Quill, start: number, end: number, mark: TextMark): void {
  const [name, value] = mark.format;
  const signsAfter = end - start - mark.before - mark.text.length;
  quill.updateContents(
    [
      ...at(start),
      { delete: mark.before },
      { retain: mark.text.length, attributes: { [name]: value } },
      { delete: signsAfter },
    ],
    'user',
  );
  quill.setSelection(start + mark.text.length, 0, 'silent');
  // What is typed next is no part of it.
  quill.format(name, false, 'silent');
}

/** Editors in which a change is made that is one step of undo. */
const inStep = new WeakSet<Quill>();

/** Makes a change a step of undo of its own; within another such change, it is part of that step. */
export function asOneStep(quill: Quill, change: () => void): void {
  if (inStep.has(quill)) return change();
  inStep.add(quill);
  quill.history.cutoff();
  try {
    change();
  } finally {
    inStep.delete(quill);
    quill.history.cutoff();
  }
}

/** Makes a block of code, or a line across, of the signs in front of the cursor; false if they are none. */
export function readMarkdownLine(quill: Quill, index: number): boolean {
  const [line, offset] = quill.getLine(index);
  if (line === null || offset !== line.length() - 1) return false;
  const start = index - offset;
  const formats = quill.getFormat(start, 0);
  if (settled.some((name) => formats[name] !== undefined)) return false;
  const text = textOf(quill, start, offset);
  const language = readFence(text);
  if (language === null && !isRule(text)) return false;
  asOneStep(quill, () => {
    const change =
      language === null
        ? [{ insert: { divider: true } }]
        : [{ retain: 1, attributes: { 'code-block': language || PLAIN_LANGUAGE } }];
    quill.updateContents([...at(start), { delete: offset }, ...change], 'user');
    quill.setSelection(start + (language === null ? 1 : 0), 0, 'silent');
  });
  return true;
}
