import { widthOf } from './colors.js';
import { printableLine } from './printable.js';

/**
 * Lines of text in columns that are as wide as their longest cell; the last one is not padded. Cells hold what strangers
 * wrote: none controls the terminal, or looks like a line of its own.
 */
export function formatColumns(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(printableLine));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return rows.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}
