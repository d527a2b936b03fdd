import { RefusedError } from './import.errors.js';

/** Collects what is wrong with an item, so that all of it is said at once. */
export class ProblemCollector {
  private readonly reasons: string[] = [];

  /** Returns the task's result; undefined when it refuses, which is noted as a problem. */
  read<T>(task: () => T): T | undefined {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.reasons.push(...error.reasons);
      return undefined;
    }
  }

  /** @throws RefusedError if anything was refused */
  refuse(slug: string): void {
    if (this.reasons.length > 0) throw new RefusedError(this.reasons, slug || null);
  }
}
