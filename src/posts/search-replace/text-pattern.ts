/** How words are looked for, and what takes their place. */
export interface Replacing {
  readonly find: string;
  /** With a pattern, `$1` and its like are what was found. */
  readonly replacement: string;
  /** True when `find` is a regular expression, as JavaScript writes it. */
  readonly isPattern?: boolean;
  readonly isIgnoringCase?: boolean;
}

/** A place where words were found, with some of what stands around it. */
export interface FoundPlace {
  readonly before: string;
  readonly found: string;
  readonly replacement: string;
  readonly after: string;
}

/** A text with its words replaced. */
export interface ReplacedText {
  readonly text: string;
  readonly places: readonly FoundPlace[];
}

/** Characters that are shown on either side of a place, and of what was found. */
const AROUND = 30;
const SHOWN = 200;

/**
 * Makes what finds and replaces words in texts.
 * @throws Error for words or patterns that find nothing, or that are none
 */
export function toPattern({ find, isPattern = false, isIgnoringCase = false }: Replacing): RegExp {
  if (find === '') throw new Error('there is nothing to look for');
  const source = isPattern ? find : find.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const flags = `gu${isIgnoringCase ? 'i' : ''}`;
  const pattern = new RegExp(isPattern ? source : source.replaceAll('\\-', '-'), flags);
  if (pattern.test('')) throw new Error(`${find} finds nothing at all everywhere`);
  pattern.lastIndex = 0;
  return pattern;
}

/** Counts the places where a pattern finds something. */
export function countPlaces(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].filter(([found]) => found !== '').length;
}

/** Replaces what a pattern finds; an empty find, such as the end of a line, stays. */
export function replaceWords(
  text: string,
  pattern: RegExp,
  { replacement, isPattern = false }: Replacing,
): ReplacedText {
  const single = new RegExp(pattern.source, pattern.flags.replace('g', 'y'));
  const places: FoundPlace[] = [];
  let replaced = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    if (found === '') continue;
    // The rules of the replacement are those of the language; what stands around counts for look-arounds.
    single.lastIndex = match.index;
    const instead = isPattern ? expand(text, single, found.length, replacement) : replacement;
    places.push({
      before: text.slice(Math.max(0, match.index - AROUND), match.index),
      found: found.slice(0, SHOWN),
      replacement: instead.slice(0, SHOWN),
      after: text.slice(match.index + found.length, match.index + found.length + AROUND),
    });
    replaced += text.slice(end, match.index) + instead;
    end = match.index + found.length;
  }
  return { text: replaced + text.slice(end), places };
}

function expand(text: string, at: RegExp, length: number, replacement: string): string {
  const index = at.lastIndex;
  const whole = text.replace(at, replacement);
  return whole.slice(index, whole.length - (text.length - index - length));
}
