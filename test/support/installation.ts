import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { listSequences, listTables, quote, quoteColumns, type Table } from '../../src/backup/database-catalog.js';
import { loadConfig, type Config } from '../../src/config/config.js';
import { contentTypeOfFile, filesOf } from '../../src/shared/media-files.js';
import { createStorage } from '../../src/uploads/uploads.module.js';
import { cloneDatabase } from './database.js';
import { testEnvironment, type Variables } from './environment.js';
import { temporaryFolder } from './temporary-folder.js';

/** Database, storage and data folder of a site, without anything that runs over them. */
export interface Installation {
  readonly config: Config;
  readonly environment: Variables;
  /** Runs one statement. */
  query<T extends object = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<T[]>;
}

/** An installation that holds nothing; `overrides` choose its storage, or another database. */
export async function createInstallation(overrides: Variables = {}): Promise<Installation> {
  const databaseUrl = overrides.DATABASE_URL ?? (await cloneDatabase());
  const environment = testEnvironment({ databaseUrl, dataDir: temporaryFolder() }, overrides);
  const query = <T extends object>(sql: string, values: unknown[] = []) =>
    withClient(databaseUrl, async (client) => (await client.query<T>(sql, values)).rows);
  return { config: loadConfig(environment), environment, query };
}

export async function withClient<T>(url: string, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

/** Everything in the database that lasts (tables, sequences, jobs that wait) and in the storage, to be compared. */
export async function readEverything({ config }: Installation): Promise<Record<string, unknown>> {
  const rows = await withClient(config.database.url, async (client) => {
    const found: Record<string, unknown> = { sequences: await listSequences(client) };
    const jobs = `(select id, name, data, start_after, retry_limit, policy from pgboss.job where state < 'completed')`;
    const lasting = (await listTables(client)).filter(({ isUnlogged }) => !isUnlogged);
    const sources = lasting.map((table) => [quote(table), quoted(table)] as const);
    for (const [name, source] of [...sources, ['jobs', jobs] as const]) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${source} t order by 1`);
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  });
  return { ...rows, files: await readFiles(config) };
}

/** Columns by name: those of a table that was brought up to date come in another order. */
function quoted(table: Table): string {
  return `(select ${quoteColumns([...table.columns].sort())} from ${quote(table)})`;
}

async function readFiles(config: Config): Promise<Record<string, string>> {
  const storage = await createStorage(config.storage);
  const files: Record<string, string> = {};
  for await (const entry of storage.list() as AsyncIterable<string | { key: string }>) {
    const name = typeof entry === 'string' ? entry : entry.key;
    const file = await storage.open(name);
    if (file)
      files[name] = createHash('sha256')
        .update(await buffer(file.stream))
        .digest('hex');
  }
  await storage.close();
  return files;
}

/** Puts a row into every table there is, with values that are awkward to copy, and images with all their files. */
export async function populate(installation: Installation, seed: string): Promise<void> {
  const { config } = installation;
  await withClient(config.database.url, async (client) => {
    for (const table of await listTables(client)) await insertRow(client, table);
    await client.query(`select pgboss.create_queue('later', '{"policy": "standard"}')`);
    await client.query(
      `insert into pgboss.job (name, data, start_after, retry_limit, policy)
       values ('later', $1, now() + interval '1 day', 7, 'standard')`,
      [{ seed }],
    );
  });
  const storage = await createStorage(config.storage);
  for (const letter of ['a', 'b', 'film']) {
    const id = createHash('md5')
      .update(seed + letter)
      .digest('hex');
    const name = letter === 'film' ? `${id}.mp4` : `${id}-600x300.jpg`;
    await installation.query('insert into images (id, name, source_hash, byte_size) values ($1, $2, $3, 1)', [
      id,
      name,
      createHash('sha256').update(id).digest('hex'),
    ]);
    for (const file of filesOf(name)) {
      await storage.put(file, Buffer.from(`${seed} ${file} \0\xff`), contentTypeOfFile(file));
    }
  }
  await storage.close();
}

async function insertRow(client: pg.Client, table: Table): Promise<void> {
  const { rows } = await client.query<{
    name: string;
    type: string;
    parent: string | null;
    allowed: string | null;
    isSerial: boolean;
  }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       pg_get_serial_sequence($1, a.attname) is not null as "isSerial",
       (select format('(select %I from %s limit 1)', pa.attname, k.confrelid::regclass)
        from pg_constraint k join pg_attribute pa on pa.attrelid = k.confrelid and pa.attnum = k.confkey[1]
        where k.contype = 'f' and k.conrelid = a.attrelid and k.conkey = array[a.attnum]) as parent,
       (select (regexp_match(pg_get_constraintdef(k.oid), '''[^'']*'''))[1]
        from pg_constraint k
        where k.contype = 'c' and k.conrelid = a.attrelid and k.conkey = array[a.attnum]) as allowed
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and a.attname = any($2)`,
    [quote(table), table.columns],
  );
  const given = rows.filter(({ isSerial }) => !isSerial);
  const values = given.map(({ type, parent, allowed }) => parent ?? allowed ?? valueOf(type));
  await client.query(
    `insert into ${quote(table)} (${quoteColumns(given.map(({ name }) => name))}) values (${values.join(', ')})`,
  );
}

function valueOf(type: string): string {
  const length = /\((\d+)\)/.exec(type)?.[1];
  const word = `E'\\t\\n\\\\.é\\r' || replace(gen_random_uuid()::text, '-', '')`;
  if (type.startsWith('character') || type === 'text') return length ? `left(${word}, ${length})` : word;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type.startsWith('timestamp')) return type.endsWith('[]') ? 'array[clock_timestamp()]' : 'clock_timestamp()';
  if (type === 'boolean') return 'true';
  if (type === 'date') return 'current_date';
  if (type === 'tsvector') return `to_tsvector('simple', ${word})`;
  if (type === 'bytea') return `'\\x00ff'::bytea`;
  if (type.startsWith('json')) return `E'{"a": "\\\\\\\\n \\\\" é", "b": [1.50, null]}'`;
  if (type.endsWith('[]')) return `array['a,b', 'c"d', E'e\\\\', null]::${type}`;
  return `0.1::${type}`;
}

/** One line that is the same for two databases with the same rows. */
export async function fingerprint({ config }: Installation | { readonly config: Config }): Promise<string> {
  return await withClient(config.database.url, async (client) => {
    const sums: string[] = [];
    for (const table of (await listTables(client)).filter(({ isUnlogged }) => !isUnlogged)) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '') as sum
         from ${quote(table)} t`,
      );
      sums.push(`${table.name} ${rows[0]?.sum}`);
    }
    return sums.join(', ');
  });
}
