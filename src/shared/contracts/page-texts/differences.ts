import { isRecord } from '../../is-record.js';

/** A text, number or entry that is not the same in two values of a field. */
export interface TextDifference {
  /** The place of it, such as `pricing.plans[1].price`. */
  readonly path: string;
  /** Undefined where there was nothing. */
  readonly before: unknown;
  /** Undefined where there is nothing any more. */
  readonly after: unknown;
}

/** Names what differs between two values of a field, as closely as it can. */
export function findDifferences(path: string, before: unknown, after: unknown): TextDifference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      findDifferences(`${path}[${index}]`, before[index] as unknown, after[index] as unknown),
    ).flat();
  }
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => findDifferences(`${path}.${name}`, before[name], after[name]));
  }
  return before === after ? [] : [{ path, before, after }];
}

/** Returns true for values of a field that do not say the same. */
export function isDifferent(one: unknown, other: unknown): boolean {
  return findDifferences('', one, other).length > 0;
}
