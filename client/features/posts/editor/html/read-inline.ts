import { canonicalColor } from './color.js';
import { plainTags } from './inline-tags.js';
import type { Formats, Piece } from './lines.js';
import { toLinkValue, type ImageValue } from './values.js';

/** Thrown for what the editor has no format for; the block that holds it is kept as it is. */
export class NotEditableError extends Error {}

const formatByTag: ReadonlyMap<string, Formats> = new Map<string, Formats>([
  ...plainTags.map(([format, tag]) => [tag.toUpperCase(), { [format]: true }] as const),
  ['SUB', { script: 'sub' }],
  ['SUP', { script: 'super' }],
  ['SPAN', {}],
]);

/** The pieces of a line, from the inside of a block. Blanks are read as a browser shows them. */
export class InlineReader {
  private readonly pieces: { insert: Piece['insert']; attributes?: Formats }[] = [];
  private isAfterBlank = true;

  /** @throws NotEditableError if it holds anything that the editor would lose */
  read(nodes: Iterable<Node>): Piece[] {
    for (const node of nodes) this.readNode(node, {});
    this.endBlank();
    // A break alone is how an empty block keeps its height.
    const isEmpty = this.pieces.length === 1 && isBreak(this.pieces[0]);
    return isEmpty ? [] : this.pieces;
  }

  private readNode(node: Node, formats: Formats): void {
    if (node.nodeType === Node.TEXT_NODE) this.addText(node.nodeValue ?? '', formats);
    else if (node instanceof Element) this.readElement(node, formats);
  }

  private readElement(element: Element, formats: Formats): void {
    if (element.matches('span.ql-formula')) {
      this.addObject({ formula: element.getAttribute('data-value') ?? '' }, formats);
    } else if (element.matches('span.ql-footnote')) {
      this.addObject({ footnote: element.innerHTML }, formats);
    } else if (element.tagName === 'BR') {
      this.endBlank();
      this.pieces.push({ insert: { 'soft-break': true } });
      this.isAfterBlank = true;
    } else if (element.tagName === 'IMG') {
      this.addObject({ image: readImage(element) }, formats);
    } else {
      const inner = { ...formats, ...readFormats(element) };
      for (const child of element.childNodes) this.readNode(child, inner);
    }
  }

  private addText(written: string, formats: Formats): void {
    let text = written.replace(/[ \t\n\f\r]+/g, ' ');
    if (this.isAfterBlank) text = text.replace(/^ /, '');
    if (text === '') return;
    this.isAfterBlank = text.endsWith(' ');
    this.pieces.push(withFormats(text, formats));
  }

  private addObject(object: Record<string, unknown>, formats: Formats): void {
    this.pieces.push(withFormats(object, formats));
    this.isAfterBlank = false;
  }

  /** Blanks at the end of a line are not shown. */
  private endBlank(): void {
    const last = this.pieces.at(-1);
    if (typeof last?.insert !== 'string') return;
    last.insert = last.insert.replace(/ $/, '');
    if (last.insert === '') this.pieces.pop();
  }
}

function isBreak(piece: Piece | undefined): boolean {
  return typeof piece?.insert === 'object' && 'soft-break' in piece.insert;
}

function withFormats(insert: Piece['insert'], formats: Formats): { insert: Piece['insert']; attributes?: Formats } {
  return Object.keys(formats).length > 0 ? { insert, attributes: formats } : { insert };
}

/** The value of an `<img>`. */
export function readImage(element: Element): ImageValue {
  const width = element.getAttribute('width');
  const height = element.getAttribute('height');
  const alt = element.getAttribute('alt') ?? '';
  return {
    src: element.getAttribute('src') ?? '',
    alt,
    isDecorative: alt === '' && element.getAttribute('role') === 'presentation',
    ...(width === null ? {} : { width }),
    ...(height === null ? {} : { height }),
  };
}

function readFormats(element: Element): Formats {
  return { ...readTag(element), ...readClasses(element), ...readColors(element) };
}

function readTag(element: Element): Formats {
  if (element.tagName === 'A') {
    return {
      link: toLinkValue({
        href: element.getAttribute('href') ?? '',
        title: element.getAttribute('title') ?? '',
        opensWindow: element.getAttribute('target') === '_blank',
      }),
    };
  }
  if (element.tagName === 'ABBR') return { abbr: element.getAttribute('title') ?? 'true' };
  const formats = formatByTag.get(element.tagName);
  if (formats === undefined) throw new NotEditableError(element.tagName);
  return formats;
}

function readClasses(element: Element): Formats {
  const formats: Record<string, string> = {};
  for (const name of element.classList) {
    const [, key, value] = /^ql-(font|size)-(.+)$/.exec(name) ?? [];
    if (key === undefined || value === undefined) throw new NotEditableError(name);
    formats[key] = value;
  }
  return formats;
}

function readColors(element: Element): Formats {
  const { style } = element as HTMLElement;
  const color = canonicalColor(style.color);
  const background = canonicalColor(style.backgroundColor);
  return { ...(color === '' ? {} : { color }), ...(background === '' ? {} : { background }) };
}
