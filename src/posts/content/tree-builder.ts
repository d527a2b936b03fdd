import {
  blockAttributes,
  imageAttributes,
  inlineAttributes,
  playerAttributes,
  readFormula,
  trackAttributes,
  videoAttributes,
} from './attribute-rules.js';
import { BlockStack, type Frame } from './block-stack.js';
import { cleanCharacters } from '../../shared/clean-characters.js';
import { CodeCollector, startsCode } from './code-collector.js';
import {
  blockModels,
  droppedWithContent,
  formulaBreakers,
  headingTags,
  inlineTags,
  MAX_OPEN_ELEMENTS,
  tableTags,
  transparentBlocks,
} from './element-rules.js';
import type { TokenHandler } from './html-tokens.js';
import type { RemovalLog } from './removal-log.js';
import { createElement, hasNoContent, isBlank, type MarkupElement, type MarkupNode } from './markup-tree.js';

type Written = ReadonlyMap<string, string>;

/** A part of the source that is passed over, up to its closing tag. */
interface Skipped {
  readonly tag: string;
  nesting: number;
  readonly isFormula: boolean;
  /** The browser's own player as it was written, as what is inside says what it plays. */
  readonly player?: { readonly written: Written; source: string | undefined; readonly tracks: MarkupElement[] };
}

const itemBarriers = /^(?:blockquote|figure|figcaption|table|thead|tbody|tfoot|tr|td|th|caption|dd|dt|dl)$/;
const partBarriers = /^(?:blockquote|li|table|thead|tbody|tfoot|tr|td|th|caption|ul|ol)$/;

/**
 * Builds the clean tree from tokens: only elements and attributes of the allow-list, in a structure that every parser
 * reads back in the same way (no block in a paragraph, no loose text in a table), and at a bounded depth.
 */
export class TreeBuilder implements TokenHandler {
  private readonly blocks = new BlockStack();
  private skipped: Skipped | null = null;
  private code: CodeCollector | null = null;

  /** @param log notes what does not come through */
  constructor(private readonly log: RemovalLog | null = null) {}

  /** The finished tree. */
  finish(): MarkupElement {
    this.endSkipped();
    this.endCode();
    this.blocks.popTo(0);
    return this.blocks.root;
  }

  open(tag: string, attributes: Written, isSelfClosed: boolean): void {
    if (this.skipped?.player !== undefined) this.openInPlayer(tag, attributes);
    if (this.isSkipping(tag, 1)) return;
    if (droppedWithContent.has(tag)) {
      this.openDropped(tag, attributes, isSelfClosed);
      return;
    }
    this.log?.addAttributes(tag, attributes);
    if (this.code !== null) this.openInCode(tag, attributes);
    else if (startsCode(tag, attributes)) this.openCode(tag, attributes);
    else if (inlineTags.has(tag)) this.openInline(tag, attributes);
    else if (!this.openVoid(tag, attributes)) this.openBlock(tag, attributes);
  }

  close(tag: string): void {
    if (this.isSkipping(tag, -1)) return;
    if (this.code !== null) {
      if (this.code.close(tag)) this.endCode();
    } else if (inlineTags.has(tag)) {
      this.blocks.formats.close(tag);
    } else {
      this.closeBlock(tag);
    }
  }

  text(written: string): void {
    if (this.skipped !== null) {
      if (!this.skipped.isFormula) this.log?.addLostText(this.skipped.tag, written);
      return;
    }
    const text = cleanCharacters(written);
    this.log?.addKeptText(text);
    if (this.code !== null) this.code.add(text);
    else if (isBlank(text)) this.addBlank(text);
    else this.addText(text);
  }

  private addText(text: string): void {
    // Blanks in front begin no format by themselves, however the text happens to be cut into tokens.
    const start = text.search(/[^ \t\n\f\r]/);
    if (start > 0) this.addBlank(text.slice(0, start));
    this.blocks.makeRoomForText();
    this.blocks.formats.append(this.blocks.parent, text.slice(start));
  }

  /** Blanks between blocks shrink to one line break; blanks in text stay as they are. */
  private addBlank(text: string): void {
    const { model } = this.blocks.top;
    const { parent } = this.blocks;
    if (model === 'flow' || model === 'phrasing') this.blocks.formats.appendQuietly(parent, text);
    else if (text.includes('\n') && parent.children.at(-1) !== '\n') {
      this.blocks.formats.breakChain();
      parent.children.push('\n');
    }
  }

  /** Returns true while the source is skipped; counts the nesting of the skipped elements. */
  private isSkipping(tag: string, step: 1 | -1): boolean {
    if (this.skipped === null) return false;
    if (this.skipped.isFormula && formulaBreakers.has(tag)) {
      this.skipped = null;
      return false;
    }
    if (tag === this.skipped.tag) this.skipped.nesting += step;
    if (this.skipped.nesting === 0) this.endSkipped();
    return true;
  }

