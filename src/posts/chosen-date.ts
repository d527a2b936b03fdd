import type { PostForm } from '../shared/contracts/admin-posts.js';
import type { PostEvent } from './post-writer.js';
import type { UnsavedEdits, PostRow } from './post.entity.js';

// The date that readers see is a part of the publication, not of the text (decision 49). The release before had it among
// the fields of every form: what follows about that can go with the next release.

type DatedRow = Pick<PostRow, 'isDateChosen' | 'publishedDate'>;

/** Returns the date that a person or an import chose, ISO 8601; null when it follows the first publication. */
export function chosenDateOf({ isDateChosen, publishedDate }: DatedRow): string | null {
  return isDateChosen ? publishedDate.toISOString() : null;
}

/**
 * Returns the date to write, null for that of the first publication; undefined when nothing was decided: no date was
 * given, or the one that the post has.
 * @param row null for a new post
 */
export function decideDate(row: DatedRow | null, given: Date | string | null | undefined): Date | null | undefined {
  if (given === undefined) return undefined;
  const date = given === null ? null : new Date(given);
  const before = row === null ? null : chosenDateOf(row);
  return (date?.toISOString() ?? null) === before ? undefined : date;
}

/** Tells the activity that the date was chosen, or left to the first publication. */
export function toDatedEvent(row: PostRow): PostEvent {
  return { row, action: 'post.dated', details: { published_date: chosenDateOf(row) } };
}

/**
 * Returns the form with the date of the post among its fields, for the release before: it stores and shows forms with
 * one, runs beside this release during an upgrade, and its tabs stay open after it. Nothing of this release reads it.
 */
export function withDateOfPost<T extends Partial<PostForm>>(form: T, row: DatedRow) {
  return { ...form, published_date: chosenDateOf(row) };
}

/**
 * Returns a date that was typed in the release before and kept without being saved: null for one that was emptied,
 * undefined when there is none. It is offered to who opens the editor, and never taken by itself.
 */
export function unsavedDateOf(
  row: DatedRow & { readonly workingCopy?: UnsavedEdits | null },
): string | null | undefined {
  const { workingCopy } = row;
  if (!workingCopy) return undefined;
  const { unsaved_date, fields } = workingCopy;
  // The release before knew no other place for it; this one says so either way.
  const date = unsaved_date === undefined ? fields.published_date : unsaved_date?.date;
  return date === undefined || date === chosenDateOf(row) ? undefined : date;
}

/**
 * Returns the unsaved date of a working copy that is kept once more.
 * @param given in a tab of the release before; undefined in one of this release
 */
export function nextUnsavedDate(row: PostRow | null, given: string | null | undefined): string | null | undefined {
  if (given === undefined) return row === null ? undefined : unsavedDateOf(row);
  const date = given === null ? null : toIsoDate(given);
  return date === undefined || date === (row === null ? null : chosenDateOf(row)) ? undefined : date;
}

/** Undefined for a text that is no date. */
function toIsoDate(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
