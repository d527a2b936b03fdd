/** Thrown when there is nothing to import: no such path, no posts in it. */
export class ImportSourceError extends Error {
  override readonly name = 'ImportSourceError';
}

/** Thrown for a file that cannot become a post; holds every reason found. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(
    readonly reasons: readonly string[],
    readonly slug: string | null = null,
    /** Said once of the whole file, with the first of its items, whatever becomes of that. */
    readonly fileNotes: readonly string[] = [],
  ) {
    super(reasons.join('; '));
  }
}

/** Returns what the task does; undefined where it refuses, as nothing depends on it. */
export function unlessRefused<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return undefined;
  }
}

/** Why a text is refused in which quotations or lists stand in each other by the thousand: to read it takes more than there is room for. */
export const TOO_DEEP = 'its quotations or lists stand in each other too deep to be read';

/** Returns true for what JavaScript throws where calls are nested too deep. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
