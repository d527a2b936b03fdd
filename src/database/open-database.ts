import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { assertSameDatabase } from './same-database.js';

/** Dependency-injection token of the address around a pooler. */
export const DIRECT_URL = Symbol('DirectUrl');

/** The ways to a database. */
export interface DatabaseAddresses {
  readonly url: string;
  /** Address of the same database without a pooler, for connections that must be their own. */
  readonly directUrl: string;
}

/** A database that can be connected to, until it is closed. */
export interface OpenDatabase extends DatabaseAddresses {
  /**
   * Ends an embedded server (unless another process uses it); nothing to do for a server elsewhere.
   * @param limitMs when it has ended by force at the latest
   */
  close(limitMs?: number): Promise<void>;
}

/**
 * The database that the configuration names, started if it is the embedded one.
 * @throws OtherDatabaseError when DATABASE_DIRECT_URL leads to another one than DATABASE_URL
 */
export async function openDatabase({ database, dataDir }: Config): Promise<OpenDatabase> {
  if (database.url !== 'embedded') {
    const { url, directUrl = url } = database;
    if (directUrl !== url) await assertSameDatabase(url, directUrl);
    return { url, directUrl, close: async () => {} };
  }
  const server = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
  return { url: server.url, directUrl: server.url, close: (limitMs) => server.stop(limitMs) };
}
