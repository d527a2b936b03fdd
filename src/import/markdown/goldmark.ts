import { findWrittenHtml } from '../../shared/markdown-to-html.js';
import { dialectOf, valueOfHugo } from './markdown-dialect.js';
import { findFences } from './markdown-in-html.js';
import type { SourceSite } from './site-front-matter.js';

const below = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/;

/**
 * Writes for GFM what goldmark of Hugo reads differently: a table whose head has fewer cells than the line below it, which would be text.
 * Code in fences is left alone.
 */
export function fromGoldmark(markdown: string): string {
  if (!/\n[^\n]*-[ \t:]*\|/.test(markdown)) return markdown;
  const fences = findFences(markdown);
  const lines = markdown.split('\n');
  let start = 0;
  return lines
    .map((line, index) => {
      const at = start;
      start += line.length + 1;
      const next = lines[index + 1] ?? '';
      const isHead = line.includes('|') && !/^(?: {4}|\t)/.test(line) && (lines[index - 1] ?? '').trim() === '';
      if (!isHead || !below.test(next) || fences.some((fence) => at >= fence.start && at < fence.end)) return line;
      const lack = countCells(next) - countCells(line);
      return lack > 0 ? `${line.trimEnd().replace(/(?<!\|)$/, ' |')}${' |'.repeat(lack)}` : line;
    })
    .join('\n');
}

/** Tags of Hugo, which may look like HTML. */
const tagOfHugo = /\{\{[<%](?:[^{}]|\{(?!\{)|\}(?!\})){0,2000}\}\}/g;

/**
 * Says in which ways a text of Hugo looks other here: HTML that it leaves out, drawings that it makes of text, numbers that it gives lines,
 * and code in which it cuts the text apart.
 * @param body as it is written, with its tags
 */
export function nameOfGoldmark(body: string, site: Pick<SourceSite, 'configuration' | 'conventions'>): string[] {
  const { values } = site.configuration ?? { values: {} };
  const fences = findFences(body);
  const infos = fences.map(({ start }) => /[^\n]*/.exec(body.slice(start, start + 500))?.[0] ?? '');
  const isUnsafe = valueOfHugo(values, ['markup', 'goldmark', 'renderer', 'unsafe']) === true;
  const isHtml =
    !isUnsafe && /<[a-z]/i.test(body) && findWrittenHtml(body.replace(tagOfHugo, ''), dialectOf(site)).length > 0;
  const isNumbered =
    [...infos, ...(body.match(/\{\{[<%][ \t]*highlight\b[^\n]{0,300}/g) ?? [])].some((line) =>
      /\blinenos\s*=\s*"?(?:true|table|inline)/i.test(line),
    ) ||
    (fences.length > 0 && valueOfHugo(values, ['markup', 'highlight', 'linenos']) === true);
  const summary = body.indexOf('<!--more-->');
  const isCut = fences.some(({ start, end }) => summary > start && summary < end) || body[summary - 1] === '`';
  return [
    ...(isHtml ? ['HTML, which Hugo leaves out unless its setting unsafe is on, is shown here'] : []),
    ...(infos.some((line) => /[`~]\s*goat\b/i.test(line)) ? ['drawings that Hugo makes of text (goat) stay text'] : []),
    ...(isNumbered ? ['the numbers of lines of code were left out'] : []),
    ...(isCut ? ['<!--more--> stands in code, at which Hugo cuts the text apart: here it is whole'] : []),
  ];
}

/** Bars count in code too, unless they are escaped. */
function countCells(line: string): number {
  return line.replaceAll('\\|', '').trim().replace(/^\|/, '').replace(/\|$/, '').split('|').length;
}
