import { Injectable } from '@nestjs/common';
import { ContentListener } from '../database/content-listener.js';

/** A complete answer, the same for every visitor. */
export interface CachedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Entry {
  readonly page: CachedPage;
  readonly storedAt: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** How long a page may live while changes cannot be heard. */
const UNHEARD_LIFETIME_MS = 5000;

/**
 * Rendered pages, until anything published changes: then all are dropped, because a list shows parts of many posts
 * and rendering is cheap. Bounded by bytes; what was not asked for longest goes first.
 */
@Injectable()
export class PageCache {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;
  private currentGeneration = 0;

  constructor(private readonly listener: ContentListener) {
    listener.onChange(() => this.clear());
  }

  /** Advances with every change. A page rendered over an older generation is not kept. */
  get generation(): number {
    return this.currentGeneration;
  }

  /** The page at that address, if it is still good. */
  get(key: string): CachedPage | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (!this.listener.isConnected && Date.now() - entry.storedAt > UNHEARD_LIFETIME_MS) {
      this.remove(key, entry);
      return undefined;
    }
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.page;
  }

  /** Keeps a page that was rendered over `generation`. */
  set(key: string, page: CachedPage, generation: number): void {
    if (generation !== this.currentGeneration || page.body.length > MAX_BYTES) return;
    const previous = this.entries.get(key);
    if (previous) this.remove(key, previous);
    this.entries.set(key, { page, storedAt: Date.now() });
    this.bytes += page.body.length;
    for (const [oldestKey, oldest] of this.entries) {
      if (this.bytes <= MAX_BYTES) break;
      this.remove(oldestKey, oldest);
    }
  }

  private clear(): void {
    this.currentGeneration += 1;
    this.entries.clear();
    this.bytes = 0;
  }

  private remove(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.page.body.length;
  }
}
