import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BackupError } from './backup.error.js';
import { encodeTarHeader, TAR_BLOCK, tarPadding, type TarEntry } from './tar-header.js';

const DRAFT = /^\..+\.[0-9a-f]{12}\.partial$/;
const DAY_MS = 86_400_000;

/** A file that was put into an archive. */
export interface WrittenEntry extends TarEntry {
  /** Checksum of the content, hexadecimal. */
  readonly sha256: string;
}

/**
 * Writes a tar archive of files whose sizes are not known before: it writes a header after the content. The archive
 * grows under another name and gets its own when it is whole and on the disk; only its owner may read it.
 */
export class ArchiveWriter {
  private position = 0;

  private constructor(
    private readonly file: string,
    private readonly draft: string,
    private readonly handle: FileHandle,
    private readonly time: Date,
  ) {}

  /** @throws BackupError if there is such a file already */
  static async create(file: string, time: Date): Promise<ArchiveWriter> {
    if (existsSync(file)) throw new BackupError(`${file} is there already: choose another name.`);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await removeLeftDrafts(dirname(file));
    const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.partial`);
    return new ArchiveWriter(file, draft, await open(draft, 'wx', 0o600), time);
  }

  /** Adds a file with this content; when that breaks off, the file is not in the archive and may be added again. */
  async add(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<WrittenEntry> {
    const start = this.position;
    try {
      return await this.addAt(start, name, content);
    } catch (error) {
      this.position = start;
      throw error;
    }
  }

  private async addAt(
    start: number,
    name: string,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<WrittenEntry> {
    const hash = createHash('sha256');
    this.position += TAR_BLOCK;
    for await (const chunk of content) {
      hash.update(chunk);
      await this.append(chunk);
    }
    const size = this.position - start - TAR_BLOCK;
    await this.append(Buffer.alloc(tarPadding(size)));
    await this.writeAt(encodeTarHeader({ name, size }, this.time), start);
    return { name, size, sha256: hash.digest('hex') };
  }

  /** Makes the archive whole. @returns its bytes */
  async finish(): Promise<number> {
    await this.append(Buffer.alloc(2 * TAR_BLOCK));
    // A file that broke off may have reached further than those after it.
    await this.handle.truncate(this.position);
    await this.handle.sync();
    await this.handle.close();
    await rename(this.draft, this.file);
    await flushFolder(dirname(this.file));
    return this.position;
  }

  /** Leaves nothing behind; after {@link finish} it does nothing. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.draft, { force: true });
  }

  private async append(bytes: Buffer): Promise<void> {
    await this.writeAt(bytes, this.position);
    this.position += bytes.length;
  }

  private async writeAt(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }
}

/** Removes drafts that killed processes left; one of today may still be written. */
async function removeLeftDrafts(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => DRAFT.test(entry))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (Math.abs(Date.now() - mtimeMs) > DAY_MS) await rm(join(folder, name), { force: true });
  }
}

/** A new name survives a power cut only when its folder has been written too. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
