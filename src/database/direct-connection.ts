import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const LIMIT_MS = 5000;

/** Thrown where there is no database yet, as before the first start. */
export class NoDatabaseYetError extends Error {
  override readonly name = 'NoDatabaseYetError';

  constructor() {
    super('there is no database yet');
  }
}

/** A database with one connection, until it is closed. */
export interface ConnectedDatabase {
  readonly client: pg.Client;
  readonly directUrl: string;
  close(): Promise<void>;
}

/**
 * Connects without the application, for commands that ask little.
 * @param name the name of the connection for those who look at the database
 * @throws NoDatabaseYetError instead of making an embedded database, which is for the first start to do
 */
export async function connectDirectly(config: Config, name: string): Promise<ConnectedDatabase> {
  const isEmbedded = config.database.url === 'embedded';
  if (isEmbedded && !existsSync(join(config.dataDir, 'postgres/cluster/PG_VERSION'))) throw new NoDatabaseYetError();
  const database = await openDatabase(config);
  const client = new pg.Client({
    connectionString: database.url,
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
    application_name: name,
  });
  client.on('error', () => undefined);
  const close = () => closeBoth(client, database);
  try {
    await client.connect();
  } catch (error) {
    await close();
    throw error;
  }
  return { directUrl: database.directUrl, client, close };
}

/** Runs a task with a connection as {@link connectDirectly} makes it, which ends with the task. */
export async function withDirectConnection<T>(
  config: Config,
  name: string,
  task: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connection = await connectDirectly(config, name);
  try {
    return await task(connection.client);
  } finally {
    await connection.close();
  }
}

async function closeBoth(client: pg.Client, database: OpenDatabase): Promise<void> {
  await client.end().catch(() => undefined);
  await database.close();
}
