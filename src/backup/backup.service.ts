import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config/config.js';
import { describeDatabase } from '../database/describe-database.js';
import { openDatabase } from '../database/open-database.js';
import { Gate } from '../shared/gate.js';
import type { LostImageSource } from '../uploads/media-repair.service.js';
import { createStorage, type Storage } from '../uploads/uploads.module.js';
import { ArchiveReader } from './archive-reader.js';
import type { ArchivePlace } from './archive-writer.js';
import { ArchiveState } from './archive-state.js';
import { BackupError, UnreadBackupError } from './backup.error.js';
import { createBackup, type CreatedBackup } from './create-backup.js';
import { findDataOwner } from './data-owner.js';
import { keyOf } from './database-catalog.js';
import { MEDIA_FOLDER, readManifest, type Manifest } from './manifest.js';
import { noteBackup } from './note-backup.js';
import { choosePrunable, type Pruning } from './prune-backups.js';
import { countPresent, restoreState, type RestoreOutcome, type RowCounts } from './restore-backup.js';
import { withScratchDatabase } from './scratch-database.js';
import { examineBackup, type ExaminedBackup } from './verify-backup.js';

export { BackupError } from './backup.error.js';
export type { CreatedBackup } from './create-backup.js';
export { isComplete, type Manifest } from './manifest.js';
export { KEPT_COMPLETE } from './prune-backups.js';
export type { RestoreOutcome, RowCounts } from './restore-backup.js';

/** Backups that are open at once: a process has only so many files, and the descriptions of large sites are large. */
const AT_ONCE = 4;

/** A backup in the folder of backups. */
export interface ListedBackup {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** When the file was written. */
  readonly writtenAt: Date;
  /** Its manifest, or the reason why it cannot be read. */
  readonly content: Manifest | BackupError;
}

/** The result of verifying an archive. */
export interface VerifiedBackup {
  readonly manifest: Manifest;
  /** One sentence each; empty when it can be restored. */
  readonly problems: readonly string[];
  /** Rows by table that a trial restore brought back; undefined if none was made. */
  readonly restored: RowCounts | undefined;
}

/** How to restore. */
export interface RestoreOptions {
  /** Asked when there is something to lose; false keeps it. */
  readonly confirm: (present: RowCounts, backup: Manifest) => Promise<boolean>;
  /** True when the present state is backed up first. */
  readonly isCautious: boolean;
}

/** Which backups are too old. */
export interface PruneOptions {
  readonly days: number;
  readonly isDryRun: boolean;
}

/** An old backup that is there still, and why. */
export interface UnremovedBackup {
  readonly file: string;
  readonly reason: string;
}

/** The outcome of a removal of old backups. */
export interface PruneOutcome extends Pruning {
  readonly kept: readonly UnremovedBackup[];
}

/** A restore that was made. */
export interface Restored extends RestoreOutcome {
  readonly manifest: Manifest;
  /**
   * Backup of the state before, without what was written after it was begun; undefined if there was nothing, or none was
   * wanted.
   */
  readonly before: CreatedBackup | undefined;
}

/**
 * The whole site as one file, and back. It works without the application, which an empty or outdated database would
 * keep from starting, and beside running servers.
 */
export class BackupService {
  constructor(private readonly config: Config) {}

  /** The folder for backups without a file name. */
  get folder(): string {
    return join(this.config.dataDir, 'backups');
  }

  /** The database that is backed up and restored into, for somebody who is asked. */
  get databaseName(): string {
    return describeDatabase(this.config);
  }

  /**
   * Backs up everything in the database and the storage.
   * @param file a new one; in the folder of backups, with the time as its name, if left out
   */
  async create(file?: string): Promise<CreatedBackup> {
    return await this.withSite(async (url, storage) => {
      const place = file === undefined ? await this.newFile('backup') : { file: resolve(file), isNumbered: false };
      const created = await createBackup(this.config, url, storage, place);
      await noteBackup(url, created.manifest.createdAt);
      return created;
    });
  }

  /**
   * Checks everything in a backup.
   * @param isTried also restores the rows into a database of their own, on the server of the configuration
   * @throws BackupError when the file is no backup
   */
  async verify(file: string, isTried: boolean): Promise<VerifiedBackup> {
    const examined = await examineBackup(file);
    try {
      const { manifest, problems } = examined;
      const isWhole = problems.length === 0;
      return { manifest, problems, restored: isTried && isWhole ? await this.tryOut(examined) : undefined };
    } finally {
      await examined.archive.close();
    }
  }

  /**
   * Opens the images of a backup, for `media repair`; the caller closes them.
   * @throws BackupError when the file is no backup
   */
  async openMedia(file: string): Promise<LostImageSource & { close(): Promise<void> }> {
    const archive = await ArchiveReader.open(file);
    try {
      const { media } = await readManifest(file, archive);
      const entries = new Map(media.map((entry) => [entry.name, entry]));
      return {
        kind: 'backup',
        openFile: async (name) => {
          const entry = entries.get(name);
          return entry === undefined ? null : { open: () => archive.read(MEDIA_FOLDER + name, entry) };
        },
        findFile: async (name) => {
          const entry = entries.get(name);
          return entry === undefined ? null : await readMedia(archive, entry);
        },
        close: () => archive.close(),
      };
    } catch (error) {
      await archive.close();
      throw error;
    }
  }

