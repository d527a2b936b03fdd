import { paths } from '../shared/paths.js';
import {
  readPart,
  readTermPath,
  toTermFeedPath,
  toTermPath,
  toTermSlug,
  type TermAddress,
} from '../shared/term-addresses.js';
import { slugOf } from './cacheable-addresses.js';

/** Looks up renamed posts and redirects. */
export interface MovedSources {
  /** Slug of the published post that has or had this one. */
  findMovedSlug(slug: string): Promise<string | null>;
  /** Returns true when a public post has the term. */
  hasTerm(term: TermAddress): Promise<boolean>;
  /** Returns the target of a path's redirect; `path` is null when the target is no path of this site. */
  findRedirect(path: string): Promise<{ readonly target: string; readonly path: string | null } | null>;
}

/** Redirects that are followed; nobody waits longer, and writing them allows no more. */
const MAX_HOPS = 10;

/**
 * The address, in one step, to which the one of a page that is not there leads through posts that were renamed and
 * through redirects; null when nothing leads on, or only to a post that readers cannot see.
 */
export async function resolveMovedPath(path: string, sources: MovedSources): Promise<string | null> {
  const moved = await follow(path, sources);
  const { rest = '' } = readTermPath(path) ?? {};
  if (moved !== null || rest === '') return moved;
  // Feeds and parts of a term go where it went; what has another name has other parts.
  const base = path.slice(0, -rest.length - 1);
  const page = await follow(base, sources);
  const term = page === null ? null : toTerm(page);
  if (term === null) return page;
  if (rest === 'rss.xml' || rest === 'feed.json') return toTermFeedPath(term, rest);
  return toTermPath(term, term.slug === toTerm(base)?.slug ? (readPart(rest) ?? 1) : 1);
}

async function follow(path: string, sources: MovedSources): Promise<string | null> {
  let here = path;
  let suffix = '';
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const slug = slugOf(here);
    const moved = slug === null ? null : await sources.findMovedSlug(slug);
    if (moved !== null) return `${paths.blog(moved)}${suffix}`;
    const term = toTerm(here);
    if (term !== null && (await sources.hasTerm(term))) {
      const address = `${toTermPath(term)}${suffix}`;
      return address === path ? null : address;
    }
    const redirect = (await sources.findRedirect(here)) ?? (term && (await sources.findRedirect(toTermPath(term))));
    // Nothing is told of names that only hidden posts have.
    if (redirect === null && term !== null) return null;
    if (redirect === null) return hop === 0 || slug !== null ? null : `${here}${suffix}`;
    if (redirect.path === null) return redirect.target;
    here = redirect.path;
    suffix = redirect.target.slice(here.length);
  }
  return null;
}

/** The term whose page an address is, in whatever spelling; null for addresses of other things. */
function toTerm(path: string): TermAddress | null {
  const found = readTermPath(path);
  const slug = found?.rest === '' ? toTermSlug(found.name) : null;
  return found === null || slug === null ? null : { kind: found.kind, slug };
}
