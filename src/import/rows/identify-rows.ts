import { ImportSourceError } from '../import.errors.js';
import type { SourceIdentity, SourceItem } from '../source-post.js';

/** Tables do not say where they are from. Whether that matters, the first row says: its id may be one that no other has. */
export async function identifyRows(items: AsyncIterable<SourceItem>): Promise<SourceIdentity> {
  try {
    for await (const item of items) {
      if ('itemKey' in item) return { name: null, isNeeded: item.isUniqueKey !== true };
    }
  } catch (error) {
    // What is wrong with it is said when it is read.
    if (!(error instanceof ImportSourceError)) throw error;
  }
  return { name: null, isNeeded: false };
}
