import { childElements, type MarkupElement } from '../posts/content/markup-tree.js';
import { toInlineMarkdown, type MarkdownStyle } from './markdown-inline.js';

const rules: Readonly<Record<string, string>> = { center: ':-:', right: '--:', none: '---' };

/** A table as Markdown: one row of headings, then rows of cells, and alignment by column; null for every other table. */
export function toMarkdownTable(table: MarkupElement, style: MarkdownStyle): string | null {
  const [head, body, ...others] = childElements(table);
  if (head?.tag !== 'thead' || others.length > 0 || (body !== undefined && body.tag !== 'tbody')) return null;
  const [heading, ...moreHeadings] = rowsOf(head);
  if (heading === undefined || moreHeadings.length > 0) return null;
  const rows = [heading, ...(body === undefined ? [] : rowsOf(body))];
  const alignments = heading.map(alignmentOf);
  const isPlain = rows.every(
    (row, index) =>
      row.length === heading.length &&
      row.every((cell, at) => cell.tag === (index === 0 ? 'th' : 'td') && alignmentOf(cell) === alignments[at]),
  );
  if (!isPlain || alignments.some((alignment) => rules[alignment ?? ''] === undefined)) return null;
  const lines = rows.map((row) => row.map((cell) => toInlineMarkdown(cell.children, { ...style, isInTable: true })));
  return [lines[0], alignments.map((alignment) => rules[alignment ?? '']), ...lines.slice(1)]
    .map((cells) => `| ${(cells ?? []).join(' | ')} |`)
    .join('\n');
}

function rowsOf(section: MarkupElement): MarkupElement[][] {
  return childElements(section).map(childElements);
}

/** Null if a cell has anything besides an alignment. */
function alignmentOf({ attributes }: MarkupElement): string | null {
  if (attributes.length === 0) return 'none';
  const [[name, value] = ['', '']] = attributes;
  const alignment = name === 'class' ? /^ql-align-(center|right)$/.exec(value)?.[1] : undefined;
  return attributes.length === 1 ? (alignment ?? null) : null;
}
