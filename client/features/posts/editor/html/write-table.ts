import { writeAttributes } from './escape.js';
import type { TextLine } from './lines.js';
import { readCell, type CellValue } from './table-value.js';

interface Cell {
  readonly value: CellValue;
  readonly line: TextLine;
}

interface Writers {
  /** Gives the inside of a cell. */
  readonly text: (line: TextLine) => string;
  /** Gives the class of a cell, or undefined. */
  readonly classes: (line: TextLine) => string | undefined;
}

const elements: Readonly<Record<string, string>> = { head: 'thead', foot: 'tfoot' };

/** Neighboring lines of one table, in the spelling of the server's sanitizer. */
export function writeTable(lines: readonly TextLine[], { text, classes }: Writers): string {
  const cells = lines.map((line) => ({ line, value: readCell(line.formats['table']) }));
  const captions = cells.filter(({ value }) => value.part === 'caption');
  const writeCell = ({ line, value: { tag, scope, colspan, rowspan } }: Cell) => {
    const spans = {
      colspan: colspan > 1 ? String(colspan) : undefined,
      rowspan: rowspan > 1 ? String(rowspan) : undefined,
    };
    const attributes = { class: classes(line), ...spans, scope: tag === 'th' && scope !== '' ? scope : undefined };
    return `<${tag}${writeAttributes(attributes)}>${text(line)}</${tag}>`;
  };
  const rows = groupBy(
    cells.filter((cell) => !captions.includes(cell)),
    ({ value }) => `${value.part} ${value.row}`,
  );
  const parts = groupBy(rows, ([first]) => first?.value.part ?? '').map((group) => {
    const name = elements[group[0]?.[0]?.value.part ?? ''] ?? 'tbody';
    return `<${name}>${group.map((row) => `<tr>${row.map(writeCell).join('')}</tr>`).join('')}</${name}>`;
  });
  const caption = captions.map(({ line }) => text(line)).join(' ');
  const captionClass = captions[0] === undefined ? undefined : classes(captions[0].line);
  const start = caption === '' ? '' : `<caption${writeAttributes({ class: captionClass })}>${caption}</caption>`;
  return parts.length === 0 ? '' : `<table>${start}${parts.join('')}</table>`;
}

/** Neighbors with the same key, together. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups: T[][] = [];
  let key: string | null = null;
  for (const item of items) {
    const next = keyOf(item);
    if (next === key) groups.at(-1)?.push(item);
    else groups.push([item]);
    key = next;
  }
  return groups;
}
