import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { CONTENT_CHANNEL, TAKEN_BACK } from '../database/content-listener.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { COMMAND_CONNECTION_OPTIONS } from '../database/pool/database-client.js';
import { SETTINGS_CHANNEL } from '../site/site.service.js';
import { BackupError } from './backup.error.js';
import { hasJobQueue, keyOf, listMigrations, listTables, quote, quoteColumns, type Table } from './database-catalog.js';
import type { SourceTable, StateSource } from './database-snapshot.js';
import { isJobs, replaceJobs } from './job-rows.js';

const LOCK_TIMEOUT = '60s';
/** PostgreSQL's codes for a lock that was not to be had in time, and for a deadlock. */
const BUSY = new Set(['55P03', '40P01']);

/**
 * Tokens that keys signed since the backup are in use all the same, also those of keys that the backup does not know, so
 * it stays known until when: a key that went too early would take them along.
 */
const KEY_USES = 'auth.signing_key_uses';
const KEEP_KEY_USES = `
  insert into ${KEY_USES} as uses (kid, sessions_until, programs_until)
  select kid, sessions_until, programs_until from kept_key_uses where greatest(sessions_until, programs_until) > now()
  on conflict (kid) do update set
    sessions_until = greatest(uses.sessions_until, excluded.sessions_until),
    programs_until = greatest(uses.programs_until, excluded.programs_until)`;

/** The rows that were loaded, and the tables that were not. */
export interface LoadedState {
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Tables of the source that are not the product's, and were left out. */
  readonly skipped: readonly string[];
}

/**
 * Replaces the whole state in one transaction: until it commits, readers see the old state, and writers wait. Rows are
 * deleted and not truncated, because a truncated table looks empty to transactions that began before (PostgreSQL
 * manual, "Caveats" of MVCC), such as another backup.
 * @throws BackupError when the state has another schema, or the database is too busy; nothing has changed then
 */
export async function replaceState(url: string, source: StateSource): Promise<LoadedState> {
  const client = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: url, application_name: 'restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const loaded = await replaceAll(client, source);
    await client.query('commit');
    return loaded;
  } catch (error) {
    if (!BUSY.has((error as pg.DatabaseError).code ?? '')) throw error;
    throw new BackupError('The database is busy: nothing was changed. Try again, or stop the server meanwhile.');
  } finally {
    // Without a commit the database is as it was.
    await client.end();
  }
}

async function replaceAll(client: pg.Client, source: StateSource): Promise<LoadedState> {
  await client.query(
    `set local lock_timeout = '${LOCK_TIMEOUT}'; set local statement_timeout = 0;
     set local idle_in_transaction_session_timeout = 0; set local row_security = off; set local datestyle = 'ISO';
     set local timezone = 'UTC'`,
  );
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.migration]);
  const migrations = await listMigrations(client);
  if (migrations.toSorted().join() !== source.migrations.toSorted().join()) {
    throw new BackupError('The schema of the database is not that of the backup: nothing was changed.');
  }
  const tables = await listTables(client);
  const given = new Map(source.tables.map((table) => [keyOf(table), table]));
  // Earlier versions put unlogged tables into backups as well.
  const unlogged = tables.filter(({ isUnlogged }) => isUnlogged);
  const ours = tables.filter((table) => !table.isUnlogged && given.has(keyOf(table)));
  assertSameColumns(ours, given);
  // What was made of the rows that go is made anew of those that come.
  const emptied = tables.filter((table) => table.isUnlogged || ours.includes(table));
  await client.query(`lock table ${emptied.map(quote).join(', ')} in exclusive mode`);
  const keepsKeyUses = ours.some((table) => keyOf(table) === KEY_USES);
  if (keepsKeyUses) await client.query(`create temporary table kept_key_uses on commit drop as table ${KEY_USES}`);
  for (const table of emptied.toReversed()) await client.query(`delete from ${quote(table)}`);
  const rows = new Map<string, number>();
  for (const table of ours) {
    const columns = given.get(keyOf(table))?.columns ?? [];
    const target = `${quote(table)} (${quoteColumns(columns)})`;
    rows.set(keyOf(table), await copyRows(client, target, source, { ...table, columns }));
  }
  if (keepsKeyUses) await client.query(KEEP_KEY_USES);
  await restartSequences(client, source);
  const jobs = source.tables.find(isJobs);
  if (jobs && (await hasJobQueue(client))) {
    const copy = async (table: string) => void rows.set(keyOf(jobs), await copyRows(client, table, source, jobs));
    await replaceJobs(client, jobs.columns, copy);
  }
  // Every running server drops the pages it keeps, and reads the settings.
  await client.query(`select pg_notify($1, $2), pg_notify($3, '')`, [CONTENT_CHANNEL, TAKEN_BACK, SETTINGS_CHANNEL]);
  const known = new Set([...rows.keys(), ...unlogged.map(keyOf)]);
  return { rows, skipped: [...given.keys()].filter((key) => !known.has(key)) };
}

function assertSameColumns(tables: readonly Table[], given: ReadonlyMap<string, SourceTable>): void {
  for (const table of tables) {
    const wanted = [...table.columns].sort().join(', ');
    const found = [...(given.get(keyOf(table))?.columns ?? [])].sort().join(', ');
    if (wanted === found) continue;
    throw new BackupError(`The table ${keyOf(table)} has the columns ${wanted}, and in the backup ${found}.`);
  }
}

async function copyRows(client: pg.Client, target: string, source: StateSource, table: SourceTable): Promise<number> {
  const stream = client.query(copyFrom(`copy ${target} from stdin`));
  await pipeline(source.readRows(table), stream);
  return stream.rowCount;
}

/** Restarts sequences, in the transaction, unlike setval: numbers go back if the restore fails. */
async function restartSequences(client: pg.Client, source: StateSource): Promise<void> {
  for (const sequence of source.sequences) {
    const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [
      quote(sequence),
    ]);
    if (rows[0]?.found) await client.query(`alter sequence ${quote(sequence)} restart with ${BigInt(sequence.next)}`);
  }
}
