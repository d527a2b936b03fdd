import { findFences } from './markdown-in-html.js';

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

/** Bars count in code too, unless they are escaped. */
function countCells(line: string): number {
  return line.replaceAll('\\|', '').trim().replace(/^\|/, '').replace(/\|$/, '').split('|').length;
}
