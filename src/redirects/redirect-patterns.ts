import type { RedirectInput } from '../shared/contracts/redirects.js';

/** A name in the place of something that differs from address to address. */
const NAME = /:([A-Za-z_]\w*)/g;
const numbers: Readonly<Record<string, string>> = { year: '\\d{4}', month: '\\d{1,2}', day: '\\d{1,2}' };
const samples: Readonly<Record<string, string>> = { year: '2010', month: '10', day: '10' };
/** The condition of a query for patterns. */
export const PATTERNS = String.raw`origin = 'operator' and path ~ '/(:[A-Za-z_]|\*$)'`;
/** The beginning of a pattern, up to its first name or `*`, in a query. */
export const START = String.raw`regexp_replace(path, '/(:[A-Za-z_].*|\*)$', '')`;
/**
 * The most parts before the first name of a pattern, or its `*`: anybody may ask for an address of a thousand parts, of which
 * each beginning is looked for.
 */
const MOST_FIXED_PARTS = 32;
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

/**
 * Says why the path that somebody wrote is none of which an address would ever be, in words for people: signs of patterns of
 * other systems, which would be recorded as letters. Null if there is nothing to say.
 * @param path as it was written: in addresses that hold such a sign, it is written in percent-encoding
 */
export function problemOfSigns(path: string): string | null {
  if (/\(\.[*+]|\.\*|\\[dw.]|^\^/.test(path)) {
    return 'regular expressions are not supported: a pattern is written like /blog/* or /:year/:slug';
  }
  return /\*(?!$)|[^/]\*$/.test(path) ? 'a * stands for the rest of an address, at its end: /blog/*' : null;
}

/**
 * Says why an address that has the sign of a pattern as a letter, in percent-encoding, cannot be recorded by an operator, in
 * words for people: without the encoding, in which all are recorded, it would be a pattern. Null if there is nothing to say.
 * @param path as it was written
 */
export function problemOfLiterals(path: string): string | null {
  const [, part] = /\/((?:%3A)+[A-Za-z_][^/]*|%2A\/*$)/i.exec(path.trim()) ?? [];
  return part === undefined
    ? null
    : `an address with the part ${part.replaceAll('/', '')} itself cannot be told from a pattern, which would lead others away as well`;
}

/** Says why a pattern cannot be used, in words for people; null for one that can, and for what is none. */
export function problemOfPattern({ path, target }: RedirectInput): string | null {
  const names = namesIn(path);
  if (!isPattern(path)) {
    // No address here has such a part: whoever wrote it meant a pattern.
    const [, meant] = /\/:([A-Za-z_]\w*)/.exec(target.replace(/^https?:\/\//, '')) ?? [];
    if (meant === undefined) return null;
    if (!names.includes(meant)) return `nothing in the path is called :${meant}`;
    return `a name stands at the beginning of a part of the path: :${meant} does not`;
  }
  if (startOf(path).split('/').length > MOST_FIXED_PARTS + 1)
    return `before its first name or *, a pattern has at most ${MOST_FIXED_PARTS} parts`;
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

/** An address that a pattern is about; the path itself of what is no pattern. */
export function sampleOf(path: string): string {
  if (!isPattern(path)) return path;
  return path
    .replace(/\*$/, `:${SPLAT}`)
    .replaceAll(NAME, (_written, name: string) => samples[name] ?? `x${namesIn(path).indexOf(name)}`);
}

interface KnownPattern extends RedirectInput {
  readonly expression: RegExp;
  readonly weight: number;
}

/** Patterns by how the addresses begin that they are about, since a site may have thousands of them. */
export class Patterns {
  private readonly byStart = new Map<string, Map<string, KnownPattern>>();

  constructor(patterns: readonly RedirectInput[] = []) {
    for (const pattern of patterns) this.add(pattern);
  }

  /** Adds a pattern, in the place of what was known for its path. */
  add({ path, target }: RedirectInput): void {
    const start = startOf(path);
    const weight = path.replaceAll(NAME, '').replace(/\*$/, '').length;
    const known = this.byStart.get(start) ?? new Map<string, KnownPattern>();
    this.byStart.set(start, known.set(path, { path, target, expression: toExpression(path), weight }));
  }

  /** Removes the pattern with this path, if there is one. */
  remove(path: string): void {
    this.byStart.get(startOf(path))?.delete(path);
  }

  /**
   * Returns the pattern that leads an address on, with the target of that: the one that says most of it comes first, and one that
   * leads it to itself has nothing to say. Null if it is none of theirs.
   * @param path of the address, in the spelling of `toPath`
   */
  find(path: string): RedirectInput | null {
    const candidates = startsOf(path).flatMap((start) => [...(this.byStart.get(start)?.values() ?? [])]);
    const ledOn = candidates.flatMap((pattern) => {
      const target = fill(pattern, path);
      return target === null || target === path ? [] : [{ ...pattern, target }];
    });
    return ledOn.sort(bySpecificity)[0] ?? null;
  }
}

function bySpecificity(one: KnownPattern, other: KnownPattern): number {
  const isOpen = ({ path }: RedirectInput) => Number(path.endsWith('/*'));
  return other.weight - one.weight || isOpen(one) - isOpen(other) || (one.path < other.path ? -1 : 1);
}

/** The beginning of every address of a pattern; empty if each may begin in another way. */
function startOf(pattern: string): string {
  return pattern.replace(/\/(?::[A-Za-z_].*|\*)$/, '');
}

/** Everything that the patterns of an address may begin with, as {@link START} has it. */
export function startsOf(path: string): string[] {
  const parts = path.split('/').slice(0, MOST_FIXED_PARTS + 1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns true for a first part in whose place may be any other. */
export function startsOpen(part: string): boolean {
  return /^(?::[A-Za-z_]|\*$)/.test(part);
}

/** The first part of a path, by which patterns are looked up. */
export function firstPart(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/**
 * Returns where a pattern leads an address; null if the address is none of it.
 * @param path of the address, in the spelling of `toPath`
 */
export function matchPattern(pattern: RedirectInput, path: string): string | null {
  return fill({ ...pattern, expression: toExpression(pattern.path) }, path);
}

function fill({ path: pattern, target, expression }: Omit<KnownPattern, 'weight'>, path: string): string | null {
  const found = expression.exec(path);
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
