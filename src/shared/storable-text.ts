/** Far deeper than anything that the product takes, and far from where functions that call themselves fail. */
const MAX_DEPTH = 64;

/** The reason why a value cannot be stored, and its place, as in `tags.0`; the path is empty for the value itself. */
export interface Unstorable {
  readonly reason: 'characters' | 'depth';
  readonly path: string;
}

/** An object or list that is being looked through. */
interface Place {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** Null for a list. */
  readonly names: readonly string[] | null;
  readonly size: number;
  /** How many of its values were taken out. */
  taken: number;
}

/** Tells whether PostgreSQL can hold a text: it has no zero character and no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Finds what no text can have in any string or name of a parsed value, or lists and objects that are nested too deep. */
export function findUnstorable(root: unknown): Unstorable | undefined {
  // Not a function that calls itself: what is looked for is made to exhaust those. And nothing is kept but the way to where
  // it looks, as everybody may send half a million values.
  const way: Place[] = [];
  let value = root;
  for (;;) {
    if (typeof value === 'string' && !isStorableText(value)) return { reason: 'characters', path: toPath(way) };
    if (typeof value === 'object' && value !== null) {
      if (way.length === MAX_DEPTH) return { reason: 'depth', path: toPath(way.slice(0, 1)) };
      const place = toPlace(value);
      if (place.names?.every(isStorableText) === false) return { reason: 'characters', path: toPath(way) };
      way.push(place);
    }
    let place = way.at(-1);
    while (place !== undefined && place.taken === place.size) {
      way.pop();
      place = way.at(-1);
    }
    if (place === undefined) return undefined;
    place.taken += 1;
    value = place.value[lastTaken(place)];
  }
}

function toPlace(value: object): Place {
  const names = Array.isArray(value) ? null : Object.keys(value);
  return { value: value as Place['value'], names, size: names?.length ?? (value as unknown[]).length, taken: 0 };
}

/** The name of the value that was taken out last. */
function lastTaken({ names, taken }: Place): string | number {
  return names === null ? taken - 1 : (names[taken - 1] ?? '');
}

function toPath(way: readonly Place[]): string {
  return way.map(lastTaken).join('.');
}
