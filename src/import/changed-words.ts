import { toPlainText } from '../posts/content/plain-text.js';

/** The parts of a post that have words. */
export interface Wording {
  readonly title: string;
  readonly content: string;
}

/** More of a post's words than a correction changes. */
export const LARGE_CHANGE = 0.5;

/**
 * The share of a post's words that are gone in another text, from 0 to 1: title and text. A word is still there if it stands
 * beside the same word as before, so that two texts of one language have little in common, and moved paragraphs nearly all.
 */
export function changedShare(before: Wording, after: Wording): number {
  const old = wordsOf(before);
  if (old.length === 0) return 0;
  const kept = new Set(pairsOf(wordsOf(after)));
  const pairs = pairsOf(old);
  const gone = old.filter((_word, index) => !kept.has(pairs[index] ?? '') && !kept.has(pairs[index + 1] ?? ''));
  return gone.length / old.length;
}

/** The beginning and the end count as words: a text of one word has two pairs. */
function pairsOf(words: readonly string[]): string[] {
  return [...words, ''].map((word, index) => `${words[index - 1] ?? ''} ${word}`);
}

function wordsOf({ title, content }: Wording): string[] {
  return `${title} ${toPlainText(content)}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
