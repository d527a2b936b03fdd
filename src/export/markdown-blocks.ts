import { blockModels } from '../posts/content/element-rules.js';
import { childElements, isBlank, type MarkupElement, type MarkupNode } from '../posts/content/markup-tree.js';
import { longestTicks, toInlineMarkdown, type MarkdownStyle } from './markdown-inline.js';
import { toMarkdownTable } from './markdown-table.js';

/** One block as Markdown; null for what Markdown has no words for. Whether it means the same is for the caller to check. */
export function toBlockMarkdown(block: MarkupElement, style: MarkdownStyle): string | null {
  const isPlain = block.attributes.length === 0;
  switch (block.tag) {
    case 'p':
      return isPlain ? writeText(block.children, style) : null;
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return isPlain ? writeHeading(block, style) : null;
    case 'hr':
      return '---';
    case 'pre':
      return writeCodeBlock(block);
    case 'blockquote':
      return isPlain ? writeQuotation(block, style) : null;
    case 'ul':
    case 'ol':
      return writeList(block, style);
    case 'table':
      return isPlain ? toMarkdownTable(block, style) : null;
    default:
      return null;
  }
}

/** A block as HTML inside Markdown, where an empty line would end it. */
export function toHtmlBlock(html: string): string {
  return html.replace(/\n(?=\n)/g, '&#10;');
}

function writeText(nodes: readonly MarkupNode[], style: MarkdownStyle): string {
  // Markdown drops blanks around a text. They are looked for at the first of a row alone, as a text may have millions inside.
  return toInlineMarkdown(nodes, style)
    .replace(/^ +|(?<! ) +$/g, (blanks) => '&#32;'.repeat(blanks.length))
    .replace(/(?<! ) +(?=\n)|(?<=\n) +/g, (blanks) => '&#32;'.repeat(blanks.length));
}

function writeHeading(block: MarkupElement, style: MarkdownStyle): string {
  const text = writeText(block.children, style).replace(/#$/, '\\#');
  return `${'#'.repeat(Number(block.tag.slice(1)))} ${text}`;
}

function writeCodeBlock(block: MarkupElement): string | null {
  const [code] = childElements(block);
  const [text] = code?.children ?? [];
  if (code === undefined || typeof text !== 'string') return null;
  const language = /^language-(.+)$/.exec(code.attributes[0]?.[1] ?? '')?.[1] ?? '';
  const fence = '`'.repeat(Math.max(2, longestTicks(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function writeQuotation(block: MarkupElement, style: MarkdownStyle): string | null {
  const content = writeFlow(block.children, style);
  return content === null ? null : content.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** Blocks one after the other, or nothing but text. */
function writeFlow(nodes: readonly MarkupNode[], style: MarkdownStyle): string | null {
  if (!nodes.some(isBlock)) return writeText(nodes, style);
  const parts = nodes
    .filter((child) => typeof child !== 'string' || !isBlank(child))
    .map((child) => (isBlock(child) ? toBlockMarkdown(child, style) : null));
  return parts.some((part) => part === null) ? null : parts.join('\n\n');
}

function writeList(list: MarkupElement, style: MarkdownStyle): string | null {
  const start = list.attributes.find(([name]) => name === 'start')?.[1] ?? '1';
  if (list.attributes.some(([name]) => name !== 'start')) return null;
  const items = childElements(list).map((item, index) => {
    const marker = markerOf(list.tag === 'ol' ? Number(start) + index : null, style);
    const content = writeItem(item, style);
    return content === null ? null : marker + indent(content, marker.length);
  });
  if (items.some((item) => item === null)) return null;
  // A list whose items hold paragraphs has empty lines between them.
  const isLoose = childElements(list).some((item) => childElements(item).some(({ tag }) => tag === 'p'));
  return items.join(isLoose ? '\n\n' : '\n');
}

function markerOf(number: number | null, { hasOtherListSigns }: MarkdownStyle): string {
  if (number === null) return hasOtherListSigns === true ? '* ' : '- ';
  return `${number}${hasOtherListSigns === true ? ')' : '.'} `;
}

function writeItem(item: MarkupElement, style: MarkdownStyle): string | null {
  const mark = item.attributes.find(([name]) => name === 'data-list')?.[1];
  if (item.attributes.length > (mark === undefined ? 0 : 1)) return null;
  if (mark === undefined) return writeItemContent(item.children, style);
  const children = style.isOfEditor ? item.children : withoutFirstBlank(item.children);
  const content = children === null ? null : writeItemContent(children, style);
  return content === null ? null : `${mark === 'checked' ? '[x]' : '[ ]'} ${content}`;
}

/** Markdown puts a blank between a box and its text. */
function withoutFirstBlank([first, ...others]: readonly MarkupNode[]): MarkupNode[] | null {
  return typeof first === 'string' && first.startsWith(' ') ? [first.slice(1), ...others] : null;
}

/** Text and the lists under it, or blocks. */
function writeItemContent(children: readonly MarkupNode[], style: MarkdownStyle): string | null {
  const firstBlock = children.findIndex(isBlock);
  if (firstBlock <= 0) return writeFlow(children, style);
  const blocks = children.slice(firstBlock).filter((child) => typeof child !== 'string');
  const parts = blocks.map((block) => toBlockMarkdown(block, style));
  if (parts.some((part) => part === null)) return null;
  return [writeText(children.slice(0, firstBlock), style), ...parts].join('\n');
}

function indent(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

function isBlock(node: MarkupNode): node is MarkupElement {
  return typeof node !== 'string' && (blockModels.has(node.tag) || node.tag === 'pre' || node.tag === 'hr');
}
