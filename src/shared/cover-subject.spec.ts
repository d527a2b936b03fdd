import { describe, expect, it } from '@jest/globals';
import { findCoverSubject } from './cover-subject.js';

describe('findCoverSubject', () => {
  it.each([
    ['Security', 'shield'],
    ['Email security', 'mail'],
    ['Backup', 'backup'],
    ['Network', 'network'],
    ['Remote work', 'support'],
    ['Devices', 'devices'],
    ['Support', 'headset'],
    [null, 'book'],
  ])('draws %s as %s', (category, glyph) => {
    expect(findCoverSubject(category)).toBe(glyph);
  });

  it('draws something for a category of any name, always the same', () => {
    const names = ['Gardening', '', 'Постоянное', '💾'];
    expect(names.map(findCoverSubject)).toEqual(names.map(findCoverSubject));
    expect(names.map(findCoverSubject)).not.toContain(undefined);
  });
});
