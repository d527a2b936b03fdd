import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Answers of file systems that have no second names for a file, as those of memory sticks and some networks. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** Gives a file another name, unless something has it: renaming would replace what another process wrote just now. */
export async function nameAsNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    await rm(from);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
  }
  if (existsSync(to)) return false;
  await rename(from, to);
  return true;
}

/** A file that grows under another name, and is removed when Ctrl+C or another signal ends the process. */
export interface DraftFile {
  readonly handle: FileHandle;
  /** Ends that, when the draft has its name or is gone. */
  readonly release: () => void;
}

/**
 * Makes a new draft: half a file can fill the disk, or pass for a whole one.
 * @param mode rights of the file, of which the umask takes some away
 */
export async function openDraft(path: string, mode: number): Promise<DraftFile> {
  // In one go, so that no signal comes between the file and whoever removes it.
  closeSync(openSync(path, 'wx', mode));
  const release = removeOnSignal(path);
  try {
    return { handle: await open(path, 'r+'), release };
  } catch (error) {
    rmSync(path, { force: true });
    release();
    throw error;
  }
}

/**
 * Removes a draft, a file or a whole folder, when Ctrl+C or another signal ends the process.
 * @returns what ends that
 */
export function removeOnSignal(draft: string): () => void {
  const handle = (signal: NodeJS.Signals) => {
    // Again where a write that is on its way makes another file in the folder meanwhile.
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
    // Whoever else listens has the last word; nobody does in a command.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, handle);
  };
}
