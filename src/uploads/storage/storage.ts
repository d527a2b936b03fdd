import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.js';

/** Dependency-injection token of the {@link Storage} that the configuration chose. */
export const STORAGE = Symbol('Storage');

/** A stored file, open for reading. The caller reads the stream to its end or destroys it. */
export interface StoredFile {
  readonly stream: Readable;
  /** Bytes of the stream. */
  readonly size: number;
  /** The place of the stream in the file, if it is not all of it: its first byte, and the bytes of the whole file. */
  readonly part?: { readonly start: number; readonly total: number };
}

/** A file that is too large to be held in memory, on its way into a storage. */
export interface StreamedFile {
  /** Bytes. */
  readonly size: number;
  /** Checksum of the bytes, hexadecimal. */
  readonly sha256: string;
  /** Opens the file from its beginning; called again for each attempt. */
  readonly open: () => AsyncIterable<Buffer>;
}

/** A stored file in a listing. */
export interface StoredEntry {
  readonly key: string;
  readonly storedAt: Date;
  readonly size: number;
}

/**
 * A store of files: a folder or a bucket. Keys are flat file names (see {@link assertKey}). Files never change: a key
 * contains random letters and is written once.
 */
export interface Storage {
  /** Stores a file whole or not at all. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Stores a file as {@link put} does, while it is read. One whose bytes are not as announced is not stored. */
  putStream(key: string, file: StreamedFile, contentType: string): Promise<void>;
  /**
   * Opens a file; null if there is none. The stream breaks off with an error when it is silent for too long.
   * @param signal ends the asking, when nobody wants the file any more
   * @param range the part that is wanted; a bucket that knows no parts gives the whole file
   * @throws RangeNotSatisfiableError
   */
  open(key: string, signal?: AbortSignal, range?: ByteRange): Promise<StoredFile | null>;
  /** Bytes of a file; null if there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** Removes a file; removing one that is not there is no error. */
  delete(key: string): Promise<void>;
  /** Names every stored file, in no particular order. */
  list(): AsyncIterable<StoredEntry>;
  /**
   * Removes unfinished files of killed processes, if the driver leaves any: all from before that time, and all of dead
   * processes of this machine.
   */
  deleteUnfinished(before: Date): Promise<void>;
  /** Lets go of connections, when the process shuts down. */
  close(): Promise<void>;
}

/** Thrown when the storage itself fails (unreachable, refused, disk full), as opposed to a missing file. */
export class StorageError extends Error {
  override readonly name: string = 'StorageError';
}

/** Thrown when there is no room for a file: that goes on until somebody makes some. */
export class StorageFullError extends StorageError {
  override readonly name = 'StorageFullError';
}

const KEY = /^[a-z0-9][a-z0-9-]{0,99}\.[a-z0-9]{1,5}$/;

/**
 * The guard of both drivers: a key can name no folder, no hidden file and no temporary file.
 * @throws StorageError
 */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new StorageError(`Not a storage key: ${JSON.stringify(key)}`);
}
