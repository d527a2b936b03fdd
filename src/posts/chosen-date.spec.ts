import { describe, expect, it } from '@jest/globals';
import {
  chosenDateOf,
  decideDate,
  nextUnsavedDate,
  toDatedEvent,
  unsavedDateOf,
  withDateOfPost,
} from './chosen-date.js';
import type { UnsavedEdits, PostRow } from './post.entity.js';

const DATE = '2025-01-05T20:00:00.000Z';
const OTHER = '2025-02-05T20:00:00.000Z';
const chosen = { isDateChosen: true, publishedDate: new Date(DATE) };
const followed = { isDateChosen: false, publishedDate: new Date(DATE) };
const withCopy = (row: object, copy: object, published_date?: string | null) =>
  ({
    ...row,
    workingCopy: { fields: { title: 'A', ...(published_date === undefined ? {} : { published_date }) }, ...copy },
  }) as unknown as PostRow & { readonly workingCopy: UnsavedEdits };

describe('the date of a post', () => {
  it('is one that somebody chose, or none', () => {
    expect(chosenDateOf(chosen)).toBe(DATE);
    expect(chosenDateOf(followed)).toBeNull();
    expect(withDateOfPost({ title: 'A' }, chosen)).toEqual({ title: 'A', published_date: DATE });
    expect(withDateOfPost({ title: 'A' }, followed)).toEqual({ title: 'A', published_date: null });
    const row = chosen as PostRow;
    expect(toDatedEvent(row)).toEqual({ row, action: 'post.dated', details: { published_date: DATE } });
  });

  it('is decided by one that it does not have', () => {
    expect(decideDate(chosen, undefined)).toBeUndefined();
    expect(decideDate(chosen, new Date(DATE))).toBeUndefined();
    expect(decideDate(chosen, DATE)).toBeUndefined();
    expect(decideDate(chosen, OTHER)).toEqual(new Date(OTHER));
    expect(decideDate(chosen, null)).toBeNull();
    expect(decideDate(followed, null)).toBeUndefined();
    expect(decideDate(followed, DATE)).toEqual(new Date(DATE));
    expect(decideDate(null, null)).toBeUndefined();
    expect(decideDate(null, DATE)).toEqual(new Date(DATE));
  });
});

describe('a date that was not saved', () => {
  it('is one that a working copy has and the post has not', () => {
    expect(unsavedDateOf({ ...chosen, workingCopy: null })).toBeUndefined();
    expect(unsavedDateOf(withCopy(chosen, { unsaved_date: null }, OTHER))).toBeUndefined();
    expect(unsavedDateOf(withCopy(chosen, { unsaved_date: { date: OTHER } }))).toBe(OTHER);
    expect(unsavedDateOf(withCopy(chosen, { unsaved_date: { date: null } }))).toBeNull();
    expect(unsavedDateOf(withCopy(chosen, { unsaved_date: { date: DATE } }))).toBeUndefined();
    // As the release before stored it.
    expect(unsavedDateOf(withCopy(chosen, {}, OTHER))).toBe(OTHER);
    expect(unsavedDateOf(withCopy(chosen, {}, DATE))).toBeUndefined();
    expect(unsavedDateOf(withCopy(chosen, {}))).toBeUndefined();
    expect(unsavedDateOf(withCopy(followed, {}, null))).toBeUndefined();
  });

  it('stays when edits are kept once more, unless another one is given', () => {
    const row = withCopy(chosen, { unsaved_date: { date: OTHER } });
    expect(nextUnsavedDate(row, undefined)).toBe(OTHER);
    expect(nextUnsavedDate(row, DATE)).toBeUndefined();
    expect(nextUnsavedDate(row, null)).toBeNull();
    expect(nextUnsavedDate(row, '2025-03-05')).toBe('2025-03-05T00:00:00.000Z');
    expect(nextUnsavedDate(row, 'soon')).toBeUndefined();
    expect(nextUnsavedDate(null, undefined)).toBeUndefined();
    expect(nextUnsavedDate(null, null)).toBeUndefined();
    expect(nextUnsavedDate(null, DATE)).toBe(DATE);
  });
});
