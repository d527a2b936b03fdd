import { statfsSync } from 'node:fs';

/** Error codes of the file system: no room left, or none left for this user. */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Returns true when an error, or one of its causes, is a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return CODES.has(code) || (cause !== error && isDiskFull(cause));
}

/** Why something could not be written, for the person who wanted it: the system's words where it is not the room. */
export function describeWriteFailure(error: unknown): string {
  if (isDiskFull(error)) return 'there is no room left on the disk';
  return error instanceof Error ? error.message : String(error);
}

/** Less than a segment of PostgreSQL's log, which it makes as a whole. */
const LITTLE_BYTES = 16 * 1024 * 1024;

/** Tells whether the disk of a folder has no room for the next file of a database. */
export function isDiskNearlyFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LITTLE_BYTES;
  } catch {
    return false;
  }
}
