/** A cell is hardly wider or higher than this on purpose; browsers take up to 1,000 columns. */
const MOST = 100;

/**
 * Joins the cells of a pasted table in the way that a post has them: no cell reaches out of its rows, and a row
 * stands in the head if a cell of the head reaches into it. Every cell stays in its column.
 * @param headRows how many rows name the columns
 * @returns how many rows do so now; 0 where a cell reaches from them down to the last row
 */
export function fitSpans(rows: HTMLTableRowElement[], headRows: number): number {
  clipToSections(rows);
  let head = Math.min(headRows, rows.length);
  for (let index = 0; index < head; index += 1)
    for (const { rowSpan } of rows[index]?.cells ?? []) head = Math.max(head, index + rowSpan);
  if (headRows > 0 && head >= rows.length && rows.length > headRows) head = 0;
  rows.forEach((row, index) => {
    const end = index < head ? head : rows.length;
    for (const cell of row.cells) {
      cell.rowSpan = Math.min(cell.rowSpan, end - index);
      cell.colSpan = Math.min(cell.colSpan, MOST);
    }
  });
  return head;
}

/** As browsers show it: no cell reaches from one part of a table into the next, and 0 stands for all the rows of a part. */
function clipToSections(rows: readonly HTMLTableRowElement[]): void {
  rows.forEach((row, index) => {
    const next = rows.findIndex((other, at) => at > index && other.parentElement !== row.parentElement);
    const left = (next < 0 ? rows.length : next) - index;
    for (const cell of row.cells) cell.rowSpan = cell.rowSpan === 0 ? left : Math.min(cell.rowSpan, left);
  });
}

/** Takes rows without cells out, which cells above reach over, and makes these less high. */
export function dropCoveredRows(rows: HTMLTableRowElement[]): void {
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    if ((rows[at]?.cells.length ?? 0) > 0) continue;
    rows.slice(0, at).forEach((row, index) => {
      for (const cell of row.cells) if (cell.rowSpan > 1 && index + cell.rowSpan > at) cell.rowSpan -= 1;
    });
    rows[at]?.remove();
    rows.splice(at, 1);
  }
}
