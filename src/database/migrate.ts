import { readdir } from 'node:fs/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { assertFit } from './database-settings.js';
import { installJobQueue, JOB_QUEUE_SCHEMA } from './job-queue-schema.js';
import { MIGRATIONS_FOLDER, ormOptions } from './orm.config.js';
import { COMMAND_CONNECTION_OPTIONS, stayWhileIdle } from './pool/database-client.js';
import { assertCompatible, noteSchemaRelease, readSchemaRelease, type SchemaRelease } from './schema-release.js';

/** The difference between a schema and this version. */
export interface SchemaState {
  /** Migrations that have not run, and the job queue where its tables are missing. */
  readonly pending: readonly string[];
  /** Migrations that have run and are not of this version. */
  readonly unknown: readonly string[];
  /** Null where no version has left its note: version 0.1.0 did not. */
  readonly release: SchemaRelease | null;
}

/**
 * Brings the database up to date. Two processes may do so at once: the second waits, then finds nothing to do. All
 * migrations run in one transaction, so one that is killed leaves nothing behind, and the next one does them all.
 * @param url not through a pooler, which would lend the connection that holds the lock to others
 * @param only names of the migrations to run, for a database as an earlier version had it; all of them if left out
 * @returns the names of the migrations that were run
 * @throws NewerSchemaError when the schema is one that this version cannot run on; Error when an empty database
 *   has settings that would lose letters or dates
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  const lock = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: url });
  // What is asked for on it next fails.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await stayWhileIdle(lock);
    await lock.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    const { unknown, release, isNew } = await readSchemaState(lock);
    assertCompatible(release, unknown);
    if (isNew) await assertFit(lock);
    // Before the first change: an older version that starts meanwhile, or after a kill, should know.
    if (!isNew && !only) await noteSchemaRelease(lock);
    const orm = await MikroORM.init(ormOptions(url));
    try {
      const names = (await orm.migrator.up(only && { migrations: [...only] })).map((migration) => migration.name);
      await installJobQueue(url);
      if (!only) await noteSchemaRelease(lock);
      return names;
    } finally {
      await orm.close();
    }
  } finally {
    // Ending the connection releases the lock.
    await lock.end();
  }
}

/**
 * Sees to it that the schema is one this version can run on. An operator's own database in production is left to the
 * operator; everywhere else migrations are simply run.
 * @param url not through a pooler
 * @throws NewerSchemaError; Error telling which command to run
 */
export async function prepareSchema(config: Config, url: string): Promise<void> {
  if (await lacksMigrations(config, url)) await migrate(url);
}

/**
 * Returns true where migrations are to be run before this version can run on the schema.
 * @param url not through a pooler
 * @throws NewerSchemaError; Error telling which command to run, where that is left to the operator
 */
export async function lacksMigrations(config: Config, url: string): Promise<boolean> {
  const { pending, unknown, release } = await inspectSchema(url);
  assertCompatible(release, unknown);
  if (pending.length === 0) return false;
  if (config.mode === 'production' && config.database.url !== 'embedded') {
    throw new Error(`The database lacks ${pending.join(', ')}: run npm run cli -- db migrate first.`);
  }
  return true;
}

/** The names of all migrations of this version, in their order. */
export async function listKnownMigrations(): Promise<string[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => /^Migration\d+\.(?:js|ts)$/.test(file));
  return files.map((file) => file.replace(/\.(?:js|ts)$/, '')).sort();
}

/** Compares the schema of a database with this version's, without the cost of starting the ORM. */
export async function inspectSchema(url: string): Promise<SchemaState> {
  const client = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: url });
  // One that is lost while it is asked fails in words; an error that nobody hears would end the process besides.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await readSchemaState(client);
  } finally {
    await client.end();
  }
}

async function readSchemaState(client: pg.Client): Promise<SchemaState & { readonly isNew: boolean }> {
  const known = await listKnownMigrations();
  const { rows: tables } = await client.query(
    `select to_regclass('mikro_orm_migrations') as migrations, to_regclass('${JOB_QUEUE_SCHEMA}.version') as queue`,
  );
  const [found] = tables as [{ migrations: string | null; queue: string | null }];
  const missingQueue = found.queue === null ? ['the job queue'] : [];
  if (found.migrations === null)
    return { pending: [...known, ...missingQueue], unknown: [], release: null, isNew: true };
  const { rows } = await client.query('select name from mikro_orm_migrations order by id');
  const done = (rows as { name: string }[]).map(({ name }) => name);
  return {
    pending: [...known.filter((name) => !done.includes(name)), ...missingQueue],
    unknown: done.filter((name) => !known.includes(name)),
    release: await readSchemaRelease(client),
    isNew: false,
  };
}
