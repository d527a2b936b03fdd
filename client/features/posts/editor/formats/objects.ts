import { BlockEmbed } from 'quill/blots/block.js';
import Embed from 'quill/blots/embed.js';
import { Parchment } from 'quill';
import { renderFormula } from '../../../../../src/shared/render-formula.js';
import { readVideoAddress } from '../../../../../src/shared/video-address.js';
import { parseHtml } from '../../../../lib/parse-html.js';
import { isRemotePicture, toShownAddress } from '../../../../lib/remote-picture.js';
import { toSafeFragment } from '../html/safe-fragment.js';
import { writeFigure } from '../html/figure.js';
import { readImage } from '../html/read-inline.js';
import type { FigureValue, ImageValue, VideoValue } from '../html/values.js';

/** A picture in the text; one on another site is a drawing that says so, and keeps its address. */
export class PostImage extends Parchment.EmbedBlot {
  static override blotName = 'image';
  static override tagName = 'IMG';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    writeImageAttributes(node, value as ImageValue);
    return node;
  }

  static override value(node: HTMLElement): ImageValue {
    const address = node.dataset['address'];
    return { ...readImage(node), ...(address === undefined ? {} : { src: address }) };
  }
}

function writeImageAttributes(node: HTMLElement, { src, alt, isDecorative, width, height }: ImageValue): void {
  const address = /^(?:https?:|\/media\/)/i.test(src) ? src : '';
  node.setAttribute('src', toShownAddress(address));
  if (isRemotePicture(address)) node.dataset['address'] = address;
  node.setAttribute('alt', alt);
  if (isDecorative) node.setAttribute('role', 'presentation');
  if (width !== undefined) node.setAttribute('width', width);
  if (height !== undefined) node.setAttribute('height', height);
}

/** A formula, drawn as on the published page; the value is its TeX source. */
export class PostFormula extends Embed {
  static override blotName = 'formula';
  static override className = 'ql-formula';
  static override tagName = 'SPAN';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    const source = String(value);
    const { html } = renderFormula(source);
    node.setAttribute('data-value', source);
    if (html === null) node.textContent = source;
    else node.replaceChildren(parseHtml(html));
    return node;
  }

  static override value(node: HTMLElement): string {
    return node.getAttribute('data-value') ?? '';
  }
}

/** A note at this place: its number in the text, which the style sheet counts; the value is the note as HTML. */
export class PostFootnote extends Embed {
  static override blotName = 'footnote';
  static override className = 'ql-footnote';
  static override tagName = 'SPAN';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    const words = parseHtml(String(value)).textContent;
    Object.assign(node.dataset, { note: String(value) });
    node.title = words;
    node.setAttribute('role', 'note');
    node.setAttribute('aria-label', `Footnote: ${words}`);
    return node;
  }

  static override value(node: HTMLElement): string {
    return node.dataset['note'] ?? '';
  }
}

/** A line break inside a paragraph. */
export class SoftBreak extends Embed {
  static override blotName = 'soft-break';
  static override className = 'ql-soft-break';
  static override tagName = 'SPAN';

  static override create(): HTMLElement {
    const node = super.create() as HTMLElement;
    node.append(document.createElement('br'));
    return node;
  }

  static override value(): boolean {
    return true;
  }
}

/** The place of a picture that is on its way; the value is the number of the upload. It is never written. */
export class UploadPlace extends Embed {
  static override blotName = 'upload';
  static override className = 'ql-upload';
  static override tagName = 'SPAN';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    node.dataset['upload'] = String(value);
    node.textContent = 'Uploading picture…';
    return node;
  }

  static override value(node: HTMLElement): string {
    return node.dataset['upload'] ?? '';
  }
}

/** A line between paragraphs. */
export class Divider extends BlockEmbed {
  static override blotName = 'divider';
  static override tagName = 'HR';

  static override value(): boolean {
    return true;
  }
}

/** A picture with its caption, in the shape that the published page shows. */
export class PostFigure extends BlockEmbed {
  static override blotName = 'figure';
  static override className = 'ql-figure';
  static override tagName = 'DIV';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    node.dataset['figure'] = JSON.stringify(value);
    node.contentEditable = 'false';
    node.append(toSafeFragment(writeFigure(value as FigureValue)));
    return node;
  }

  static override value(node: HTMLElement): FigureValue {
    return JSON.parse(node.dataset['figure'] ?? '') as FigureValue;
  }
}

/** A video between paragraphs, in the shape that the published page shows; nothing is loaded from its host. */
export class PostVideo extends BlockEmbed {
  static override blotName = 'video';
  static override className = 'ql-video';
  static override tagName = 'DIV';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    const { src, title } = value as VideoValue;
    Object.assign(node.dataset, { src, title });
    node.contentEditable = 'false';
    node.classList.add('video');
    node.append(
      span('video-sign', ''),
      span('video-title', title),
      span('video-host', `Plays from ${readVideoAddress(src)?.host ?? 'another site'}`),
    );
    return node;
  }

  static override value(node: HTMLElement): VideoValue {
    return { src: node.dataset['src'] ?? '', title: node.dataset['title'] ?? '' };
  }
}

function span(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}

/** A block that the editor has no lines for, such as a table: shown, and kept as its HTML, which is the value. */
export class PreservedBlock extends BlockEmbed {
  static override blotName = 'preserved';
  static override className = 'ql-preserved';
  static override tagName = 'DIV';

  static override create(value: unknown): HTMLElement {
    const node = super.create() as HTMLElement;
    node.dataset['source'] = String(value);
    node.contentEditable = 'false';
    node.append(toSafeFragment(String(value)));
    return node;
  }

  static override value(node: HTMLElement): string {
    return node.dataset['source'] ?? '';
  }
}
