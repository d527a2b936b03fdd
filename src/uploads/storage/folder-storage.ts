import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../database/start-lock.js';
import { describeWriteFailure, isDiskFull } from '../../http/disk-full.js';
import { flushFolder } from '../../http/flush-folder.js';
import { RangeNotSatisfiableError, resolveByteRange, type ByteRange } from './byte-range.js';
import { toCheckedStream } from './checked-stream.js';
import {
  assertKey,
  StorageError,
  StorageFullError,
  type Storage,
  type StoredEntry,
  type StoredFile,
  type StreamedFile,
} from './storage.js';

/** Files under construction; the dot keeps them out of {@link FolderStorage.list} and of every valid key. */
const TEMPORARY_PREFIX = '.incoming-';
/** The machine, as several may share the folder: only its own processes can be known to be dead. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
const OWN_PREFIX = `${TEMPORARY_PREFIX}${MACHINE}-${process.pid}-`;
/** Start of this process. In containers every process has the same number, its predecessor too. */
const STARTED_AT = new Date(performance.timeOrigin);

/** Keeps files in one folder of this machine. */
export class FolderStorage implements Storage {
  /** @param folder absolute; made when the first file is stored */
  constructor(private readonly folder: string) {}

  /**
   * Written aside, flushed and renamed, so that after a crash a file is there whole or not at all; and its name is flushed,
   * so that it is there once its row is.
   */
  async put(key: string, bytes: Buffer): Promise<void> {
    await this.write(key, (file) => file.writeFile(bytes));
  }

  async putStream(key: string, source: StreamedFile): Promise<void> {
    await this.write(key, (file) => file.writeFile(toCheckedStream(source)));
  }

  private async write(key: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
    assertKey(key);
    const temporary = join(this.folder, `${OWN_PREFIX}${randomBytes(8).toString('hex')}`);
    try {
      await mkdir(this.folder, { recursive: true });
      await writeAndFlush(temporary, fill);
      await rename(temporary, join(this.folder, key));
      await flushFolder(this.folder);
    } catch (cause) {
      await rm(temporary, { force: true }).catch(() => undefined);
      const reason = `The image folder ${this.folder} cannot be written: ${describeWriteFailure(cause)}`;
      throw isDiskFull(cause) ? new StorageFullError(reason, { cause }) : new StorageError(reason, { cause });
    }
  }

  async open(key: string, _signal?: AbortSignal, range?: ByteRange): Promise<StoredFile | null> {
    assertKey(key);
    const file = await openIfPresent(join(this.folder, key));
    if (file === null) return null;
    try {
      const { size: total } = await file.stat();
      if (range === undefined) return { stream: file.createReadStream(), size: total };
      const { start, end } = resolveByteRange(range, total);
      return { stream: file.createReadStream({ start, end }), size: end - start + 1, part: { start, total } };
    } catch (cause) {
      await file.close();
      if (cause instanceof RangeNotSatisfiableError) throw cause;
      throw new StorageError(`The image folder ${this.folder} cannot be read: ${String(cause)}`, { cause });
    }
  }

  async sizeOf(key: string): Promise<number | null> {
    assertKey(key);
    const facts = await orNullIfMissing(stat(join(this.folder, key)));
    return facts?.isFile() === true ? facts.size : null;
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await rm(join(this.folder, key), { force: true });
  }

  async *list(): AsyncIterable<StoredEntry> {
    for await (const entry of this.entries()) {
      if (!entry.key.startsWith('.')) yield entry;
    }
  }

  async deleteUnfinished(before: Date): Promise<void> {
    for await (const { key, storedAt } of this.entries()) {
      if (!key.startsWith(TEMPORARY_PREFIX)) continue;
      if (storedAt < before || isAbandoned(key, storedAt)) await rm(join(this.folder, key), { force: true });
    }
  }

  async close(): Promise<void> {}

  private async *entries(): AsyncIterable<StoredEntry> {
    for (const key of (await orNullIfMissing(readdir(this.folder))) ?? []) {
      // The file may have been removed in the meantime.
      const facts = await orNullIfMissing(stat(join(this.folder, key)));
      if (facts?.isFile()) yield { key, storedAt: facts.mtime, size: facts.size };
    }
  }
}

/** Tells whether the process that was writing a file died on this machine. */
function isAbandoned(key: string, storedAt: Date): boolean {
  const [, machine, pid] = /^\.incoming-([0-9a-f]{12})-(\d+)-/.exec(key) ?? [];
  if (machine !== MACHINE) return false;
  return Number(pid) === process.pid ? storedAt < STARTED_AT : !isAlive(Number(pid));
}

async function writeAndFlush(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await fill(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
  return orNullIfMissing(open(path, 'r'));
}

async function orNullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StorageError(`The image folder cannot be read: ${String(error)}`, { cause: error });
  }
}
