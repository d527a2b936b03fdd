import { describe, expect, it } from '@jest/globals';
import { fieldNames, readersFields } from '../shared/contracts/post-fields.js';
import { propertyOf } from './post-columns.js';
import { emptyDraft, isPublic, toChange, touchesReaders } from './post-change.js';
import type { PostRow } from './post.entity.js';

describe('touchesReaders', () => {
  it('is true of a change of any one field that readers have, and of no other', () => {
    const announced = fieldNames((_spec, name) => touchesReaders({ [propertyOf(name)]: 'Other' }));
    expect(announced).toEqual(readersFields);
    expect(touchesReaders({ imageAlt: null })).toBe(true);
  });

  it('is true of what publishes, dates or deletes a post, and false of edits that are only kept', () => {
    expect(touchesReaders({ isPublished: false })).toBe(true);
    expect(touchesReaders({ publishedDate: new Date() })).toBe(true);
    expect(touchesReaders({ deletedAt: null })).toBe(true);
    expect(touchesReaders({ keptAt: new Date(), workingTitle: 'Kept', lastSaveId: null })).toBe(false);
  });
});

describe('isPublic', () => {
  it('is true of a published post that is not in the trash', () => {
    expect(isPublic({ isPublished: true, deletedAt: null })).toBe(true);
    expect(isPublic({ isPublished: true, deletedAt: new Date() })).toBe(false);
    expect(isPublic({ isPublished: false, deletedAt: null })).toBe(false);
  });
});

describe('toChange', () => {
  const now = new Date('2026-03-01T10:00:00Z');
  const before = new Date('2026-01-01T10:00:00Z');
  const created = new Date('2025-12-01T10:00:00Z');
  const draft = {
    isPublished: false,
    firstPublishedAt: null,
    createdAt: created,
    isDateChosen: false,
  } as unknown as PostRow;
  const published = { ...draft, isPublished: true, firstPublishedAt: before };
  const publication = { isPublished: true, scheduledAt: null, liveSince: now };

  it('has the texts, and nothing that was not decided', () => {
    expect(toChange(draft, { title: 'A' }, undefined, now)).toEqual({ title: 'A' });
    expect(toChange(published, {}, true, now)).toEqual({ publishedDate: before, isDateChosen: false });
    expect(toChange(draft, {}, false, now)).toEqual({});
  });

  it('publishes for the first time now, and again with the date of the first time', () => {
    const first = { ...publication, firstPublishedAt: now, publishedDate: now, isDateChosen: false };
    expect(toChange(draft, {}, true, now)).toEqual(first);
    expect(toChange(null, {}, true, now)).toEqual(first);
    const unpublished = { ...published, isPublished: false };
    expect(toChange(unpublished, {}, true, now)).toEqual({
      ...publication,
      firstPublishedAt: before,
      publishedDate: before,
      isDateChosen: false,
    });
    expect(toChange(published, {}, false, now)).toEqual({ isPublished: false });
  });

  it('dates a new post, and any by a date that was chosen', () => {
    expect(toChange(null, {}, false, now)).toEqual({ isPublished: false, publishedDate: now, isDateChosen: false });
    const dated = { ...published, isDateChosen: true };
    expect(toChange(draft, { publishedDate: before }, undefined, now)).toEqual({
      publishedDate: before,
      isDateChosen: true,
    });
    expect(toChange({ ...draft, isDateChosen: true }, {}, true, now)).toEqual({
      ...publication,
      firstPublishedAt: now,
    });
    expect(toChange(dated, { publishedDate: null }, undefined, now)).toEqual({
      publishedDate: before,
      isDateChosen: false,
    });
    expect(toChange({ ...draft, isDateChosen: true }, { publishedDate: null }, undefined, now)).toEqual({
      publishedDate: created,
      isDateChosen: false,
    });
  });

  it('makes an empty draft at an address of its own', () => {
    const empty = emptyDraft(now);
    expect(empty).toEqual({
      title: '',
      slug: expect.stringMatching(/^untitled-[0-9a-f]{8}$/),
      content: '',
      author: '',
      publishedDate: now,
      isPublished: false,
    });
    expect(emptyDraft(now).slug).not.toBe(empty.slug);
  });
});
