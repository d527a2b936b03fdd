/**
 * Returns the one of some names that is meant by a misspelled one, or undefined where none is near.
 * @param most how many letters may be wrong
 */
export function nearestOf(
  wanted: string,
  names: readonly string[],
  most = Math.max(2, Math.floor(wanted.length / 3)),
): string | undefined {
  const distances = names.map((name) => [name, distance(wanted.toLowerCase(), name.toLowerCase())] as const);
  const [nearest] = distances.sort(([, one], [, other]) => one - other);
  return nearest !== undefined && nearest[1] <= most ? nearest[0] : undefined;
}

/** Counts the letters to be changed, added or removed (Levenshtein). */
function distance(one: string, other: string): number {
  // Nobody misspells at such a length.
  if (one.length > 60) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (letter === other[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? Infinity;
}
