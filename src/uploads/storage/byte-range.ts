/** A part of a file that was asked for (RFC 9110, section 14.1.2): from a byte on, or the last so many. */
export type ByteRange =
  | { readonly first: number; readonly last: number | null }
  | { readonly first: null; readonly suffix: number };

/** Thrown when a file has nothing in the range that was asked for. */
export class RangeNotSatisfiableError extends Error {
  override readonly name = 'RangeNotSatisfiableError';

  /** @param total bytes of the whole file */
  constructor(readonly total: number) {
    super(`Beyond the ${total} bytes of the file`);
  }
}

/**
 * Reads the header `Range`. Null where the whole file is the answer: without the header, for other units, for what is
 * malformed, and for several ranges, which no player needs.
 */
export function parseByteRange(header: string | undefined): ByteRange | null {
  const [, from, to] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') return { first: null, suffix: Number(to) };
  const last = to === '' ? null : Number(to);
  return last !== null && last < Number(from) ? null : { first: Number(from), last };
}

/**
 * The bytes that a range means in a file, both ends included.
 * @throws RangeNotSatisfiableError
 */
export function resolveByteRange(range: ByteRange, total: number): { readonly start: number; readonly end: number } {
  const start = range.first ?? Math.max(0, total - range.suffix);
  const end = range.first === null || range.last === null ? total - 1 : Math.min(range.last, total - 1);
  if (start > end || (range.first === null && range.suffix === 0)) throw new RangeNotSatisfiableError(total);
  return { start, end };
}

/** Writes the header `Range`. */
export function formatByteRange(range: ByteRange): string {
  return range.first === null ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`;
}

/** Reads the header `Content-Range` of an answer; null if it says no part of a file. */
export function parseContentRange(header: string | undefined): { start: number; total: number } | null {
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/i.exec(header ?? '') ?? [];
  return start === undefined ? null : { start: Number(start), total: Number(total) };
}
