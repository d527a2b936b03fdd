import { newKey, writeCell } from '../html/table-value.js';
import { dropCoveredRows, fitSpans } from './fit-spans.js';
import { flattenNested } from './nested-tables.js';
import type { PasteLosses } from './paste-losses.js';

const blocks = 'p, div, h1, h2, h3, h4, h5, h6, li, blockquote, pre, dt, dd, figure, figcaption, hr, table, tr';

/**
 * Makes the cells of pasted tables lines of the editor: blocks within a cell become lines with breaks between them, a
 * first row in bold names the columns, and tables that only lay out others give way to what stands in them.
 * @returns what becomes of tables that posts have not or in part only
 */
export function tidyTables(body: HTMLElement): Pick<PasteLosses, 'nested' | 'joined'> {
  const nested = flattenNested(body);
  for (const table of body.querySelectorAll('table')) {
    const cells = table.querySelectorAll('td, th');
    if (cells.length <= 1 || table.querySelector('table') !== null) unwrapTable(table);
  }
  const tables = [...body.querySelectorAll('table')];
  for (const table of tables) tidyTable(table);
  const joined = tables.filter((table) =>
    table.querySelector('[colspan]:not([colspan="1"]), [rowspan]:not([rowspan="1"])'),
  );
  return { nested, joined: joined.length };
}

function unwrapTable(table: HTMLTableElement): void {
  const cells = [...table.querySelectorAll<HTMLElement>('caption, td, th')].filter(
    (cell) => cell.closest('table') === table,
  );
  const boxes = cells.map((cell) => {
    const box = table.ownerDocument.createElement('div');
    box.append(...cell.childNodes);
    return box;
  });
  table.replaceWith(...boxes);
}

function tidyTable(table: HTMLTableElement): void {
  for (const column of table.querySelectorAll('colgroup, col')) column.remove();
  for (const part of [table, ...table.querySelectorAll('thead, tbody, tfoot, tr')]) {
    for (const node of [...part.childNodes]) if (node.nodeType === Node.TEXT_NODE) node.remove();
  }
  if (table.tHead !== null) table.prepend(table.tHead);
  if (table.tFoot !== null) table.append(table.tFoot);
  const rows = [...table.rows];
  dropCoveredRows(rows);
  const named = rows.filter(({ parentElement }) => parentElement?.tagName === 'THEAD').length;
  const headRows = fitSpans(rows, named > 0 ? named : isHeadRow(rows[0]) || isBoldRow(rows) ? 1 : 0);
  const key = newKey();
  moveCaption(table);
  for (const [index, row] of rows.entries()) {
    const isHead = index < headRows;
    const place = { table: key, row: newKey(), part: isHead ? 'head' : 'body1' };
    for (const cell of row.cells) {
      flattenCell(cell);
      if (isHead) unwrapBold(cell);
      const isTh = isHead || cell.tagName === 'TH';
      const scope = isHead ? 'col' : isTh ? 'row' : '';
      const { colSpan: colspan, rowSpan: rowspan } = cell;
      cell.dataset['cell'] = writeCell({ ...place, tag: isTh ? 'th' : 'td', scope, colspan, rowspan });
    }
  }
}

/** A caption is a paragraph in front, where it can be seen and edited. */
function moveCaption(table: HTMLTableElement): void {
  const { caption } = table;
  if (caption === null) return;
  const paragraph = table.ownerDocument.createElement('p');
  paragraph.append(...caption.childNodes);
  caption.remove();
  if (paragraph.textContent.trim() !== '') table.before(paragraph);
}

function isHeadRow(row: HTMLTableRowElement | undefined): boolean {
  return row !== undefined && [...row.cells].every(({ tagName }) => tagName === 'TH');
}

/** Word, Excel and Google Docs know no cells that name a column: people write them in bold. */
function isBoldRow(rows: readonly HTMLTableRowElement[]): boolean {
  // Joined cells make a head of several rows.
  const height = Math.max(1, ...[...(rows[0]?.cells ?? [])].map(({ rowSpan }) => rowSpan));
  const next = rows[height];
  return next !== undefined && rows.slice(0, height).every(isBold) && !isBold(next);
}

const bolds = 'b, strong, [style*="font-weight: bold"]';

function isBold(row: HTMLTableRowElement): boolean {
  const cells = [...row.cells].filter((cell) => cell.textContent.trim() !== '');
  return (
    cells.length > 0 && cells.every((cell) => cell.matches(bolds) || textOf(cell, bolds) === cell.textContent.trim())
  );
}

function textOf(cell: Element, selector: string): string {
  const outermost = [...cell.querySelectorAll(selector)].filter(
    (part) => part.parentElement?.closest(selector) === null,
  );
  return outermost
    .map((part) => part.textContent)
    .join('')
    .trim();
}

/** The head's cells look so by themselves. */
function unwrapBold(cell: HTMLElement): void {
  for (const part of [cell, ...cell.querySelectorAll<HTMLElement>('[style]')]) part.style.removeProperty('font-weight');
  for (const part of cell.querySelectorAll('b, strong')) part.replaceWith(...part.childNodes);
}

/** Blocks become lines; the alignment and the direction of the first are those of the cell, and signs of lists are written out. */
function flattenCell(cell: HTMLElement): void {
  const { ownerDocument } = cell;
  for (const item of cell.querySelectorAll('li')) {
    const list = item.parentElement;
    const number = list?.tagName === 'OL' ? [...list.children].indexOf(item) + 1 : 0;
    const [first] = item.children;
    const isFirst = first?.matches('p, div') === true && !/\S/.test(first.previousSibling?.nodeValue ?? '');
    (isFirst ? first : item).prepend(number > 0 ? `${number}. ` : '• ');
  }
  const { style, dir = '' } = cell.querySelector<HTMLElement>(blocks) ?? {};
  const align = style?.textAlign ?? '';
  if (align !== '' && cell.style.textAlign === '') cell.style.textAlign = align;
  if (dir !== '' && cell.dir === '') cell.dir = dir;
  for (const block of [...cell.querySelectorAll(blocks)].reverse()) {
    const isEmpty = block.textContent.trim() === '' && block.querySelector('img, span[class]') === null;
    const parts: Node[] = isEmpty
      ? []
      : [ownerDocument.createElement('br'), ...block.childNodes, ownerDocument.createElement('br')];
    block.replaceWith(...parts);
  }
  for (const list of cell.querySelectorAll('ul, ol, dl')) list.replaceWith(...list.childNodes);
  tidyBreaks(cell);
}

/** One break between two lines, none at the ends; blanks that only keep a cell open go. */
function tidyBreaks(cell: HTMLElement): void {
  for (const lineBreak of cell.querySelectorAll('br')) {
    let before = lineBreak.previousSibling;
    while (before !== null && before.nodeType === Node.TEXT_NODE && !/\S/.test(before.nodeValue ?? '')) {
      before = before.previousSibling;
    }
    const isFirst = before === null && lineBreak.parentNode === cell;
    if (isFirst || before?.nodeName === 'BR') lineBreak.remove();
  }
  while (cell.lastChild !== null && isBlank(cell.lastChild)) cell.lastChild.remove();
  if (cell.textContent.trim() === '' && cell.querySelector('img, span[class]') === null) cell.replaceChildren();
}

function isBlank(node: Node): boolean {
  return node.nodeName === 'BR' || (node.nodeType === Node.TEXT_NODE && !/\S/.test(node.nodeValue ?? ''));
}
