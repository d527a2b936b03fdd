import type Quill from 'quill';
import type { Range } from 'quill';
import { headCell, newKey, plainCell, writeCell, type CellValue } from '../html/table-value.js';
import { asOneStep } from '../markdown/markdown-typing.js';
import { at } from '../uploads.js';
import { allGrids, findGrid, type Grid, type GridCell } from './table-grid.js';

/** A change to the table with the cursor in it. */
export type TableAction =
  | 'row-above'
  | 'row-below'
  | 'column-before'
  | 'column-after'
  | 'delete-row'
  | 'delete-column'
  | 'header'
  | 'delete';

type Change = (
  | { retain: number; attributes?: Record<string, unknown> }
  | { delete: number }
  | { insert: string; attributes: Record<string, unknown> }
)[];

const SIZE = { rows: 3, columns: 3 } as const;

/** Puts a new table, with a row that names its columns, after the line of the cursor, or in its place if it is empty. */
export function insertTable(quill: Quill, range: Range): void {
  const grid = findGrid(quill, range.index);
  const last = grid?.cells.at(-1);
  const [line, offset] = quill.getLine(range.index);
  const start = range.index - offset;
  const length = line?.length() ?? 1;
  const isFree = last === undefined && length === 1;
  const place = last !== undefined ? last.index + last.length : isFree ? start : start + length;
  const table = newKey();
  // A line before and after, so that the cursor can stand beside the table.
  const room = place === 0 || last !== undefined ? [{ insert: '\n', attributes: { filler: 'true' } }] : [];
  const isAtEnd = place >= quill.getLength();
  const rows = Array.from({ length: SIZE.rows }, (_, row) => {
    const key = newKey();
    const value = row === 0 ? headCell(table, key) : plainCell(table, key, 'body1');
    return { insert: '\n'.repeat(SIZE.columns), attributes: { table: writeCell(value) } };
  });
  asOneStep(quill, () => {
    if (isAtEnd) quill.insertText(quill.getLength() - 1, '\n', 'user');
    quill.updateContents([...at(place), ...room, ...rows], 'user');
    quill.setSelection(place + room.length, 0, 'silent');
  });
}

/** Changes the table around the cursor in one step of undo. */
export function changeTable(quill: Quill, range: Range, action: TableAction): void {
  const grid = findGrid(quill, range.index);
  if (grid === null || (grid.isJoined && action !== 'delete' && action !== 'header')) return;
  const change = changes[action](grid);
  if (change.length === 0) return;
  const from = cursorAfter(grid, action);
  asOneStep(quill, () => {
    quill.updateContents(change, 'user');
    quill.setSelection(Math.min(from, quill.getLength() - 1), 0, 'silent');
  });
}

const changes: Readonly<Record<TableAction, (grid: Grid) => Change>> = {
  'row-above': (grid) => addRow(grid, Math.max(0, grid.row)),
  'row-below': (grid) => addRow(grid, grid.row + 1),
  'column-before': (grid) => addColumn(grid, Math.max(0, grid.column)),
  'column-after': (grid) => addColumn(grid, grid.column + 1),
  'delete-row': (grid) => (grid.rows.length > 1 ? remove(grid.rows[grid.row] ?? []) : remove(grid.cells)),
  'delete-column': (grid) => {
    const width = Math.max(...grid.rows.map((row) => row.length));
    return width > 1 ? remove(grid.rows.flatMap((row) => row[grid.column] ?? [])) : remove(grid.cells);
  },
  header: toggleHeader,
  delete: (grid) => remove(grid.cells),
};

/** A row has as many cells as its neighbor, and is of the part of the table that the neighbor is in; only one row is a head. */
function addRow({ rows }: Grid, place: number): Change {
  const neighbor = rows[place] ?? rows[place - 1];
  const before = rows[place - 1];
  const first = neighbor?.[0];
  if (neighbor === undefined || first === undefined) return [];
  const part = first.value.part === 'head' ? 'body1' : first.value.part;
  const index = rows[place]?.[0]?.index ?? endOf(before ?? neighbor);
  const value = writeCell(plainCell(first.value.table, newKey(), part));
  // Above the head, the new row becomes the head.
  if (place === 0 && first.value.part === 'head') return addHead(neighbor);
  return [...at(index), { insert: '\n'.repeat(neighbor.length), attributes: { table: value } }];
}

