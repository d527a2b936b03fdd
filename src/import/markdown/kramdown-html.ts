import { findFences, findInside } from './markdown-in-html.js';

/** The beginning of an element that kramdown reads to its end, and no further. */
export const block =
  /^ {0,3}<(address|article|aside|blockquote|center|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|iframe|nav|ol|p|section|table|ul)\b/i;
/** An element that asks to be read as Markdown. */
const asks = /<[a-z][^<>]*\smarkdown\s*=/i;
/** Elements in which lines may be code. */
export const verbatim = /<(pre|code|script|style|textarea|svg|math)\b/i;
/** Lines that an element or a table has at most, so that what is never closed costs little. */
export const MAX_LINES = 500;

interface Element {
  /** The line behind the one in which the element ends. */
  readonly end: number;
  /** True where nothing follows in that line. */
  readonly isAlone: boolean;
  readonly text: string;
}

/**
 * Reads the element that begins in a line, without its empty lines, at which CommonMark would end it. What it holds of elements that
 * ask to be read as Markdown is rewritten. Null where it never ends, or holds a fence as text.
 */
export function readElement(
  lines: readonly string[],
  start: number,
  rewrite: (markdown: string) => string,
): Element | null {
  const name = (block.exec(lines[start] ?? '')?.[1] ?? '').toLowerCase();
  const text = lines.slice(start, start + MAX_LINES).join('\n');
  const tags = /<!--[^]*?-->|<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi;
  const isMixed = asks.test(text);
  const fences = findFences(text);
  let written = '';
  let at = 0;
  let depth = 0;
  const add = (end: number) => {
    written += withoutEmptyLines(text.slice(at, end), isMixed);
    at = end;
  };
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    const [, slash, other = '', attributes = ''] = tag;
    const tagName = other.toLowerCase();
    if (slash === '' && !attributes.endsWith('/') && (verbatim.test(tag[0]) || asks.test(tag[0]))) {
      const inside = tags.lastIndex;
      const end = findInside(text, inside, tagName, fences)?.end;
      if (end === undefined) return null;
      if (asks.test(tag[0])) {
        add(inside);
        written += rewrite(text.slice(inside, end));
      } else {
        add(tag.index);
        // Lines of code may be empty.
        written += text
          .slice(at, end)
          .replace(/\n(?:[ \t]*\n)+/g, (empty) => `${'&#10;'.repeat(empty.split('\n').length - 2)}\n`);
      }
      at = tags.lastIndex = end;
      depth += tagName === name ? 1 : 0;
    } else if (tagName === name) depth += slash === '/' ? -1 : attributes.endsWith('/') ? 0 : 1;
    if (depth > 0 || tagName !== name) continue;
    add(tags.lastIndex);
    const behind = text.slice(at).split('\n', 1)[0] ?? '';
    const isText = findFences(written).length > 0 && !isMixed;
    return isText
      ? null
      : { end: start + text.slice(0, at).split('\n').length, isAlone: behind.trim() === '', text: written + behind };
  }
  return null;
}

/** HTML in which no line is empty; without spaces in front, where what follows would be code behind what is read as Markdown. */
function withoutEmptyLines(html: string, isMixed: boolean): string {
  const joined = html.replace(/\n(?:[ \t]*\n)+/g, '\n');
  return isMixed ? joined.replace(/\n[ \t]+/g, '\n') : joined;
}
