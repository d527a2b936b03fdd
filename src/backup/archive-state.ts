import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import type { ArchiveReader } from './archive-reader.js';
import { BackupError } from './backup.error.js';
import type { SourceTable, StateSource } from './database-snapshot.js';
import type { Manifest, ManifestTable } from './manifest.js';

const NEWLINE = 10;

/** The state of the database that is in an archive. */
export class ArchiveState implements StateSource {
  readonly migrations: readonly string[];
  readonly tables: readonly ManifestTable[];
  readonly sequences: Manifest['sequences'];

  constructor(
    private readonly archive: ArchiveReader,
    manifest: Manifest,
  ) {
    this.migrations = manifest.migrations;
    this.tables = manifest.tables;
    this.sequences = manifest.sequences;
  }

  /** Ends with an error unless all of it was as the manifest says, so that a transaction over it never commits. */
  async *readRows(wanted: SourceTable): AsyncGenerator<Buffer> {
    const table = this.tables.find(({ schema, name }) => schema === wanted.schema && name === wanted.name);
    if (table === undefined) return;
    const output = new PassThrough();
    const unpacked = pipeline(this.archive.read(table.file, table), createGunzip(), output);
    // Told to whoever reads the output, which fails as well.
    unpacked.catch(() => undefined);
    let rows = 0;
    try {
      for await (const chunk of output as AsyncIterable<Buffer>) {
        rows += countRows(chunk);
        yield chunk;
      }
      await unpacked;
    } catch (error) {
      if (error instanceof BackupError) throw error;
      throw new BackupError(`${table.file} in the backup is damaged: ${(error as Error).message}.`);
    }
    if (rows !== table.rows) {
      throw new BackupError(`${table.schema}.${table.name} has ${rows} rows in the backup instead of ${table.rows}.`);
    }
  }
}

/** Rows that end in this piece of COPY's text, in which a newline within a value is written as \n. */
export function countRows(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