function addHead(head: readonly GridCell[]): Change {
  const [first] = head;
  if (first === undefined) return [];
  const value = writeCell(headCell(first.value.table, newKey()));
  const key = newKey();
  return [
    ...at(first.index),
    { insert: '\n'.repeat(head.length), attributes: { table: value } },
    ...reformat(head, ({ table }) => plainCell(table, key, 'body1')),
  ];
}

function addColumn({ rows }: Grid, column: number): Change {
  const change: Change = [];
  let done = 0;
  for (const row of rows) {
    const neighbor = row[Math.min(column, row.length) - 1] ?? row[0];
    const index = row[column]?.index ?? endOf(row);
    if (neighbor === undefined) continue;
    const { table, row: key, part } = neighbor.value;
    const value = part === 'head' ? headCell(table, key) : plainCell(table, key, part);
    change.push(...skip(index - done), { insert: '\n', attributes: { table: writeCell(value) } });
    done = index;
  }
  return change;
}

function remove(cells: readonly GridCell[]): Change {
  let done = 0;
  return cells.flatMap(({ index, length }) => {
    const parts: Change = [...skip(index - done), { delete: length }];
    done = index + length;
    return parts;
  });
}

/** The first row names the columns, or does no longer. */
function toggleHeader({ rows }: Grid): Change {
  const [row = []] = rows;
  const [first] = row;
  if (first === undefined) return [];
  const isHead = first.value.part === 'head';
  const toCell = (value: CellValue): CellValue => {
    const spans = { colspan: value.colspan, rowspan: value.rowspan };
    const { table, row: key } = value;
    return { ...(isHead ? plainCell(table, key, 'body1') : headCell(table, key)), ...spans };
  };
  return [...at(first.index), ...reformat(row, toCell)];
}

/** Gives neighboring cells another value; to follow what leads to the first one. */
function reformat(cells: readonly GridCell[], toCell: (value: CellValue) => CellValue): Change {
  return cells.flatMap(({ length, value }) => [
    ...skip(length - 1),
    { retain: 1, attributes: { table: writeCell(toCell(value)) } },
  ]);
}

function skip(length: number): { retain: number }[] {
  return length > 0 ? [{ retain: length }] : [];
}

function endOf(row: readonly GridCell[]): number {
  const last = row.at(-1);
  return last === undefined ? 0 : last.index + last.length;
}

function cursorAfter({ rows, cells, row, column }: Grid, action: TableAction): number {
  const current = rows[row]?.[column]?.index ?? 0;
  const start = cells[0]?.index ?? 0;
  switch (action) {
    case 'row-below':
      return endOf(rows[row] ?? []);
    case 'row-above':
      return rows[row]?.[0]?.index ?? start;
    case 'column-before':
      return current + Math.max(0, row);
    case 'column-after':
      return current + Math.max(0, row) + (rows[row]?.[column]?.length ?? 1);
    case 'delete-row':
      return rows[row - 1]?.[column]?.index ?? start;
    case 'delete-column': {
      const gone = rows.slice(0, Math.max(0, row)).reduce((sum, cells) => sum + (cells[column]?.length ?? 0), 0);
      return (rows[row]?.[Math.max(0, column - 1)]?.index ?? start) - gone;
    }
    case 'delete':
      return start;
    case 'header':
      return current;
  }
}

/** Gives rows that lost cells, as a selection across them was deleted, empty ones in their place. */
export function balanceTables(quill: Quill): void {
  const change: Change = [];
  let done = 0;
  for (const { rows, isJoined } of allGrids(quill)) {
    const width = Math.max(...rows.map((row) => row.length));
    for (const row of isJoined ? [] : rows) {
      const last = row.at(-1);
      if (last === undefined || row.length === width) continue;
      const end = endOf(row);
      const { table, row: key, part } = last.value;
      const value = part === 'head' ? headCell(table, key) : plainCell(table, key, part);
      change.push(...skip(end - done), {
        insert: '\n'.repeat(width - row.length),
        attributes: { table: writeCell(value) },
      });
      done = end;
    }
  }
  if (change.length > 0) quill.updateContents(change, 'user');
}
