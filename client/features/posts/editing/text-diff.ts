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
export function diffForms(before: PostForm, after: PostForm, toText: (html: string) => string): FieldDiff[] {
  const show = (field: keyof PostForm, form: PostForm) => {
    const value = form[field] ?? '';
    return field === 'content' ? toText(value) : value;
  };
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    parts: diffTexts(show(field, before), show(field, after)),
  }));
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
