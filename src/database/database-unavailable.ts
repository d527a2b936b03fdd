import { isNativeError } from 'node:util/types';

/** The database cannot be reached, or does not answer. */
export class DatabaseUnavailableError extends Error {}

/** SQLSTATE of a server or database that is going, coming, closed or full; and what the network says. */
const UNAVAILABLE =
  /^(?:08...|57P0\d|53300|55000|3D000|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
/** Errors of the driver that have no code. */
const UNAVAILABLE_MESSAGE = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

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
    if (isUnavailable(error)) throw new DatabaseUnavailableError('The database is not there', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function isUnavailable(error: unknown): boolean {
  // Errors of the network are made by Node itself: their class may be that of another realm.
  if (!isNativeError(error) || error instanceof DatabaseUnavailableError) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && UNAVAILABLE.test(code)) return true;
  if (UNAVAILABLE_MESSAGE.test(error.message)) return true;
  // A host with several addresses refuses with one error for each.
  const { errors = [error.cause] } = error as { errors?: readonly unknown[] };
  return errors.some(isUnavailable);
}
