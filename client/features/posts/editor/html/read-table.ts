import type { TextLine } from './lines.js';
import { NotEditableError } from './read-inline.js';
import { newKey, writeCell } from './table-value.js';

type ReadLine = (element: Element, formats: Readonly<Record<string, string>>) => TextLine;

/**
 * The cells of a table as lines, row by row. Attributes of its parts, blocks in its cells and tables within it are not
 * for the editor.
 * @param readLine gives the text of a cell or caption, with what its classes say
 * @throws NotEditableError if the editor would lose anything of it
 */
export function readTable(table: Element, readLine: ReadLine): TextLine[] {
  if (table.attributes.length > 0) throw new NotEditableError('table');
  const key = newKey();
  let bodies = 0;
  return elementsOf(table).flatMap((part) => {
    const name = part.tagName.toLowerCase();
    if (name === 'caption') return [readCellLine(part, { table: key, row: newKey(), part: name }, readLine)];
    if (part.attributes.length > 0) throw new NotEditableError(part.tagName);
    if (name === 'tbody') bodies += 1;
    const partName = name === 'thead' ? 'head' : name === 'tfoot' ? 'foot' : `body${bodies}`;
    return elementsOf(part).flatMap((row) => {
      if (row.tagName !== 'TR' || row.attributes.length > 0) throw new NotEditableError(row.tagName);
      const place = { table: key, row: newKey(), part: partName };
      const cells = elementsOf(row);
      if (cells.length === 0) throw new NotEditableError('tr');
      return cells.map((cell) => readCellLine(cell, place, readLine));
    });
  });
}

function readCellLine(
  cell: Element,
  place: { readonly table: string; readonly row: string; readonly part: string },
  readLine: ReadLine,
): TextLine {
  const value = writeCell({
    ...place,
    tag: cell.tagName === 'TH' ? 'th' : 'td',
    scope: cell.getAttribute('scope') ?? '',
    colspan: Number(cell.getAttribute('colspan') ?? 1),
    rowspan: Number(cell.getAttribute('rowspan') ?? 1),
  });
  return readLine(cell, { table: value });
}

/** The elements inside, between which nothing but blanks may stand. */
export function elementsOf(parent: Element): Element[] {
  for (const { nodeType, nodeValue } of parent.childNodes) {
    if (nodeType === Node.TEXT_NODE && /\S/.test(nodeValue ?? '')) throw new NotEditableError(parent.tagName);
  }
  return [...parent.children];
}
