import { fenceOf } from './code-fence.js';
import { block, MAX_LINES, readElement, verbatim } from './kramdown-html.js';
import { readTable } from './kramdown-tables.js';
import { isHexo, type SiteSettings } from './site-settings.js';
import type { ResolvedText } from './template-leftovers.js';

/** An element of a line, which stands alone: CommonMark would read what follows as HTML. */
const lone = /^ {0,3}<(?:br|img|wbr)\b[^<>]*>[ \t]*$/i;
const abbreviation = /^\*\[([^\]\n]{1,100})\]:[ \t]*(\S[^\n]*)?$/;

/** Elements that never end, after which no further one is looked at: to look for its end takes time. */
const MAX_UNCLOSED = 200;

/** Returns true for a site whose Markdown kramdown reads, as it does for Jekyll unless its configuration says otherwise, and never for Hexo. */
export function isOfKramdown(site: Pick<SiteSettings, 'generator' | 'values'> | null): boolean {
  const engine = site?.values['markdown'] ?? 'kramdown';
  return site?.generator === 'jekyll' && !isHexo(site) && typeof engine === 'string' && /^kramdown$/i.test(engine);
}

/**
 * Writes for CommonMark what kramdown reads differently: text right below an element of HTML, which is Markdown there; tables
 * without a head; the mark that ends a block (`^`). Explanations of abbreviations, which are no text there, are taken out and
 * named. Code is left alone.
 */
export function fromKramdown(markdown: string): ResolvedText {
  const { text, explained } = rewrite(markdown);
  const warnings =
    explained.length === 0 ? [] : [`what abbreviations stand for was left out: ${explained.join(', ')}`.slice(0, 500)];
  return { text, warnings };
}

/** The text, and what it says of abbreviations. */
function rewrite(markdown: string): { readonly text: string; readonly explained: readonly string[] } {
  const lines = markdown.split('\n');
  const written: string[] = [];
  const explained: string[] = [];
  let fenced = '';
  let unclosed = 0;
  let at = 0;
  const copyTo = (end: number) => {
    written.push(...lines.slice(at, end));
    at = end;
  };
  const rewriteInside = (inside: string) => {
    const own = rewrite(inside);
    explained.push(...own.explained);
    return own.text;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const sign = fenceOf(line);
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
      const element = unclosed < MAX_UNCLOSED ? readElement(lines, at, rewriteInside) : null;
      if (element === null) {
        unclosed += 1;
        copyTo(at + 1);
      } else {
        written.push(...element.text.split('\n'));
        at = element.end;
        if (element.isAlone && !isBlank(lines[at])) written.push('');
      }
    } else {
      const table = isFirst ? readTable(lines, at) : null;
      if (table === null) copyTo(at + 1);
      else {
        written.push(...table.lines);
        at = table.end;
      }
    }
  }
  return { text: written.join('\n'), explained };
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
