/** Returns a sentence for those that a short list leaves out; null where it has all. */
export function countMore(shown: number, count: number): string | null {
  return count > shown ? `and ${(count - shown).toLocaleString('en-US')} more` : null;
}
