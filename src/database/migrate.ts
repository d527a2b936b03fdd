import { readdir } from 'node:fs/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { installJobQueue, JOB_QUEUE_SCHEMA } from './job-queue-schema.js';
import { MIGRATIONS_FOLDER, ormOptions } from './orm.config.js';

/** Key of the advisory lock under which the schema may change; any constant that nothing else uses. */
export const MIGRATION_LOCK = 7_217_001;

/**
 * Brings the database up to date. Two processes may do so at once: the second waits, then finds nothing to do.
 * @param only names of the migrations to run, for a database as an earlier version had it; all of them if left out
 * @returns the names of the migrations that were run
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await MikroORM.init(ormOptions(url));
    try {
      const names = (await orm.migrator.up(only && { migrations: [...only] })).map((migration) => migration.name);
      await installJobQueue(url);
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
 * Writes a migration for what the entities have and the migrations lack, into the source folder.
 * @returns the file's name, or undefined when there is nothing to migrate
 */
export async function createMigration(url: string): Promise<string | undefined> {
  const orm = await MikroORM.init(ormOptions(url));
  try {
    const { fileName } = await orm.migrator.create();
    return fileName || undefined;
  } finally {
    await orm.close();
  }
}

/**
 * Sees to it that the schema is the one this version needs. An operator's own database in production is left to the
 * operator; everywhere else migrations are simply run.
 * @throws Error telling which command to run
 */
export async function prepareSchema(config: Config, url: string): Promise<void> {
  const pending = await findPending(url);
  if (pending.length === 0) return;
  if (config.mode === 'production' && config.database.url !== 'embedded') {
    throw new Error(`The database lacks ${pending.join(', ')}: run npm run cli -- db migrate first.`);
  }
  await migrate(url);
}

/** The names of all migrations of this version, in their order. */
export async function listKnownMigrations(): Promise<string[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => /^Migration\d+\.(?:js|ts)$/.test(file));
  return files.map((file) => file.replace(/\.(?:js|ts)$/, '')).sort();
}

/** What the database lacks: names of migrations not yet run, without the cost of starting the ORM. */
export async function findPending(url: string): Promise<string[]> {
  const known = await listKnownMigrations();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      `select to_regclass('mikro_orm_migrations') as migrations, to_regclass('${JOB_QUEUE_SCHEMA}.version') as queue`,
    );
    const [found] = tables as [{ migrations: string | null; queue: string | null }];
    const missingQueue = found.queue === null ? ['the job queue'] : [];
    if (found.migrations === null) return [...known, ...missingQueue];
    const { rows } = await client.query('select name from mikro_orm_migrations');
    const done = new Set((rows as { name: string }[]).map((row) => row.name));
    return [...known.filter((name) => !done.has(name)), ...missingQueue];
  } finally {
    await client.end();
  }
}
