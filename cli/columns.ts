import { widthOf } from './colors.js';

/** Lines of text in columns that are as wide as their longest cell; the last one is not padded. Cells may be painted. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widthOfColumn = (column: number) => Math.max(...rows.map((row) => widthOf(row[column] ?? '')));
  const pad = (cell: string, column: number) => cell + ' '.repeat(widthOfColumn(column) - widthOf(cell));
  return rows.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}