  /** A player stands where its element began, once it is known what it plays. */
  private endSkipped(): void {
    const { tag, player } = this.skipped ?? {};
    this.skipped = null;
    if (player !== undefined) this.addPlayer(tag === 'audio' ? 'audio' : 'video', player);
  }

  private openDropped(tag: string, attributes: Written, isSelfClosed: boolean): void {
    if ((tag === 'audio' || tag === 'video') && this.code === null) {
      const player = { written: attributes, source: undefined, tracks: [] };
      this.skipped = { tag, nesting: 1, isFormula: false, player };
      return;
    }
    const isVideo = tag === 'iframe' && this.code === null && this.addVideo(attributes);
    if (!isVideo) this.log?.addElement(tag, attributes);
    // Only svg and math can close themselves; anything else swallows what follows, as in browsers.
    if (isSelfClosed && (tag === 'svg' || tag === 'math')) return;
    this.skipped = { tag, nesting: 1, isFormula: false };
  }

  /** Code is text; a picture in it is lost. */
  private openInCode(tag: string, attributes: Written): void {
    if (tag === 'img') this.log?.addElement(tag, attributes);
    else this.log?.addInCode(tag);
    this.code?.open(tag, attributes);
  }

  private openCode(tag: string, attributes: Written): void {
    this.blocks.makeRoomForBlock();
    this.code = new CodeCollector(tag, attributes);
  }

  private endCode(): void {
    const block = this.code?.finish() ?? null;
    this.code = null;
    if (block === null) return;
    this.blocks.formats.breakChain();
    this.blocks.parent.children.push(block);
  }

  private openInline(tag: string, attributes: Written): void {
    const formula = tag === 'span' ? readFormula(attributes) : null;
    if (formula !== null) {
      this.addFormula(formula);
      return;
    }
    const name = inlineTags.get(tag) ?? tag;
    const allowed = inlineAttributes(name, attributes);
    if (allowed === null) this.blocks.formats.openHidden(tag, this.blocks.size - 1);
    else this.blocks.formats.open(tag, name, allowed, this.blocks.size - 1);
  }

  private addFormula(source: string): void {
    const formula = createElement('span', [
      ['class', 'ql-formula'],
      ['data-value', source],
    ]);
    formula.children.push(source);
    this.log?.addKeptText(source);
    this.blocks.makeRoomForText();
    this.blocks.formats.append(this.blocks.parent, formula);
    this.skipped = { tag: 'span', nesting: 1, isFormula: true };
  }

  /** Videos stand on their own between blocks, or inside the text they were written in. */
  private addVideo(attributes: Written): boolean {
    const allowed = videoAttributes(attributes);
    if (allowed === null) return false;
    if (this.blocks.top.model !== 'phrasing') this.blocks.makeRoomForBlock();
    this.blocks.formats.breakChain();
    this.blocks.parent.children.push(createElement('iframe', allowed));
    return true;
  }

  /** Reads the parts of a player; what browsers show that know none is dropped. */
  private openInPlayer(tag: string, attributes: Written): void {
    const { player, nesting } = this.skipped ?? {};
    if (player === undefined || nesting !== 1) return;
    if (tag === 'source') player.source ??= attributes.get('src');
    const track = tag === 'track' ? trackAttributes(attributes) : null;
    if (track !== null) player.tracks.push(createElement('track', track));
    else if (tag === 'track') this.log?.addElement(tag, attributes);
  }

  /** Players stand between blocks, as videos do. */
  private addPlayer(tag: 'audio' | 'video', { written, source, tracks }: NonNullable<Skipped['player']>): void {
    const allowed = playerAttributes(tag, written, source);
    if (allowed === null) {
      this.log?.addElement(tag, written);
      return;
    }
    this.blocks.makeRoomForBlock();
    this.blocks.formats.breakChain();
    const player = createElement(tag, allowed);
    player.children.push(...tracks);
    this.blocks.parent.children.push(player);
  }

  /** Handles elements without content; false if the tag is none of them. */
  private openVoid(tag: string, attributes: Written): boolean {
    if (tag === 'hr') {
      this.blocks.makeRoomForBlock();
      this.blocks.formats.breakChain();
      this.blocks.parent.children.push(createElement('hr'));
    } else if (tag === 'br') {
      this.addLineBreak();
    } else if (tag === 'img') {
      this.addImage(attributes);
    } else if (tag === 'input') {
      this.tickItem(attributes);
    } else {
      return false;
    }
    return true;
  }

  private addLineBreak(): void {
    const { model } = this.blocks.top;
    if (model !== 'document' && model !== 'flow' && model !== 'phrasing') return;
    this.blocks.makeRoomForText();
    this.blocks.formats.appendQuietly(this.blocks.parent, createElement('br'));
  }

  private addImage(attributes: Written): void {
    const allowed = imageAttributes(attributes);
    if (allowed === null) {
      this.log?.addElement('img', attributes);
      return;
    }
    this.blocks.makeRoomForText();
    this.blocks.formats.append(this.blocks.parent, createElement('img', allowed));
  }

