import { createHash, randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, copyFile, link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 25;
/** Version 0.1.0 writes its id into its lock file within a moment of making it, or was killed in between. */
const EMPTY_MS = 5_000;
/** Stands before what tells processes with one id apart: so far behind the point, it changes no number. */
const GAP = '0'.repeat(30);
/** Error codes of file systems that know no second name for a file. */
export const NO_LINKS = /^(?:EPERM|ENOSYS|ENOTSUP|EOPNOTSUPP|EMLINK)$/;

/** The text by which this process is known in a lock. Version 0.1.0 reads it as a number, which is the id. */
export const OWN_TEXT = `${process.pid}.${findMark(process.pid) ?? GAP + String(randomInt(2 ** 47))}`;

/** Returns true if a process with this id is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Runs a task while holding a lock file, waiting for other holders. A lock whose holder is dead is taken over, whenever
 * it died, and by one process only. A later process with the same id, as in a container that is started again, is not
 * the holder.
 * @param file path of the lock file; its folder exists
 */
export async function withLockFile<T>(file: string, task: () => Promise<T>): Promise<T> {
  const draft = `${file}.${OWN_TEXT}.${randomUUID()}`;
  try {
    while (!(await tryPublish(draft, file))) {
      if (!(await removeLeft(file))) await delay(PAUSE_MS);
    }
  } finally {
    await rm(draft, { force: true });
  }
  try {
    await removeDrafts(file);
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

/** The draft is complete before it is the lock, which so never lacks the name of its holder. */
async function tryPublish(draft: string, file: string): Promise<boolean> {
  // Again each time: a process of another container, where our id is nobody's, may have taken it for a dead one's.
  await writeFile(draft, OWN_TEXT);
  try {
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.test(error.code ?? '')) throw error;
      return copyFile(draft, file, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (/^(?:EEXIST|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Removes a lock that nobody holds. One process at a time looks and removes, so that what it removes is what it saw:
 * another one could have taken the lock over in between.
 * @returns false if the lock is held, or somebody else is about to remove it
 */
async function removeLeft(file: string): Promise<boolean> {
  if (!(await isLeft(file))) return false;
  const turn = await takeTurn(file);
  if (turn === undefined) return false;
  try {
    if (await isLeft(file)) await rm(file, { force: true });
    return true;
  } finally {
    turn?.close();
  }
}

/**
 * Listens where only one process can, which ends with that process, however it does.
 * @returns undefined if another one does, null where there are no such places
 */
function takeTurn(file: string): Promise<Server | null | undefined> {
  if (process.platform !== 'linux') return Promise.resolve(null);
  const name = createHash('sha256').update(resolve(file)).digest('hex');
  return new Promise((settle) => {
    const server = createServer().unref();
    server.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'EADDRINUSE' ? undefined : null));
    server.listen(`\0start-lock-${name}`, () => settle(server));
  });
}

async function isLeft(file: string): Promise<boolean> {
  try {
    const text = await readFile(file, 'utf8');
    if (text !== '') return isDead(text);
    // Either way: one that a wrong clock dated in the future would be held until then.
    return Math.abs(Date.now() - (await stat(file)).mtimeMs) > EMPTY_MS;
  } catch (error) {
    // Given back meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Drafts of processes that were killed while they waited. */
async function removeDrafts(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    const [pid, mark] = name.startsWith(prefix) ? name.slice(prefix.length).split('.') : [];
    if (mark?.startsWith(GAP) && isDead(`${pid}.${mark}`)) await rm(join(dirname(file), name), { force: true });
  }
}

/**
 * Judges what a lock says of its holder: its id and a mark, or only its id if version 0.1.0 wrote it. A later process with
 * that id is not the holder.
 */
export function isDead(text: string): boolean {
  const [id = '', mark] = text.split('.');
  const pid = Number(id);
  if (pid === process.pid) return text !== OWN_TEXT;
  if (!isAlive(pid)) return true;
  const living = findMark(pid);
  return mark !== undefined && living !== undefined && mark !== living;
}

/**
 * Tells a process from all others with its id, by when it began and since which start of the machine.
 * @returns undefined where the system does not say
 */
function findMark(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything (proc(5)).
    const begunAt = status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
    const digest = createHash('sha256').update(`${boot} ${begunAt}`).digest();
    return GAP + String(digest.readUIntBE(0, 6));
  } catch {
    return undefined;
  }
}
