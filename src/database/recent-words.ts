/** The most words that are remembered: such that are never the same, as with a number in them, must not fill the memory. */
const MOST = 100;

/** Tells what was said a moment ago from what is new, also where several things are said in turns. */
export class RecentWords {
  private readonly saidAt = new Map<string, number>();

  /** @param forMs how long words count as said, in milliseconds */
  constructor(private readonly forMs: number) {}

  /** Returns true for words that are to be said now, which then count as said. */
  note(words: string): boolean {
    const now = performance.now();
    const last = this.saidAt.get(words);
    if (last !== undefined && now - last < this.forMs) return false;
    // Behind those that were said before.
    this.saidAt.delete(words);
    this.saidAt.set(words, now);
    const [oldest] = this.saidAt.keys();
    if (oldest !== undefined && this.saidAt.size > MOST) this.saidAt.delete(oldest);
    return true;
  }
}
