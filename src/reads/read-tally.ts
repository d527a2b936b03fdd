/** A read of a post. */
export interface Read {
  /** 'YYYY-MM-DD' in the zone of the site. */
  readonly day: string;
  readonly slug: string;
  /** Host name of the site that led here; empty for none. */
  readonly host: string;
}

/** Reads that are the same in all of that. */
export interface CountedRead extends Read {
  readonly count: number;
}

/** Different reads that wait to be written; more are not counted. */
const MOST = 5000;

/** Reads that are not written yet, in the memory of this process. */
export class ReadTally {
  private waiting = new Map<string, CountedRead>();

  /** Counts a read, or reads that could not be written. */
  add(read: Read, count = 1): void {
    const key = JSON.stringify([read.day, read.slug, read.host]);
    const known = this.waiting.get(key)?.count ?? 0;
    if (known === 0 && this.waiting.size >= MOST) return;
    this.waiting.set(key, { ...read, count: known + count });
  }

  /** Takes all of them out. */
  take(): CountedRead[] {
    const reads = [...this.waiting.values()];
    this.waiting = new Map();
    return reads;
  }
}
