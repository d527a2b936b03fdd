import type Quill from 'quill';
import { readCell, type CellValue } from '../html/table-value.js';

/** A cell in the text. */
export interface GridCell {
  readonly index: number;
  /** With the line's end. */
  readonly length: number;
  readonly value: CellValue;
}

/** A table in the text. */
export interface Grid {
  readonly cells: readonly GridCell[];
  /** The rows with their cells, without a caption. */
  readonly rows: readonly (readonly GridCell[])[];
  /** Place of the cell with the cursor among the rows; -1 in a caption. */
  readonly row: number;
  readonly column: number;
  /** True if cells reach over several rows or columns: these can be written in, but not counted. */
  readonly isJoined: boolean;
}

/** Finds the table around a place of the text; null if there is none. */
export function findGrid(quill: Quill, index: number): Grid | null {
  const lines = linesOf(quill);
  return toGrid(
    lines,
    lines.findIndex((line) => index >= line.index && index < line.index + line.length),
  );
}

/** The table around one of the lines of the whole text; null if there is none. */
function toGrid(lines: readonly TextLine[], at: number): Grid | null {
  const own = lines[at]?.value;
  if (own === null || own === undefined) return null;
  const isOwn = (place: number) => lines[place]?.value?.table === own.table;
  let start = at;
  let end = at + 1;
  while (isOwn(start - 1)) start -= 1;
  while (isOwn(end)) end += 1;
  const cells = lines.slice(start, end) as GridCell[];
  const rows: GridCell[][] = [];
  for (const cell of cells.filter(({ value }) => value.part !== 'caption')) {
    if (rows.at(-1)?.[0]?.value.row === cell.value.row) rows.at(-1)?.push(cell);
    else rows.push([cell]);
  }
  const current = lines[at] as GridCell;
  const row = rows.findIndex((members) => members.includes(current));
  const isJoined = cells.some(({ value }) => value.colspan > 1 || value.rowspan > 1);
  return { cells, rows, row, column: rows[row]?.indexOf(current) ?? -1, isJoined };
}

/** The grids of the whole text. */
export function allGrids(quill: Quill): Grid[] {
  const grids: Grid[] = [];
  const lines = linesOf(quill);
  let end = 0;
  for (const at of lines.keys()) {
    const grid = at < end ? null : toGrid(lines, at);
    if (grid === null) continue;
    grids.push(grid);
    end = at + grid.cells.length;
  }
  return grids;
}

/** A line of the text; its value is null outside tables. */
interface TextLine {
  readonly index: number;
  readonly length: number;
  readonly value: CellValue | null;
}

function linesOf(quill: Quill): TextLine[] {
  let index = 0;
  return quill.getLines().map((line) => {
    const place = index;
    const length = line.length();
    index += length;
    const cell = line.domNode.dataset['cell'];
    return { index: place, length, value: cell === undefined ? null : readCell(cell) };
  });
}
