import { escapeText, writeAttributes } from './escape.js';
import { plainTags } from './inline-tags.js';
import type { Formats, Piece } from './lines.js';
import { readLinkValue, type ImageValue } from './values.js';

/** An element around a text. */
interface Wrapper {
  readonly start: string;
  readonly tag: string;
}

/** The pieces of a line as HTML, in the spelling of the server's sanitizer. */
export function writeInline(pieces: readonly Piece[]): string {
  const open: Wrapper[] = [];
  let html = '';
  const closeTo = (length: number) => {
    for (const { tag } of open.splice(length).reverse()) html += `</${tag}>`;
  };
  for (const { insert, attributes = {} } of pieces) {
    const wrappers = toWrappers(attributes);
    const firstChange = open.findIndex(({ start }, index) => wrappers[index]?.start !== start);
    if (firstChange >= 0) closeTo(firstChange);
    // Blanks in front begin no element by themselves.
    const text = typeof insert === 'string' ? escapeText(insert) : writeObject(insert);
    const blanks = /^[ \t]*/.exec(text)?.[0] ?? '';
    html += blanks;
    if (blanks.length === text.length || text === '<br>') {
      html += text.slice(blanks.length);
      continue;
    }
    for (const wrapper of wrappers.slice(open.length)) {
      html += wrapper.start;
      open.push(wrapper);
    }
    html += text.slice(blanks.length);
  }
  closeTo(0);
  return html;
}

/** An object in the text as HTML; nothing for what only the editor knows. */
function writeObject(object: Readonly<Record<string, unknown>>): string {
  if ('soft-break' in object) return '<br>';
  if ('image' in object) return writeImage(object['image'] as ImageValue);
  if ('upload' in object)
    return `<span${writeAttributes({ class: 'ql-upload', 'data-upload': String(object['upload']) })}></span>`;
  if ('footnote' in object) return `<span class="ql-footnote">${String(object['footnote'])}</span>`;
  if ('formula' in object) {
    const source = String(object['formula']);
    return `<span${writeAttributes({ class: 'ql-formula', 'data-value': source })}>${escapeText(source)}</span>`;
  }
  return '';
}

/** A picture; `role="presentation"` says that it is meant to have no description. */
export function writeImage({ src, alt, isDecorative, width, height }: ImageValue): string {
  const role = isDecorative && alt === '' ? 'presentation' : undefined;
  return `<img${writeAttributes({ src, alt, role, width, height })}>`;
}

/** The elements that say the formats, from the outermost to the innermost. */
function toWrappers(formats: Formats): Wrapper[] {
  return [
    ...(typeof formats['link'] === 'string' ? [writeLink(formats['link'])] : []),
    ...writeLook(formats),
    ...(typeof formats['abbr'] === 'string' ? [writeAbbreviation(formats['abbr'])] : []),
    ...plainTags.flatMap(([format, tag]) => (formats[format] ? [{ start: `<${tag}>`, tag }] : [])),
    ...(formats['script'] === 'sub' ? [{ start: '<sub>', tag: 'sub' }] : []),
    ...(formats['script'] === 'super' ? [{ start: '<sup>', tag: 'sup' }] : []),
  ];
}

function writeLink(value: string): Wrapper {
  const { href, title, opensWindow } = readLinkValue(value);
  const window = opensWindow ? { rel: 'noopener noreferrer', target: '_blank' } : {};
  return { start: `<a${writeAttributes({ href, title: title || undefined, ...window })}>`, tag: 'a' };
}

function writeAbbreviation(value: string): Wrapper {
  return { start: `<abbr${writeAttributes({ title: value === 'true' ? undefined : value })}>`, tag: 'abbr' };
}

function writeLook({ font, size, color, background }: Formats): Wrapper[] {
  const classes = [font && `ql-font-${String(font)}`, size && `ql-size-${String(size)}`].filter(Boolean);
  const colors = [color && `color: ${String(color)};`, background && `background-color: ${String(background)};`];
  const style = colors.filter(Boolean).join(' ');
  if (classes.length === 0 && style === '') return [];
  return [
    {
      start: `<span${writeAttributes({ class: classes.join(' ') || undefined, style: style || undefined })}>`,
      tag: 'span',
    },
  ];
}
