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

  it('lays out as many rows as there are', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x']);
    const lines = formatColumns(rows).split('\n');
    expect([lines.length, lines[0], lines[199_999]]).toEqual([200_001, '0       x', '199999  x']);
  });

  it('lets no text control the terminal, or begin a line', () => {
    const rows = [
      ['a\x1b[2J\x1b]0;x\x07', 'b\r\nc\td'],
      ['\u202Ee', '\x9b31mf\u2028g'],
    ];
    expect(formatColumns(rows)).toBe('a[2J]0;x  b c d\ne         31mf g\n');
  });
});
