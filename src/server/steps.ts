import { setTimeout as delay } from 'node:timers/promises';

/**
 * The steps of a process that is ending, by name: a step that hangs can be named, and does not keep the rest from
 * ending.
 */
export class Steps {
  private readonly open = new Set<string>();
  private readonly late = new Set<string>();

  /** Steps in progress, and those that were given up waiting for. */
  get unfinished(): readonly string[] {
    return [...new Set([...this.late, ...this.open])];
  }

  /**
   * Does one thing, and goes on after `limitMs` although it is not done.
   * @throws what the task throws in that time
   */
  async run(name: string, limitMs: number, task: () => unknown): Promise<void> {
    this.open.add(name);
    const limit = new AbortController();
    try {
      const isDone = Promise.resolve(task()).then(() => true);
      const isLate = delay(limitMs, false, { signal: limit.signal }).catch(() => false);
      if (!(await Promise.race([isDone, isLate]))) this.late.add(name);
    } finally {
      limit.abort();
      this.open.delete(name);
    }
  }
}