  /** The backups in a folder, the newest first. */
  async list(folder: string = this.folder): Promise<ListedBackup[]> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      // The first backup makes the folder of the site; another one was mistyped, or is on a disk that is not there.
      if (error.code === 'ENOENT' && folder === this.folder) return [];
      const reasons: Record<string, string> = { ENOENT: 'is not there', ENOTDIR: 'is no folder' };
      throw new BackupError(`${folder} ${reasons[error.code ?? ''] ?? `cannot be read: ${error.message}`}.`);
    });
    const files = names.filter((name) => name.endsWith('.tar') && !name.startsWith('.'));
    const gate = new Gate(AT_ONCE);
    const found = await Promise.all(files.map((name) => gate.run(() => describe(join(folder, name)))));
    return found.flatMap((backup) => backup ?? []).sort((one, other) => timeOf(other).localeCompare(timeOf(one)));
  }

  /**
   * Removes the backups of a folder that `create` named and that are older than so many days. The last complete ones
   * stay, and those that nobody can look into (see `prune-backups.ts`).
   * @param isDryRun true when nothing is removed, only chosen
   */
  async prune(folder: string = this.folder, { days, isDryRun }: PruneOptions): Promise<PruneOutcome> {
    const chosen = choosePrunable(await this.list(folder), days, Date.now());
    const kept: UnremovedBackup[] = chosen.unread.map(({ file, content: { reason } }) => ({
      file,
      reason: `nobody knows whether it is a good one, as it cannot be read: ${reason.replace(/, open '.*'$/, '')}`,
    }));
    for (const { file } of isDryRun ? [] : chosen.removed) {
      // One that somebody else owns must not keep the others, until the disk is full.
      await rm(file, { force: true }).catch(({ message }: Error) => {
        kept.push({ file, reason: message.replace(/, unlink '.*'$/, '') });
      });
    }
    const removed = chosen.removed.filter(({ file }) => !kept.some((one) => one.file === file));
    return { ...chosen, removed, kept };
  }

  /** Returns when the files in the folder of backups were written, without looking into them. */
  async findTimes(): Promise<Date[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.tar') && !name.startsWith('.'));
    const stats = await Promise.all(files.map((name) => stat(join(this.folder, name)).catch(() => null)));
    return stats.flatMap((found) => (found === null ? [] : [found.mtime]));
  }

  /**
   * Replaces the present state with a backup, or changes nothing.
   * @returns null if that was not confirmed
   * @throws BackupError naming why it cannot be restored
   */
  async restore(file: string, { confirm, isCautious }: RestoreOptions): Promise<Restored | null> {
    const examined = await examineBackup(file);
    try {
      const { manifest, problems } = examined;
      if (problems.length > 0) throw new BackupError(`${file} cannot be restored: ${problems.join(' ')}`);
      return await this.withSite(async (url, storage) => {
        const present = await countPresent(url);
        const isEmpty = Object.keys(present).length === 0;
        if (!isEmpty && !(await confirm(present, manifest))) return null;
        let before: CreatedBackup | undefined;
        const outcome = await restoreState(this.config, url, storage, examined, async (added) => {
          if (isEmpty || !isCautious) return;
          const place = await this.newFile('before-restore');
          before = await createBackup(this.config, url, storage, place, added);
        });
        return { ...outcome, manifest, before };
      });
    } finally {
      await examined.archive.close();
    }
  }

  private async tryOut({ archive, manifest }: ExaminedBackup): Promise<RowCounts> {
    const database = await openDatabase(this.config);
    try {
      const state = new ArchiveState(archive, manifest);
      const { rows } = await withScratchDatabase(database.directUrl, state, async ({ loaded }) => loaded);
      return Object.fromEntries(rows);
    } finally {
      await database.close();
    }
  }

  private async withSite<T>(task: (databaseUrl: string, storage: Storage) => Promise<T>): Promise<T> {
    const database = await openDatabase(this.config);
    try {
      const storage = await createStorage(this.config.storage);
      try {
        return await task(database.directUrl, storage);
      } finally {
        await storage.close();
      }
    } finally {
      await database.close();
    }
  }

  private async newFile(label: string): Promise<ArchivePlace> {
    const time = new Date().toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
    const owner = await findDataOwner(this.config.dataDir);
    return { file: resolve(this.folder, `${label}-${time}.tar`), isNumbered: true, owner };
  }
}

/** Null for one that was removed meanwhile. */
async function describe(file: string): Promise<ListedBackup | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  const { size, mtime: writtenAt } = found;
  try {
    const archive = await ArchiveReader.open(file);
    try {
      return { file, size, writtenAt, content: await readManifest(file, archive) };
    } finally {
      await archive.close();
    }
  } catch (error) {
    if (error instanceof BackupError) {
      const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
      return code === 'ENOENT' ? null : { file, size, writtenAt, content: error };
    }
    // One on a bad place of the disk must not hide the others.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return { file, size, writtenAt, content: new UnreadBackupError(file, message, { cause: error }) };
  }
}

/** Null for a file that is damaged in the archive: others may be whole. */
async function readMedia(archive: ArchiveReader, entry: Manifest['media'][number]): Promise<Buffer | null> {
  try {
    return await buffer(Readable.from(archive.read(MEDIA_FOLDER + entry.name, entry)));
  } catch (error) {
    if (error instanceof BackupError) return null;
    throw error;
  }
}

function timeOf({ content }: ListedBackup): string {
  return content instanceof BackupError ? '' : content.createdAt;
}

/** How many rows a backup has of a table. */
export function rowsOf(manifest: Manifest, key: string): number {
  return manifest.tables.find((table) => keyOf(table) === key)?.rows ?? 0;
}
