import { escapeText, writeAttributes } from './escape.js';
import { writeFigure } from './figure.js';
import { isFiller, isObjectLine, type Line, type ObjectLine, type TextLine } from './lines.js';
import { PLAIN_LANGUAGE } from './read-block.js';
import type { FigureValue, VideoValue } from './values.js';
import { writeInline } from './write-inline.js';
import { writeList } from './write-list.js';
import { readCell } from './table-value.js';
import { writeTable } from './write-table.js';

/**
 * Returns the group of neighboring lines that are written as one block, such as the items of a list; null for a line
 * that is a block by itself.
 */
export function groupOf(line: Line): string | null {
  if (isObjectLine(line)) return null;
  if (line.formats['table'] !== undefined) return `table ${readCell(line.formats['table']).table}`;
  if (line.formats['list'] !== undefined) return 'list';
  if (line.formats['blockquote'] !== undefined) return 'quote';
  const language = line.formats['code-block'];
  return language === undefined ? null : `code ${String(language)}`;
}

/** Lines as blocks of HTML, in the spelling of the server's sanitizer. */
export function writeLines(lines: readonly Line[]): string[] {
  const blocks: string[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index] as Line;
    const group = groupOf(line);
    let end = index + 1;
    while (group !== null && end < lines.length && groupOf(lines[end] as Line) === group) end += 1;
    blocks.push(...writeGroup(lines.slice(index, end), group));
    index = end;
  }
  return blocks;
}

function writeGroup(lines: readonly Line[], group: string | null): string[] {
  const texts = lines.filter((line): line is TextLine => !isObjectLine(line));
  if (group?.startsWith('table ')) {
    return [writeTable(texts, { text: ({ pieces }) => writeInline(pieces), classes: writeClasses })];
  }
  if (group === 'list') return writeList(texts, writeText, writeClasses);
  if (group === 'quote') return [`<blockquote>${texts.map((line) => writeElement('p', line)).join('')}</blockquote>`];
  if (group !== null) return writeCode(texts, group.slice('code '.length));
  return lines.flatMap((line) => {
    if (isObjectLine(line)) return writeObject(line);
    return isFiller(line) ? [] : [writeElement(headingTag(line), line)];
  });
}

function headingTag({ formats }: TextLine): string {
  // The page's title is the one <h1>.
  return formats['header'] === undefined ? 'p' : `h${Math.max(2, Number(formats['header']))}`;
}

function writeElement(tag: string, line: TextLine): string {
  return `<${tag}${writeAttributes({ class: writeClasses(line) })}>${writeText(line)}</${tag}>`;
}

function writeText({ pieces }: TextLine): string {
  return writeInline(pieces) || '<br>';
}

/** Alignment, indentation (that of lists is their nesting) and direction. */
function writeClasses({ formats }: TextLine): string | undefined {
  const names = ['align', 'direction', ...(formats['list'] === undefined ? ['indent'] : [])];
  const classes = names.flatMap((name) => (formats[name] ? [`ql-${name}-${String(formats[name])}`] : []));
  return classes.join(' ') || undefined;
}

function writeCode(lines: readonly TextLine[], language: string): string[] {
  const text = trimLines(
    lines
      .map(({ pieces }) => pieces.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join(''))
      .join('\n'),
  );
  const className = language === PLAIN_LANGUAGE ? undefined : `language-${language}`;
  return text === '' ? [] : [`<pre><code${writeAttributes({ class: className })}>${escapeText(text)}</code></pre>`];
}

/** Without empty lines before and blanks after, as the server keeps it. */
function trimLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

function writeObject({ object }: ObjectLine): string[] {
  if ('divider' in object) return ['<hr>'];
  if ('preserved' in object) return [String(object['preserved'])];
  if ('figure' in object) return [writeFigure(object['figure'] as FigureValue)];
  if (!('video' in object)) return [];
  const { src, title } = object['video'] as VideoValue;
  const attributes = { class: 'ql-video', src, title: title || 'Video', loading: 'lazy', allowfullscreen: 'true' };
  return [`<iframe${writeAttributes(attributes)}></iframe>`];
}
