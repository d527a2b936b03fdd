import { parseHtml } from '../../../../lib/parse-html.js';
import type { Piece } from '../html/lines.js';
import { readCell } from '../html/table-value.js';
import type { FigureValue, VideoValue } from '../html/values.js';

const BREAK: Piece = { insert: { 'soft-break': true } };
/** Between the cells of a table that cannot be one. */
export const BAR = ' | ';

/** Pasted lines as the inside of one cell: breaks stand between them, and what fills a line of its own leaves its words. */
export function toCellPieces(pieces: readonly Piece[]): Piece[] {
  // Room for the cursor between blocks is none in a cell.
  const shown = pieces.filter(({ attributes }) => attributes?.['filler'] === undefined);
  const lines = toLines(shown).map(({ pieces: words, cell }) => ({
    words: words.flatMap((piece) => (typeof piece.insert === 'string' ? piece : (toInline(piece.insert) ?? piece))),
    row: cell === undefined ? null : readCell(cell).row,
  }));
  const results = lines.flatMap(({ words, row }, index): Piece[] => {
    const isSameRow = row !== null && lines[index - 1]?.row === row;
    return [...(index === 0 ? [] : [isSameRow ? { insert: BAR } : BREAK]), ...words];
  });
  while (isBreak(results[0])) results.shift();
  while (isBreak(results.at(-1))) results.pop();
  return results;
}

/** How many tables stand in pasted pieces. */
export function countTables(pieces: readonly Piece[]): number {
  const cells = pieces.map(({ attributes }) => attributes?.['table']).filter((cell) => cell !== undefined);
  return new Set(cells.map((cell) => readCell(cell).table)).size;
}

interface PastedLine {
  readonly pieces: Piece[];
  /** The value of the cell that it is. */
  cell?: unknown;
}

function toLines(pieces: readonly Piece[]): PastedLine[] {
  const lines: PastedLine[] = [{ pieces: [] }];
  for (const piece of pieces) {
    const { insert, attributes } = piece;
    if (typeof insert !== 'string') {
      lines.at(-1)?.pieces.push(piece);
      continue;
    }
    insert.split('\n').forEach((text, index) => {
      const line = lines.at(-1);
      if (index > 0 && line !== undefined) {
        line.cell = attributes?.['table'];
        lines.push({ pieces: [] });
      }
      if (text !== '')
        lines.at(-1)?.pieces.push(attributes === undefined ? { insert: text } : { insert: text, attributes });
    });
  }
  if (lines.at(-1)?.pieces.length === 0) lines.pop();
  return lines;
}

function isBreak(piece: Piece | undefined): boolean {
  return typeof piece?.insert === 'object' && 'soft-break' in piece.insert;
}

function toInline(object: Readonly<Record<string, unknown>>): Piece[] | null {
  if ('divider' in object) return [BREAK];
  if ('preserved' in object) return [{ insert: wordsOf(String(object['preserved'])) }];
  if ('figure' in object) return toPicture(object['figure'] as FigureValue);
  if (!('video' in object)) return null;
  const { src, title } = object['video'] as VideoValue;
  return [{ insert: title || src, attributes: { link: src } }];
}

/** A picture in a line, with its link, and the words of its caption below it. */
function toPicture({ image, caption, link }: FigureValue): Piece[] {
  const picture: Piece = { insert: { image }, ...(link === '' ? {} : { attributes: { link } }) };
  const words = wordsOf(caption);
  return [picture, BREAK, ...(words === '' ? [] : [{ insert: words }, BREAK])];
}

function wordsOf(html: string): string {
  // Words of different blocks stay apart.
  const { textContent } = parseHtml(html.replace(/<[^>]*>/g, ' '));
  return textContent.replace(/\s+/g, ' ').trim();
}
