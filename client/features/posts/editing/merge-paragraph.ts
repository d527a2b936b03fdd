import { findChanges, type Change } from './merge-changes.js';
import type { Line } from './merge-lines.js';

/** A word, a sign, blanks, or an object of a paragraph, with the start tags of the elements that it stands in. */
interface Token {
  readonly key: string;
  readonly tags: readonly string[];
  readonly html: string;
  readonly isWord: boolean;
}

/** A paragraph by its parts. */
interface Paragraph {
  /** Start tag of the paragraph. */
  readonly open: string;
  readonly tokens: readonly Token[];
  readonly close: string;
}

/** Paragraphs, headings, items of lists without lists in them, and quotations of one paragraph. */
const paragraphPattern =
  /^(<(?:p|h[1-6]|li)(?: [^<>]*)?>|<blockquote(?: [^<>]*)?><p(?: [^<>]*)?>)(.*)(<\/(?:p|h[1-6]|li)>|<\/p><\/blockquote>)$/s;
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b cite code del em i ins kbd mark q s small span strong sub sup u'.split(' '),
);
/** Elements that are taken or left as one. */
const objectPattern = /^<(?:br|img|span class="ql-(?:footnote|formula)")/;
const tagPattern = /<(\/?)([a-z][a-z0-9]*)(?: [a-z-]+="[^"<>]*")*>/y;
/** Scripts without blanks between words have one word per sign. */
const wordSource =
  "(?<sign>[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}])|(?<word>[\\p{L}\\p{M}\\p{N}_]+(?:['’-][\\p{L}\\p{N}]+)*)";
const textPattern = new RegExp(`${wordSource}|&[a-z0-9#]+;|\\s+|[^<]`, 'uy');
/** The same where there is no markup. */
const plainPattern = new RegExp(`${wordSource}|\\s+|[^]`, 'gu');

/** Comparing paragraphs that have hardly a word in common takes long, and they are contested anyway. */
const MOST_EDITS = 500;

/**
 * One paragraph as two people changed it, with the changes and formats of both; null where they changed the same words,
 * or words without another one between them, and where the line is no paragraph.
 */
export function mergeParagraph(base: Line, mine: Line, theirs: Line): Line | null {
  const read = [base, mine, theirs].map((line) => (hasSamePlace(line, base) ? readParagraph(line) : null));
  const [before, ours, others] = read;
  if (!before || !ours || !others) return null;
  const open = mergeValue(before.open, ours.open, others.open);
  const tokens = mergeTokens(before.tokens, ours.tokens, others.tokens);
  if (open === null || tokens === null) return null;
  const close = mergeValue(before.close, ours.close, others.close) ?? ours.close;
  const html = open + writeTokens(tokens) + close;
  const gap = mergeValue(base.gap, mine.gap, theirs.gap) ?? mine.gap;
  const { item } = mine;
  if (item === undefined) return { key: html, text: html, ...(gap === undefined ? {} : { gap }) };
  const [blanks = ''] = /\s*$/.exec(item.html) ?? [];
  return {
    key: `${item.isApart ? '|' : ''}${item.open}${html}`,
    text: item.open + html + item.close,
    item: { ...item, html: html + blanks },
    ...(gap === undefined ? {} : { gap }),
  };
}

/** Text without markup as two people changed it; null where a paragraph of it would be asked about. */
export function mergeProse(base: string, mine: string, theirs: string): string | null {
  const [before, ours, others] = [base, mine, theirs].map(toPlainTokens) as [Token[], Token[], Token[]];
  const tokens = mergeTokens(before, ours, others);
  return tokens === null ? null : tokens.map(({ html }) => html).join('');
}

function toPlainTokens(text: string): Token[] {
  return Array.from(text.matchAll(plainPattern), ({ 0: part, groups }) => {
    const isWord = (groups?.['word'] ?? groups?.['sign']) !== undefined;
    return { key: part, tags: [], html: part, isWord };
  });
}

function hasSamePlace({ item }: Line, { item: other }: Line): boolean {
  return item?.open === other?.open && item?.isApart === other?.isApart;
}

/** Returns the value that one of two changed; null where both did, in different ways. */
function mergeValue<T>(base: T, mine: T, theirs: T): T | null {
  if (mine === base || mine === theirs) return theirs;
  return theirs === base ? mine : null;
}

function readParagraph({ text, item }: Line): Paragraph | null {
  const html = item?.html.trimEnd() ?? text;
  const [, open = '', inside = '', close = ''] = paragraphPattern.exec(html) ?? [];
  const tokens = open === '' ? null : readTokens(inside);
  // What its tokens would not make again to the letter is left alone.
  return tokens !== null && writeTokens(tokens) === inside ? { open, tokens, close } : null;
}

