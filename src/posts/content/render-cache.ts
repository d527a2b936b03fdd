/** How much the cache may hold, in UTF-16 units of keys and values: some 200 long posts. */
const MOST = 8_000_000;

/** A text as pages show it. */
export interface Rendered {
  readonly html: string;
  /** How long it takes to read, in whole minutes. */
  readonly minutes: number;
}

/** The latest renderings of texts; the one asked for longest ago goes first. */
export class RenderCache {
  private readonly results = new Map<string, Rendered>();
  private size = 0;

  constructor(private readonly most = MOST) {}

  /** The rendering of that text, made if it is not there. */
  get(text: string, make: () => Rendered): Rendered {
    const kept = this.results.get(text);
    if (kept !== undefined) {
      // A map keeps the order of insertion.
      this.results.delete(text);
      this.results.set(text, kept);
      return kept;
    }
    const result = make();
    this.results.set(text, result);
    this.size += text.length + result.html.length;
    this.shrink();
    return result;
  }

  private shrink(): void {
    for (const [text, result] of this.results) {
      if (this.size <= this.most) return;
      this.results.delete(text);
      this.size -= text.length + result.html.length;
    }
  }
}
