import { diffArrays } from 'diff';

/** A stretch of a list that was replaced by another one; either can be empty. */
export interface Change {
  /** In the list as it was, the end excluded. */
  readonly start: number;
  readonly end: number;
  /** In the changed list, the end excluded. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the changes of a list, in its order, with something unchanged between two changes. Returns null
 * when more than `maxEdits` entries were removed and added.
 */
export function findChanges(base: readonly string[], changed: readonly string[], maxEdits = Infinity): Change[] | null {
  const parts = diffArrays([...base], [...changed], { maxEditLength: maxEdits });
  if (parts === undefined) return null;
  const changes: Change[] = [];
  let next = { start: 0, from: 0 };
  let end = 0;
  let to = 0;
  const close = () => {
    if (end > next.start || to > next.from) changes.push({ ...next, end, to });
  };
  for (const { added, removed, count } of parts) {
    const isSame = !added && !removed;
    if (isSame) close();
    if (!added) end += count;
    if (!removed) to += count;
    if (isSame) next = { start: end, from: to };
  }
  close();
  return changes;
}
