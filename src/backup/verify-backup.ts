import { listKnownMigrations } from '../database/migrate.js';
import { adviseVersion, describeNewerSchema } from '../database/schema-release.js';
import { mediaIdOf } from '../shared/media-files.js';
import { ArchiveReader } from './archive-reader.js';
import { ArchiveState } from './archive-state.js';
import { BackupError } from './backup.error.js';
import { CHECKSUM_NAME, listContents, MANIFEST_NAME, MEDIA_FOLDER, readManifest, type Manifest } from './manifest.js';

/** A readable archive with its problems. */
export interface ExaminedBackup {
  readonly archive: ArchiveReader;
  readonly manifest: Manifest;
  /** One sentence each; empty when it can be restored. */
  readonly problems: readonly string[];
}

/**
 * Reads the whole of an archive and checks every file in it.
 * @returns the archive, open
 * @throws BackupError when the file is no backup, or not one that this version reads
 */
export async function examineBackup(file: string): Promise<ExaminedBackup> {
  const archive = await ArchiveReader.open(file);
  try {
    const manifest = await readManifest(file, archive);
    const problems = [
      ...(await findForeignSchema(manifest)),
      ...findStrangeNames(archive, manifest),
      ...(await findDamage(archive, manifest)),
    ];
    return { archive, manifest, problems };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** After a rollback, this very version makes backups of a schema that it does not know whole (decision 37). */
async function findForeignSchema({ migrations, version, schemaRelease: noted }: Manifest): Promise<string[]> {
  const known = await listKnownMigrations();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const release = noted ?? null;
    return [`It was made by version ${version}. ${describeNewerSchema(release, unknown)}: ${adviseVersion(release)}.`];
  }
  return migrations.length > 0 ? [] : ['It says of no version which schema it has.'];
}

function findStrangeNames(archive: ArchiveReader, manifest: Manifest): string[] {
  const listed = listContents(manifest).map(({ name }) => name);
  const expected = new Set([...listed, MANIFEST_NAME, CHECKSUM_NAME]);
  const strange = [...archive.entries.keys()].filter((name) => !expected.has(name));
  const problems = strange.map((name) => `It has a file that no backup has: ${JSON.stringify(name)}.`);
  if (expected.size < listed.length + 2) problems.push('It lists a file twice.');
  const noImages = manifest.media.filter(({ name }) => mediaIdOf(name) === null);
  return [...problems, ...noImages.map(({ name }) => `${JSON.stringify(name)} is not the name of a stored file.`)];
}

async function findDamage(archive: ArchiveReader, manifest: Manifest): Promise<string[]> {
  const problems: string[] = [];
  const state = new ArchiveState(archive, manifest);
  for (const table of state.tables) await collect(problems, state.readRows(table));
  for (const entry of manifest.media) await collect(problems, archive.read(MEDIA_FOLDER + entry.name, entry));
  return problems;
}

async function collect(problems: string[], content: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const chunk of content) void chunk;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    problems.push(error.message);
  }
}
