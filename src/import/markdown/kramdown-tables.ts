import { MAX_LINES } from './kramdown-html.js';

/** A line between parts of a table. */
const separator = /^ {0,3}[|+]?[ \t]*:?[-=]+:?[ \t]*(?:[|+][ \t]*:?[-=]+:?[ \t]*)*[|+]?[ \t]*$/;

/**
 * Reads the table that begins in a line: kramdown makes one of lines with bars that stand for themselves, whatever is around them, with
 * or without a head, and lines between its parts. Null for what is none, and for a single line.
 */
export function readTable(
  lines: readonly string[],
  start: number,
): { readonly end: number; readonly lines: string[] } | null {
  let end = start;
  while (end < Math.min(lines.length, start + MAX_LINES) && isOfTable(lines[end] ?? '')) end += 1;
  if ((lines[end] ?? '').trim() !== '' || end - start < 2) return null;
  const block = lines.slice(start, end);
  const head = separator.test(block[0] ?? '') ? -1 : block.findIndex((line) => separator.test(line));
  const rows = block.flatMap((line) => (separator.test(line) ? [] : [cellsOf(line)]));
  const [first = []] = rows;
  const width = Math.max(...rows.map((cells) => cells.length));
  if (rows.length === 0 || (width < 2 && !block.every((line) => /^ {0,3}\|/.test(line)))) return null;
  const marks = cellsOf(block.find((line) => separator.test(line)) ?? '').map((mark) => mark.trim());
  const toRow = (cells: readonly string[]) =>
    `|${Array.from({ length: width }, (_, at) => ` ${cells[at] ?? ''} |`).join('')}`;
  // CommonMark knows one row at the most as a head.
  const hasHead = head === 1;
  const sides = Array.from({ length: width }, (_, at) => (/^:?-+:?$/.test(marks[at] ?? '') ? (marks[at] ?? '') : '-'));
  return { end, lines: [toRow(hasHead ? first : []), toRow(sides), ...rows.slice(hasHead ? 1 : 0).map(toRow)] };
}

/** Lines of lists, quotations, headings, notes and code are none, whatever they hold. */
function isOfTable(line: string): boolean {
  if (separator.test(line)) return /[|+]/.test(line) || line.trim().startsWith('|');
  return (
    !/^(?: {4}|\t)|^ {0,3}(?:[-*+][ \t]|[>:#<]|\d{1,9}[.)]|\[\^|\{:|\*\[)/.test(line) &&
    (/^ *\|/.test(line) || cellsOf(`${line}|`).length > 1)
  );
}

/** The cells of a row, in which bars of code do not count, with the bars that are left escaped for CommonMark. */
function cellsOf(line: string): string[] {
  const parts =
    line
      .trim()
      .replace(/^\|/, '')
      .match(/(`+)(?!`)[^]*?[^`]\1(?!`)|\\[^]|\||[^|`\\]+|[^]/g) ?? [];
  const cells = [''];
  for (const part of parts) {
    if (part === '|') cells.push('');
    else cells[cells.length - 1] += part.startsWith('`') ? part.replace(/(?<!\\)\|/g, '\\|') : part;
  }
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
}
