import { isNativeError } from 'node:util/types';

/** Thrown when nothing is exported: no posts, or a destination that cannot be written. Says why, for people. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

/** An error of the file system in words for people; every other error as it is. */
export function describeFailure(error: unknown, destination: string): unknown {
  if (!isNativeError(error) || !('code' in error) || !('syscall' in error)) return error;
  const reason = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
  return new ExportError(`${destination} cannot be written: ${reason}`, { cause: error });
}

/** One thing that is wrong with a written post. */
export interface DocumentProblem {
  /** Counted from 1; null where it is in no line. */
  readonly line: number | null;
  readonly message: string;
}

/** Thrown for a written post that cannot be saved as it is; holds every problem. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(readonly problems: readonly DocumentProblem[]) {
    super(problems.map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`)).join('\n'));
  }
}

/** Thrown when a post is not as it was when its text was read, so that a save would take from somebody else. */
export class PostMovedOnError extends Error {
  override readonly name = 'PostMovedOnError';
}
