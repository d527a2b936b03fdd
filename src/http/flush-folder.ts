import { open } from 'node:fs/promises';

/** Answers of file systems that write names to the disk as they like, as some networks do. */
const NO_FLUSH: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Writes the names in a folder to the disk: a new name survives a power cut only when its folder has been written too. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!NO_FLUSH.has((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    await handle.close();
  }
}
