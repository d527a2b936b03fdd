import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Config } from '../config/config.js';
import { PRODUCT_VERSION } from '../config/version.js';
import { toMoment } from '../site/site.service.js';
import type { Storage } from '../uploads/uploads.module.js';
import { countRows } from './archive-state.js';
import { ArchiveWriter, type ArchivePlace, type WrittenEntry } from './archive-writer.js';
import { BackupError } from './backup.error.js';
import { DatabaseSnapshot, type SourceTable } from './database-snapshot.js';
import {
  CHECKSUM_NAME,
  encodeManifest,
  FORMAT,
  MANIFEST_NAME,
  PRODUCT,
  type Manifest,
  type ManifestTable,
} from './manifest.js';
import { copyMediaOut, findLost } from './media-files.js';

/** A backup that was made. */
export interface CreatedBackup {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly manifest: Manifest;
}

/**
 * Writes the whole site into one file, while it is in use. Of images that the storage has lost, or does not hand out, it
 * says so in the manifest: a backup without them is better than none.
 * @param databaseUrl a database that is up
 * @param foreign files of the storage that are none of the site's, unless one of its images has them
 * @throws BackupError if there is nothing to back up, such a file already, or no room; nothing is left behind then
 */
export async function createBackup(
  config: Config,
  databaseUrl: string,
  storage: Storage,
  place: ArchivePlace,
  foreign?: ReadonlySet<string>,
): Promise<CreatedBackup> {
  const time = new Date();
  const archive = await ArchiveWriter.create(place, time);
  try {
    const database = await writeDatabase(databaseUrl, archive);
    const { media, missing: absent } = await copyMediaOut(storage, database.images, archive, foreign);
    const missing = await findLost(databaseUrl, absent);
    const manifest: Manifest = {
      product: PRODUCT,
      format: FORMAT,
      version: PRODUCT_VERSION,
      createdAt: time.toISOString(),
      site: { name: toMoment(config, database.company).site.name, url: config.server.publicUrl },
      migrations: [...database.migrations],
      ...(database.release && { schemaRelease: database.release }),
      tables: database.tables,
      sequences: [...database.sequences],
      media,
      missingMedia: missing,
      removedMedia: absent.filter((name) => !missing.includes(name)),
    };
    const { text, checksum } = encodeManifest(manifest);
    await archive.add(MANIFEST_NAME, [text]);
    await archive.add(CHECKSUM_NAME, [checksum]);
    return { ...(await archive.finish()), manifest };
  } finally {
    await archive.discard();
  }
}

type WrittenDatabase = Pick<DatabaseSnapshot, 'migrations' | 'sequences' | 'images' | 'company' | 'release'> & {
  tables: ManifestTable[];
};

/**
 * Writes the database. The snapshot ends before the images are copied, because an open transaction keeps the database
 * from cleaning up.
 */
async function writeDatabase(url: string, archive: ArchiveWriter): Promise<WrittenDatabase> {
  const snapshot = await DatabaseSnapshot.open(url);
  try {
    if (snapshot.migrations.length === 0) throw new BackupError('There is nothing to back up: the database is empty.');
    const tables: ManifestTable[] = [];
    for (const table of snapshot.tables) tables.push(await writeTable(snapshot, table, tables.length, archive));
    const { migrations, sequences, images, company, release } = snapshot;
    return { migrations, sequences, images, company, release, tables };
  } finally {
    await snapshot.close();
  }
}

async function writeTable(
  snapshot: DatabaseSnapshot,
  { schema, name, columns }: SourceTable,
  index: number,
  archive: ArchiveWriter,
): Promise<ManifestTable> {
  // Numbered, so that no two names clash once they are reduced to what every file system takes.
  const label = `${schema}.${name}`.replace(/[^A-Za-z0-9_.]/g, '_').slice(0, 70);
  const file = `tables/${String(index + 1).padStart(3, '0')}-${label}.copy.gz`;
  let rows = 0;
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      rows += countRows(chunk);
      yield chunk;
    }
  }
  const source = Readable.from(snapshot.readRows({ schema, name, columns }), { objectMode: false });
  const { size, sha256 }: WrittenEntry = await pipeline(source, counted, createGzip(), (chunks) =>
    archive.add(file, chunks as AsyncIterable<Buffer>),
  );
  return { schema, name, file, columns: [...columns], rows, size, sha256 };
}
