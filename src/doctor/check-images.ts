import type { Config } from '../config/config.js';
import { filesOf, mediaIdOf } from '../shared/media-files.js';
import { createStorage, type Storage } from '../uploads/uploads.module.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { describeError, fail, ok, warn, type Statement } from './finding.js';

/** A storage that takes longer to list is too large for a check while the operator waits. */
const LISTING_MS = 10_000;
const ADVICE = 'npm run cli -- media check names them, and media repair brings back what can be had again.';

interface ImageRow {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** Checks that every image has its files, by names and sizes. */
export async function checkImages({ client }: ConnectedDatabase, config: Config): Promise<Statement> {
  const { rows } = await client.query<ImageRow>(
    'select id, name, byte_size as size from images where removed_at is null',
  );
  if (rows.length === 0) return ok('there are none yet');
  let stored: ReadonlyMap<string, Stored> | null;
  try {
    stored = await listStored(config);
  } catch (error) {
    return warn(`cannot be checked without the storage: ${describeError(error)}`, 'See to the storage first.');
  }
  if (stored === null) return await tellLastCheck(client);
  const lacking = rows.filter(({ id, name, size }) => !isWhole(stored.get(id), name, size)).length;
  const sentence = `${lacking} of ${rows.length} images lack files, or have others than they were stored with`;
  return lacking === 0 ? ok(`all ${rows.length} have their files`) : fail(sentence, ADVICE);
}

interface Stored {
  readonly names: readonly string[];
  readonly bytes: number;
}

/** A file more than there should be takes nothing from an image. */
function isWhole(stored: Stored | undefined, name: string, size: number): boolean {
  const wanted = filesOf(name);
  if (wanted.some((file) => stored?.names.includes(file) !== true)) return false;
  return (stored?.names.length ?? 0) > wanted.length || stored?.bytes === size;
}

/** Null if it takes too long. */
async function listStored(config: Config): Promise<ReadonlyMap<string, Stored> | null> {
  const storage: Storage = await createStorage(config.storage);
  try {
    const end = performance.now() + LISTING_MS;
    const stored = new Map<string, { names: string[]; bytes: number }>();
    for await (const { key, size } of storage.list()) {
      if (performance.now() > end) return null;
      const id = mediaIdOf(key);
      if (id === null) continue;
      const sums = stored.get(id) ?? { names: [], bytes: 0 };
      sums.names.push(key);
      sums.bytes += size;
      stored.set(id, sums);
    }
    return stored;
  } finally {
    await storage.close();
  }
}

async function tellLastCheck(client: ConnectedDatabase['client']): Promise<Statement> {
  const { rows } = await client.query<{ lacking: number; images: number; at: Date }>(
    'select lacking, images, checked_at as at from media_state',
  );
  const [last] = rows;
  if (last === undefined) return warn('there are too many to look at here, and no check has been made yet', ADVICE);
  const sentence = `${last.lacking} of ${last.images} images lack files, by the check of ${last.at.toISOString()}`;
  return last.lacking === 0 ? ok(sentence) : fail(sentence, ADVICE);
}
