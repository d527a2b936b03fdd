import { REDIRECT_HOPS_MAX } from '../shared/limits.js';
import { paths } from '../shared/paths.js';
import {
  readPart,
  readTermPath,
  toTermFeedPath,
  toTermPath,
  toTermSlug,
  type TermAddress,
} from '../shared/term-addresses.js';
import type { FoundRedirect } from '../redirects/redirects.service.js';
import { slugOf } from './cacheable-addresses.js';

/**
 * The `location` of a redirect. To another site it has an empty fragment: without one, browsers carry on the fragment of the
 * address that was asked for (RFC 9110, 10.2.2), where the accounts put the tokens of a sign-in that leads to a page here.
 */
export function toLocation(target: string): string {
  return /^https?:/i.test(target) && !target.includes('#') ? `${target}#` : target;
}

/** Looks up renamed posts and redirects. */
export interface MovedSources {
  /** Slug of the published post that has or had this one. */
  findMovedSlug(slug: string): Promise<string | null>;
  /** Returns true when a public post has the term. */
  hasTerm(term: TermAddress): Promise<boolean>;
  /** Returns the redirect of a path. */
  findRedirect(path: string): Promise<FoundRedirect | null>;
}

/**
 * The address, in one step, to which the one of a page that is not there leads through posts that were renamed and
 * through redirects; null when nothing leads on, or only to a post that readers cannot see.
 * @param isFixed true where no pattern counts for the address itself, as there may be a page; those for where it leads do
 */
export async function resolveMovedPath(path: string, sources: MovedSources, isFixed = false): Promise<string | null> {
  const moved = await follow(path, sources, isFixed);
  const { rest = '' } = readTermPath(path) ?? {};
  if (moved !== null || rest === '') return moved;
  // Feeds and parts of a term go where it went; what has another name has other parts.
  const base = path.slice(0, -rest.length - 1);
  const page = await follow(base, sources, isFixed);
  const term = page === null ? null : toTerm(page);
  if (term === null) return page;
  if (rest === 'rss.xml' || rest === 'feed.json') return toTermFeedPath(term, rest);
  return toTermPath(term, term.slug === toTerm(base)?.slug ? (readPart(rest) ?? 1) : 1);
}

async function follow(path: string, sources: MovedSources, isFixed: boolean): Promise<string | null> {
  return await lead(path, { path, sources, hop: 0, suffix: '', patternsFrom: isFixed ? 1 : 0 });
}

interface Way {
  /** The address that is asked for. */
  readonly path: string;
  readonly sources: MovedSources;
  readonly hop: number;
  /** Query and fragment of the last target. */
  readonly suffix: string;
  /** The hop from which on patterns count; infinite where what a redirect was recorded with is looked for alone. */
  readonly patternsFrom: number;
}

async function lead(here: string, way: Way): Promise<string | null> {
  const { path, sources, hop, suffix } = way;
  if (hop > REDIRECT_HOPS_MAX) return null;
  const slug = slugOf(here);
  const moved = slug === null ? null : await sources.findMovedSlug(slug);
  if (moved !== null) return `${paths.blog(moved)}${suffix}`;
  const term = toTerm(here);
  if (term !== null && (await sources.hasTerm(term))) {
    const address = `${toTermPath(term)}${suffix}`;
    return address === path ? null : address;
  }
  const redirect = await findRedirect(here, term, way);
  // Nothing is told of names that only hidden posts have.
  if (redirect === null && term !== null) return null;
  if (redirect === null) return hop === 0 || slug !== null ? null : `${here}${suffix}`;
  const { by, otherwise } = redirect;
  const isAlone = by === 'content' && otherwise !== undefined;
  const led = await leadOn(redirect, isAlone ? { ...way, patternsFrom: Infinity } : way);
  if (led !== null || otherwise === undefined || hop < way.patternsFrom) return led;
  return await leadOn(otherwise, way);
}

async function leadOn({ path, target }: FoundRedirect, way: Way): Promise<string | null> {
  if (path === null) return target;
  return await lead(path, { ...way, hop: way.hop + 1, suffix: target.slice(path.length) });
}

async function findRedirect(
  here: string,
  term: TermAddress | null,
  { sources, hop, patternsFrom }: Way,
): Promise<FoundRedirect | null> {
  const found = (await sources.findRedirect(here)) ?? (term && (await sources.findRedirect(toTermPath(term))));
  return found?.by === 'pattern' && hop < patternsFrom ? null : found;
}

/** The term whose page an address is, in whatever spelling; null for addresses of other things. */
function toTerm(path: string): TermAddress | null {
  const found = readTermPath(path);
  const slug = found?.rest === '' ? toTermSlug(found.name) : null;
  return found === null || slug === null ? null : { kind: found.kind, slug };
}
