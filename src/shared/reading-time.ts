import { UNSPACED_SIGNS } from './unspaced-scripts.js';

const WORDS_PER_MINUTE = 220;

/** A word between blanks, or two signs of a script that has none: a long text of it would be a single word. */
const WORD = new RegExp(`[${UNSPACED_SIGNS}]{1,2}|[^\\s${UNSPACED_SIGNS}]+`, 'gu');

/** Elements within a word, which do not part it. */
const INLINE = /<\/?(?:a|b|code|del|em|i|ins|mark|s|span|strong|sub|sup|u)\b[^>]*>/g;

/** Counts the words of a post's HTML; quick enough to do so while somebody types. */
export function countWords(html: string): number {
  return countTextWords(html.replace(INLINE, '').replace(/<[^>]*>|&nbsp;/g, ' '));
}

/** Counts the words of a text without HTML. */
export function countTextWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** How long so many words take to read, in whole minutes, at least one. */
export function toReadingMinutes(words: number): number {
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
