import { diffLines, diffWordsWithSpace } from 'diff';
import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { FIELDS } from './fields.js';

/** A stretch of text that both versions have, or only the one before or the one after. */
export interface DiffPart {
  readonly kind: 'same' | 'before' | 'after';
  readonly text: string;
}

/** How one field differs between two versions. */
export interface FieldDiff {
  readonly field: keyof PostForm;
  /** Only 'same' when the words are the same and something else differs: formatting, or a picture's size. */
  readonly parts: readonly DiffPart[];
}

/** Word by word costs time that grows with the product of the lengths; beyond this, lines have to do. */
const WORDS_TIMEOUT_MS = 300;
/** Characters shown at either end of a long stretch that both versions have. */
const CONTEXT = 120;

/**
 * The fields in which two versions differ.
 * @param toText what a reader would see of HTML
 */
export function diffForms(before: PostForm, after: PostForm, toText: ToText<string>): FieldDiff[] {
  const asItIs: ToText<string> = (value) => value;
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    parts: diffShown(before[field] ?? '', after[field] ?? '', field === 'content' ? toText : asItIs),
  }));
}

/** Shows something as a reader would see it, on request with the addresses of its pictures and links. */
export type ToText<T> = (value: T, hasAddresses: boolean) => string;

/** How the words of two things differ; where they are the same, how they do with their addresses. */
export function diffShown<T>(before: T, after: T, toText: ToText<T>): DiffPart[] {
  const words = diffTexts(toText(before, false), toText(after, false));
  const isSame = words.every(({ kind }) => kind === 'same');
  return isSame ? diffTexts(toText(before, true), toText(after, true)) : words;
}

/** How two texts differ, word by word. */
export function diffTexts(before: string, after: string): DiffPart[] {
  const changes = diffWordsWithSpace(before, after, { timeout: WORDS_TIMEOUT_MS }) ?? diffLines(before, after);
  return changes.map(({ added, removed, value }) => {
    if (added) return { kind: 'after', text: value };
    return removed ? { kind: 'before', text: value } : { kind: 'same', text: shorten(value) };
  });
}

function shorten(text: string): string {
  if (text.length <= 3 * CONTEXT) return text;
  // A sign of two units is not cut in two.
  const start = text.slice(0, CONTEXT).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-CONTEXT).replace(/^[\udc00-\udfff]/, '');
  return `${start} … ${end}`;
}
