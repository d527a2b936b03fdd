import pg from 'pg';
import type { Config } from '../config/config.js';
import { lacksMigrations, listKnownMigrations, migrate } from '../database/migrate.js';
import { COMMAND_CONNECTION_OPTIONS } from '../database/pool/database-client.js';
import { adviseVersion, describeNewerSchema, readSchemaRelease } from '../database/schema-release.js';
import type { Storage } from '../uploads/uploads.module.js';
import { ArchiveState } from './archive-state.js';
import { BackupError } from './backup.error.js';
import { keyOf, listMigrations, listTables, quote } from './database-catalog.js';
import { DatabaseSnapshot } from './database-snapshot.js';
import { findRemade, putLacking } from './media-files.js';
import { replaceState, type LoadedState } from './replace-state.js';
import { withScratchDatabase } from './scratch-database.js';
import type { ExaminedBackup } from './verify-backup.js';

/** Rows by table, of the tables that have any. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Counts the rows of the installation; empty when nothing could be lost.
 * @throws BackupError when its schema is of a later version
 */
export async function countPresent(databaseUrl: string): Promise<RowCounts> {
  const client = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const known = await listKnownMigrations();
    const later = (await listMigrations(client)).filter((name) => !known.includes(name));
    if (later.length > 0) {
      const release = await readSchemaRelease(client);
      const advice = `${adviseVersion(release)}, or restore into an empty database`;
      throw new BackupError(`${describeNewerSchema(release, later)}: ${advice}.`);
    }
    const counts: Record<string, number> = {};
    for (const table of (await listTables(client)).filter(({ isUnlogged }) => !isUnlogged)) {
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quote(table)}`);
      const count = Number(rows[0]?.count);
      if (count > 0) counts[keyOf(table)] = count;
    }
    return counts;
  } finally {
    await client.end();
  }
}

/** The result of a restore. */
export interface RestoreOutcome {
  /** Rows by table. */
  readonly rows: RowCounts;
  /** Tables of the backup that are not the product's, and were left out. */
  readonly skipped: readonly string[];
  /** Files of images that the storage lacked, or had with other bytes. */
  readonly media: number;
}

/**
 * Puts the state of an archive, which was examined and found whole, in the place of the installation's. Images first,
 * which disturb nobody, then all rows in one transaction: whenever it is killed, the old state is there or the new. Only
 * files that were made anew since the backup come after their rows, as the old state has them until then.
 * @param keepPresent called when all that takes long is done, as late as can be: what is written after it is lost. It is
 * given the files that the storage has for the archive alone.
 */
export async function restoreState(
  config: Config,
  databaseUrl: string,
  storage: Storage,
  { archive, manifest }: ExaminedBackup,
  keepPresent: (added: ReadonlySet<string>) => Promise<void>,
): Promise<RestoreOutcome> {
  const isBehind = await isSchemaBehind(config, databaseUrl);
  const remade = await findRemade(databaseUrl, storage, manifest);
  const added = await putLacking(storage, manifest, archive);
  const { rows, skipped } = await loadRows(databaseUrl, new ArchiveState(archive, manifest), async () => {
    await keepPresent(new Set(added));
    if (isBehind) await migrate(databaseUrl);
  });
  // A server may have removed an image meanwhile that nothing of the old state showed.
  const again = await putLacking(storage, manifest, archive, remade).catch((error: unknown) => {
    throw new BackupError(describeLateFiles(error), { cause: error });
  });
  return { rows: Object.fromEntries(rows), skipped, media: added.length + again.length };
}

function describeLateFiles(error: unknown): string {
  return (
    `The rows are those of the backup, but not all files of images are: ${error instanceof Error ? error.message : String(error)} ` +
    'Once that is mended, bring them back with `media repair --from-backup` and this backup. What was here before is in the ' +
    'newest before-restore file.'
  );
}

/** An empty database gets its tables; one in use that lacks migrations is its operator's, as when a server starts. */
async function isSchemaBehind(config: Config, url: string): Promise<boolean> {
  const present = await countPresent(url);
  return Object.keys(present).length === 0 || (await lacksMigrations(config, url));
}

/**
 * The rows of an earlier version go through a database in which they are brought up to date.
 * @param prepare called before the first row is replaced
 */
async function loadRows(url: string, state: ArchiveState, prepare: () => Promise<void>): Promise<LoadedState> {
  const known = await listKnownMigrations();
  if (known.length === state.migrations.length) {
    await prepare();
    return await replaceState(url, state);
  }
  return await withScratchDatabase(url, state, async (scratch) => {
    await prepare();
    const snapshot = await DatabaseSnapshot.open(scratch.url);
    try {
      const { rows } = await replaceState(url, snapshot);
      return { rows, skipped: scratch.loaded.skipped };
    } finally {
      await snapshot.close();
    }
  });
}
