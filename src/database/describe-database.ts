import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../config/config.js';

/** Names the database that commands work on, for somebody who is about to change it: never with its password. */
export function describeDatabase({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): string {
  const { url, directUrl = url } = database;
  if (directUrl === 'embedded') return `the embedded database in ${join(dataDir, 'postgres')}`;
  // Reads an address as connecting does, also one of a socket.
  const { host, port, database: name = '' } = new pg.Client({ connectionString: directUrl });
  return `the database ${name} at ${host.startsWith('/') ? host : `${host}:${port}`}`;
}
