import pg from 'pg';
import { JOB_QUEUE_SCHEMA } from '../database/job-queue-schema.js';
import { BackupError } from './backup.error.js';

/** Schemas of the product's tables; the job queue has a schema of its own (see `job-rows.ts`). */
export const PRODUCT_SCHEMAS = ['public', 'auth'] as const;
/** Which migrations have run is said in the manifest. */
const BOOKKEEPING = 'mikro_orm_migrations';

/** A table as the database knows it. */
export interface Table {
  readonly schema: string;
  readonly name: string;
  /** Without those that the database computes. */
  readonly columns: readonly string[];
  /** True for tables that a crash may empty, such as drawn share images: no backup has them, and a restore empties them. */
  readonly isUnlogged: boolean;
}

/** A source of numbers for a column. */
export interface Sequence {
  readonly schema: string;
  readonly name: string;
  /** The value that comes next. */
  readonly next: string;
}

/** Returns the name of a table in messages and maps. */
export function keyOf({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}

/** A table or sequence as it is written in SQL. */
export function quote({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

/** Column names as they are written in SQL. */
export function quoteColumns(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}

/**
 * Every table of the product, those that others refer to first. They are asked of the database, so that none is
 * forgotten; tables of extensions are not the product's.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, c.relpersistence = 'u' as "isUnlogged",
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> $2
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [[...PRODUCT_SCHEMAS], BOOKKEEPING],
  );
  return inOrder(rows, await listReferences(client));
}

/** The sequences that tables of the product own. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = any($1) and c.relname not like $2 order by 1, 2`,
    [[...PRODUCT_SCHEMAS], `${BOOKKEEPING}%`],
  );
  const sequences: Sequence[] = [];
  for (const row of rows) {
    // pg_sequences does not tell whether the last value was handed out.
    const { rows: values } = await client.query<{ next: string }>(
      `select (case when s.is_called then s.last_value + p.seqincrement else s.last_value end)::text as next
       from ${quote(row)} s, pg_sequence p where p.seqrelid = $1::regclass`,
      [quote(row)],
    );
    sequences.push({ ...row, next: values[0]?.next ?? '1' });
  }
  return sequences;
}

/** The names of the migrations that have run, in their order; empty where there is no schema yet. */
export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query<{ table: string | null }>(`select to_regclass($1)::text as table`, [
    `public.${BOOKKEEPING}`,
  ]);
  if (!found[0]?.table) return [];
  const { rows } = await client.query<{ name: string }>(`select name from public.${BOOKKEEPING} order by id`);
  return rows.map(({ name }) => name);
}

/** Returns true when the tables of the job queue exist. */
export async function hasJobQueue(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ table: string | null }>(
    `select to_regclass('${JOB_QUEUE_SCHEMA}.job')::text as table`,
  );
  return Boolean(rows[0]?.table);
}

interface Reference {
  readonly child: string;
  readonly parent: string;
}

async function listReferences(client: pg.ClientBase): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select cn.nspname || '.' || c.relname as child, pn.nspname || '.' || p.relname as parent
     from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_namespace cn on cn.oid = c.relnamespace
     join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
     where k.contype = 'f' and k.conrelid <> k.confrelid`,
  );
  return rows;
}

/** @throws BackupError when tables refer to each other in a circle, which rows could not be loaded in */
function inOrder(tables: readonly Table[], references: readonly Reference[]): Table[] {
  const waiting = new Map(tables.map((table) => [keyOf(table), table]));
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const isWaiting = ({ child, parent }: Reference, key: string) => child === key && waiting.has(parent);
    const ready = [...waiting].filter(([key]) => !references.some((reference) => isWaiting(reference, key)));
    if (ready.length === 0) throw new BackupError(`Tables refer to each other: ${[...waiting.keys()].join(', ')}.`);
    for (const [key, table] of ready) {
      ordered.push(table);
      waiting.delete(key);
    }
  }
  return ordered;
}
