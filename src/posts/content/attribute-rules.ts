import { cleanLine } from '../../shared/clean-characters.js';
import { MEDIA_PATH } from '../../shared/media.js';
import type { Attribute } from './markup-tree.js';
import { toImageAddress, toLinkAddress, toPlayableAddress, toVideoAddress } from './safe-address.js';

type Written = ReadonlyMap<string, string>;

const blockClass = /^ql-(?:align-(?:center|right|justify)|indent-[1-8]|direction-rtl)$/;
const inlineClass = /^ql-(?:font-[a-z][a-z0-9-]{0,39}|size-(?:small|large|huge)|direction-rtl)$/;
/** How wide a picture stands, as the editor says it and as WordPress and Ghost do; `grid` is beside its neighbors. */
const widthClass = /^(?:ql-width-|align|kg-width-)(wide|full)$|^ql-width-(grid)$/;
/** The browser's own player of sound or a film of ours. */
export const PLAYER = 'ql-player';
/** A note at this place of the text; the public page shows its number, and the note at the end. */
export const FOOTNOTE = 'ql-footnote';
/** The title of a video to which nobody gave one, as a frame needs some. */
export const UNNAMED_VIDEO = 'Video';
const languageClass = /^lang(?:uage)?-(.+)$/;
const languageName = /^[a-z0-9][a-z0-9+#._-]{0,29}$/;
const hexColor = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const namedColor = /^[a-z]{3,20}$/;
const colorFunction = /^(?:rgb|hsl)a?\([0-9.,%/ deg]{5,60}\)$/;
const MAX_TEXT = 2000;
/** Limit of HTML for columns; rows may go further there, and no table of a post is that long. */
const MAX_SPAN = 1000;
/** Languages of captions: BCP 47, by its shape. */
const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i;

/** Attributes of a block: alignment, indent and direction as the editor's classes, wherever they were written. */
export function blockAttributes(tag: string, written: Written): Attribute[] {
  const classes = classesMatching(written, blockClass);
  const alignment = tag === 'center' ? 'center' : readAlignment(written);
  if (alignment !== undefined && !classes.some((name) => name.startsWith('ql-align-'))) {
    classes.push(`ql-align-${alignment}`);
  }
  if (written.get('dir')?.toLowerCase() === 'rtl' && !classes.includes('ql-direction-rtl')) {
    classes.push('ql-direction-rtl');
  }
  if (tag === 'figure') classes.push(...figureWidth(written));
  const attributes = classAttribute(classes);
  if (tag === 'ol') attributes.push(...numbers(written, ['start'], 0, 1_000_000));
  if (tag === 'li') attributes.push(...choice(written, 'data-list', /^(?:ordered|bullet|checked|unchecked)$/));
  if (tag === 'td' || tag === 'th') attributes.push(...spans(written));
  if (tag === 'th') attributes.push(...choice(written, 'scope', /^(?:row|col|rowgroup|colgroup)$/));
  return attributes;
}

/** Attributes of an inline element; null when the element says nothing without them and should leave no trace. */
export function inlineAttributes(tag: string, written: Written): Attribute[] | null {
  if (tag === 'span' && classNames(written).includes(FOOTNOTE)) return classAttribute([FOOTNOTE]);
  const attributes: Attribute[] = [...classAttribute(classesMatching(written, inlineClass)), ...colorStyle(written)];
  if (tag === 'span') return attributes.length > 0 ? attributes : null;
  if (tag === 'abbr') return [...attributes, ...text(written, 'title')];
  if (tag !== 'a') return attributes;
  const href = toLinkAddress(written.get('href') ?? '');
  if (href === null) return null;
  const opensWindow = written.get('target')?.trim().toLowerCase() === '_blank';
  const window: Attribute[] = [
    ['rel', 'noopener noreferrer'],
    ['target', '_blank'],
  ];
  return [['href', href], ...text(written, 'title'), ...(opensWindow ? window : []), ...attributes];
}

/** Attributes of an image; null without an acceptable address. */
export function imageAttributes(written: Written): Attribute[] | null {
  const src = toImageAddress(written.get('src') ?? '');
  if (src === null) return null;
  const alt = cleanLine(written.get('alt') ?? '', MAX_TEXT);
  // How the editor tells a decoration from a picture whose description is still to be written.
  const isDecorative = alt === '' && written.get('role')?.trim().toLowerCase() === 'presentation';
  const role: Attribute[] = isDecorative ? [['role', 'presentation']] : [];
  return [['src', src], ['alt', alt], ...role, ...numbers(written, ['width', 'height'], 1, 20_000)];
}

/** Attributes of an embedded video; null unless it is on one of the named hosts. */
export function videoAttributes(written: Written): Attribute[] | null {
  const src = toVideoAddress(written.get('src') ?? '');
  if (src === null) return null;
  return [
    ['class', 'ql-video'],
    ['src', src],
    ['title', cleanLine(written.get('title') ?? '', MAX_TEXT) || UNNAMED_VIDEO],
    ['loading', 'lazy'],
    ['allowfullscreen', 'true'],
  ];
}

/**
 * Attributes of the browser's own player; null unless it plays one of our files.
 * @param source the address of its first `<source>`, for a player without one of its own
 */
export function playerAttributes(
  tag: 'audio' | 'video',
  written: Written,
  source: string | undefined,
): Attribute[] | null {
  const src = toPlayableAddress(written.get('src') ?? source ?? '', false);
  if (src === null) return null;
  const isVideo = tag === 'video';
  const poster = isVideo ? toImageAddress(written.get('poster') ?? '') : null;
  return [
    ['class', PLAYER],
    ['src', src],
    ...text(written, 'title'),
    ...(poster?.startsWith(MEDIA_PATH) ? ([['poster', poster]] satisfies Attribute[]) : []),
    ...(isVideo ? numbers(written, ['width', 'height'], 1, 20_000) : []),
    ['controls', ''],
    ['preload', 'metadata'],
  ];
}

/** Attributes of the captions of a film; null unless they are one of our files. */
export function trackAttributes(written: Written): Attribute[] | null {
  const src = toPlayableAddress(written.get('src') ?? '', true);
  if (src === null) return null;
  const kind = choice(written, 'kind', /^(?:captions|subtitles|descriptions|chapters)$/);
  return [
    ...(kind.length > 0 ? kind : ([['kind', 'subtitles']] satisfies Attribute[])),
    ['src', src],
    ...choice(written, 'srclang', languageTag),
    ...text(written, 'label'),
    ...(written.has('default') ? ([['default', '']] satisfies Attribute[]) : []),
  ];
}

/** The TeX source of a formula; null when the element is no formula. */
export function readFormula(written: Written): string | null {
  if (!classNames(written).includes('ql-formula')) return null;
  const source = cleanLine(written.get('data-value') ?? '', MAX_TEXT);
  return source === '' ? null : source;
}

/** The language of a code block, from `language-x` or the editor's `data-language`. */
export function readLanguage(written: Written): string | null {
  const fromClass = classNames(written)
    .map((name) => languageClass.exec(name)?.[1])
    .find((name) => name !== undefined);
  const name = (fromClass ?? written.get('data-language') ?? '').trim().toLowerCase();
  return languageName.test(name) && name !== 'plain' && name !== 'true' ? name : null;
}

export function classNames(written: Written): string[] {
  return (written.get('class') ?? '').split(/[ \t\n\f\r]+/).filter((name) => name !== '');
}

function figureWidth(written: Written): string[] {
  const widths = classNames(written).flatMap((name) => widthClass.exec(name)?.slice(1) ?? []);
  const width = widths.find((name: string | undefined) => name !== undefined);
  return width === undefined ? [] : [`ql-width-${width}`];
}

function classesMatching(written: Written, pattern: RegExp): string[] {
  return [...new Set(classNames(written).filter((name) => pattern.test(name)))];
}

function classAttribute(classes: readonly string[]): Attribute[] {
  return classes.length > 0 ? [['class', classes.join(' ')]] : [];
}

function readAlignment(written: Written): string | undefined {
  // Themes align by classes; that of the block editor of WordPress is the same in all of them.
  const [named] = classNames(written).flatMap((name) => /^has-text-align-(.+)$/.exec(name)?.[1] ?? []);
  const value = readStyle(written).get('text-align') ?? written.get('align') ?? named ?? '';
  return /^(?:center|right|justify)$/.exec(value.trim().toLowerCase())?.[0];
}

/** Only text and background color, and only as a plain color: no function that could load or compute anything. */
function colorStyle(written: Written): Attribute[] {
  const style = readStyle(written);
  const colors = ['color', 'background-color']
    .map((property) => [property, style.get(property) ?? (property === 'color' ? written.get('color') : '') ?? ''])
    .map(([property, value]) => [property ?? '', (value ?? '').trim().toLowerCase()] as const)
    .filter(([, value]) => hexColor.test(value) || namedColor.test(value) || colorFunction.test(value))
    .map(([property, value]) => `${property}: ${value};`);
  return colors.length > 0 ? [['style', colors.join(' ')]] : [];
}

function readStyle(written: Written): Map<string, string> {
  const style = new Map<string, string>();
  for (const declaration of (written.get('style') ?? '').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) style.set(declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim());
  }
  return style;
}

function numbers(written: Written, names: readonly string[], least: number, most: number): Attribute[] {
  return names.flatMap((name): Attribute[] => {
    const digits = /^\d{1,7}/.exec((written.get(name) ?? '').trim())?.[0];
    const number = Number(digits ?? Number.NaN);
    return number >= least && number <= most ? [[name, String(number)]] : [];
  });
}

/** Columns and rows that a cell reaches over; larger ones count as the largest, as browsers do with columns. */
function spans(written: Written): Attribute[] {
  return ['colspan', 'rowspan'].flatMap((name): Attribute[] => {
    const digits = /^\d{1,7}/.exec((written.get(name) ?? '').trim())?.[0];
    const reach = Number(digits ?? Number.NaN);
    return reach >= 2 ? [[name, String(Math.min(reach, MAX_SPAN))]] : [];
  });
}

function choice(written: Written, name: string, pattern: RegExp): Attribute[] {
  const value = (written.get(name) ?? '').trim().toLowerCase();
  return pattern.test(value) ? [[name, value]] : [];
}

function text(written: Written, name: string): Attribute[] {
  const value = cleanLine(written.get(name) ?? '', MAX_TEXT);
  return value === '' ? [] : [[name, value]];
}
