import { splitClean } from '../editor/html/split-blocks.js';

/** The smallest part of a post that a merge takes or leaves: a block of the text, an item of a list, a tag, a field. */
export interface Line {
  /** Lines with the same key are the same. */
  readonly key: string;
  /** The line by itself, for showing it: HTML in the text of a post, otherwise what people read. */
  readonly text: string;
  /** For an item at the top of a list. */
  readonly item?: ListItem;
  /** Blanks behind the block. */
  readonly gap?: string;
}

/** An item of a list. Neighbors with the same start tag are written as one list, unless one is apart. */
interface ListItem {
  readonly open: string;
  readonly html: string;
  readonly close: string;
  /** Its list begins right behind another one of its kind. */
  readonly isApart: boolean;
}

const listPattern = /^(<([uo]l)(?: [^<>]*)?>)(.*)(<\/\2>)$/s;

/**
 * The lines of sanitized HTML. Tables, code, quotations and whatever else has an inside are one line each, so that a
 * merge tears nothing apart. HTML that its lines would not make again to the letter is one line as a whole.
 */
export function splitLines(html: string): Line[] {
  const lines: Line[] = [];
  for (const block of splitClean(html) ?? []) {
    const [, open = '', , inside = '', close = ''] = listPattern.exec(block.html) ?? [];
    const items = splitClean(inside) ?? [];
    if (items.length === 0) lines.push({ key: block.html, text: block.html, gap: block.gap });
    const isBehindItsKind = lines.at(-1)?.item?.open === open;
    items.forEach(({ html: item, gap }, index) => {
      const isApart = isBehindItsKind && index === 0;
      const key = `${isApart ? '|' : ''}${open}${item}`;
      const isLast = index === items.length - 1;
      const text = open + item + close;
      lines.push({ key, text, item: { open, html: item + gap, close, isApart }, gap: isLast ? block.gap : '' });
    });
  }
  return joinLines(lines) === html ? lines : [{ key: html, text: html }];
}

/** The HTML of lines, whichever text each of them comes from. */
export function joinLines(lines: readonly Line[]): string {
  return lines
    .map(({ text, item, gap = '' }, index) => {
      if (item === undefined) return text + gap;
      const isFirst = !isSameList(lines[index - 1], item);
      const next = lines[index + 1]?.item;
      const isLast = next === undefined || !isSameList(lines[index], next);
      return (isFirst ? item.open : '') + item.html + (isLast ? item.close + gap : '');
    })
    .join('');
}

function isSameList(before: Line | undefined, { open, isApart }: ListItem): boolean {
  return !isApart && before?.item?.open === open;
}
