import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BackupError, UnreadBackupError } from './backup.error.js';
import { decodeTarHeader, TAR_BLOCK, tarPadding, type TarEntry } from './tar-header.js';

/** Bytes that are read at once. */
const CHUNK = 256 * 1024;

/** A file in an archive, and where its content begins. */
interface PlacedEntry extends TarEntry {
  readonly start: number;
}

/** Size and checksum that a file's content must have. */
export interface Expected {
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * Reads a tar archive by its headers, so that any file in it can be read without those before it. Names in it are
 * looked up and never become paths.
 */
export class ArchiveReader {
  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    /** By name. */
    readonly entries: ReadonlyMap<string, TarEntry & { readonly start: number }>,
  ) {}

  /** @throws BackupError for what is not a whole tar archive of plain files with different names */
  static async open(file: string): Promise<ArchiveReader> {
    const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? 'it is not there' : error.message;
      throw new UnreadBackupError(file, reason, { cause: error });
    });
    try {
      if ((await handle.stat()).isDirectory()) throw new BackupError(`${file} is no backup: it is a folder.`);
      return new ArchiveReader(file, handle, await readIndex(file, handle));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * The content of a file, checked while it is read.
   * @throws BackupError at its end, if it is not as expected
   */
  async *read(name: string, expected: Expected): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new BackupError(`${this.file} lacks ${name}.`);
    if (entry.size !== expected.size) throw this.damaged(name);
    const hash = createHash('sha256');
    for await (const chunk of this.stream(entry)) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest('hex') !== expected.sha256) throw this.damaged(name);
  }

  /** The whole of a small file, unchecked; null if it is not there. @throws BackupError if it is above `limit` bytes */
  async readSmall(name: string, limit: number): Promise<Buffer | null> {
    const entry = this.entries.get(name);
    if (entry === undefined) return null;
    if (entry.size > limit) throw this.damaged(name);
    return await buffer(Readable.from(this.stream(entry)));
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async *stream({ start, size }: PlacedEntry): AsyncGenerator<Buffer> {
    for (let done = 0; done < size;) {
      const length = Math.min(CHUNK, size - done);
      const { buffer: bytes, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, start + done);
      if (bytesRead === 0) throw cutOff(this.file);
      done += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  }

  private damaged(name: string): BackupError {
    return new BackupError(`${this.file} is damaged: ${name} is not what was put in.`);
  }
}

async function readIndex(file: string, handle: FileHandle): Promise<Map<string, PlacedEntry>> {
  const { size: fileSize } = await handle.stat();
  const entries = new Map<string, PlacedEntry>();
  const block = Buffer.alloc(TAR_BLOCK);
  for (let position = 0; ;) {
    if (position + TAR_BLOCK > fileSize && entries.size > 0) throw cutOff(file);
    const { bytesRead } = await handle.read(block, 0, TAR_BLOCK, position);
    const entry = bytesRead === TAR_BLOCK ? decode(file, block, entries.size === 0) : undefined;
    if (entry === undefined) throw foreign(file);
    position += TAR_BLOCK;
    if (entry === null) {
      if (position + TAR_BLOCK > fileSize) throw cutOff(file);
      return entries;
    }
    if (entries.has(entry.name)) throw new BackupError(`${file} is no backup: it has ${entry.name} twice.`);
    if (position + entry.size > fileSize) throw cutOff(file);
    entries.set(entry.name, { ...entry, start: position });
    position += entry.size + tarPadding(entry.size);
  }
}

/** @returns null at the end, undefined for what is no header at the beginning of a file */
function decode(file: string, block: Buffer, isFirst: boolean): TarEntry | null | undefined {
  try {
    return decodeTarHeader(block);
  } catch (error) {
    if (isFirst && (error as Error).message === 'not a tar header') return undefined;
    throw new BackupError(`${file} is damaged, or no backup: ${(error as Error).message}.`);
  }
}

function cutOff(file: string): BackupError {
  return new BackupError(`${file} is cut off: it ends before its last file does.`);
}

function foreign(file: string): BackupError {
  return new BackupError(`${file} is no backup: it is not a tar archive.`);
}
