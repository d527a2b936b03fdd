/** Parts of a clipboard that did not come into the text. */
export interface PasteLosses {
  /** How many pictures only the program has that they were copied from. */
  readonly images: number;
  /** Schemes of links that a post may not have, such as `file`, one for each link. */
  readonly schemes: readonly string[];
  /** Names of other parts, one for each, such as 'a form field'. */
  readonly parts: readonly string[];
}

export const NO_LOSSES: PasteLosses = { images: 0, schemes: [], parts: [] };

/** The losses of two parts of a paste together. */
export function addLosses(one: PasteLosses, other: PasteLosses): PasteLosses {
  return {
    images: one.images + other.images,
    schemes: [...one.schemes, ...other.schemes],
    parts: [...one.parts, ...other.parts],
  };
}

/** Tells what did not come along and what to do about it; null if everything did. */
export function describeLosses({ images, schemes, parts }: PasteLosses): string | null {
  const sentences = [
    images === 1 ? 'One picture did not come along with the pasted text. Add it from a file.' : null,
    images > 1 ? `${images} pictures did not come along with the pasted text. Add them from files.` : null,
    schemes.length > 0 ? describeLinks(schemes) : null,
    parts.length > 0
      ? `Posts cannot hold everything: ${countNames(parts)} did not come along with the pasted text.`
      : null,
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
