import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyChange, findChange } from './text-change.js';

describe('a change of a text', () => {
  it('is the one stretch that differs', () => {
    expect(findChange('<p>one two</p>', '<p>one and two</p>')).toEqual({ from: 7, to: 7, text: 'and ' });
    expect(findChange('aaa', 'aa')).toEqual({ from: 2, to: 3, text: '' });
    expect(findChange('same', 'same')).toEqual({ from: 4, to: 4, text: '' });
  });

  it('makes the later text of the earlier one, whatever they are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}', '\ud83d', '\n') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        // As it comes back from the storage.
        const change = JSON.parse(JSON.stringify(findChange(before, after))) as ReturnType<typeof findChange>;
        expect(applyChange(before, change)).toBe(after);
      }),
    );
  });
});