  /** Markdown's task lists arrive as items that start with a checkbox; the editor's mark says the same. */
  private tickItem(attributes: Written): void {
    const index = this.blocks.find((frame) => frame.element?.tag === 'li', isItemBarrier);
    const item = this.blocks.at(index)?.element ?? null;
    const isMark = attributes.get('type')?.toLowerCase() === 'checkbox' && item?.children.every(isStillEmpty);
    if (item === null || isMark !== true) {
      this.log?.addElement('input', attributes);
      return;
    }
    const mark = attributes.has('checked') ? 'checked' : 'unchecked';
    item.attributes = [...item.attributes.filter(([name]) => name !== 'data-list'), ['data-list', mark]];
  }

  private openBlock(tag: string, attributes: Written): void {
    const isKnown = tag === 'h1' || blockModels.has(tag) || transparentBlocks.has(tag);
    if (!isKnown || this.blocks.size >= MAX_OPEN_ELEMENTS) {
      this.log?.addUnwrapped(tag, attributes);
      return;
    }
    // A box that opens keeps its heading, whose text some sources wrap in a block.
    if (this.isAtStartOfSummary()) return;
    // The page's own title is the one <h1>.
    const name = tag === 'h1' ? 'h2' : tag;
    if (blockModels.has(name) && this.enterParentOf(name) && this.blocks.hasRoomFor(name)) {
      this.blocks.push(name, blockAttributes(name, attributes), tag);
      return;
    }
    this.blocks.makeRoomForBlock();
    this.blocks.pushTransparent(tag, blockAttributes(tag === 'center' ? 'center' : 'div', attributes));
  }

  /** Closes and opens what is needed for the element to stand where it may; false if it cannot stand here at all. */
  private enterParentOf(name: string): boolean {
    switch (name) {
      case 'li':
        return this.enterList();
      case 'dt':
      case 'dd':
        return this.enter((frame) => frame.model === 'descriptions', isPartBarrier);
      case 'figcaption':
        return this.enter((frame) => frame.element?.tag === 'figure', isPartBarrier);
      case 'summary':
        return this.enterSummary();
      case 'caption':
      case 'thead':
      case 'tbody':
      case 'tfoot':
        return this.enterTable(name);
      case 'tr':
      case 'td':
      case 'th':
        return this.enterRow(name);
      default:
        this.blocks.makeRoomForBlock();
        return true;
    }
  }

  private enterList(): boolean {
    if (this.enter((frame) => frame.model === 'list', isItemBarrier)) return true;
    this.blocks.makeRoomForBlock();
    if (!this.blocks.hasRoomFor('ul')) return false;
    this.blocks.push('ul', [], '');
    return true;
  }

  /** The first summary of a box that opens is its heading; others are paragraphs. */
  private enterSummary(): boolean {
    if (!this.enter((frame) => frame.element?.tag === 'details', isPartBarrier)) return false;
    return !this.blocks.hasSummary;
  }

  private isAtStartOfSummary(): boolean {
    const { element } = this.blocks.top;
    return element?.tag === 'summary' && hasNoContent(element);
  }

  private enterTable(name: string): boolean {
    if (!this.enter((frame) => frame.model === 'table')) return false;
    return name !== 'caption' || this.blocks.parent.children.every((child) => typeof child === 'string');
  }

  private enterRow(name: string): boolean {
    const isCell = name !== 'tr';
    const models = isCell ? ['row', 'section', 'table'] : ['section', 'table'];
    if (!this.enter((frame) => models.includes(frame.model))) return false;
    if (this.blocks.top.model === 'table') this.blocks.push('tbody', [], '');
    if (isCell && this.blocks.top.model === 'section') this.blocks.push('tr', [], '');
    return true;
  }

  private enter(matches: (frame: Frame) => boolean, isBarrier?: (frame: Frame) => boolean): boolean {
    const index = this.blocks.find(matches, isBarrier);
    if (index < 0) return false;
    this.blocks.popTo(index);
    return true;
  }

  private closeBlock(tag: string): void {
    const isHeading = headingTags.has(tag);
    const index = this.blocks.find(
      (frame) => frame.source === tag || (isHeading && headingTags.has(frame.source)),
      (frame) => (tableTags.has(tag) ? frame.element?.tag === 'table' : /^t[dh]$/.test(frame.element?.tag ?? '')),
    );
    if (index > 0) this.blocks.popTo(index - 1);
  }
}

function isItemBarrier(frame: Frame): boolean {
  return itemBarriers.test(frame.element?.tag ?? '');
}

function isPartBarrier(frame: Frame): boolean {
  return partBarriers.test(frame.element?.tag ?? '');
}

function isStillEmpty(node: MarkupNode): boolean {
  return typeof node === 'string' ? isBlank(node) : node.tag === 'p' && hasNoContent(node);
}
