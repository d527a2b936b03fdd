import { describe, expect, it } from '@jest/globals';
import { fieldNames, readersFields } from '../shared/contracts/post-fields.js';
import { propertyOf } from './post-columns.js';
import { touchesReaders } from './post-change.js';

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
