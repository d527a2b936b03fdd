/** Some megabytes of the largest results. */
const MOST = 20_000;

/**
 * Remembers what a function works out, for pages that are rendered again and again from the same few values. The function
 * depends on nothing but its arguments.
 * @param keyOf names the arguments: equal names, equal results
 */
export function remember<Given extends readonly unknown[], Result>(
  keyOf: (...given: Given) => string,
  workOut: (...given: Given) => Result,
): (...given: Given) => Result {
  const results = new Map<string, Result>();
  return (...given) => {
    const key = keyOf(...given);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = workOut(...given);
    if (results.size >= MOST) results.clear();
    results.set(key, result);
    return result;
  };
}
