import type Quill from 'quill';
import Block, { BlockEmbed } from 'quill/blots/block.js';
import type { FigureValue, ImageValue, PictureWidth } from './html/values.js';

/** The words, the width and the link that an author gives a picture. */
export interface PictureSettings {
  readonly alt: string;
  readonly isDecorative: boolean;
  /** One line of HTML; empty for none. */
  readonly caption: string;
  readonly width: PictureWidth;
  /** As `toLinkValue` gives it; empty for none. */
  readonly link: string;
}

/** Those of a picture of which nobody has said anything. */
export const plainPicture: PictureSettings = { alt: '', isDecorative: false, caption: '', width: 'text', link: '' };

type Operation = ReturnType<Quill['getContents']>['ops'][number];

/** The picture of an object of the text, alone or in a figure; null if it is none. */
export function imageOf(object: Readonly<Record<string, unknown>> | null): ImageValue | null {
  const figure = object?.['figure'] as FigureValue | undefined;
  return figure?.image ?? (object?.['image'] as ImageValue | undefined) ?? null;
}

/** Finds the picture at a place and its settings; null if there is none. */
export function readPicture(
  quill: Quill,
  index: number,
): { readonly image: ImageValue; readonly settings: PictureSettings } | null {
  const { insert, attributes = {} } = quill.getContents(index, 1).ops[0] ?? {};
  const object = typeof insert === 'object' ? insert : null;
  const image = imageOf(object);
  if (image === null) return null;
  const { caption, width, link } = (object?.['figure'] as FigureValue | undefined) ?? {
    ...plainPicture,
    link: typeof attributes['link'] === 'string' ? attributes['link'] : '',
  };
  return { image, settings: { alt: image.alt, isDecorative: image.isDecorative, caption, width, link } };
}

/** A cell of a table is one line: a picture in it has no caption and no width. */
export function canBeFigure(quill: Quill, index: number): boolean {
  return quill.getFormat(index, 1)['table'] === undefined;
}

/** Changes what a picture says of itself, in one step of undo. */
export function savePicture(quill: Quill, index: number, settings: PictureSettings): void {
  const held = readPicture(quill, index);
  const [op] = quill.getContents(index, 1).ops;
  if (held === null || op === undefined) return;
  const image = { ...held.image, alt: settings.alt, isDecorative: settings.isDecorative };
  quill.history.cutoff();
  if (typeof op.insert === 'object' && 'figure' in op.insert) {
    const { caption, width, link } = settings;
    replace(quill, index, { insert: { figure: { image, caption, width, link } } });
  } else {
    replace(quill, index, { insert: { image }, ...withLink(op.attributes, settings.link) });
    raisePicture(quill, index, settings, 'user');
  }
  quill.history.cutoff();
}

/** Makes a picture in a line a figure between lines, if its settings want one. */
export function raisePicture(
  quill: Quill,
  index: number,
  { caption, width, link }: PictureSettings,
  source: 'user' | 'api',
): void {
  const image = readPicture(quill, index)?.image;
  if (image === undefined || (caption === '' && width === 'text') || !canBeFigure(quill, index)) return;
  const start = leaveLine(quill, index, source);
  quill.updateContents([...skip(start), { insert: { figure: { image, caption, width, link } } }], source);
  closeGap(quill, start + 1, source);
}

/** Takes a picture out of its line; returns the place after the words in front of it, at the start of a line. */
function leaveLine(quill: Quill, index: number, source: 'user' | 'api'): number {
  const [line, offset] = quill.getLine(index);
  const isAfterWords = offset > 0;
  const isAfterLine = index > 0 && quill.getLine(index - 1)[0] instanceof Block;
  // Where there is no line in front, there is room for the cursor.
  const before: Operation[] = isAfterWords
    ? [lineEnd(line?.formats() ?? {})]
    : isAfterLine
      ? []
      : [lineEnd({ filler: 'true' })];
  quill.updateContents([...skip(index), ...before, { delete: 1 }], source);
  return index + before.length;
}

/** Takes the line after a figure away if it is empty; at the end and before another object it is room for the cursor. */
function closeGap(quill: Quill, index: number, source: 'user' | 'api'): void {
  const [line] = quill.getLine(index);
  if (line === null || line instanceof BlockEmbed || line.length() > 1) return;
  const [next] = quill.getLine(index + 1);
  const nothing = Object.fromEntries(Object.keys(line.formats()).map((name) => [name, null]));
  const isRoom = !(next instanceof Block) || next === line;
  quill.updateContents(
    [...skip(index), isRoom ? { retain: 1, attributes: { ...nothing, filler: 'true' } } : { delete: 1 }],
    source,
  );
}

function replace(quill: Quill, index: number, op: Operation): void {
  quill.updateContents([...skip(index), op, { delete: 1 }], 'user');
}

function withLink(attributes: Operation['attributes'] = {}, link: string): Pick<Operation, 'attributes'> {
  const { link: _former, ...others } = attributes;
  const all = link === '' ? others : { ...others, link };
  return Object.keys(all).length > 0 ? { attributes: all } : {};
}

function lineEnd(formats: Readonly<Record<string, unknown>>): Operation {
  return { insert: '\n', ...(Object.keys(formats).length > 0 ? { attributes: formats } : {}) };
}

/** A change that skips nothing is none to Quill. */
function skip(index: number): Operation[] {
  return index > 0 ? [{ retain: index }] : [];
}
