const WORDS_PER_MINUTE = 220;

/** Elements within a word, which do not part it. */
const INLINE = /<\/?(?:a|b|code|del|em|i|ins|mark|s|span|strong|sub|sup|u)\b[^>]*>/g;

/** Counts the words of a post's HTML; quick enough to do so while somebody types. */
export function countWords(html: string): number {
  const text = html.replace(INLINE, '').replace(/<[^>]*>|&nbsp;/g, ' ');
  return text.match(/\S+/g)?.length ?? 0;
}

/** How long so many words take to read, in whole minutes, at least one. */
export function toReadingMinutes(words: number): number {
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
