/** A part of a value that differs. */
export interface ValueDifference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A document of settings for people. */
export interface SettingsKind {
  /** In addresses of the API. */
  readonly document: string;
  /** The name of a value. */
  labelOf(name: string): string;
  /** A value in a line of words. */
  describe(name: string, value: unknown): string;
  /** Names what differs within a value, for those of many parts; `labelOf` and `describe` know these places as well. */
  compare?(name: string, before: unknown, after: unknown): readonly ValueDifference[];
  /** The address of the page to be looked at first; home if it is not given. */
  readonly previewPath?: string;
  /** The address of the screen that has the field of a value, for documents of several screens. */
  screenOf?(name: string): string;
  /** The address of the screens of a document that has several: going from one to another leaves nothing. */
  readonly area?: string;
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
