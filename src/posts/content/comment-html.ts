import {
  createElement,
  hasNoContent,
  isBlank,
  serializeElement,
  type Attribute,
  type MarkupElement,
  type MarkupNode,
} from './markup-tree.js';
import { parseContent } from './parse-content.js';

/** Elements that comments may have; of all others, what is in them. */
const kept: ReadonlySet<string> = new Set('p br strong em del s code pre blockquote ul ol li a'.split(' '));
const isBlock: ReadonlySet<string> = new Set('p pre blockquote ul ol'.split(' '));
/** Blocks that would be too loud or too large below a post: their text stands in paragraphs. */
const asParagraph: ReadonlySet<string> = new Set('h2 h3 h4 h5 h6 dt dd summary figcaption caption th td'.split(' '));
/** Nobody follows such a link on our word. */
const REL = 'nofollow ugc noopener noreferrer';

/**
 * Returns a comment as HTML with little in it: text, code, quotations, lists, and links of the web. There are no
 * pictures, players, classes or ids in it.
 */
export function toCommentHtml(written: string): string {
  return toBlocks(parseContent(written).children.flatMap(reduce)).map(serializeElement).join('');
}

/** Blocks that show something, and what stands between them in paragraphs. */
function toBlocks(nodes: readonly MarkupNode[]): MarkupElement[] {
  const blocks: MarkupElement[] = [];
  let loose: MarkupNode[] = [];
  const close = () => {
    if (loose.some((node) => typeof node !== 'string' || !isBlank(node))) blocks.push(withChildren('p', [], loose));
    loose = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || !isBlock.has(node.tag)) {
      loose.push(node);
      continue;
    }
    close();
    if (!hasNoContent(node)) blocks.push(node);
  }
  close();
  return blocks;
}

function reduce(node: MarkupNode): MarkupNode[] {
  if (typeof node === 'string') return [node];
  const children = node.children.flatMap(reduce);
  // Cells, captions and descriptions may hold blocks, which no paragraph can.
  if (asParagraph.has(node.tag)) return toBlocks(children);
  if (!kept.has(node.tag)) return children;
  if (node.tag !== 'a') return [withChildren(node.tag, [], children)];
  const href = node.attributes.find(([name]) => name === 'href')?.[1] ?? '';
  if (!/^https?:\/\//i.test(href)) return children;
  return [
    withChildren(
      'a',
      [
        ['href', href],
        ['rel', REL],
      ],
      children,
    ),
  ];
}

function withChildren(tag: string, attributes: readonly Attribute[], children: MarkupNode[]): MarkupElement {
  return { ...createElement(tag, attributes), children };
}
