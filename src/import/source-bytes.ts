import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { ImportSourceError } from './import.errors.js';
import type { ShortcodeRules } from './shortcode-rules.js';
import type { SourceSettings } from './source-post.js';

/** Defaults for posts that leave something out. */
export interface ReaderSettings {
  /** Author of posts that name nobody. */
  readonly author: string;
  /** In which dates without an offset are meant. */
  readonly timeZone: string;
  /** Rules for the source's own tags. */
  readonly shortcodes?: ShortcodeRules;
  /** Category of the pages of a site, which are taken as posts; undefined leaves them out. */
  readonly pages?: string;
  /** True if comments are wanted. */
  readonly isTakingComments?: boolean;
  /** Chooses slugs as the operator wants them, for links between posts. */
  readonly slugOf?: SourceSettings['slugOf'];
}

/** An export in one file. */
export interface ExportFile {
  /** Absolute and without symbolic links. */
  readonly path: string;
  /** The folder that it is in. */
  readonly root: string;
  /** For messages. */
  readonly name: string;
  readonly bytes: number;
}

/** Thrown when a file ends, or stops making sense, before its end; everything complete has been delivered by then. */
export class BrokenOffError extends ImportSourceError {}

const CHUNK_BYTES = 256 * 1024;

/**
 * Finds an export.
 * @throws ImportSourceError if there is no such file, or nothing in it
 */
export async function findExport(path: string): Promise<ExportFile> {
  const real = await realpath(resolve(path)).catch(() => null);
  if (real === null) throw new ImportSourceError(`${path}: there is no such file`);
  const stats = await stat(real);
  if (!stats.isFile()) throw new ImportSourceError(`${path}: is not a file`);
  if (stats.size === 0) throw new ImportSourceError(`${path}: is empty`);
  return { path: real, root: dirname(real), name: basename(path), bytes: stats.size };
}

/**
 * The first bytes, as {@link readBytes} gives them.
 * @throws ImportSourceError when they cannot be read
 */
export async function readHead(file: ExportFile, length = 64 * 1024): Promise<Buffer> {
  const head = Buffer.alloc(Math.min(length, file.bytes));
  const handle = await open(file.path).catch((error: unknown) => fail(file, error));
  try {
    await handle.read(head, 0, head.length, 0);
  } catch (error) {
    fail(file, error);
  } finally {
    await handle.close();
  }
  const encoding = utf16Of(head);
  if (encoding === null) return head.subarray(lengthOfMark(head));
  // A character may be cut in two here.
  return Buffer.from(new TextDecoder(encoding).decode(head, { stream: true }));
}

/**
 * The bytes of a file from its beginning to its end, without a byte order mark. UTF-16 with such a mark arrives as
 * UTF-8; any other encoding arrives as it is, so that what cannot be decoded stays the problem of the item it is in.
 * @param handleBytes told how many bytes of the file have been read
 * @throws ImportSourceError when the file cannot be read any further
 */
export async function* readBytes(
  file: ExportFile,
  handleBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let done = 0;
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunksOf(file)) {
    const encoding = done === 0 ? utf16Of(chunk) : null;
    if (encoding !== null) decoder = new TextDecoder(encoding, { fatal: true });
    const isFirst = done === 0;
    done += chunk.length;
    if (decoder !== null) yield decode(file, decoder, chunk, done);
    else yield isFirst ? chunk.subarray(lengthOfMark(chunk)) : chunk;
    handleBytes(done);
  }
}

async function* chunksOf(file: ExportFile): AsyncGenerator<Buffer, void, undefined> {
  const stream = createReadStream(file.path, { highWaterMark: CHUNK_BYTES });
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    fail(file, error);
  } finally {
    stream.destroy();
  }
}

function decode(file: ExportFile, decoder: TextDecoder, chunk: Buffer, done: number): Buffer {
  try {
    return Buffer.from(decoder.decode(chunk, { stream: true }));
  } catch {
    throw new BrokenOffError(`${file.name}: is not valid UTF-16 before byte ${done}`);
  }
}

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function lengthOfMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function fail(file: ExportFile, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ImportSourceError(`${file.name}: cannot be read: ${reason}`);
}
