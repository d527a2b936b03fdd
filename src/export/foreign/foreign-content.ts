import { FOOTNOTE } from '../../posts/content/attribute-rules.js';
import {
  createElement,
  serializeChildren,
  serializeElement,
  type MarkupElement,
  type MarkupNode,
} from '../../posts/content/markup-tree.js';
import { parseContent } from '../../posts/content/parse-content.js';
import { paths } from '../../shared/paths.js';

/** The addresses of this site in a text that is on another one. */
export interface ForeignAddresses {
  /** @param address of a file that is shown or played, as it is stored: `/media/...` */
  readonly fileAt: (address: string) => string;
  /** @param path on this site, with query and fragment */
  readonly pageAt: (path: string) => string;
  /** The ids that headings of the text have here, in their order, by which links name them; null for one without any. */
  readonly headingIds: readonly (string | null)[];
}

/** How a system writes the number of a footnote in the text. */
export type FootnoteStyle = (number: number, isInLink: boolean) => MarkupElement;

/** A block of a text, or the blanks between two blocks. */
export interface ForeignBlock {
  /** Empty for blanks. */
  readonly tag: string;
  readonly html: string;
  /** True for one without classes and the like, which every editor knows. */
  readonly isPlain: boolean;
  /** The id of a heading; null where there is none. */
  readonly id: string | null;
}

/** The text of a post as other systems read it. */
export interface ForeignContent {
  readonly blocks: readonly ForeignBlock[];
  /** The footnotes as HTML, in the order of their numbers. */
  readonly notes: readonly string[];
  /** Parts of the text that the other system does not show, for the report. */
  readonly losses: readonly string[];
  readonly hasPlayers: boolean;
}

/** Attributes that are addresses of files, by element. */
const shown: ReadonlySet<string> = new Set(['img', 'audio', 'video', 'track']);
const headings: ReadonlySet<string> = new Set(['h2', 'h3', 'h4', 'h5', 'h6']);
/** Blocks that are the same wherever they stand, and the elements that those have inside. */
const plainBlocks: ReadonlySet<string> = new Set(['p', ...headings, 'ul', 'ol']);
const lists: ReadonlySet<string> = new Set(['ul', 'ol', 'li']);

/**
 * Writes a stored text for another system: every address says where it leads, headings have the ids by which links name them, and
 * footnotes are where that system has them.
 */
export function toForeignContent(html: string, addresses: ForeignAddresses, footnote: FootnoteStyle): ForeignContent {
  const notes: string[] = [];
  const ids = addresses.headingIds.values();
  const move = (node: MarkupElement, isInLink: boolean, isInNote: boolean): MarkupElement => {
    const isNote = isFootnote(node) && !isInNote;
    const isLink = isInLink || node.tag === 'a';
    const children: MarkupNode[] = node.children.map((child) =>
      typeof child === 'string' ? child : move(child, isLink, isInNote || isNote),
    );
    const id = headings.has(node.tag) ? (ids.next().value ?? null) : null;
    const named: MarkupElement['attributes'] = id === null ? [] : [['id', id]];
    const moved = { ...node, children, attributes: [...named, ...moveAddresses(node, addresses), ...styleOf(node)] };
    if (!isNote) return moved;
    notes.push(serializeChildren(moved, true));
    return footnote(notes.length, isInLink);
  };
  const blocks = parseContent(html).children.map((child): ForeignBlock => {
    if (typeof child === 'string') return { tag: '', html: child, isPlain: true, id: null };
    const moved = move(child, false, false);
    const id = moved.attributes.find(([name]) => name === 'id')?.[1] ?? null;
    return { tag: child.tag, html: serializeElement(moved), isPlain: isPlainBlock(child), id };
  });
  return {
    blocks,
    notes,
    losses: [
      ...(html.includes('<span class="ql-formula"') ? ['formulas, which are their source there'] : []),
      ...(/<li data-list="(?:un)?checked"/.test(html) ? ['the boxes of checklists, which are plain lists there'] : []),
    ],
    hasPlayers: /<(?:audio|video) /.test(html),
  };
}

/** An element for the number of a note. */
export function noteElement(tag: string, attributes: MarkupElement['attributes'], children: MarkupNode[]) {
  return { ...createElement(tag, attributes), children };
}

function isFootnote({ tag, attributes }: MarkupElement): boolean {
  return tag === 'span' && attributes.some(([name, value]) => name === 'class' && value === FOOTNOTE);
}

/** The side to which a text is set, and on which it begins, which only this site reads from the class. */
function styleOf({ attributes }: MarkupElement): MarkupElement['attributes'] {
  const classes = (attributes.find(([name]) => name === 'class')?.[1] ?? '').split(' ');
  const side = classes.find((name) => /^ql-align-(?:center|right|justify)$/.test(name))?.slice('ql-align-'.length);
  const direction: MarkupElement['attributes'] = classes.includes('ql-direction-rtl') ? [['dir', 'rtl']] : [];
  const style: MarkupElement['attributes'] = side === undefined ? [] : [['style', `text-align: ${side}`]];
  return [...direction, ...style];
}

/** An address without scheme and host that begins at the post that has it, and names another page. */
const BESIDE = /^(?![a-z][a-z0-9+.-]*:|[/?#])./i;

function toPath(address: string): string {
  const { pathname, search, hash } = new URL(address, `http://site.invalid${paths.blog('post')}`);
  return pathname + search + hash;
}

function moveAddresses(
  { tag, attributes }: MarkupElement,
  { fileAt, pageAt }: ForeignAddresses,
): MarkupElement['attributes'] {
  return attributes.map(([name, value]) => {
    if (tag === 'a' && name === 'href' && BESIDE.test(value)) return [name, pageAt(toPath(value))];
    if (!/^\/(?!\/)/.test(value)) return [name, value];
    if (shown.has(tag) && (name === 'src' || name === 'poster')) return [name, fileAt(value)];
    return tag === 'a' && name === 'href' ? [name, pageAt(value)] : [name, value];
  });
}

function isPlainBlock(block: MarkupElement): boolean {
  if (!plainBlocks.has(block.tag)) return false;
  const hasNoClass = ({ attributes }: MarkupElement) => attributes.length === 0;
  const isPlainList = (list: MarkupElement): boolean =>
    hasNoClass(list) &&
    list.children.every((child) => typeof child === 'string' || !isBlock(child.tag) || isPlainList(child));
  return lists.has(block.tag) ? isPlainList(block) : hasNoClass(block);
}

function isBlock(tag: string): boolean {
  return lists.has(tag) || /^(?:p|h[2-6]|pre|blockquote|figure|table|details|dl|hr)$/.test(tag);
}
