import type { Piece } from '../html/lines.js';
import type { VideoValue } from '../html/values.js';

const BREAK: Piece = { insert: { 'soft-break': true } };

/** Pasted lines as the inside of one cell: breaks stand between them, and what fills a line of its own leaves its words. */
export function toCellPieces(pieces: readonly Piece[]): Piece[] {
  const results = pieces.flatMap((piece): Piece[] => {
    const { insert, attributes } = piece;
    if (typeof insert !== 'string') return [toInline(insert) ?? piece];
    // Cells of one row stay in one line.
    const end: Piece = attributes?.['table'] === undefined ? BREAK : { insert: ' ' };
    return insert.split('\n').flatMap((text, index): Piece[] => {
      const part: Piece[] =
        text === '' ? [] : [attributes === undefined ? { insert: text } : { insert: text, attributes }];
      return index === 0 ? part : [end, ...part];
    });
  });
  const isBreak = (piece: Piece | undefined) =>
    piece?.insert === ' ' || (typeof piece?.insert === 'object' && 'soft-break' in piece.insert);
  while (isBreak(results[0])) results.shift();
  while (isBreak(results.at(-1))) results.pop();
  return results;
}

function toInline(object: Readonly<Record<string, unknown>>): Piece | null {
  if ('divider' in object) return BREAK;
  if ('preserved' in object)
    return {
      insert: String(object['preserved'])
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    };
  if (!('video' in object)) return null;
  const { src, title } = object['video'] as VideoValue;
  return { insert: title || src, attributes: { link: src } };
}
