import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onCleanup } from './cleanup.js';

/** Address of the migrated database that every test database is a copy of; `global-setup.mjs` made it. */
function templateUrl(): URL {
  const url = process.env['TEST_TEMPLATE_URL'];
  if (!url)
    throw new Error('There is no test database: this jest project lacks the globalSetup of test/jest.config.mjs');
  return new URL(url);
}

async function execute(sql: string): Promise<void> {
  const url = templateUrl();
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function createDatabase(template: string, options = ''): Promise<string> {
  const url = templateUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copies files instead of writing all pages to the log as well, which takes several times as long.
  await execute(`create database ${name} template ${template} strategy file_copy ${options}`);
  onCleanup(() => execute(`drop database if exists ${name} with (force)`));
  url.pathname = `/${name}`;
  return url.href;
}

/** Address of a fresh, migrated, empty database for this test file, gone when its tests are done. */
export function cloneDatabase(): Promise<string> {
  return createDatabase(templateUrl().pathname.slice(1));
}

/** The same, whose connections have a time zone, as those of a machine that is not set to UTC. */
export async function cloneDatabaseInZone(timeZone: string): Promise<string> {
  const url = await cloneDatabase();
  await execute(`alter database ${new URL(url).pathname.slice(1)} set timezone to '${timeZone}'`);
  return url;
}

/** Address of a database without a schema, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase('template0');
}

/** The same, with another encoding than UTF8. */
export function createDatabaseOfEncoding(encoding: string): Promise<string> {
  return createDatabase('template0', `encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`);
}

/** True while exactly one transaction of this client's database waits for a lock. The client may be in a transaction. */
export async function isSomebodyWaiting(client: pg.Client): Promise<boolean> {
  // Or it would be told all through its transaction what it was told first.
  await client.query('select pg_stat_clear_snapshot()');
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount === 1;
}
