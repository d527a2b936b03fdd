/** Far deeper than anything that the product takes, and far from where functions that call themselves fail. */
const MAX_DEPTH = 64;

/** The reason why a value cannot be stored, and its place, as in `tags.0`; the path is empty for the value itself. */
export interface Unstorable {
  readonly reason: 'characters' | 'depth';
  readonly path: string;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/** Tells whether PostgreSQL can hold a text: it has no zero character and no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Finds what no text can have in any string or name of a parsed value, or lists and objects that are nested too deep. */
export function findUnstorable(root: unknown): Unstorable | undefined {
  // Not a function that calls itself: what is looked for is made to exhaust those.
  const left: Place[] = [{ value: root, path: '', depth: 0 }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value, path, depth } = place;
    if (typeof value === 'string' && !isStorableText(value)) return { reason: 'characters', path };
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return { reason: 'depth', path: path.split('.', 1)[0] ?? '' };
    for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
      if (!isStorableText(name)) return { reason: 'characters', path };
      left.push({ value: inner, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 });
    }
  }
  return undefined;
}
