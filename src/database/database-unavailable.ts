import { isNativeError } from 'node:util/types';

/** The database cannot be reached, or does not answer. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** SQLSTATE connection_failure: the ORM puts errors of the driver into its own and keeps little but their code. */
  readonly code = '08006';
}

/**
 * SQLSTATE of a server or database that is going, coming, closed, read-only or out of memory or connections, and of
 * locks and statements that took too long. 08P01 (protocol_violation) stays among them: PgBouncer gives it to every failure
 * of its own, such as a server that it cannot reach or no room for another client. PostgreSQL gives it to malformed
 * messages, too, such as a wrong number of parameters: a mistake of ours, which is answered as an outage and logged.
 */
const OUTAGE = /^(?:08...|57P0\d|57014|53[23]00|53400|55000|55P03|25P03|25006|3D000)$/;
/** SQLSTATE disk_full. */
const DISK_FULL = '53100';
const NETWORK = /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOENT)$/;
/** Errors of the driver that have no code. */
const DRIVER_MESSAGE =
  /^(?:Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Client (?:has encountered|was closed))/;

/**
 * Returns the task's result if the database answers in time.
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
    if (isDatabaseOutage(error)) throw new DatabaseUnavailableError('The database is not there', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells whether an error, also one that the ORM made of it, is an outage of the database, which passes. */
export function isDatabaseOutage(error: unknown): boolean {
  return OUTAGE.test(codeOf(error));
}

/** Returns true when the database has no room left on its disk. */
export function isDatabaseFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

/**
 * Names an outage as such where the connection is used: elsewhere an error of the network may be that of a mail server
 * or a bucket.
 * @returns a DatabaseUnavailableError, or the error itself when it is something else
 */
export function toDatabaseError(error: unknown): unknown {
  const isOutage = isNetworkFailure(error) && !isDatabaseOutage(error);
  return isOutage ? new DatabaseUnavailableError('The database cannot be reached', { cause: error }) : error;
}

/**
 * Names as an outage whatever keeps a connection from being opened, also what somebody has to mend: a password that is
 * another one by now, rights that were taken, a certificate that has ended. Visitors see the pages that are kept.
 * @returns a DatabaseUnavailableError, or the error itself where that says so already, or that there is no room
 */
export function toConnectError(error: unknown): unknown {
  const named = toDatabaseError(error);
  if (isDatabaseOutage(named) || isDatabaseFull(named)) return named;
  return new DatabaseUnavailableError('The database lets nobody in', { cause: error });
}

function isNetworkFailure(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (NETWORK.test(codeOf(error)) || DRIVER_MESSAGE.test(error.message)) return true;
  // A host with several addresses refuses with one error for each.
  const { errors = [error.cause] } = error as { errors?: readonly unknown[] };
  return errors.some(isNetworkFailure);
}

/** Errors of the network are made by Node itself: their class may be that of another realm. */
function codeOf(error: unknown): string {
  const code = isNativeError(error) ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
