import { UNSPACED_SIGNS } from '../../shared/unspaced-scripts.js';

/** Words of a query that count. */
const MAX_WORDS = 10;
/** Characters of a word that count: some signs are words of several letters, and PostgreSQL refuses a word of 2 KB. */
const LONGEST_WORD = 500;
/** A shorter word is looked for as it is: too many others are like it. */
const TOLERANT_FROM = 4;
/** Letters of a word that are compared; each of them makes a variant. */
const COMPARED_LETTERS = 24;
/** The last word of a query may be unfinished from so many letters on; what begins with fewer is half of the blog. */
const PREFIX_FROM = 3;

const UNSPACED = new RegExp(`^[${UNSPACED_SIGNS}]`, 'u');

/**
 * Signs in a word that do not count: marks of letters, apostrophes, and what has no width, as the place where a line may
 * be broken or what shapes the letters beside it. The inside of a class of a pattern.
 */
export const UNCOUNTED_SIGNS = String.raw`\u200D\u00AD\u2060\uFEFF\p{Mark}'’`;

const UNCOUNTED = new RegExp(`[${UNCOUNTED_SIGNS}]+`, 'gu');
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Spells a text as it is compared: small letters without accents and signs that nobody sees. Both sides of a search pass
 * it, so that it needs no extension and no locale of the database.
 */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(UNCOUNTED, '').toLowerCase();
}

/** The words of a text, folded. What stands between words is left out: programs, addresses and numbers are words too. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(WORD) ?? [];
}

/**
 * Returns true for a word of a script without blanks between words: what stands there as one word is a sentence, and is
 * found by its beginning alone.
 */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** The words of a title and everything that one letter too few makes of them, of a plural's singular too. */
export function toTitleKeys(title: string): string[] {
  return [...new Set(wordsOf(title).flatMap((word) => [word, singularOf(word)].flatMap(toVariants)))];
}

/** English plurals that end in s. Of another word, it is one of its variants. */
function singularOf(word: string): string {
  return word.length > TOLERANT_FROM && word.endsWith('s') ? word.slice(0, -1) : word;
}

/**
 * A word and everything that one letter too few makes of it. Two words that differ by one letter, or by two that changed
 * places, have one of these in common.
 */
export function toVariants(word: string): string[] {
  if (word.length < TOLERANT_FROM) return [word];
  const letters = [...word].slice(0, COMPARED_LETTERS);
  return [...new Set([word, ...letters.map((_letter, index) => letters.toSpliced(index, 1).join(''))])];
}

/** The words that a query asks for. */
export interface SearchQuery {
  readonly words: readonly string[];
  /** The words as `websearch_to_tsquery` reads them: those in quotation marks stand beside each other. */
  readonly text: string;
  /** True when the last word may be the beginning of one. */
  readonly isUnfinished: boolean;
}

/** Reads a query as somebody typed it; null when it has no word. */
export function readQuery(typed: string): SearchQuery | null {
  const words = countedWordsOf(typed);
  if (words.length === 0) return null;
  const phrases = typed.split(/["“”„]/).map((part) => countedWordsOf(part).join(' '));
  // Marks come in pairs; one that is not closed yet counts as if it were not there.
  const isQuoting = phrases.length > 2;
  const text = isQuoting
    ? phrases
        .map((words, index) => (index % 2 === 1 && words !== '' ? `"${words}"` : words))
        .filter(Boolean)
        .join(' ')
    : words.join(' ');
  return { words, text, isUnfinished: !isQuoting && mayGoOn(words.at(-1) ?? '') };
}

function mayGoOn(word: string): boolean {
  return word.length >= PREFIX_FROM || isUnspaced(word);
}

function countedWordsOf(typed: string): string[] {
  return wordsOf(typed)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, LONGEST_WORD));
}

/** The variants of each word of a query that is long enough to be misspelled; null when none is. */
export function toTolerantKeys({ words }: SearchQuery): string[][] | null {
  const long = words.filter((word) => word.length >= TOLERANT_FROM);
  return long.length === 0 ? null : long.map((word) => [...new Set([word, singularOf(word)].flatMap(toVariants))]);
}
