import { paths } from '../shared/paths.js';
import { slugOf } from './cacheable-addresses.js';

/** Looks up renamed posts and redirects. */
export interface MovedSources {
  /** Slug of the published post that has or had this one. */
  findMovedSlug(slug: string): Promise<string | null>;
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
  let here = path;
  let suffix = '';
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const slug = slugOf(here);
    const moved = slug === null ? null : await sources.findMovedSlug(slug);
    if (moved !== null) return `${paths.blog(moved)}${suffix}`;
    const redirect = await sources.findRedirect(here);
    if (redirect === null) return hop === 0 || slug !== null ? null : `${here}${suffix}`;
    if (redirect.path === null) return redirect.target;
    here = redirect.path;
    suffix = redirect.target.slice(here.length);
  }
  return null;
}
