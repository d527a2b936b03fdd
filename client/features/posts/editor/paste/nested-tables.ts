import { BAR } from './cell-pieces.js';

/**
 * Tables inside the cells of a table of data become lines of text there, as a cell holds none. Other tables around tables lay
 * out a page, and give way to what stands in them.
 * @returns how many became text
 */
export function flattenNested(body: HTMLElement): number {
  let count = 0;
  for (const inner of [...body.querySelectorAll('table table')].reverse()) {
    const outer = inner.parentElement?.closest('table');
    if (!outer || !isData(outer)) continue;
    writeOut(inner as HTMLTableElement);
    count += 1;
  }
  return count;
}

/** Returns true where cells are named, or drawn with borders, and stand side by side. */
function isData(table: HTMLTableElement): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return false;
  const rows = [...table.rows];
  const own = rows.flatMap(({ cells }) => [...cells]);
  const isGrid = rows.length > 1 && rows.some(({ cells }) => cells.length > 1);
  const isDrawn =
    Number(table.getAttribute('border') ?? 0) > 0 ||
    /MsoTable(?!Normal)/.test(table.className) ||
    own.some(
      (cell) =>
        cell.tagName === 'TH' ||
        /border[^;]*:[^;]*\b(?:solid|double|dotted|dashed)\b/.test(cell.getAttribute('style') ?? ''),
    );
  return isGrid && (isDrawn || table.tHead !== null);
}

function hasTextBefore(element: Element, cell: Element): boolean {
  const range = element.ownerDocument.createRange();
  range.setStart(cell, 0);
  range.setEndBefore(element);
  return range.toString().trim() !== '';
}

/** Each row is a line. */
function writeOut(table: HTMLTableElement): void {
  const { ownerDocument } = table;
  const lines = [...table.rows].map((row) => {
    const line = ownerDocument.createElement('div');
    for (const cell of row.cells) {
      if (cell !== row.cells[0]) line.append(BAR);
      for (const block of cell.querySelectorAll('p, div, li, br')) if (hasTextBefore(block, cell)) block.before(' ');
      for (const block of cell.querySelectorAll('p, div, ul, ol, li, h1, h2, h3, h4, h5, h6'))
        block.replaceWith(...block.childNodes);
      for (const lineBreak of cell.querySelectorAll('br')) lineBreak.remove();
      line.append(...cell.childNodes);
    }
    return line;
  });
  const { caption } = table;
  const title = ownerDocument.createElement('div');
  if (caption !== null) title.append(...caption.childNodes);
  table.replaceWith(...(title.hasChildNodes() ? [title] : []), ...lines);
}
