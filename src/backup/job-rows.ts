import pg from 'pg';
import { JOB_QUEUE_SCHEMA } from '../database/job-queue-schema.js';
import { quoteColumns } from './database-catalog.js';

/** The table of the job queue; of its rows only work that is still to be done is kept. */
export const JOBS = { schema: JOB_QUEUE_SCHEMA, name: 'job' } as const;

/** The columns of a waiting job that a backup keeps; the state of an attempt is left out. */
const COLUMNS = [
  'id',
  'name',
  'priority',
  'data',
  'state',
  'retry_limit',
  'retry_count',
  'retry_delay',
  'retry_backoff',
  'retry_delay_max',
  'expire_seconds',
  'deletion_seconds',
  'singleton_key',
  'singleton_on',
  'start_after',
  'created_on',
  'keep_until',
  'policy',
  'heartbeat_seconds',
];

/** Returns true for the table of jobs in a backup. */
export function isJobs({ schema, name }: { readonly schema: string; readonly name: string }): boolean {
  return schema === JOBS.schema && name === JOBS.name;
}

/** The columns of a job in this database; they differ between versions of the queue. */
export async function listJobColumns(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute
     where attrelid = '${JOBS.schema}.${JOBS.name}'::regclass and attnum > 0 and not attisdropped`,
  );
  const found = new Set(rows.map(({ name }) => name));
  return COLUMNS.filter((column) => found.has(column));
}

/** Selects the jobs that are to be done; one that is being done counts as one to be tried again. */
export function selectJobs(columns: readonly string[]): string {
  const values = columns.map((column) =>
    column === 'state'
      ? `case state when 'active' then 'retry' else state::text end as state`
      : pg.escapeIdentifier(column),
  );
  return `select ${values.join(', ')} from ${JOBS.schema}.${JOBS.name} where state in ('created', 'retry', 'active')`;
}

/**
 * Puts jobs in the place of all that are there, as part of a transaction.
 * @param columns of a backup; those that this version of the queue does not know are left out
 * @param copy copies the rows of the backup into the table that it is given
 */
export async function replaceJobs(
  client: pg.ClientBase,
  columns: readonly string[],
  copy: (table: string) => Promise<void>,
): Promise<void> {
  const known = new Set(await listJobColumns(client));
  // As text, since a column may be one of an earlier version; what becomes of it is decided below.
  const definitions = columns.map((column) => `${pg.escapeIdentifier(column)} text`).join(', ');
  await client.query(`create temporary table restored_jobs (${definitions}) on commit drop`);
  await copy('restored_jobs');
  await client.query(`delete from ${JOBS.schema}.${JOBS.name}`);
  // Jobs refer to their queue. The server brings its settings up to date when it starts.
  await client.query(
    `select ${JOBS.schema}.create_queue(name, '{"policy": "standard", "notify": true}'::jsonb)
     from (select distinct name from restored_jobs) q`,
  );
  const kept = columns.filter((column) => known.has(column));
  const { rows } = await client.query<{ list: string }>(
    `select string_agg(quote_ident(attname) || '::' || format_type(atttypid, atttypmod), ', '
       order by array_position($1::text[], attname::text)) as list
     from pg_attribute where attrelid = '${JOBS.schema}.${JOBS.name}'::regclass and attname = any($1::text[])`,
    [kept],
  );
  await client.query(
    `insert into ${JOBS.schema}.${JOBS.name} (${quoteColumns(kept)}) select ${rows[0]?.list} from restored_jobs`,
  );
}
