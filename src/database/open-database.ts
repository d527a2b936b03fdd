import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

/** A database that can be connected to, until it is closed. */
export interface OpenDatabase {
  readonly url: string;
  /**
   * Ends an embedded server (unless another process uses it); nothing to do for a server elsewhere.
   * @param limitMs when it has ended by force at the latest
   */
  close(limitMs?: number): Promise<void>;
}

/** The database that the configuration names, started if it is the embedded one. */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.database.url !== 'embedded') return { url: config.database.url, close: async () => {} };
  const server = await startEmbeddedPostgres({ folder: join(config.dataDir, 'postgres') });
  return { url: server.url, close: (limitMs) => server.stop(limitMs) };
}
