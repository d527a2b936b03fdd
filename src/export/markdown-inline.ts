import { serializeElement, serializeStart, type MarkupElement, type MarkupNode } from '../posts/content/markup-tree.js';

/** How Markdown is to be written. */
export interface MarkdownStyle {
  /** Emphasis as tags: signs next to each other or inside words can mean something else. */
  readonly hasPlainTags: boolean;
  /**
   * True when the importer will read it as the editor writes: links open windows, and ticked items begin with their
   * text.
   */
  readonly isOfEditor: boolean;
  /** Lists with the other signs, as two lists with the same signs, one after the other, would become one. */
  readonly hasOtherListSigns?: boolean;
  /** In the cell of a table, where a line ends the row and a bar the cell. */
  readonly isInTable?: true;
}

const signs: Readonly<Record<string, string>> = { strong: '**', em: '_', del: '~~' };

/**
 * Inline content as Markdown. Whether it means the same is for the caller to check: the rules of Markdown depend on
 * what stands around.
 */
export function toInlineMarkdown(nodes: readonly MarkupNode[], style: MarkdownStyle): string {
  return nodes.map((node, index) => writeNode(node, style, nodes[index + 1])).join('');
}

function writeNode(node: MarkupNode, style: MarkdownStyle, next: MarkupNode | undefined): string {
  if (typeof node === 'string') return escapeMarkdown(node, style);
  switch (node.tag) {
    case 'br':
      return writeLineBreak(style, next);
    case 'code':
      return writeCode(node, style);
    case 'img':
      return writeImage(node, style);
    case 'iframe':
      return serializeElement(node);
    case 'a':
      return writeLink(node, style);
    default:
      return writeFormat(node, style);
  }
}

function writeLineBreak(style: MarkdownStyle, next: MarkupNode | undefined): string {
  const isBeforeText = typeof next === 'string' && /^[^\s]/.test(next);
  return style.isInTable !== true && isBeforeText ? '\\\n' : '<br>';
}

function writeFormat(node: MarkupElement, style: MarkdownStyle): string {
  const content = toInlineMarkdown(node.children, style);
  const sign = signs[node.tag];
  const isPlain = node.attributes.length === 0 && !style.hasPlainTags && /^[^\s&].*[^\s;]$|^[^\s&;]$/s.test(content);
  if (sign !== undefined && isPlain) return sign + content + sign;
  return `${serializeStart(node)}${content}</${node.tag}>`;
}

function writeCode(node: MarkupElement, style: MarkdownStyle): string {
  const [text, ...others] = node.children;
  const isPlain = node.attributes.length === 0 && typeof text === 'string' && others.length === 0;
  if (!isPlain || /\n|\u00a0/.test(text) || (style.isInTable && text.includes('|'))) return writeFormat(node, style);
  const fence = '`'.repeat(longestTicks(text) + 1);
  const isBetweenBlanks = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
  const pad = isBetweenBlanks || text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** The length of the longest row of backticks; code may have more of them than a function can be given. */
export function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

function writeImage(node: MarkupElement, style: MarkdownStyle): string {
  const { src, alt, ...others } = readAttributes(node);
  const target = src === undefined ? null : toTarget(src, style);
  if (target === null || Object.keys(others).length > 0) return serializeElement(node);
  return `![${escapeMarkdown(alt ?? '', style)}](${target})`;
}

function writeLink(node: MarkupElement, style: MarkdownStyle): string {
  const { href, title, rel, target: frame, ...others } = readAttributes(node);
  const opensWindow = rel !== undefined || frame !== undefined;
  const target = href === undefined ? null : toTarget(href, style);
  const isPlain = opensWindow === style.isOfEditor && title === undefined && Object.keys(others).length === 0;
  if (href === undefined || target === null || !isPlain) return writeFormat(node, style);
  const isBare = node.children.length === 1 && node.children[0] === href && /^https?:\/\/[^\s<>&\\]+$/.test(href);
  return isBare ? `<${href}>` : `[${toInlineMarkdown(node.children, style)}](${target})`;
}

/** The address between the parentheses; null if Markdown would spell it differently. */
function toTarget(address: string, style: MarkdownStyle): string | null {
  if (/[^\x21-\x7e]|[<>"\\`|*_[\]]/.test(address.replaceAll('_', '')) || (style.isInTable && address.includes('|'))) {
    return null;
  }
  const escaped = address.replace(/&(?=#?\w+;)/g, '&amp;');
  return /[()]/.test(escaped) || escaped === '' ? `<${escaped}>` : escaped;
}

function readAttributes(node: MarkupElement): Record<string, string | undefined> {
  return Object.fromEntries(node.attributes);
}

/** Text that Markdown gives back as it is, as far as that does not depend on what stands around it. */
function escapeMarkdown(text: string, style: MarkdownStyle): string {
  const escaped = text
    .replace(/[\\`*[\]~]/g, '\\$&')
    .replace(/_/g, (sign, at: number) => (isInsideWord(text, at) ? sign : '\\_'))
    .replace(/&(?=#?\w)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('\u00a0', '&nbsp;')
    // What looks like an address would become a link.
    .replace(/\b(https?|ftp):(?=\/\/)/gi, '$1\\:')
    .replace(/\bwww\.(?=\w)/gi, (start) => `${start.slice(0, -1)}\\.`)
    .replace(/(?<=[\w.+-])@(?=\w)/g, '\\@')
    // What looks like the beginning of a heading, a list, a quotation, a rule or an underline.
    .replace(/^([ \t]*)([#>+=-])/gm, '$1\\$2')
    .replace(/^([ \t]*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
    .replace(/!$/, '\\!');
  return style.isInTable ? escaped.replaceAll('|', '\\|') : escaped;
}

function isInsideWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') && /[\p{L}\p{N}]/u.test(text[at + 1] ?? '');
}
