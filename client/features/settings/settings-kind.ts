/** A document of settings for people. */
export interface SettingsKind {
  /** In addresses of the API. */
  readonly document: string;
  /** The name of a value. */
  labelOf(name: string): string;
  /** A value in a line of words. */
  describe(name: string, value: unknown): string;
}

/** Returns true for values that mean the same; an empty text is none. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return toText(one) === toText(other);
}

function toText(value: unknown): string {
  return value === undefined || value === null || value === '' ? '' : JSON.stringify(value, inOrder);
}

/** The database gives the names in an object another order. */
function inOrder(_name: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
