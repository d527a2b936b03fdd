import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isAlive } from '../database/start-lock.js';
import { removeOnSignal } from '../http/draft-file.js';
import { ExportError } from './export.error.js';

/** Suffix of files in progress. The dot in front hides them, and importers skip them. */
const STAGE_SUFFIX = '.posts-export';

/** Stages of this process: others with its id are of a former one, as in a container that was started again. */
const ownStages = new Set<string>();

/** Modes of what is written, for its owner alone or for whoever the umask lets. */
const RIGHTS = { private: { file: 0o600, folder: 0o700 }, public: { file: 0o666, folder: 0o777 } } as const;

/** A file beside those of the result. */
export interface Scratch {
  readonly handle: FileHandle;
  remove(): Promise<void>;
}

/**
 * Files that appear in a folder all together, when the last one is written. Until then they lie in a hidden folder
 * beside it, or inside it where it exists, which Ctrl+C or another signal removes; one that was left behind by a killed
 * process is removed by the next.
 */
export class StagedFiles {
  readonly files: string[] = [];
  private readonly folders = new Set<string>();

  private constructor(
    /** The final folder of the files. */
    readonly folder: string,
    private readonly stage: string,
    private readonly isNew: boolean,
    private readonly rights: (typeof RIGHTS)[keyof typeof RIGHTS],
    /** Ends that a signal removes the stage. */
    private readonly release: () => void,
  ) {}

  /**
   * @param name of what is being written, to tell stages in one folder apart
   * @param isPrivate true where other users of the machine must not read the files, nor list new folders
   * @throws ExportError while another process writes the same
   */
  static async create(folder: string, name: string, isPrivate: boolean): Promise<StagedFiles> {
    const isNew = !(await exists(folder));
    const parent = isNew ? dirname(folder) : folder;
    const own = `.${name}.${process.pid}-${randomUUID()}${STAGE_SUFFIX}`;
    const stage = join(parent, own);
    const rights = isPrivate ? RIGHTS.private : RIGHTS.public;
    await mkdir(parent, { recursive: true });
    // In one go, so that no signal comes between the folder and whoever removes it.
    mkdirSync(stage, { mode: rights.folder });
    const release = removeOnSignal(stage);
    ownStages.add(own);
    try {
      // Only now: of two that begin at once, each sees the other or comes after it.
      await removeLeftStages(parent, name);
    } catch (error) {
      await rm(stage, { recursive: true, force: true });
      release();
      throw error;
    }
    return new StagedFiles(folder, stage, isNew, rights, release);
  }

  async write(file: string, text: string): Promise<void> {
    const handle = await this.open(file);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  }

  async copy(file: string, source: Readable): Promise<void> {
    await pipeline(source, createWriteStream(await this.claim(file), { flags: 'wx', mode: this.rights.file }));
  }

  /** Opens a new file for writing; whoever opens it closes it. */
  async open(file: string): Promise<FileHandle> {
    return await open(await this.claim(file), 'wx', this.rights.file);
  }

  /** Opens a file that is no part of the result, for writing and reading back; whoever opens it removes it. */
  async openScratch(name: string): Promise<Scratch> {
    const path = join(this.stage, `.${name}`);
    const handle = await open(path, 'wx+', 0o600);
    return {
      handle,
      remove: async () => {
        await handle.close();
        await rm(path, { force: true });
      },
    };
  }

  /**
   * Lets the files appear.
   * @param replaced files of an earlier export, which are removed
   * @throws ExportError if there is another file in the place of one of them
   */
  async publish(replaced: readonly string[]): Promise<void> {
    if (this.isNew) return await this.publishFolder();
    await this.refuseForeignFiles(new Set(replaced));
    for (const file of replaced) await rm(join(this.folder, file), { force: true });
    for (const folder of this.folders) await this.makeFolder(join(this.folder, folder));
    for (const file of this.files) await rename(join(this.stage, file), join(this.folder, file));
    await this.discard();
    await removeEmptyFolders(this.folder, replaced);
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    await rm(this.stage, { recursive: true, force: true });
    this.release();
  }

  private async publishFolder(): Promise<void> {
    try {
      await rename(this.stage, this.folder);
      this.release();
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      throw new ExportError(`${this.folder} was made by somebody else meanwhile; nothing was replaced`);
    }
  }

  private async claim(file: string): Promise<string> {
    const folder = dirname(file);
    if (folder !== '.' && !this.folders.has(folder)) {
      await this.makeFolder(join(this.stage, folder));
      this.folders.add(folder);
    }
    this.files.push(file);
    return join(this.stage, file);
  }

  private async makeFolder(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: this.rights.folder });
  }

  private async refuseForeignFiles(replaced: ReadonlySet<string>): Promise<void> {
    for (const file of this.files) {
      if (replaced.has(file) || !(await exists(join(this.folder, file)))) continue;
      throw new ExportError(`${join(this.folder, file)} is not of an earlier export; nothing was replaced`);
    }
  }
}

/** Removes what processes left that were killed while they wrote the same. @throws ExportError if one still does */
async function removeLeftStages(parent: string, name: string): Promise<void> {
  const prefix = `.${name}`;
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(prefix) || !entry.endsWith(STAGE_SUFFIX) || ownStages.has(entry)) continue;
    // Version 0.2.0 named no process.
    const middle = /^(?:\.(\d+)-[\da-f-]{36})?$/.exec(entry.slice(prefix.length, -STAGE_SUFFIX.length));
    if (middle === null) continue;
    const pid = Number(middle[1] ?? 0);
    if (pid !== 0 && pid !== process.pid && isAlive(pid)) {
      const path = join(parent, entry);
      throw new ExportError(`another export to the same place is running (process ${pid}); if not, remove ${path}`);
    }
    await rm(join(parent, entry), { recursive: true, force: true });
  }
}

/** Lists the files of a folder without the stages of exports; null if there is no such folder. */
export async function listFolder(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).filter((name) => !name.endsWith(STAGE_SUFFIX));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function removeEmptyFolders(root: string, files: readonly string[]): Promise<void> {
  const folders = new Set(files.map((file) => dirname(file)).filter((folder) => folder !== '.'));
  // A folder that holds something stays.
  for (const folder of folders) await rmdir(join(root, folder)).catch(() => undefined);
}
