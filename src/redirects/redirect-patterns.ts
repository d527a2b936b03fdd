import type { RedirectInput } from '../shared/contracts/redirects.js';

/** A name in the place of something that differs from address to address. */
const NAME = /:([A-Za-z_]\w*)/g;
const numbers: Readonly<Record<string, string>> = { year: '\\d{4}', month: '\\d{1,2}', day: '\\d{1,2}' };
const samples: Readonly<Record<string, string>> = { year: '2010', month: '10', day: '10' };
/** The name in targets of what `*` stands for. */
const SPLAT = 'splat';

/**
 * Returns true for the path of a pattern: one with a part that begins with a name (`/:year/:slug.html`), or with the rest of an
 * address at its end (`/blog/*`).
 * @param path in the spelling of `toPath`
 */
export function isPattern(path: string): boolean {
  return /\/:[A-Za-z_]/.test(path) || path.endsWith('/*');
}

/** Says why a pattern cannot be used, in words for people; null for one that can, and for what is none. */
export function problemOfPattern({ path, target }: RedirectInput): string | null {
  if (!isPattern(path)) return null;
  const names = namesIn(path);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `two parts of the path are called :${twice}`;
  if (/\/(?::[A-Za-z_]|:[^/]*:[A-Za-z_])\w*:[A-Za-z_]/.test(path))
    return 'between two names in a part there must be a sign';
  const unknown = namesIn(target).find((name) => !names.includes(name));
  if (unknown !== undefined) return `nothing in the path is called :${unknown}`;
  // An address that leads to itself leads nowhere, and is none of the pattern's.
  const sample = target.replaceAll(NAME, (_written, name: string) => samples[name] ?? `x${names.indexOf(name)}`);
  const next = matchPattern({ path, target }, sample.split(/[?#]/, 1)[0] ?? '');
  return next === null || next === sample ? null : 'it would lead in a circle';
}

/** Patterns in the order in which they are asked: those that say more of an address come first. */
export function sortPatterns<T extends RedirectInput>(patterns: readonly T[]): T[] {
  const weight = ({ path }: RedirectInput) => path.replaceAll(NAME, '').replace(/\*$/, '').length;
  const isOpen = ({ path }: RedirectInput) => Number(path.endsWith('/*'));
  return [...patterns].sort(
    (one, other) => weight(other) - weight(one) || isOpen(one) - isOpen(other) || (one.path < other.path ? -1 : 1),
  );
}

/**
 * Returns where a pattern leads an address; null if the address is none of it.
 * @param path of the address, in the spelling of `toPath`
 */
export function matchPattern({ path: pattern, target }: RedirectInput, path: string): string | null {
  const found = toExpression(pattern).exec(path);
  if (found === null) return null;
  const values = new Map(namesIn(pattern).map((name, index) => [name, found[index + 1] ?? '']));
  const filled = target.replaceAll(NAME, (written, name: string) => values.get(name) ?? written);
  return values.get(SPLAT) === '' ? filled.replace(/(?<=[^/])\/(?=$|[?#])/, '') : filled;
}

function namesIn(address: string): string[] {
  const names = [...address.matchAll(NAME)].map(([, name = '']) => name);
  return address.endsWith('/*') ? [...names, SPLAT] : names;
}

/**
 * Each part is matched by itself, and no name but the last of a part can take the sign that follows it: there is one way to
 * match an address, so that none takes long.
 */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split('/').slice(1);
  const isOpen = parts.at(-1) === '*';
  const closed = (isOpen ? parts.slice(0, -1) : parts).map((part) => `/${toPart(part)}`).join('');
  return new RegExp(`^${closed}${isOpen ? '(?:/(.*))?' : ''}$`);
}

function toPart(part: string): string {
  if (!part.startsWith(':')) return escape(part);
  // Names are at the odd places, what stands between them at the others.
  const pieces = part.split(NAME);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0) return escape(piece);
      const next = pieces[index + 1]?.[0];
      const isLast = index === pieces.length - 2;
      return `(${numbers[piece] ?? (isLast || next === undefined ? '[^/]+' : `[^/${escape(next)}]+`)})`;
    })
    .join('');
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
