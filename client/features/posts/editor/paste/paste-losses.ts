/** Parts of a clipboard that did not come into the text, or look different there. */
export interface PasteLosses {
  /** How many pictures only the program has that they were copied from. */
  readonly images: number;
  /** Schemes of links that a post may not have, such as `file`, one for each link. */
  readonly schemes: readonly string[];
  /** Names of other parts, one for each, such as 'a form field'. */
  readonly parts: readonly string[];
  /** How many tables stand as text, as they came inside a cell or into one. */
  readonly nested: number;
  /** How many tables have cells that reach over several rows or columns, which are kept. */
  readonly joined: number;
}

export const NO_LOSSES: PasteLosses = { images: 0, schemes: [], parts: [], nested: 0, joined: 0 };

/** The losses of two parts of a paste together. */
export function addLosses(one: PasteLosses, other: PasteLosses): PasteLosses {
  return {
    images: one.images + other.images,
    schemes: [...one.schemes, ...other.schemes],
    parts: [...one.parts, ...other.parts],
    nested: one.nested + other.nested,
    joined: one.joined + other.joined,
  };
}

const JOINED = 'they are kept, and rows and columns cannot be added or deleted there.';

/** Tells what did not come along and what to do about it; null if everything did. */
export function describeLosses({ images, schemes, parts, nested, joined }: PasteLosses): string | null {
  const sentences = [
    images === 1 ? 'One picture did not come along with the pasted text. Add it from a file.' : null,
    images > 1 ? `${images} pictures did not come along with the pasted text. Add them from files.` : null,
    schemes.length > 0 ? describeLinks(schemes) : null,
    parts.length > 0
      ? `Posts cannot hold everything: ${countNames(parts)} did not come along with the pasted text.`
      : null,
    nested === 1
      ? 'A table cannot stand in a cell: its rows are lines of text there, with bars between the cells.'
      : null,
    nested > 1
      ? `Tables cannot stand in cells: the rows of ${nested} are lines of text, with bars between the cells.`
      : null,
    joined === 1 ? `A pasted table has joined cells: ${JOINED}` : null,
    joined > 1 ? `${joined} pasted tables have joined cells: ${JOINED}` : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ') || null;
}

function describeLinks(schemes: readonly string[]): string {
  const names = [...new Set(schemes)].map((scheme) => `${scheme}:`).join(', ');
  const rule = `links of posts lead to http, https, mailto and tel addresses, not to ${names}`;
  return schemes.length === 1
    ? `One link leads nowhere now: ${rule}.`
    : `${schemes.length} links lead nowhere now: ${rule}.`;
}

function countNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`)).join(', ');
}
