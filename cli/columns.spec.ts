import { describe, expect, it } from '@jest/globals';
import { formatColumns } from './columns.js';

describe('formatColumns', () => {
  it('lines cells up and ends no line with blanks', () => {
    const rows = [
      ['a', 'long', 'x'],
      ['long', 'b', ''],
    ];
    expect(formatColumns(rows)).toBe('a     long  x\nlong  b\n');
    expect(formatColumns([])).toBe('');
  });
});
