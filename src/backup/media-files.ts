import pg from 'pg';
import { COMMAND_CONNECTION_OPTIONS } from '../database/pool/database-client.js';
import { contentTypeOfFile, filesOf, mediaIdOf, parsePlayableName } from '../shared/media-files.js';
import { Gate } from '../shared/gate.js';
import { readAgain, readStored, readStoredFacts, StorageError, type Storage } from '../uploads/uploads.module.js';
import type { ArchiveReader } from './archive-reader.js';
import type { ArchiveWriter, WrittenEntry } from './archive-writer.js';
import { BackupError } from './backup.error.js';
import { MEDIA_FOLDER, type Manifest } from './manifest.js';

/** Files of images that are held in memory at once; a bucket is far away. Sound and films are never held. */
const AT_ONCE = 8;
/** Files in a row that cannot be read before the storage counts as away, which says nothing of the images. */
const PATIENCE = 3 * AT_ONCE;
/** Files that are named one by one when there are very many. */
const MAX_NAMED = 50;

type MediaEntry = Manifest['media'][number];

/** The result of copying the images of a storage. */
export interface CopiedMedia {
  readonly media: MediaEntry[];
  /** Files that images of the snapshot should have, and the storage had not when their turn came, or did not hand out. */
  readonly missing: string[];
}

/**
 * Copies every image of the storage into an archive. One that cannot be read, as on a bad place of a disk, keeps none of the
 * others out. Begun after the snapshot of the database: files never change and
 * come before their rows, so all that the snapshot knows are there but those that were removed since.
 * @param images of the snapshot, by name
 * @param foreign files that are left out unless an image of the snapshot has them
 * @throws StorageError when the storage is away
 */
export async function copyMediaOut(
  storage: Storage,
  images: readonly string[],
  archive: ArchiveWriter,
  foreign: ReadonlySet<string> = new Set(),
): Promise<CopiedMedia> {
  const wanted = images.flatMap(filesOf);
  const missing = new Set(wanted);
  const media: MediaEntry[] = [];
  let unread = 0;
  const present = await listMedia(storage);
  for (const names of batches(present.filter((name) => missing.has(name) || !foreign.has(name)))) {
    const images = names.filter((name) => parsePlayableName(name) === null);
    const read = await Promise.all(
      images.map(async (name) => [name, await orFailure(readStored(storage, name))] as const),
    );
    const bytesOf = new Map(read);
    for (const name of names) {
      const bytes = bytesOf.get(name);
      const added =
        bytes === undefined
          ? await orFailure(addStreamed(storage, archive, name))
          : await addRead(archive, name, bytes);
      unread = added instanceof StorageError ? unread + 1 : 0;
      if (added instanceof StorageError) {
        if (unread > PATIENCE) throw added;
        continue;
      }
      if (added === null) continue;
      media.push({ name, size: added.size, sha256: added.sha256 });
      missing.delete(name);
    }
  }
  return { media, missing: [...missing].sort() };
}

async function addRead(
  archive: ArchiveWriter,
  name: string,
  bytes: Buffer | StorageError | null,
): Promise<WrittenEntry | StorageError | null> {
  return Buffer.isBuffer(bytes) ? await archive.add(MEDIA_FOLDER + name, [bytes]) : bytes;
}

/** Gives the failure of the storage in the place of what was to be read. */
async function orFailure<T>(reading: Promise<T>): Promise<T | StorageError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
}

/** Copies sound or a film, which are too large to be held in memory, and begins again when the storage breaks off. */
async function addStreamed(storage: Storage, archive: ArchiveWriter, name: string): Promise<WrittenEntry | null> {
  const added = await readAgain(storage, name, (stream) =>
    archive.add(MEDIA_FOLDER + name, stream).catch((error: unknown) => {
      // A full disk of the backup is not for want of reading.
      if (error instanceof BackupError) return error;
      throw error;
    }),
  );
  if (added instanceof BackupError) throw added;
  return added;
}

/** Returns the missing files whose image still exists, which are therefore lost. */
export async function findLost(databaseUrl: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const client = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const ids = [...new Set(names.map((name) => mediaIdOf(name) ?? ''))];
    const { rows } = await client.query<{ id: string }>(
      `select id from public.images i where id = any($1) and to_jsonb(i) ->> 'removed_at' is null`,
      [ids],
    );
    const present = new Set(rows.map(({ id }) => id));
    return names.filter((name) => present.has(mediaIdOf(name) ?? ''));
  } finally {
    await client.end();
  }
}

