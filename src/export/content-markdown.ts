import {
  isBlank,
  serializeChildren,
  serializeElement,
  type MarkupElement,
  type MarkupNode,
} from '../posts/content/markup-tree.js';
import { parseContent } from '../posts/content/parse-content.js';
import { sanitizeContent } from '../posts/content/sanitize-content.js';
import { exportedBodyToHtml, type BodyFormat } from '../import/exported/exported-body.js';
import { toBlockMarkdown, toHtmlBlock } from './markdown-blocks.js';

/** The text of a post as it is exported. */
export interface ExportedBody {
  readonly format: BodyFormat;
  readonly body: string;
}

/** Addresses of images in the export, by their addresses here. */
export type ImageAddresses = ReadonlyMap<string, string>;

/**
 * The text of a post as Markdown from which the importer makes the same HTML, to the letter; as HTML where there is no
 * such Markdown.
 * @param html as it is stored
 */
export function toExportedBody(html: string, images: ImageAddresses): ExportedBody {
  const tree = parseContent(html);
  const hasBreaks = tree.children.some((child) => typeof child === 'string');
  const formats: BodyFormat[] = hasBreaks ? ['markdown', 'editor-markdown'] : ['editor-markdown', 'markdown'];
  const writer = new BodyWriter(images);
  for (const format of formats) {
    const body = writer.write(tree, format);
    if (writer.readBack(body, format) === html) return { format, body };
  }
  return { format: 'html', body: withAddresses(html, images) };
}

/** Returns true for a text that the importer would store unchanged. */
export function isStable(html: string): boolean {
  return sanitizeContent(html) === html;
}

/** HTML as it is stored, its images and what it plays with other addresses. */
export function withAddresses(html: string, images: ImageAddresses): string {
  // Text and values are escaped: this can only be an image, or a player.
  return html.replace(/<(?:img|audio|video|track) [^>]*>/g, (tag) =>
    tag.replace(/ (src|poster)="([^"]*)"/g, (attribute, name: string, address: string) => {
      const other = images.get(address);
      return other === undefined ? attribute : ` ${name}="${other}"`;
    }),
  );
}

interface Manner {
  readonly format: BodyFormat;
  readonly hasOtherListSigns: boolean;
}

/** One block, or several that cannot be told apart, written. */
interface Part {
  readonly text: string;
  /** Tag of a list that was written as Markdown. */
  readonly listTag: string | null;
  readonly hasOtherListSigns: boolean;
}

class BodyWriter {
  private readonly originals: ImageAddresses;

  constructor(private readonly images: ImageAddresses) {
    this.originals = new Map([...images].map(([here, there]) => [there, here]));
  }

  write(tree: MarkupElement, format: BodyFormat): string {
    let previous: Part = { text: '', listTag: null, hasOtherListSigns: false };
    const parts = groupBlocks(tree.children, format === 'markdown').map((blocks) => {
      previous = this.writeGroup(blocks, format, previous);
      return previous.text;
    });
    return parts.join('\n\n');
  }

  /** Returns the HTML that the importer would store. */
  readBack(body: string, format: BodyFormat): string {
    return sanitizeContent(this.readHtml(body, format));
  }

  private readHtml(body: string, format: BodyFormat): string {
    return withAddresses(exportedBodyToHtml(body, format), this.originals);
  }

  private writeGroup(blocks: readonly MarkupElement[], format: BodyFormat, previous: Part): Part {
    const [block, ...others] = blocks;
    if (block !== undefined && others.length === 0) {
      const listTag = block.tag === 'ul' || block.tag === 'ol' ? block.tag : null;
      const hasOtherListSigns = listTag !== null && previous.listTag === listTag && !previous.hasOtherListSigns;
      const text = this.writeBlock(block, { format, hasOtherListSigns });
      if (text !== null) return { text, listTag, hasOtherListSigns };
    }
    const html = withAddresses(blocks.map(serializeElement).join(''), this.images);
    return { text: toHtmlBlock(html), listTag: null, hasOtherListSigns: false };
  }

  /** The first way of writing a block that gives the same block. */
  private writeBlock(block: MarkupElement, { format, hasOtherListSigns }: Manner): string | null {
    const moved = this.moveImages(block);
    const isOfEditor = format === 'editor-markdown';
    // Between two others, as what stands around can change what a block means.
    const expected = ['<p>x</p>', serializeElement(block), '<p>x</p>'].join(isOfEditor ? '' : '\n');
    for (const hasPlainTags of [false, true]) {
      const markdown = toBlockMarkdown(moved, { hasPlainTags, isOfEditor, hasOtherListSigns });
      if (markdown === null) return null;
      const read = parseContent(this.readHtml(`x\n\n${markdown}\n\nx`, format));
      if (serializeChildren(read, false).trim() === expected) return markdown;
    }
    return null;
  }

  private moveImages(node: MarkupElement): MarkupElement {
    const children = node.children.map((child) => (typeof child === 'string' ? child : this.moveImages(child)));
    if (!/^(?:img|audio|video|track)$/.test(node.tag)) return { ...node, children };
    const attributes = node.attributes.map(
      ([name, value]) =>
        [name, name === 'src' || name === 'poster' ? (this.images.get(value) ?? value) : value] as const,
    );
    return { ...node, attributes, children };
  }
}

/** Blocks that have nothing between them, where that means something, can only be written together, as HTML. */
function groupBlocks(children: readonly MarkupNode[], isSeparated: boolean): MarkupElement[][] {
  const groups: MarkupElement[][] = [];
  let isNew = true;
  for (const child of children) {
    if (typeof child === 'string') isNew ||= isBlank(child);
    else if (isNew || !isSeparated) groups.push([child]);
    else groups.at(-1)?.push(child);
    if (typeof child !== 'string') isNew = false;
  }
  return groups;
}
