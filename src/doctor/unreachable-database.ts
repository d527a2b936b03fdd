import type { Config } from '../config/config.js';
import { explainNoDatabase } from './check-database.js';
import type { Statement } from './finding.js';

/** SQLSTATE of a server that lets this user in nowhere, has no such database, or has no connection left. */
const REFUSALS: ReadonlySet<unknown> = new Set(['28P01', '28000', '3D000', '53300']);

/**
 * Explains an error that is a database which nobody reaches, or which lets nobody in. Null for any other error, such as one
 * of a mail server or a bucket.
 */
export function explainUnreachable(error: unknown, config: Config): Statement | null {
  const { url, directUrl } = config.database;
  // The embedded one has no variable to correct.
  if (url !== 'embedded' && REFUSALS.has((error as { code?: unknown }).code)) return explainNoDatabase(error, config);
  const isAbout = [url, directUrl].some(
    (address) => address !== undefined && URL.canParse(address) && isFrom(error, new URL(address)),
  );
  return isAbout ? explainNoDatabase(error, config) : null;
}

/** Errors of the network name what was asked; a host with several addresses gives one for each. */
function isFrom(error: unknown, url: URL): boolean {
  if (error instanceof AggregateError) return error.errors.some((each) => isFrom(each, url));
  const { syscall, port, hostname } = error as NodeJS.ErrnoException & { port?: number; hostname?: string };
  if (syscall === 'getaddrinfo') return hostname === url.hostname;
  return syscall === 'connect' && port === Number(url.port || 5432);
}
