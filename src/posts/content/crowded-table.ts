/** Letters that stand beside each other on a sheet of paper in the size of tables, and those that the space around a cell takes. */
const PAPER = { line: 80, cell: 3 } as const;

const partPattern = /<(\/?)(table|tr|td|th)(?: [^>]*)?>|<[^>]*>|[^<]+/g;

/**
 * Returns true for a table whose words are so long that its columns do not fit beside each other on paper, where nothing
 * scrolls. Only then may words be broken: columns of a table that fits would share the width without regard to them.
 * @param html sanitized content
 * @param start where the tag of the table begins
 */
export function isCrowdedTable(html: string, start: number): boolean {
  const longest: number[] = [];
  let depth = 0;
  let column = -1;
  partPattern.lastIndex = start;
  for (let part = partPattern.exec(html); part !== null; part = partPattern.exec(html)) {
    const [text, slash, tag] = part;
    if (tag === 'table') depth += slash === '/' ? -1 : 1;
    if (depth === 0) break;
    if (text.startsWith('<')) {
      if (depth > 1 || slash === '/') continue;
      if (tag === 'tr') column = -1;
      if (tag === 'td' || tag === 'th') column += 1;
    } else if (column >= 0) {
      // One by one: a cell may have more words than a function can be given.
      for (const { length } of text.split(/[\s-]+/)) longest[column] = Math.max(longest[column] ?? 0, length);
    }
  }
  return longest.reduce((sum, length) => sum + length + PAPER.cell, 0) > PAPER.line;
}
