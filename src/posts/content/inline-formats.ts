import { MAX_INLINE_DEPTH } from './element-rules.js';
import { createElement, type Attribute, type MarkupElement, type MarkupNode } from './markup-tree.js';

interface Format {
  /** The tag as written, which its closing tag names. */
  readonly source: string;
  readonly tag: string;
  readonly attributes: readonly Attribute[];
  /** Number of open blocks when it was opened: it ends with the block it was opened in. */
  readonly depth: number;
  /** True where it adds nothing, because the same format is open already; it still waits for its closing tag. */
  readonly isHidden: boolean;
}

/**
 * The inline elements that are open in the source. They are written around text only when text arrives, in each block
 * anew, so that `<b><p>one</p><p>two</p></b>` becomes two bold paragraphs and a block never stands inside one of them.
 */
export class InlineFormats {
  private formats: Format[] = [];
  /** The elements that stand for the open formats at the end of the current block. */
  private chain: { format: Format; element: MarkupElement }[] = [];

  open(source: string, tag: string, attributes: readonly Attribute[], depth: number): void {
    if (this.formats.length >= MAX_INLINE_DEPTH * 2) return;
    if (tag === 'a') this.close('a');
    const visible = this.visible();
    const isHidden = visible.length >= MAX_INLINE_DEPTH || visible.some((format) => isSame(format, tag, attributes));
    this.formats.push({ source, tag, attributes, depth, isHidden });
  }

  /** An element that leaves no trace but has a closing tag of its own. */
  openHidden(source: string, depth: number): void {
    if (this.formats.length >= MAX_INLINE_DEPTH * 2) return;
    this.formats.push({ source, tag: source, attributes: [], depth, isHidden: true });
  }

  close(source: string): void {
    const index = this.formats.findLastIndex((format) => format.source === source);
    if (index >= 0) this.formats.splice(index, 1);
  }

  /** Forgets the formats opened inside a block that ends. */
  leaveBlock(depth: number): void {
    this.formats = this.formats.filter((format) => format.depth <= depth);
    this.chain = [];
  }

  /** The next text starts its elements anew. */
  breakChain(): void {
    this.chain = [];
  }

  /** Appends to the block inside all open formats. */
  append(block: MarkupElement, node: MarkupNode): void {
    this.keepCommonChain();
    for (const format of this.visible().slice(this.chain.length)) {
      const element = createElement(format.tag, format.attributes);
      appendNode(this.end(block), element);
      this.chain.push({ format, element });
    }
    appendNode(this.end(block), node);
  }

  /** Appends a blank or a line break inside the formats that have begun already; it begins none by itself. */
  appendQuietly(block: MarkupElement, node: MarkupNode): void {
    this.keepCommonChain();
    appendNode(this.end(block), node);
  }

  private keepCommonChain(): void {
    const visible = this.visible();
    const firstChange = this.chain.findIndex(({ format }, index) => visible[index] !== format);
    if (firstChange >= 0) this.chain.length = firstChange;
  }

  private end(block: MarkupElement): MarkupElement {
    return this.chain.at(-1)?.element ?? block;
  }

  private visible(): Format[] {
    return this.formats.filter((format) => !format.isHidden);
  }
}

/** Appends a child; text joins the text before it. */
export function appendNode(parent: MarkupElement, node: MarkupNode): void {
  const last = parent.children.length - 1;
  const previous = parent.children[last];
  if (typeof node === 'string' && typeof previous === 'string') parent.children[last] = previous + node;
  else parent.children.push(node);
}

function isSame(format: Format, tag: string, attributes: readonly Attribute[]): boolean {
  return format.tag === tag && JSON.stringify(format.attributes) === JSON.stringify(attributes);
}
