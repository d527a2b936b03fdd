import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { COMMAND_CONNECTION_OPTIONS } from '../database/pool/database-client.js';
import { readSchemaRelease, type SchemaRelease } from '../database/schema-release.js';
import { COMPANY_DOCUMENT, READ_PUBLISHED } from '../site/site.service.js';
import {
  hasJobQueue,
  listMigrations,
  listSequences,
  listTables,
  quote,
  quoteColumns,
  type Sequence,
  type Table,
} from './database-catalog.js';
import { isJobs, JOBS, listJobColumns, selectJobs } from './job-rows.js';

/** A table whose rows can be read. */
export type SourceTable = Pick<Table, 'schema' | 'name' | 'columns'>;

/** A whole state of the product's database: that of a moment, or that of a backup. */
export interface StateSource {
  /** The migrations that had run, in their order. */
  readonly migrations: readonly string[];
  /** Tables in an order in which references point backward. */
  readonly tables: readonly SourceTable[];
  readonly sequences: readonly Sequence[];
  /** The rows of one of the tables, as COPY writes text: one line each. */
  readRows(table: SourceTable): AsyncIterable<Buffer>;
}

/**
 * The database at one moment, however long reading takes and whatever is written meanwhile. While it is open,
 * migrations wait.
 */
export class DatabaseSnapshot implements StateSource {
  private constructor(
    private readonly client: pg.Client,
    readonly migrations: readonly string[],
    readonly tables: readonly SourceTable[],
    readonly sequences: readonly Sequence[],
    /** Names of the images that should have their files. */
    readonly images: readonly string[],
    /** The published setting of the company's facts, as it is stored; an empty object where there is none. */
    readonly company: unknown,
    /** Null where version 0.1.0 made the schema. */
    readonly release: SchemaRelease | null,
  ) {}

  static async open(url: string): Promise<DatabaseSnapshot> {
    const client = new pg.Client({
      ...COMMAND_CONNECTION_OPTIONS,
      connectionString: url,
      application_name: 'backup',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      // A snapshot that is begun while a migration runs would see old rows in new tables.
      await client.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.migration]);
      await client.query('begin isolation level repeatable read read only');
      await client.query(
        `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
         set local row_security = off; set local datestyle = 'ISO'; set local timezone = 'UTC'`,
      );
      const tables = (await listTables(client)).filter(({ isUnlogged }) => !isUnlogged);
      if (tables.length > 0) await client.query(`lock table ${tables.map(quote).join(', ')} in access share mode`);
      const jobs = (await hasJobQueue(client)) ? [{ ...JOBS, columns: await listJobColumns(client) }] : [];
      const images = tables.some(({ schema, name }) => schema === 'public' && name === 'images');
      return new DatabaseSnapshot(
        client,
        await listMigrations(client),
        [...tables, ...jobs],
        await listSequences(client),
        images ? await listImages(client) : [],
        await readCompany(client, tables),
        await readSchemaRelease(client),
      );
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  readRows(table: SourceTable): AsyncIterable<Buffer> {
    const columns = quoteColumns(table.columns);
    const select = isJobs(table) ? selectJobs(table.columns) : `select ${columns} from ${quote(table)}`;
    return this.client.query(copyTo(`copy (${select}) to stdout`));
  }

  /** Ends the transaction; what has not been read cannot be read any more. */
  close(): Promise<void> {
    return this.client.end();
  }
}

/** Earlier schemas do not know that an image can be removed while its row stays. */
async function listImages(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from public.images i where to_jsonb(i) ->> 'removed_at' is null order by name`,
  );
  return rows.map(({ name }) => name);
}

/** Earlier schemas have no settings. */
async function readCompany(client: pg.Client, tables: readonly Table[]): Promise<unknown> {
  if (!tables.some(({ schema, name }) => schema === 'public' && name === 'settings_documents')) return {};
  const { rows } = await client.query<{ content: unknown }>(READ_PUBLISHED, [COMPANY_DOCUMENT]);
  return rows[0]?.content ?? {};
}
