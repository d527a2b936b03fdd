import { randomBytes } from 'node:crypto';
import { lstat, open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nameAsNew, openDraft } from '../src/http/draft-file.js';
import { describeWriteFailure } from '../src/http/disk-full.js';

/** The option of commands that export into one file. */
export const FORCE_OPTION = ['--force', 'replace the file if it is there already'] as const;

interface ExportFile {
  /** Undefined for the standard output. */
  readonly path: string | undefined;
  /** True where the operator said so: a word too few, and an export would take the place of what was to be imported. */
  readonly isReplacing: boolean;
  /** True when only its owner may read it. */
  readonly isPrivate?: boolean;
}

type Write = (text: string) => Promise<void>;

/**
 * Lets `produce` write an export. It has its name when it is complete, and a file that it replaces is there until then;
 * one that breaks off, or that Ctrl+C ends, is removed.
 * @throws Error that names the file, before anything is produced where something is there already
 */
export async function writeExport(target: ExportFile, produce: (write: Write) => Promise<void>): Promise<void> {
  const { path } = target;
  if (path === undefined) {
    return await produce(async (text) => void process.stdout.write(text));
  }
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new Error(`${path} is a folder`);
  if (found?.isFile() && !target.isReplacing) throw alreadyThere(path);
  // A pipe or a device is written as it is.
  if (found !== null && !found.isFile()) {
    const handle = await open(path, 'w').catch((error: unknown) => {
      throw unwritable(path, error);
    });
    return await fill(path, handle, produce);
  }

  // Behind a symbolic link: the link stays. One that leads nowhere is no place for a file.
  const isNew = found === null;
  if (isNew && (await lstat(path).catch(() => null)) !== null) throw alreadyThere(path);
  const place = isNew ? path : await realpath(path);
  const mode = target.isPrivate ? 0o600 : isNew ? 0o666 : found.mode & 0o777;
  const draft = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.partial`);
  const { handle, release } = await openDraft(draft, isNew ? mode : 0o600).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  try {
    if (!isNew) await handle.chmod(mode);
    await fill(path, handle, produce);
    if (!isNew) await rename(draft, place);
    else if (!(await nameAsNew(draft, place))) throw alreadyThere(path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    release();
  }
}

async function fill(path: string, handle: FileHandle, produce: (write: Write) => Promise<void>): Promise<void> {
  try {
    await produce((text) =>
      handle.writeFile(text).catch((error: unknown) => {
        throw unwritable(path, error);
      }),
    );
  } finally {
    await handle.close();
  }
}

function alreadyThere(path: string): Error {
  return new Error(`${path} is there already (--force replaces it)`);
}

function unwritable(path: string, error: unknown): Error {
  return new Error(`${path} cannot be written: ${describeWriteFailure(error)}`, { cause: error });
}
