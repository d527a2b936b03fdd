import type { CompletePage } from './complete-page.js';

/** A cached page and the content generation from which it was rendered. */
export interface StoredPage {
  readonly page: CompletePage;
  readonly generation: number;
  /** When its rendering began, by `performance.now()`. */
  readonly begunAt: number;
}

/** Pages by address, bounded by bytes; the page that was not asked for longest goes first. */
export class PageStore {
  private readonly entries = new Map<string, StoredPage>();
  private usedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.usedBytes;
  }

  /** The page at this address, which is now the one that was asked for last. */
  get(address: string): StoredPage | undefined {
    const entry = this.entries.get(address);
    if (entry) {
      this.entries.delete(address);
      this.entries.set(address, entry);
    }
    return entry;
  }

  /** Stores a page in place of the one at its address; a page larger than the bound is not stored. */
  set(address: string, entry: StoredPage): void {
    this.delete(address);
    const { page } = entry;
    this.entries.set(address, entry);
    this.usedBytes += page.bytes;
    page.handleGrowth = (bytes) => {
      this.usedBytes += bytes;
      this.shrink();
    };
    this.shrink();
  }

  delete(address: string): void {
    const entry = this.entries.get(address);
    if (!entry) return;
    this.entries.delete(address);
    this.usedBytes -= entry.page.bytes;
    entry.page.handleGrowth = () => undefined;
  }

  /** Deletes all pages that are meant. */
  deleteAll(isMeant: (address: string, entry: StoredPage) => boolean): void {
    for (const [address, entry] of this.entries) if (isMeant(address, entry)) this.delete(address);
  }

  private shrink(): void {
    for (const address of this.entries.keys()) {
      if (this.usedBytes <= this.maxBytes) return;
      this.delete(address);
    }
  }
}