/** The tokens of HTML in a paragraph; null for other elements than those. */
function readTokens(html: string): Token[] | null {
  const tokens: Token[] = [];
  const tags: string[] = [];
  let position = 0;
  const add = (text: string, isWord: boolean) => {
    tokens.push({ key: tags.join('') + text, tags: [...tags], html: text, isWord });
    position += text.length;
  };
  while (position < html.length) {
    const object = objectPattern.test(html.slice(position, position + 40)) ? readObject(html, position) : null;
    if (object !== null) {
      add(object, true);
      continue;
    }
    tagPattern.lastIndex = position;
    const [tag, slash, name = ''] = tagPattern.exec(html) ?? [];
    if (tag !== undefined) {
      if (!inlineTags.has(name)) return null;
      if (slash === '') tags.push(tag);
      else if (nameOf(tags.pop()) !== name) return null;
      position += tag.length;
      continue;
    }
    textPattern.lastIndex = position;
    const found = textPattern.exec(html);
    if (found === null) return null;
    add(found[0], (found.groups?.['word'] ?? found.groups?.['sign']) !== undefined);
  }
  return tags.length === 0 ? tokens : null;
}

/** The element that begins at this place, with everything in it; null where it does not end. */
function readObject(html: string, start: number): string | null {
  let depth = 0;
  for (let position = start; ;) {
    position = html.indexOf('<', position);
    if (position < 0) return null;
    tagPattern.lastIndex = position;
    const [tag, slash, name = ''] = tagPattern.exec(html) ?? [];
    if (tag === undefined) return null;
    position += tag.length;
    if (name !== 'br' && name !== 'img') depth += slash === '' ? 1 : -1;
    if (depth === 0) return html.slice(start, position);
  }
}

function writeTokens(tokens: readonly Token[]): string {
  let html = '';
  let open: readonly string[] = [];
  const turnTo = (tags: readonly string[]) => {
    const other = open.findIndex((tag, index) => tag !== tags[index]);
    const same = other < 0 ? open.length : other;
    for (const tag of open.slice(same).reverse()) html += `</${nameOf(tag)}>`;
    html += tags.slice(same).join('');
    open = tags;
  };
  for (const token of tokens) {
    turnTo(token.tags);
    html += token.html;
  }
  turnTo([]);
  return html;
}

function nameOf(tag = ''): string {
  return /^<([a-z0-9]+)/.exec(tag)?.[1] ?? '';
}

function mergeTokens(base: readonly Token[], mine: readonly Token[], theirs: readonly Token[]): Token[] | null {
  const [first, second] = [findEdits(base, mine), findEdits(base, theirs)];
  if (first === null || second === null) return null;
  // What both changed alike stands once.
  const others = second.filter((edit) => !first.some((own) => isSameEdit(own, edit)));
  const isTouched = others.some((edit) => first.some((own) => doTouch(base, own, edit)));
  if (isTouched) return null;
  const merged: Token[] = [];
  let position = 0;
  for (const { start, end, tokens } of [...first, ...others].sort((a, b) => a.start - b.start)) {
    merged.push(...base.slice(position, start), ...tokens);
    position = end;
  }
  return [...merged, ...base.slice(position)];
}

/** Tokens of the base that were replaced by others. */
interface Edit extends Pick<Change, 'start' | 'end'> {
  readonly tokens: readonly Token[];
}

function findEdits(base: readonly Token[], changed: readonly Token[]): Edit[] | null {
  const changes = findChanges(keysOf(base), keysOf(changed), MOST_EDITS);
  return changes?.map(({ start, end, from, to }) => ({ start, end, tokens: changed.slice(from, to) })) ?? null;
}

function isSameEdit(a: Edit, b: Edit): boolean {
  const isSame = a.start === b.start && a.end === b.end && a.tokens.length === b.tokens.length;
  return isSame && a.tokens.every(({ key }, index) => key === b.tokens[index]?.key);
}

/** Returns true when no unchanged word stands between two changes: then one may have been made because of the words of the other. */
function doTouch(base: readonly Token[], a: Edit, b: Edit): boolean {
  const [earlier, later] = a.start < b.start || (a.start === b.start && a.end <= b.end) ? [a, b] : [b, a];
  return !base.slice(earlier.end, later.start).some(({ isWord }) => isWord);
}

function keysOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ key }) => key);
}
