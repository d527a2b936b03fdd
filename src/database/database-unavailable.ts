import { isNativeError } from 'node:util/types';

/** The database cannot be reached, or does not answer. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** SQLSTATE connection_failure: the ORM puts errors of the driver into its own and keeps nothing but their code. */
  readonly code = '08006';
}

/**
 * SQLSTATE of a server or database that is going, coming, closed, read-only or out of memory or connections, of locks
 * and statements that took too long; and what the network says.
 */
const UNAVAILABLE =
  /^(?:08...|57P0\d|57014|53[23]00|53400|55000|55P03|25P03|25006|3D000|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
/** Errors of the driver that have no code. */
const UNAVAILABLE_MESSAGE =
  /^(?:Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Client (?:has encountered|was closed))/;
/** SQLSTATE disk_full. */
const DISK_FULL = '53100';

/**
 * What the task reads, if the database answers in that time.
 * @throws DatabaseUnavailableError if it cannot be reached or takes longer; else what the task throws
 */
export async function readWithin<T>(limitMs: number, task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailableError('The database takes too long')), limitMs);
  });
  try {
    return await Promise.race([task, late]);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    if (isUnavailable(error)) throw new DatabaseUnavailableError('The database is not there', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells an outage of the database, which passes, from a fault of ours. */
export function isUnavailable(error: unknown): boolean {
  // Errors of the network are made by Node itself: their class may be that of another realm.
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && UNAVAILABLE.test(code)) return true;
  if (UNAVAILABLE_MESSAGE.test(error.message)) return true;
  // A host with several addresses refuses with one error for each.
  const { errors = [error.cause] } = error as { errors?: readonly unknown[] };
  return errors.some(isUnavailable);
}

/** Tells that the database has no room to keep what it was given. */
export function isDiskFull(error: unknown): boolean {
  return isNativeError(error) && (error as { code?: unknown }).code === DISK_FULL;
}
