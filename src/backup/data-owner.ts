import type { Stats } from 'node:fs';
import { constants, open, stat } from 'node:fs/promises';

/** A user and a group of the system, by number. */
export type Owner = Pick<Stats, 'uid' | 'gid'>;

/**
 * Returns whose the data folder is where root runs this and it is somebody else's: the user of the server, who has to get on
 * with what is made there. Undefined in all other cases, where nothing can be given away or nothing has to be.
 */
export async function findDataOwner(dataDir: string): Promise<Owner | undefined> {
  // Windows has no such numbers.
  if (process.getuid?.() !== 0) return undefined;
  const found = await stat(dataDir).catch(() => null);
  return found === null || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

/**
 * Gives a folder that was made just now to its owner. Where the file system has no owners, or does not know this one, it stays
 * as it is: a backup of root is better than none.
 */
export async function giveFolder(folder: string, { uid, gid }: Owner): Promise<void> {
  try {
    // By its handle: whoever owns the folder above could put a link in its place meanwhile.
    const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      await handle.chown(uid, gid);
    } finally {
      await handle.close();
    }
  } catch {
    // It stays root's.
  }
}
