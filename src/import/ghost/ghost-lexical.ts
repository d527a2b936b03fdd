import { renderCard, text, toCardData, type CardData } from './ghost-cards.js';
import { escapeHtml } from '../html-text.js';
import { RefusedError } from '../import.errors.js';

const MAX_DEPTH = 100;

/** Bits of a text's format, with the element that says the same; the innermost one first. */
const formats: readonly (readonly [bit: number, tag: string])[] = [
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
  [4, 's'],
  [8, 'u'],
  [2, 'em'],
  [1, 'strong'],
];
const containers: ReadonlyMap<string, string> = new Map([
  ['paragraph', 'p'],
  ['quote', 'blockquote'],
  ['extended-quote', 'blockquote'],
  ['aside', 'blockquote'],
  ['listitem', 'li'],
]);

/**
 * A text of Ghost's present editor as HTML that nobody has checked. Cards that cannot be shown are noted.
 * @throws RefusedError when it is no such text
 */
export function lexicalToHtml(document: unknown, warnings: string[]): string {
  const root = toCardData(toCardData(document).get('root'));
  if (!Array.isArray(root.get('children'))) throw new RefusedError(['lexical has no text in it, and there is no html']);
  return renderChildren(root, warnings, 0, '\n');
}

function renderChildren(node: CardData, warnings: string[], depth: number, separator = ''): string {
  if (depth > MAX_DEPTH) throw new RefusedError(['lexical is nested more than 100 deep']);
  const children: unknown = node.get('children');
  if (!Array.isArray(children)) return '';
  return children.map((child) => renderNode(toCardData(child), warnings, depth + 1)).join(separator);
}

function renderNode(node: CardData, warnings: string[], depth: number): string {
  const type = text(node, 'type');
  const inner = () => renderChildren(node, warnings, depth);
  const container = containers.get(type);
  if (container !== undefined) return `<${container}>${inner()}</${container}>`;
  switch (type) {
    case 'text':
    case 'extended-text':
    case 'tk':
      return renderText(node);
    case 'linebreak':
      return '<br>';
    case 'tab':
      return ' ';
    // What the editor keeps of a link that is still being searched for.
    case 'zwnj':
    case 'at-link-search':
      return '';
    case 'heading':
    case 'extended-heading':
      return renderHeading(node, inner());
    case 'link':
    case 'autolink':
      return `<a href="${escapeHtml(text(node, 'url'))}">${inner()}</a>`;
    case 'list':
      return renderList(node, renderItems(node, warnings, depth));
    default:
      return Array.isArray(node.get('children')) ? inner() : renderCard(type, node, warnings);
  }
}

function renderText(node: CardData): string {
  const format = Number(node.get('format')) || 0;
  return formats.reduce(
    (html, [bit, tag]) => ((format & bit) === 0 ? html : `<${tag}>${html}</${tag}>`),
    escapeHtml(text(node, 'text')),
  );
}

function renderHeading(node: CardData, inner: string): string {
  const tag = /^h[1-6]$/.exec(text(node, 'tag'))?.[0] ?? 'h2';
  return `<${tag}>${inner}</${tag}>`;
}

/** A list in an item of its own, as the editor keeps it, belongs to the item above. */
function renderItems(list: CardData, warnings: string[], depth: number): string {
  const items = childrenOf(list).map((item) => ({
    isNested: text(childrenOf(item)[0] ?? new Map(), 'type') === 'list',
    isItem: text(item, 'type') === 'listitem',
    html: renderChildren(item, warnings, depth + 1),
  }));
  return items
    .map(({ isNested, isItem, html }, index) => {
      if (!isItem) return html;
      const isAbove = index > 0 && isNested;
      const isBelow = items[index + 1]?.isNested === true;
      return `${isAbove ? '' : '<li>'}${html}${isBelow ? '' : '</li>'}`;
    })
    .join('');
}

function childrenOf(node: CardData): CardData[] {
  const children: unknown = node.get('children');
  return Array.isArray(children) ? children.map(toCardData) : [];
}

function renderList(node: CardData, inner: string): string {
  if (text(node, 'listType') !== 'number') return `<ul>${inner}</ul>`;
  const start = Number(node.get('start'));
  return `<ol${Number.isInteger(start) && start > 1 ? ` start="${start}"` : ''}>${inner}</ol>`;
}
