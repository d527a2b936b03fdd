/** Counts events of a fixed list of kinds. Unknown kinds count as `other`, if that is in the list. */
export class Tally<T extends string> {
  private readonly counts: Map<string, number>;

  constructor(kinds: readonly T[]) {
    this.counts = new Map(kinds.map((kind) => [kind, 0]));
  }

  /** Counts one of `kind`. Text that comes from elsewhere adds no kind of its own: each would be kept for ever. */
  add(kind: T | (string & {})): void {
    const known = this.counts.has(kind) ? kind : 'other';
    const count = this.counts.get(known);
    if (count !== undefined) this.counts.set(known, count + 1);
  }

  /** Every kind, with how often it happened since the process started. */
  entries(): readonly (readonly [kind: string, count: number])[] {
    return [...this.counts];
  }
}
