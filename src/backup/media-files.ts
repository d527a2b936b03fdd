import { createHash } from 'node:crypto';
import pg from 'pg';
import { contentTypeOf, parseMediaName, renditionsOf } from '../shared/media.js';
import { Gate } from '../shared/gate.js';
import { readStored, type Storage } from '../uploads/uploads.module.js';
import type { ArchiveReader } from './archive-reader.js';
import type { ArchiveWriter } from './archive-writer.js';
import { BackupError } from './backup.error.js';
import { MEDIA_FOLDER, type Manifest } from './manifest.js';

/** Files of images that are held in memory at once; a bucket is far away. */
const AT_ONCE = 8;

type MediaEntry = Manifest['media'][number];

/** The result of copying the images of a storage. */
export interface CopiedMedia {
  readonly media: MediaEntry[];
  /** Files that images of the snapshot should have, and the storage had not when their turn came. */
  readonly missing: string[];
}

/**
 * Copies every image of the storage into an archive. Begun after the snapshot of the database: files never change and
 * come before their rows, so all that the snapshot knows are there but those that were removed since.
 * @param images of the snapshot, by name
 */
export async function copyMediaOut(
  storage: Storage,
  images: readonly string[],
  archive: ArchiveWriter,
): Promise<CopiedMedia> {
  const wanted = images.flatMap((name) => renditionsOf(name).map((rendition) => rendition.name));
  const missing = new Set(wanted);
  const media: MediaEntry[] = [];
  for (const names of batches(await listMedia(storage))) {
    const files = await Promise.all(names.map((name) => readStored(storage, name)));
    for (const [index, name] of names.entries()) {
      const bytes = files[index];
      if (!bytes) continue;
      const { size, sha256 } = await archive.add(MEDIA_FOLDER + name, [bytes]);
      media.push({ name, size, sha256 });
      missing.delete(name);
    }
  }
  return { media, missing: [...missing].sort() };
}

/** Returns the missing files whose image still exists, which are therefore lost. */
export async function findLost(databaseUrl: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const ids = [...new Set(names.map((name) => parseMediaName(name)?.id ?? ''))];
    const { rows } = await client.query<{ id: string }>(
      `select id from public.images i where id = any($1) and to_jsonb(i) ->> 'removed_at' is null`,
      [ids],
    );
    const present = new Set(rows.map(({ id }) => id));
    return names.filter((name) => present.has(parseMediaName(name)?.id ?? ''));
  } finally {
    await client.end();
  }
}

/**
 * Compares the images that both the storage and an archive have.
 * @throws BackupError if one of them differs
 */
export async function assertNoneDiffers(storage: Storage, manifest: Manifest): Promise<void> {
  const present = new Set(await listMedia(storage));
  const gate = new Gate(AT_ONCE);
  const shared = manifest.media.filter(({ name }) => present.has(name));
  await Promise.all(shared.map((entry) => gate.run(() => assertSame(storage, entry))));
}

/** Puts those images of an archive into the storage that it lacks. @returns how many there were */
export async function putLacking(storage: Storage, manifest: Manifest, archive: ArchiveReader): Promise<number> {
  const present = new Set(await listMedia(storage));
  const gate = new Gate(AT_ONCE);
  const lacking = manifest.media.filter(({ name }) => !present.has(name));
  await Promise.all(lacking.map((entry) => gate.run(() => putFile(storage, archive, entry))));
  return lacking.length;
}

/** Lists the names of images; other files in the storage are not the product's. */
async function listMedia(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of storage.list()) {
    if (parseMediaName(key) !== null) names.push(key);
  }
  return names.sort();
}

async function assertSame(storage: Storage, { name, sha256 }: MediaEntry): Promise<void> {
  const bytes = await readStored(storage, name);
  // Removed since it was listed: put again when the others are.
  if (bytes === null || createHash('sha256').update(bytes).digest('hex') === sha256) return;
  throw new BackupError(
    `The storage has ${name} with other bytes than the backup. One of the two is damaged: compare them, and remove ` +
      'that of the storage to take that of the backup.',
  );
}

async function putFile(storage: Storage, archive: ArchiveReader, entry: MediaEntry): Promise<void> {
  const media = parseMediaName(entry.name);
  if (media === null) throw new BackupError(`${entry.name} is not the name of an image.`);
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(MEDIA_FOLDER + entry.name, entry)) chunks.push(chunk);
  await storage.put(entry.name, Buffer.concat(chunks), contentTypeOf(media.extension));
}

function batches<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => items.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}
