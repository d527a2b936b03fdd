import type { SiteSettings } from './site-settings.js';
import type { ResolvedText } from './template-leftovers.js';

const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;
/** The beginning of an element that kramdown reads to its end, and no further. */
const block =
  /^ {0,3}<(address|article|aside|blockquote|center|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|iframe|nav|ol|p|section|table|ul)\b/i;
/** An element of a line, which stands alone: CommonMark would read what follows as HTML. */
const lone = /^ {0,3}<(?:br|img|wbr)\b[^<>]*>[ \t]*$/i;
/** Elements in which lines may be code. */
const verbatim = /<(pre|code|script|style|textarea|svg|math)\b/i;
const abbreviation = /^\*\[([^\]\n]{1,100})\]:[ \t]*(\S[^\n]*)?$/;
const row = /^ {0,3}\|.*\|[ \t]*$/;
const separator = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** Lines that an element or a table has at most, so that what is never closed costs little. */
const MAX_LINES = 500;

/** Returns true for a site whose Markdown kramdown reads, as it does for Jekyll unless its configuration says otherwise. */
export function isOfKramdown(site: Pick<SiteSettings, 'generator' | 'values'> | null): boolean {
  const engine = site?.values['markdown'] ?? 'kramdown';
  return site?.generator === 'jekyll' && typeof engine === 'string' && /^kramdown$/i.test(engine);
}

/**
 * Writes for CommonMark what kramdown reads differently: text right below an element of HTML, which is Markdown there; tables
 * without a head; the mark that ends a block (`^`). Explanations of abbreviations, which are no text there, are taken out and
 * named. Code is left alone.
 */
export function fromKramdown(markdown: string): ResolvedText {
  const lines = markdown.split('\n');
  const written: string[] = [];
  const explained: string[] = [];
  let fenced = '';
  let at = 0;
  const copyTo = (end: number) => {
    written.push(...lines.slice(at, end));
    at = end;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const sign = fence.exec(line)?.[1] ?? '';
    if (fenced !== '' || sign !== '') {
      const isEnd = fenced !== '' && sign.startsWith(fenced) && /^[ \t>]*[`~]+[ \t]*$/.test(line);
      fenced = isEnd ? '' : fenced || sign;
      copyTo(at + 1);
      continue;
    }
    const end = endOfVerbatim(lines, at);
    if (end > at + 1) {
      copyTo(end);
      continue;
    }
    const isFirst = isBlank(written.at(-1));
    const [, short, meaning = ''] = abbreviation.exec(line) ?? [];
    if (short !== undefined) {
      explained.push(meaning.trim() === '' ? short : `${short} (${meaning.trim()})`);
      at += 1;
    } else if (isFirst && /^\^[ \t]*$/.test(line)) {
      at += 1;
    } else if (isFirst && lone.test(line)) {
      copyTo(at + 1);
      if (!isBlank(lines[at]) && !/^ {0,3}</.test(lines[at] ?? '')) written.push('');
    } else if (block.test(line)) {
      const below = endOfElement(lines, at);
      copyTo(below ?? at + 1);
      if (below !== null && !isBlank(lines[at])) written.push('');
    } else if (isFirst && row.test(line)) {
      const below = endOfTable(lines, at);
      written.push(...headOf(lines, at, below));
      copyTo(below);
    } else copyTo(at + 1);
  }
  const warnings =
    explained.length === 0 ? [] : [`what abbreviations stand for was left out: ${explained.join(', ')}`.slice(0, 500)];
  return { text: written.join('\n'), warnings };
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** The line behind the end of what begins in a line and is kept as it is written; the next one where there is none. */
function endOfVerbatim(lines: readonly string[], start: number): number {
  const [, name] = verbatim.exec(lines[start] ?? '') ?? [];
  if (name === undefined) return start + 1;
  const ending = `</${name.toLowerCase()}`;
  const found = lines.slice(start, start + MAX_LINES).findIndex((line) => line.toLowerCase().includes(ending));
  return found < 0 ? start + 1 : start + found + 1;
}

/** The line behind the end of the element that begins in a line; null where it ends within a line, holds code, or never ends. */
function endOfElement(lines: readonly string[], start: number): number | null {
  const name = block.exec(lines[start] ?? '')?.[1] ?? '';
  const tag = new RegExp(`<(/?)${name}\\b[^<>]*>`, 'gi');
  let depth = 0;
  for (let at = start; at < Math.min(lines.length, start + MAX_LINES); at += 1) {
    const line = lines[at] ?? '';
    if (fence.test(line) || verbatim.test(line)) return null;
    let last = 0;
    for (const match of line.matchAll(tag)) {
      depth += match[1] === '/' ? -1 : 1;
      last = match.index + match[0].length;
      if (depth <= 0) break;
    }
    if (depth <= 0) return last > 0 && line.slice(last).trim() === '' ? at + 1 : null;
  }
  return null;
}

function endOfTable(lines: readonly string[], start: number): number {
  let end = start;
  while (
    end < lines.length &&
    end < start + MAX_LINES &&
    (row.test(lines[end] ?? '') || separator.test(lines[end] ?? ''))
  )
    end += 1;
  return end;
}

/** The head that CommonMark needs in front of a table that has none; nothing for another one. */
function headOf(lines: readonly string[], start: number, end: number): string[] {
  if (end - start < 2 || separator.test(lines[start + 1] ?? '')) return [];
  const isMarked = separator.test(lines[start] ?? '');
  const cells = (lines[isMarked ? start + 1 : start] ?? '').replaceAll('\\|', '').split('|').length - 2;
  if (cells < 1) return [];
  const head = `|${'   |'.repeat(cells)}`;
  return isMarked ? [head] : [head, `|${' - |'.repeat(cells)}`];
}
