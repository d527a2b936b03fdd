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
