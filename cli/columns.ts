import { widthOf } from './colors.js';
import { printableLine } from './printable.js';

/**
 * Lines of text in columns that are as wide as their longest cell; the last one is not padded. Cells hold what strangers
 * wrote: none controls the terminal, or looks like a line of its own.
 */
export function formatColumns(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(printableLine));
  const widthOfColumn = (column: number) => Math.max(...rows.map((row) => widthOf(row[column] ?? '')));
  const pad = (cell: string, column: number) => cell + ' '.repeat(widthOfColumn(column) - widthOf(cell));
  return rows.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}
