import { describe, expect, it } from '@jest/globals';
import { formatByteRange, parseByteRange, parseContentRange, resolveByteRange } from './byte-range.js';

/** The bytes of a file of 100 that a header asks for. */
function resolve(header: string) {
  const range = parseByteRange(header);
  if (range === null) return 'all';
  expect(parseByteRange(formatByteRange(range))).toEqual(range);
  try {
    const { start, end } = resolveByteRange(range, 100);
    return `${start}-${end}`;
  } catch (error) {
    return (error as Error).name;
  }
}

describe('ranges of bytes', () => {
  it.each([
    ['bytes=0-', '0-99'],
    ['Bytes=0-0', '0-0'],
    ['bytes=10-19', '10-19'],
    ['bytes=90-1000', '90-99'],
    ['bytes=-10', '90-99'],
    ['bytes=-1000', '0-99'],
    ['bytes=100-', 'RangeNotSatisfiableError'],
    ['bytes=-0', 'RangeNotSatisfiableError'],
    ['bytes=20-10', 'all'],
    ['bytes=-', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['items=0-1', 'all'],
    ['bytes=a-b', 'all'],
    [`bytes=${'9'.repeat(40)}-`, 'all'],
  ])('%s of 100 is %s', (header, expected) => {
    expect(resolve(header)).toBe(expected);
  });

  it('reads what a bucket answers', () => {
    expect(parseContentRange('bytes 10-19/100')).toEqual({ start: 10, total: 100 });
    expect(parseContentRange('bytes 10-19/*')).toBeNull();
    expect(parseContentRange(undefined)).toBeNull();
  });
});
