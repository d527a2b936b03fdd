import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { encodingClause } from '../database/database-settings.js';
import { migrate } from '../database/migrate.js';
import { COMMAND_CONNECTION_OPTIONS } from '../database/pool/database-client.js';
import { BackupError } from './backup.error.js';
import { replaceState, type LoadedState } from './replace-state.js';
import type { StateSource } from './database-snapshot.js';

const PREFIX = 'scratch_';
const LEFTOVER_SECONDS = 86_400;
const INSUFFICIENT_PRIVILEGE = '42501';

/** A state that was loaded into a database of its own. */
export interface ScratchState {
  /** Address of the database, which holds the state in the schema of this version. */
  readonly url: string;
  readonly loaded: LoadedState;
}

/**
 * Loads a state into a new database on the same server, in the schema it was made in, and brings it up to date. The
 * database goes when the task is done; one that a killed process left goes a day later.
 * @throws BackupError if the user of the database may not create one
 */
export async function withScratchDatabase<T>(
  serverUrl: string,
  source: StateSource,
  task: (scratch: ScratchState) => Promise<T>,
): Promise<T> {
  const name = `${PREFIX}${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, async (client) => {
    await dropLeftovers(client);
    await createDatabase(client, name);
  });
  try {
    // Also of an address without a host, as that of a socket may be, which is no URL.
    const url = serverUrl.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);
    if (source.migrations.length > 0) await migrate(url, source.migrations);
    const loaded = await replaceState(url, source);
    await migrate(url);
    return await task({ url, loaded });
  } finally {
    await onServer(serverUrl, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    });
  }
}

async function onServer(url: string, task: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await task(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create database ${name} template template0 ${await encodingClause(client)}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new BackupError(
      'This needs a database to try things in, and the user of DATABASE_URL may not create one: ' +
        'ALTER ROLE ... CREATEDB lets it.',
    );
  }
}

/** The time is in their names. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname ~ '^${PREFIX}[0-9]+_[0-9a-f]{12}$'`,
  );
  for (const { name } of rows) {
    const age = Math.abs(Date.now() / 1000 - Number(name.split('_')[1]));
    if (age > LEFTOVER_SECONDS) await client.query(`drop database if exists ${name}`).catch(() => undefined);
  }
}
