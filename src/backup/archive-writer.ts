import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeWriteFailure } from '../http/disk-full.js';
import { nameAsNew, openDraft, type DraftFile } from '../http/draft-file.js';
import { flushFolder } from '../http/flush-folder.js';
import { BackupError } from './backup.error.js';
import { giveFolder, type Owner } from './data-owner.js';
import { encodeTarHeader, TAR_BLOCK, tarPadding, type TarEntry } from './tar-header.js';

const DRAFT = /^\..+\.[0-9a-f]{12}\.partial$/;
const DAY_MS = 86_400_000;

/** The place of an archive that is to be written. */
export interface ArchivePlace {
  /** Absolute path. */
  readonly file: string;
  /** True for a name that nobody chose: a number follows where another process has used it in the same second. */
  readonly isNumbered: boolean;
  /** The user who gets it, with the folder where that is made; whoever runs this if left out. */
  readonly owner?: Owner | undefined;
}

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
  private readonly handle: FileHandle;

  private constructor(
    private readonly place: ArchivePlace,
    private readonly draft: string,
    private readonly draftFile: DraftFile,
    private readonly time: Date,
  ) {
    this.handle = draftFile.handle;
  }

  /** @throws BackupError if there is such a file already, or none can be written there */
  static async create(place: ArchivePlace, time: Date): Promise<ArchiveWriter> {
    const { file, isNumbered, owner } = place;
    if (!isNumbered && existsSync(file)) throw alreadyThere(file);
    try {
      const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      if (owner && made !== undefined) await giveFolder(dirname(file), owner);
      await removeLeftDrafts(dirname(file));
      const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.partial`);
      const draftFile = await openDraft(draft, 0o600);
      // As with the folder: where it cannot be given away, it is better than none.
      if (owner) await draftFile.handle.chown(owner.uid, owner.gid).catch(() => undefined);
      return new ArchiveWriter(place, draft, draftFile, time);
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /**
   * Adds a file with this content; when that breaks off, the file is not in the archive and may be added again.
   * @throws BackupError when the archive cannot be written; errors of the content as they are
   */
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

  /**
   * Makes the archive whole and gives it its name.
   * @throws BackupError when another file has the name, or the archive cannot be written
   */
  async finish(): Promise<{ readonly file: string; readonly size: number }> {
    await this.append(Buffer.alloc(2 * TAR_BLOCK));
    try {
      // A file that broke off may have reached further than those after it.
      await this.handle.truncate(this.position);
      await this.handle.sync();
      await this.handle.close();
      const file = await this.publish();
      await flushFolder(dirname(file));
      return { file, size: this.position };
    } catch (error) {
      throw unwritable(this.place.file, error);
    }
  }

  /** Leaves nothing behind; after {@link finish} it does nothing. */
  async discard(): Promise<void> {
    this.draftFile.release();
    await this.handle.close().catch(() => undefined);
    await rm(this.draft, { force: true });
  }

  private async publish(): Promise<string> {
    for (let number = 1; ; number += 1) {
      const file = number === 1 ? this.place.file : this.place.file.replace(/\.tar$/, `-${number}.tar`);
      if (await nameAsNew(this.draft, file)) return file;
      if (!this.place.isNumbered) throw alreadyThere(file);
    }
  }

  private async append(bytes: Buffer): Promise<void> {
    await this.writeAt(bytes, this.position);
    this.position += bytes.length;
  }

  private async writeAt(bytes: Buffer, position: number): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw unwritable(this.place.file, error);
    }
  }
}

function alreadyThere(file: string): BackupError {
  return new BackupError(`${file} is there already: choose another name.`);
}

function unwritable(file: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  return new BackupError(`${file} cannot be written: ${describeWriteFailure(error)}.`, { cause: error });
}

/**
 * Removes drafts that killed processes left; one of today may still be written. One that is finished meanwhile, or is
 * somebody else's, is no reason to make no backup.
 */
async function removeLeftDrafts(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => DRAFT.test(entry))) {
    const draft = join(folder, name);
    const found = await stat(draft).catch(() => null);
    if (found === null || Math.abs(Date.now() - found.mtimeMs) <= DAY_MS) continue;
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
