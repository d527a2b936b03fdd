import { RefusedError } from './import.errors.js';
import type { SourceItem } from './source-post.js';

/** Takes the notes about a whole file and gives them to the first item that is a post, or was to be one. */
export function withFileNotes(item: SourceItem, notes: string[]): SourceItem {
  if (notes.length === 0 || 'skipped' in item) return item;
  const fileNotes = notes.splice(0);
  if (!('refusal' in item)) return { ...item, fileNotes };
  const { reasons, slug } = item.refusal;
  return { ...item, refusal: new RefusedError(reasons, slug, fileNotes) };
}

/** Names descriptions of lists, which have none here; nothing of none. */
export function noteDescriptions(count: number, of: string): string[] {
  return count === 0 ? [] : [`descriptions of ${of} were not taken: ${count}`];
}
