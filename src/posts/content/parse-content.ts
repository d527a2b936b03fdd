import { readTokens } from './html-tokens.js';
import type { MarkupElement } from './markup-tree.js';
import { TreeBuilder } from './tree-builder.js';

/** The clean tree of any HTML: the children of the element that comes back are the blocks of the text. */
export function parseContent(html: string): MarkupElement {
  const builder = new TreeBuilder();
  readTokens(html, builder);
  return builder.finish();
}
