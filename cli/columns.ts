/** Lines of text in columns that are as wide as their longest cell; the last one is not padded. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widthOf(column))).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
