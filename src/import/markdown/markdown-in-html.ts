import { fenceOf } from './code-fence.js';

const opening =
  /<([a-z][a-z0-9]*)\b[^<>]*\smarkdown\s*=\s*(?:"(?:1|block|span|true)"|'(?:1|block|span|true)'|1|block|span|true)[^<>]*>/gi;
/** Elements of a line, in which Markdown is read without further ado. */
const ofLines = new Set(
  'a abbr b bdi bdo cite code del em font i ins kbd mark q s samp small span strong sub sup u var'.split(' '),
);

/** A part of a text: from its first character to the one behind its last. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Puts empty lines where kramdown and other Markdown begin to read the inside of an element that asks for it (`markdown="1"`), by which
 * CommonMark reads it too. Paragraphs and headings that ask for it are written in Markdown. Code is left alone.
 */
export function separateMarkdownInHtml(body: string): string {
  if (!/\smarkdown\s*=/i.test(body)) return body;
  const code = findFences(body);
  let written = '';
  let at = 0;
  for (const match of body.matchAll(opening)) {
    const [tag, name = ''] = match;
    const lineStart = body.lastIndexOf('\n', match.index - 1) + 1;
    const before = body.slice(Math.max(lineStart, at), match.index);
    if (match.index < at || isIn(code, match.index) || ofLines.has(name.toLowerCase())) continue;
    if (!/^[ \t]*(?:<[^<>]*>[ \t]*)*$/.test(before)) continue;
    const inside = findInside(body, match.index + tag.length, name, code);
    if (inside === null) continue;
    const indent = /^[ \t]*/.exec(body.slice(lineStart, match.index))?.[0] ?? '';
    const lines = toLines(tag, name.toLowerCase(), separateMarkdownInHtml(body.slice(inside.start, inside.end)));
    written += `${body.slice(at, match.index).replace(/[ \t]+$/, '')}\n\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}\n\n`;
    at = body.indexOf('>', inside.end) + 1;
    at += /^[ \t]*(?:\n[ \t]*(?=<))?/.exec(body.slice(at, at + 1000))?.[0].length ?? 0;
    if (body[at] !== undefined && body[at] !== '\n') written += indent;
  }
  return written + body.slice(at);
}

/** Finds the fences of a text, of which each goes on to its end or to that of the text. */
export function findFences(text: string): Range[] {
  if (!/`{3}|~{3}/.test(text)) return [];
  const found: Range[] = [];
  let sign = '';
  let start = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = fenceOf(line);
    const isEnd = sign !== '' && mark.startsWith(sign) && /^[ \t>]*[`~]+[ \t]*$/.test(line);
    if (isEnd) {
      found.push({ start, end: at + line.length });
      sign = '';
    } else if (sign === '' && mark !== '') {
      sign = mark;
      start = at;
    }
    at += line.length + 1;
  }
  if (sign !== '') found.push({ start, end: text.length });
  return found;
}

function isIn(ranges: readonly Range[], place: number): boolean {
  return ranges.some(({ start, end }) => place >= start && place < end);
}

/**
 * Finds the inside of the element whose opening tag ends at a place; null for one that is never closed.
 * @param code fences, in which no tag counts
 */
export function findInside(text: string, start: number, name: string, code: readonly Range[]): Range | null {
  const tag = new RegExp(`<(/?)${name}\\b[^<>]*>`, 'gi');
  tag.lastIndex = start;
  let depth = 1;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    if (isIn(code, match.index)) continue;
    depth += match[1] === '/' ? -1 : match[0].endsWith('/>') ? 0 : 1;
    if (depth === 0) return { start, end: match.index };
  }
  return null;
}

function toLines(tag: string, name: string, inside: string): string[] {
  const inner = withoutIndent(inside);
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) {
    const id = /\sid\s*=\s*["']?([\w:.-]{1,100})/.exec(tag)?.[1];
    return [`${'#'.repeat(Number(level))} ${inner.replace(/\s*\n\s*/g, ' ')}${id === undefined ? '' : ` {#${id}}`}`];
  }
  // What is said of a paragraph otherwise would be lost.
  if (name === 'p' && !/\s(?:align|style|dir)\s*=/i.test(tag)) return inner.split('\n');
  return [tag, '', ...inner.split('\n'), '', `</${name}>`];
}

/** Lines without the spaces that all of them have in front, and without empty ones around. */
function withoutIndent(text: string): string {
  const lines = text.replace(/^(?:[ \t]*\n)+|\s+$/g, '').split('\n');
  // The first line may stand behind the tag, where its spaces say nothing.
  const isBehind = !/^[ \t]*\n/.test(text);
  const counted = lines.slice(isBehind ? 1 : 0).filter((line) => line.trim() !== '');
  const least = Math.min(100, ...counted.map(indentOf));
  return lines
    .map((line, index) => line.slice(isBehind && index === 0 ? indentOf(line) : Math.min(least, indentOf(line))))
    .join('\n');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