/**
 * Compares the images that both the storage and an archive have. Files that were made anew since the backup, as by `media
 * repair`, are whole: their bytes are those that the database knows.
 * @returns the names of these, which are to be replaced together with their rows
 * @throws BackupError naming all that neither the archive nor the database knows
 */
export async function findRemade(databaseUrl: string, storage: Storage, manifest: Manifest): Promise<Set<string>> {
  const present = new Set(await listMedia(storage));
  const gate = new Gate(AT_ONCE);
  const shared = manifest.media.filter(({ name }) => present.has(name));
  const found = await Promise.all(shared.map((entry) => gate.run(() => findOther(storage, entry))));
  const others = found.flatMap((other) => other ?? []);
  const names = others.map(({ name }) => name);
  const known = await readChecksums(databaseUrl, names);
  const unknown = others.filter(({ name, sha256 }) => known.get(name) !== sha256);
  if (unknown.length > 0) throw new BackupError(describeUnknown(unknown.map(({ name }) => name)));
  return new Set(names);
}

/**
 * Puts those images of an archive into the storage that it lacks.
 * @param replaced files that are put although the storage has them
 * @returns the names of all that were put
 */
export async function putLacking(
  storage: Storage,
  manifest: Manifest,
  archive: ArchiveReader,
  replaced: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const present = new Set(await listMedia(storage));
  const gate = new Gate(AT_ONCE);
  const lacking = manifest.media.filter(({ name }) => !present.has(name) || replaced.has(name));
  await Promise.all(lacking.map((entry) => gate.run(() => putFile(storage, archive, entry))));
  return lacking.map(({ name }) => name);
}

/** Lists the names of images; other files in the storage are not the product's. */
async function listMedia(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of storage.list()) {
    if (mediaIdOf(key) !== null) names.push(key);
  }
  return names.sort();
}

/** Returns name and checksum of a stored file if its bytes are not those of the archive. */
async function findOther(storage: Storage, { name, sha256 }: MediaEntry): Promise<Omit<MediaEntry, 'size'> | null> {
  const facts = await readStoredFacts(storage, name);
  // Removed since it was listed: put again when the others are.
  return facts === null || facts.sha256 === sha256 ? null : { name, sha256: facts.sha256 };
}

/** Returns the checksums by name that the database knows of files; of some it knows none. */
async function readChecksums(
  databaseUrl: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (names.length === 0) return new Map();
  const client = new pg.Client({ ...COMMAND_CONNECTION_OPTIONS, connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // An empty database gets its tables later, and one of an earlier version its columns.
    const table = await client.query<{ found: string | null }>(`select to_regclass('public.images')::text as found`);
    if (!table.rows[0]?.found) return new Map();
    const ids = names.map((name) => mediaIdOf(name) ?? '');
    const { rows } = await client.query<{ name: string; sha256: string | null }>(
      `select file.name, to_jsonb(i) -> 'files' -> file.name ->> 'sha256' as sha256
       from unnest($1::text[], $2::text[]) as file (id, name) join public.images i on i.id = file.id`,
      [ids, names],
    );
    return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  } finally {
    await client.end();
  }
}

function describeUnknown(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? [`... and ${names.length - MAX_NAMED} more`] : [];
  const lines = [...names.slice(0, MAX_NAMED), ...more].map((line) => `\n  ${line}`);
  return (
    'The storage has files with other bytes than the backup, which the database does not know either. Of each, one of ' +
    `the two is damaged: compare them, and remove that of the storage to take that of the backup.${lines.join('')}`
  );
}

async function putFile(storage: Storage, archive: ArchiveReader, entry: MediaEntry): Promise<void> {
  const { name, size, sha256 } = entry;
  if (mediaIdOf(name) === null) throw new BackupError(`${name} is not the name of a stored file.`);
  const open = () => archive.read(MEDIA_FOLDER + name, entry);
  await storage.putStream(name, { size, sha256, open }, contentTypeOfFile(name));
}

function batches<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => items.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}
