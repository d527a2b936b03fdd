import { readFigure } from './figure.js';
import { InlineReader, NotEditableError } from './read-inline.js';
import type { Formats, Line, TextLine } from './lines.js';
import { readTable } from './read-table.js';

/** Levels that the editor can indent (product.md 9.4). */
export const MAX_INDENT = 8;
/** The language of code that has none. */
export const PLAIN_LANGUAGE = 'plain';

/** The lines that a block of sanitized HTML becomes in the editor; null if the editor would lose anything of it. */
export function readBlock(block: Element): Line[] | null {
  try {
    return readLines(block);
  } catch (error) {
    if (error instanceof NotEditableError) return null;
    throw error;
  }
}

function readLines(block: Element): Line[] {
  switch (block.tagName) {
    case 'P':
      return [readLine(block, readClasses(block))];
    case 'H2':
    case 'H3':
    case 'H4':
    case 'H5':
    case 'H6':
      return [readLine(block, { ...readClasses(block), header: Number(block.tagName.slice(1)) })];
    case 'BLOCKQUOTE':
      return readQuote(block);
    case 'UL':
    case 'OL':
      return readList(block, 0);
    case 'PRE':
      return readCode(block);
    case 'TABLE':
      return readTable(block, (cell, formats) => readLine(cell, { ...readClasses(cell), ...formats }));
    case 'FIGURE':
      return [{ object: { figure: readFigure(block) } }];
    case 'HR':
      return [{ object: { divider: true } }];
    case 'IFRAME':
      return [{ object: { video: readVideo(block) } }];
    default:
      throw new NotEditableError(block.tagName);
  }
}

function readLine(block: Element, formats: Formats): TextLine {
  return { pieces: new InlineReader().read(block.childNodes), formats };
}

function readVideo(block: Element) {
  return { src: block.getAttribute('src') ?? '', title: block.getAttribute('title') ?? '' };
}

/** Alignment, indentation and direction. */
function readClasses(element: Element): Formats {
  const formats: Record<string, string | number> = {};
  for (const name of element.classList) {
    const [, key, value] = /^ql-(align|indent|direction)-(.+)$/.exec(name) ?? [];
    if (key === undefined || value === undefined || key in formats) throw new NotEditableError(name);
    formats[key] = key === 'indent' ? Number(value) : value;
  }
  return formats;
}

function readQuote(block: Element): TextLine[] {
  const paragraphs = [...block.children].filter(({ tagName }) => tagName === 'P');
  if (paragraphs.length === 0) return [readLine(block, { ...readClasses(block), blockquote: true })];
  if (block.classList.length > 0 || !hasOnly(block, paragraphs)) throw new NotEditableError('blockquote');
  return paragraphs.map((paragraph) => readLine(paragraph, { ...readClasses(paragraph), blockquote: true }));
}

function readCode(block: Element): TextLine[] {
  const code = block.firstElementChild;
  if (code?.tagName !== 'CODE' || !hasOnly(block, [code]) || code.childElementCount > 0) {
    throw new NotEditableError('pre');
  }
  const language = /^language-(.+)$/.exec(code.className)?.[1] ?? PLAIN_LANGUAGE;
  return code.textContent.split('\n').map((text) => ({
    pieces: text === '' ? [] : [{ insert: text }],
    formats: { 'code-block': language },
  }));
}

function readList(list: Element, level: number): TextLine[] {
  if (level > MAX_INDENT || list.classList.length > 0) throw new NotEditableError('list');
  const items = [...list.children];
  if (!hasOnly(list, items) || items.some(({ tagName }) => tagName !== 'LI')) throw new NotEditableError('list');
  const start = list.getAttribute('start');
  const kind = list.tagName === 'OL' ? 'ordered' : 'bullet';
  return items.flatMap((item, index) => {
    const [first, ...rest] = readItem(item, kind, level);
    if (first === undefined) return [];
    const isNumbered = index === 0 && start !== null;
    return [isNumbered ? { ...first, formats: { ...first.formats, 'list-start': start } } : first, ...rest];
  });
}

/** An item: a line of text, then perhaps lists. */
function readItem(item: Element, kind: string, level: number): TextLine[] {
  const lists = [...item.children].filter(({ tagName }) => tagName === 'UL' || tagName === 'OL');
  const nodes = [...item.childNodes];
  const text = nodes.slice(0, lists[0] === undefined ? nodes.length : nodes.indexOf(lists[0]));
  const others = nodes.slice(text.length);
  if (others.some((node) => !lists.includes(node as Element) && !isBlankText(node))) throw new NotEditableError('li');
  const indent: Formats = level > 0 ? { indent: level } : {};
  const formats = { ...readClasses(item), ...indent, list: item.getAttribute('data-list') ?? kind };
  const [only, ...more] = text.filter((node) => !isBlankText(node));
  const isParagraph = only instanceof Element && only.tagName === 'P' && more.length === 0;
  if (isParagraph && only.attributes.length > 0) throw new NotEditableError('li');
  const pieces = new InlineReader().read(isParagraph ? only.childNodes : text);
  return [{ pieces, formats }, ...lists.flatMap((list) => readList(list, level + 1))];
}

function hasOnly(parent: Element, children: readonly Element[]): boolean {
  return [...parent.childNodes].every((node) => children.includes(node as Element) || isBlankText(node));
}

function isBlankText(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && /^[ \t\n\f\r]*$/.test(node.nodeValue ?? '');
}
