import { writeAttributes } from './escape.js';
import type { TextLine } from './lines.js';

interface ListNode {
  readonly tag: 'ul' | 'ol';
  readonly start: string | undefined;
  readonly items: ItemNode[];
}

interface ItemNode {
  readonly start: string;
  readonly html: string;
  readonly lists: ListNode[];
}

/**
 * Neighboring items, flat in the editor, as nested lists. A numbered item with a number of its own starts a new list.
 * @param writeText gives the inside of an item
 * @param writeClasses gives the class of an item, or undefined
 */
export function writeList(
  lines: readonly TextLine[],
  writeText: (line: TextLine) => string,
  writeClasses: (line: TextLine) => string | undefined,
): string[] {
  const results: ListNode[] = [];
  const open: ListNode[] = [];
  for (const line of lines) {
    const level = Math.min(Number(line.formats['indent'] ?? 0), open.length);
    open.length = Math.min(open.length, level + 1);
    const list = findList(open, results, level, line);
    list.items.push({ start: itemStart(line, writeClasses(line)), html: writeText(line), lists: [] });
  }
  return results.map(writeNode);
}

function findList(open: ListNode[], results: ListNode[], level: number, line: TextLine): ListNode {
  const kind = line.formats['list'];
  const tag = kind === 'ordered' ? 'ol' : 'ul';
  const start = tag === 'ol' ? (line.formats['list-start'] as string | undefined) : undefined;
  const current = open[level];
  if (current?.tag === tag && start === undefined) return current;
  const list: ListNode = { tag, start, items: [] };
  open[level] = list;
  (open[level - 1]?.items.at(-1)?.lists ?? results).push(list);
  return list;
}

function itemStart(line: TextLine, className: string | undefined): string {
  const kind = String(line.formats['list']);
  return `<li${writeAttributes({ class: className, 'data-list': kind.endsWith('checked') ? kind : undefined })}>`;
}

function writeNode({ tag, start, items }: ListNode): string {
  const inside = items.map((item) => `${item.start}${item.html}${item.lists.map(writeNode).join('')}</li>`).join('');
  return `<${tag}${writeAttributes({ start })}>${inside}</${tag}>`;
}
