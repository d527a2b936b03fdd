import { blockModels, impliedChild, innerLevels, MAX_BLOCK_DEPTH, type ContentModel } from './element-rules.js';
import { InlineFormats } from './inline-formats.js';
import { nestLists } from './list-nesting.js';
import { childElements, createElement, hasNoContent, type Attribute, type MarkupElement } from './markup-tree.js';

/** An open block. */
export interface Frame {
  /** The tag as written, which its closing tag names; empty when nobody wrote it. */
  readonly source: string;
  readonly model: ContentModel;
  /** Null for a block that leaves only a break behind. */
  readonly element: MarkupElement | null;
  /** Attributes that a paragraph inside inherits. */
  readonly inherited: readonly Attribute[];
}

/** The open blocks, and the only way to open and close them: whatever it builds has a valid structure. */
export class BlockStack {
  readonly root = createElement('#root');
  readonly formats = new InlineFormats();
  private readonly frames: Frame[] = [{ source: '', model: 'document', element: this.root, inherited: [] }];
  private depth = 0;
  /** Boxes that have their heading already; they are not searched for it, as they may hold any number of blocks. */
  private readonly headed = new WeakSet<MarkupElement>();

  get size(): number {
    return this.frames.length;
  }

  get top(): Frame {
    return this.frames.at(-1) as Frame;
  }

  /** The element that the next child of the innermost block goes into. */
  get parent(): MarkupElement {
    return this.frames.findLast((frame) => frame.element !== null)?.element ?? this.root;
  }

  /** True when the innermost block is a box that has its heading. */
  get hasSummary(): boolean {
    return this.headed.has(this.parent);
  }

  /** The open block of that index, as {@link find} gives it. */
  at(index: number): Frame | undefined {
    return index < 0 ? undefined : this.frames[index];
  }

  /** Returns true when the tree may become deeper by this element and the elements that it needs inside. */
  hasRoomFor(tag: string): boolean {
    const model = blockModels.get(tag);
    return this.depth + (model === undefined ? 0 : (innerLevels[model] ?? 0)) < MAX_BLOCK_DEPTH;
  }

  push(tag: string, attributes: readonly Attribute[], source: string): void {
    const model = blockModels.get(tag) ?? 'flow';
    const element = createElement(tag, attributes);
    if (tag === 'summary') this.headed.add(this.parent);
    this.parent.children.push(element);
    this.formats.breakChain();
    this.frames.push({ source, model, element, inherited: [] });
    this.depth += 1;
  }

  /** Opens a block that only separates: `<div>` and its kin. */
  pushTransparent(source: string, inherited: readonly Attribute[]): void {
    this.formats.breakChain();
    this.frames.push({ source, model: 'document', element: null, inherited });
  }

  pop(): void {
    const frame = this.frames.pop();
    if (frame === undefined) return;
    this.formats.leaveBlock(this.frames.length - 1);
    if (frame.element === null) return;
    this.depth -= 1;
    this.complete(frame.element, frame);
  }

  popTo(index: number): void {
    while (this.frames.length > index + 1) this.pop();
  }

  /** Index of the innermost frame that matches, not looking beyond a barrier; -1 if there is none. */
  find(matches: (frame: Frame) => boolean, isBarrier: (frame: Frame) => boolean = () => false): number {
    for (let index = this.frames.length - 1; index > 0; index -= 1) {
      const frame = this.frames[index] as Frame;
      if (matches(frame)) return index;
      if (isBarrier(frame)) return -1;
    }
    return -1;
  }

  /** Closes paragraphs and opens the list item or cell that is missing, so that a block may follow. */
  makeRoomForBlock(): void {
    if (this.top.model === 'phrasing') this.pop();
    this.implyChildren();
  }

  /** Opens the paragraph, list item or cell that is missing, so that text may follow. */
  makeRoomForText(): void {
    this.implyChildren();
    if (this.top.model === 'document' && this.hasRoomFor('p')) this.push('p', this.top.inherited, '');
  }

  private implyChildren(): void {
    for (let tag = impliedChild[this.top.model]; tag !== undefined; tag = impliedChild[this.top.model]) {
      this.push(tag, [], '');
    }
  }

  /** Takes an ended block out again if it is empty, and puts an ended list into its final form. */
  private complete(element: MarkupElement, frame: Frame): void {
    const siblings = this.parent.children;
    if (isSuperfluous(element, frame)) {
      siblings.splice(siblings.lastIndexOf(element), 1);
      // One without words is none: the next may be.
      if (element.tag === 'summary') this.headed.delete(this.parent);
    } else if (element.tag === 'details') putSummaryFirst(element);
    else if (frame.model === 'list') {
      siblings.splice(siblings.lastIndexOf(element), 1);
      // One by one: there may be more than a function can be given.
      for (const list of this.nest(element)) siblings.push(list);
    }
  }

  private nest(list: MarkupElement): MarkupElement[] {
    return nestLists(list, MAX_BLOCK_DEPTH - this.depth - 8);
  }
}

/** Puts the summary on top, as browsers show it, and writes the one of theirs where there is none. */
function putSummaryFirst(details: MarkupElement): void {
  const written = childElements(details).find(({ tag }) => tag === 'summary');
  const summary = written ?? createElement('summary');
  if (written === undefined) summary.children.push('Details');
  details.children = [summary, ...details.children.filter((child) => child !== summary)];
}

function isSuperfluous(element: MarkupElement, frame: Frame): boolean {
  switch (frame.model) {
    case 'list':
    case 'section':
    case 'row':
    case 'descriptions':
      return childElements(element).length === 0;
    case 'table':
      return childElements(element).every((child) => child.tag === 'caption');
    case 'phrasing':
      return hasNoContent(element);
    default:
      return hasNoContent(element) && (frame.source === '' || !/^(?:li|td|th|dd)$/.test(element.tag));
  }
}
