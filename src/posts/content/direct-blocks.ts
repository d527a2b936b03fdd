import { RIGHT_TO_LEFT_SIGNS } from '../../shared/right-to-left.js';

type Direction = 'ltr' | 'rtl';

const rightToLeft = new RegExp(`[${RIGHT_TO_LEFT_SIGNS}]`, 'u');
const letters = /\p{L}/gu;
/** Code and formulas are written from left to right in every script, and say nothing of the words around them. */
const unspoken = /<div class="code">.*?<\/div>|<(pre|code|math)\b.*?<\/\1>/gs;
const block = /<(\/?)(?:p|h[2-6]|[uod]l|blockquote|details|figure|table|div|section|pre)(?=[ >])[^>]*>/g;

/**
 * Gives blocks of a rendered text the direction of most of their letters where that is not the direction of most of the text,
 * or does not show in their first letter. The element around them is `dir="auto"`, which goes by the first letter that it finds outside
 * of such blocks: so it gets the direction of the text, and no line at its top turns all of it.
 */
export function directBlocks(html: string): string {
  if (!rightToLeft.test(html)) return html;
  const direction = directionOf(html) ?? 'ltr';
  let result = '';
  let start = 0;
  let depth = 0;
  for (const { 0: tag, 1: slash, index } of html.matchAll(block)) {
    if (slash === '/') {
      depth -= 1;
      if (depth > 0) continue;
      const end = index + tag.length;
      result += directBlock(html.slice(start, end), direction);
      start = end;
    } else {
      if (depth === 0) {
        result += html.slice(start, index);
        start = index;
      }
      depth += 1;
    }
  }
  return result + html.slice(start);
}

function directBlock(html: string, ofText: Direction): string {
  const first = /\p{L}/u.exec(wordsOf(html))?.[0];
  if (first === undefined) return html;
  const own = /^<[^>]*\bql-direction-rtl\b/.test(html) ? 'rtl' : (directionOf(html) ?? ofText);
  const isPlain = own === ofText && rightToLeft.test(first) === (ofText === 'rtl');
  return isPlain ? html : html.replace(/^<[^ >]+/, `$& dir="${own}"`);
}

/** The direction of most letters; null without any. */
function directionOf(html: string): Direction | null {
  const found = wordsOf(html.replace(unspoken, ' ')).match(letters);
  if (found === null) return null;
  return found.filter((letter) => rightToLeft.test(letter)).length * 2 > found.length ? 'rtl' : 'ltr';
}

function wordsOf(html: string): string {
  return html.replace(/<[^>]*>|&[#\w]+;/g, ' ');
}
