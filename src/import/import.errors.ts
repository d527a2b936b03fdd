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
    readonly warnings: readonly string[] = [],
  ) {
    super(reasons.join('; '));
  }
}
