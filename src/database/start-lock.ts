import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process of that id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Runs a task while holding a lock file, waiting for other holders. A lock whose holder is dead is taken over.
 * @param file path of the lock file; its folder exists
 */
export async function withLockFile<T>(file: string, task: () => Promise<T>): Promise<T> {
  while (!(await tryLock(file))) await delay(25);
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryLock(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  // A holder that has not yet written its id counts as alive: it will have, the next time we look.
  if (holder > 0 && (holder === process.pid ? false : !isAlive(holder))) await rm(file, { force: true });
  return false;
}
