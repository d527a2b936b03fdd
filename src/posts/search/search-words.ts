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
/**
 * Signs within a word that others write without them: hyphens, the space of no width, which parts words of Khmer, and the
 * sign that keeps letters of Persian from joining. The inside of a class of a pattern.
 */
export const JOINTS = String.raw`\u200C\u200B\-\u2010\u2011`;

const JOINT = new RegExp(`[${JOINTS}]`, 'u');
const COMPOUND = new RegExp(`[\\p{L}\\p{N}]+(?:[${JOINTS}][\\p{L}\\p{N}]+)*`, 'gu');

/**
 * Spells a text as it is compared: small letters without accents and signs that nobody sees. Both sides of a search pass
 * it, so that it needs no extension and no locale of the database.
 */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(UNCOUNTED, '').toLowerCase();
}

/**
 * The words of a text, folded, and behind all of them those that hyphens part as one: 'wifi' for 'Wi-Fi'. What stands between
 * words is left out: programs, addresses and numbers are words too.
 */
export function wordsOf(text: string): string[] {
  const compounds = compoundsOf(text);
  return [...compounds.flat(), ...compounds.filter(({ length }) => length > 1).map((parts) => parts.join(''))];
}

/** The words of a text, folded, with those in one list that a hyphen or the like is between. */
function compoundsOf(text: string): string[][] {
  return (foldText(text).match(COMPOUND) ?? []).map((compound) => compound.split(JOINT));
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
  /** The same without those marks: one way to write words with hyphens is enough. */
  readonly plain: string;
  /** The same without the last word. */
  readonly before: string;
  /** True when the last word may be the beginning of one. */
  readonly isUnfinished: boolean;
}

/** Reads a query as somebody typed it; null when it has no word. */
export function readQuery(typed: string): SearchQuery | null {
  const compounds = countedCompoundsOf(typed);
  const words = compounds.flat();
  if (words.length === 0) return null;
  const plain = toAlternatives(compounds);
  const before = toAlternatives(compounds.with(-1, compounds.at(-1)?.slice(0, -1) ?? []));
  const phrases = typed.split(/["“”„]/).map((part) => countedCompoundsOf(part).flat().join(' '));
  // Marks come in pairs; one that is not closed yet counts as if it were not there.
  const isQuoting = phrases.length > 2;
  const text = isQuoting
    ? phrases
        .map((words, index) => (index % 2 === 1 && words !== '' ? `"${words}"` : words))
        .filter(Boolean)
        .join(' ')
    : plain;
  return { words, text, plain, before, isUnfinished: !isQuoting && mayGoOn(words.at(-1) ?? '') };
}

function mayGoOn(word: string): boolean {
  return word.length >= PREFIX_FROM || isUnspaced(word);
}

/** The words of a query that count, with those in one list that a hyphen or the like is between. */
function countedCompoundsOf(typed: string): string[][] {
  const counted: string[][] = [];
  let left = MAX_WORDS;
  for (const compound of compoundsOf(typed)) {
    if (left === 0) break;
    const parts = compound.slice(0, left);
    counted.push(parts.map((word) => word.slice(0, LONGEST_WORD)));
    left -= parts.length;
  }
  return counted;
}

/** Words for `websearch_to_tsquery`: each compound as one word, or all as its parts, which come last as they may be unfinished. */
function toAlternatives(compounds: readonly string[][]): string {
  const joined = compounds.map((parts) => parts.join('').slice(0, LONGEST_WORD));
  const spellings = [joined, compounds.flat()].map((words) => words.filter(Boolean).join(' '));
  return [...new Set(spellings)].join(' or ');
}

/** The variants of each word of a query that is long enough to be misspelled; null when none is. */
export function toTolerantKeys({ words }: SearchQuery): string[][] | null {
  const long = words.filter((word) => word.length >= TOLERANT_FROM);
  return long.length === 0 ? null : long.map((word) => [...new Set([word, singularOf(word)].flatMap(toVariants))]);
}
