/**
 * Lets nobody but owner and group write what this process makes, even where its umask would: who can write in the data
 * folder can put other keys in the place of ours.
 */
export function keepOthersFromWriting(): void {
  const given = process.umask(0o077);
  process.umask(given | 0o002);
}
