import type { MarkedText } from '../../shared/contracts/search.js';
import { foldText, isUnspaced, JOINTS, UNCOUNTED_SIGNS } from './search-words.js';

/** Characters of a piece of a text. */
const SNIPPET_LENGTH = 180;
/** Characters before the first find in it. */
const LEAD = 60;
const SHORT_STEM = 3;

const ONE_WORD = `[${UNCOUNTED_SIGNS}\\p{L}\\p{N}]+`;
const WORD = new RegExp(ONE_WORD, 'gu');
const COMPOUND = new RegExp(`${ONE_WORD}(?:[${JOINTS}]${ONE_WORD})*`, 'gu');
const EVERY_JOINT = new RegExp(`[${JOINTS}]`, 'gu');

/**
 * Marks the words of a text that a search found.
 * @param stems folded beginnings of the words that count
 */
export function markWords(text: string, stems: readonly string[]): MarkedText[] {
  const parts: MarkedText[] = [];
  let end = 0;
  for (const { word, index } of findWords(text, stems)) {
    if (index > end) parts.push({ text: text.slice(end, index), is_match: false });
    parts.push({ text: word, is_match: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), is_match: false });
  return parts;
}

/** Cuts a piece out of a text around the first word that a search found, or its beginning without one. */
export function cutSnippet(text: string, stems: readonly string[]): string {
  const [found] = findWords(text, stems);
  const from = found === undefined || found.index <= LEAD ? 0 : afterBlank(text, found.index - LEAD);
  const lead = from > 0 ? '… ' : '';
  if (text.length - from <= SNIPPET_LENGTH) return lead + withoutHalves(text.slice(from));
  const piece = text.slice(from, from + SNIPPET_LENGTH);
  const lastBlank = piece.lastIndexOf(' ');
  return `${lead}${withoutHalves(piece.slice(0, lastBlank > LEAD ? lastBlank : undefined))} …`;
}

/** Leaves out the half of a character that is left at either end of a cut text, and that would be shown as a question mark. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** The words that count, in the order of the text; one with hyphens as a whole where it counts written without them alone. */
function* findWords(text: string, stems: readonly string[]): Generator<{ word: string; index: number }, void> {
  for (const { 0: compound, index } of text.matchAll(COMPOUND)) {
    const parts = [...compound.matchAll(WORD)].filter(([word]) => isFound(word, stems));
    for (const { 0: word, index: place } of parts) yield { word, index: index + place };
    if (parts.length === 0 && isFound(compound.replace(EVERY_JOINT, ''), stems)) yield { word: compound, index };
  }
}

function isFound(word: string, stems: readonly string[]): boolean {
  const folded = foldText(word);
  return stems.some((stem) => isOf(folded, stem));
}

/**
 * English ends 'policy' and 'policies' on 'polici', and 'share' and 'sharing' on 'share'. Short stems begin too many words,
 * but for those of scripts without blanks, which begin sentences.
 */
function isOf(word: string, stem: string): boolean {
  if (stem.length < SHORT_STEM && !isUnspaced(stem)) return word === stem;
  if (word.startsWith(stem)) return true;
  const start = stem.slice(0, -1);
  return (stem.endsWith('i') && word.startsWith(`${start}y`)) || (stem.endsWith('e') && word.startsWith(`${start}ing`));
}

/** The place after the first blank from here on: a piece begins with a whole word. */
function afterBlank(text: string, from: number): number {
  const blank = text.indexOf(' ', from);
  return blank < 0 || blank > from + LEAD ? from : blank + 1;
}
