import type { EntityManager } from '@mikro-orm/postgresql';
import type { FoundRedirect } from '../redirects/redirects.service.js';
import type { LinkState } from '../shared/link-state.js';
import { hasAnchor } from '../shared/heading-anchors.js';
import { REDIRECT_HOPS_MAX } from '../shared/limits.js';
import { filesOf, mediaIdOf } from '../shared/media-files.js';
import { MEDIA_PATH } from '../shared/media.js';
import { findPeriod } from '../shared/moments.js';
import { filePaths, paths } from '../shared/paths.js';
import { sitePages, type SitePageName } from '../shared/site-pages.js';
import { readTermPath, toTermPath, toTermSlug } from '../shared/term-addresses.js';
import { isJudged } from './found-links.js';
import { pagePlaces } from './page-places.js';
import type { PostAnchors } from './post-anchors.js';

const fixed: ReadonlySet<string> = new Set([
  ...Object.values(paths).filter((path) => typeof path === 'string'),
  ...paths.listed,
  ...Object.values(filePaths),
  paths.search(),
  '/robots.txt',
]);
/** The places of public pages by path. Pages whose places come from elsewhere are left out, as all that is no public page. */
const placesOfPages: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (Object.keys(sitePages) as SitePageName[]).flatMap((name) => {
    const { [name]: places = [] } = pagePlaces;
    return places === null ? [] : [[sitePages[name].path, new Set(places)] as const];
  }),
);
/** Folders whose contents are not looked up, and that hold no page of posts. */
const others = /^\/(?:assets|preview|functions\/v1|dev\/mail|media\/share)\//;

/** Sources besides the tables of posts and images. */
export interface TargetSources {
  readonly findRedirects: (em: EntityManager, paths: readonly string[]) => Promise<Map<string, FoundRedirect>>;
  /** Decides on the days in the archive. */
  readonly timeZone: string;
  /** Knows the places of posts that links name; without it places are not looked for, on pages neither. */
  readonly anchors?: PostAnchors;
  /** The account whose drafts are told of besides published posts; all drafts without it. */
  readonly ownerId?: string | null;
}

/** The end of a link. */
export interface LinkTarget {
  readonly state: LinkState;
  /** The post that it leads to, if it is one. */
  readonly postId: string | null;
  /** Its address, without the place. */
  readonly path: string;
  /** The place on the page that the link names in the end; empty when a redirect names another. */
  readonly hash: string;
}

/**
 * Finds what addresses of this site lead to, through redirects too, with a few statements for all of them. It goes by the
 * tables, not by asking the server: thousands of links render no page, and the command line can ask as well. A page
 * with something variable in its address needs a rule here; a test compares the rules with the routes.
 * @param asked paths, with the place on the page (`#costs`) if it is to be looked for; posts and public pages are asked for theirs
 */
export async function findTargets(
  em: EntityManager,
  asked: Iterable<string>,
  sources: TargetSources,
): Promise<Map<string, LinkTarget>> {
  const targets = new Map<string, LinkTarget>();
  let open = new Map<string, Step>();
  for (const address of asked) {
    const [path = '', hash = ''] = address.split(/(?=#)/);
    // What is no page answers other things than pages do, or does something.
    if (isJudged(path)) open.set(address, { path, hash });
    else targets.set(address, { state: 'found', postId: null, path, hash });
  }
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX && open.size > 0; hop += 1) {
    const next = new Map<string, Step>();
    const known = await lookUp(em, [...new Set([...open.values()].map(({ path }) => path))], sources);
    for (const [address, { path, hash }] of open) {
      const { state, postId, redirect } = known.get(path) ?? { state: 'missing', postId: null, redirect: undefined };
      if (state === 'found' || redirect === undefined) targets.set(address, { state, postId, path, hash });
      else if (redirect.path === null) targets.set(address, { state: 'found', postId: null, path, hash });
      // Browsers keep the place that a link names unless the redirect names one, which is no fault of the link.
      else next.set(address, { path: redirect.path, hash: redirect.target.includes('#') ? '' : hash });
    }
    open = next;
  }
  for (const [address, step] of open) targets.set(address, { state: 'missing', postId: null, ...step });
  return await withAnchors(em, targets, sources);
}

/** The place of a link on its way. */
interface Step {
  readonly path: string;
  readonly hash: string;
}

async function withAnchors(
  em: EntityManager,
  targets: Map<string, LinkTarget>,
  { anchors }: TargetSources,
): Promise<Map<string, LinkTarget>> {
  if (anchors === undefined) return targets;
  const named = [...targets].filter(([, { state, hash }]) => state === 'found' && hash !== '');
  const ids = await anchors.read(em, new Set(named.flatMap(([, { postId }]) => postId ?? [])));
  for (const [address, target] of named) {
    if (!hasPlace(target, ids)) targets.set(address, { ...target, state: 'no-anchor' });
  }
  return targets;
}

/** Returns false for a place that its page is known not to have. */
function hasPlace({ postId, path, hash }: LinkTarget, idsOfPosts: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const ids = postId === null ? placesOfPages.get(toFixedPath(path)) : idsOfPosts.get(postId);
  return ids === undefined || hasAnchor(ids, hash, postId === null ? 'site' : 'post');
}

/** Finds what {@link findTargets} finds, without more about it. */
export async function findStates(
  em: EntityManager,
  asked: Iterable<string>,
  sources: TargetSources,
): Promise<Map<string, LinkState>> {
  const targets = await findTargets(em, asked, sources);
  return new Map([...targets].map(([address, { state }]) => [address, state]));
}

interface Place {
  readonly state: LinkState;
  readonly postId: string | null;
  readonly redirect: FoundRedirect | undefined;
}

async function lookUp(
  em: EntityManager,
  places: readonly string[],
  { findRedirects, timeZone, ownerId = null }: TargetSources,
): Promise<Map<string, Place>> {
  const posts = await findPosts(em, places, ownerId);
  const images = await findImages(em, places);
  const months = await findMonths(em, places, timeZone);
  const terms = await findTerms(em, places);
  const redirects = await findRedirects(em, [...places, ...places.flatMap((path) => termOf(path) ?? [])]);
  return new Map(
    places.map((path) => {
      const isFound =
        isFixed(path) || months.has(monthOf(path) ?? '') || images.has(path) || terms.has(termOf(path) ?? '');
      const slug = slugOf(path) ?? '';
      const post = isFound ? undefined : (posts.get(slug) ?? posts.get(slug.toLowerCase()));
      const state = isFound ? 'found' : (post?.state ?? 'missing');
      return [
        path,
        { state, postId: post?.id ?? null, redirect: redirects.get(path) ?? redirects.get(termOf(path) ?? '') },
      ];
    }),
  );
}

function isFixed(path: string): boolean {
  return others.test(path) || fixed.has(toFixedPath(path));
}

/** Pages are found in any case, and the server leaves out a slash at the end. */
function toFixedPath(path: string): string {
  return path.toLowerCase().replace(/(?<=^\/|[^/])\/+$/, '');
}

interface FoundPost {
  readonly id: string;
  readonly state: LinkState;
}

/** Posts by slug, those that they had before too. */
async function findPosts(
  em: EntityManager,
  places: readonly string[],
  ownerId: string | null,
): Promise<Map<string, FoundPost>> {
  const named = places.flatMap((path) => slugOf(path) ?? []);
  // Pages are found in any case.
  const slugs = new Set(named.flatMap((slug) => [slug, slug.toLowerCase()]));
  if (slugs.size === 0) return new Map();
  const rows = await em.execute<(FoundPost & { slug: string })[]>(
    `with wanted as (select jsonb_array_elements_text(?::jsonb) as slug)
     select named.slug, post.id, case when is_published then 'found' when scheduled_at is null then 'draft' else 'scheduled' end as state
     from (select slug, id from blog_posts where slug in (select slug from wanted)
           union select slug, post_id from post_slugs where slug in (select slug from wanted)) named
     join blog_posts post on post.id = named.id
     where deleted_at is null and (is_published or ?::uuid is null or owner_id = ?::uuid)
     order by is_published, named.slug = post.slug`,
    [JSON.stringify([...slugs]), ownerId, ownerId],
  );
  // The last one counts: a published one, then the one that has the address now.
  return new Map(rows.map(({ slug, id, state }) => [slug, { id, state }]));
}

async function findImages(em: EntityManager, places: readonly string[]): Promise<Set<string>> {
  const ids = new Set(
    places.flatMap((path) => (path.startsWith(MEDIA_PATH) ? (mediaIdOf(path.slice(MEDIA_PATH.length)) ?? []) : [])),
  );
  if (ids.size === 0) return new Set();
  const rows = await em.execute<{ name: string }[]>(
    'select name from images where removed_at is null and id in (select jsonb_array_elements_text(?::jsonb))',
    [JSON.stringify([...ids])],
  );
  return new Set(rows.flatMap(({ name }) => filesOf(name).map((file) => `${MEDIA_PATH}${file}`)));
}

/** Those years and months of the archive that have posts, as its addresses have them; nothing is asked where none is wanted. */
async function findMonths(em: EntityManager, places: readonly string[], timeZone: string): Promise<Set<string>> {
  const names = new Set(places.flatMap((path) => monthOf(path) ?? []));
  if (names.size === 0) return new Set();
  const rows = await em.execute<{ name: string }[]>(
    `select name from jsonb_to_recordset(?::jsonb) as asked (name text, since float8, until float8)
     where exists (select from blog_posts where is_published and deleted_at is null
                   and published_date >= to_timestamp(since) and published_date < to_timestamp(until))`,
    [JSON.stringify([...names].flatMap((name) => findPeriod(name, timeZone) ?? []))],
  );
  return new Set(rows.map(({ name }) => name));
}

/** '2025' or '2025/01' of an address of the archive, whose further parts are as good as their month. */
function monthOf(path: string): string | null {
  return /^\/blogs\/archive\/(\d{4}(?:\/\d\d)?)(?:\/\d+)?\/?$/.exec(path)?.[1] ?? null;
}

/** Null for what cannot be the address of a post. */
function slugOf(path: string): string | null {
  const [, encoded = '%'] = /^\/blogs\/([^/]+)\/*$/i.exec(path) ?? [];
  try {
    const slug = decodeURIComponent(encoded);
    return slug.includes('\0') ? null : slug;
  } catch {
    return null;
  }
}

/** The addresses of the pages of terms that public posts have. */
async function findTerms(em: EntityManager, places: readonly string[]): Promise<Set<string>> {
  const asked = new Set(places.flatMap((path) => termOf(path) ?? []));
  if (asked.size === 0) return new Set();
  const rows = await em.execute<{ address: string }[]>(
    `select address from jsonb_to_recordset(?::jsonb) as asked (address text, kind text, slug text)
     where exists (select from post_terms t join blog_posts p on p.id = t.post_id
                   where t.kind = asked.kind and t.slug = asked.slug and is_published and deleted_at is null)`,
    [JSON.stringify([...asked].map((address) => ({ address, ...readTerm(address) })))],
  );
  return new Set(rows.map(({ address }) => address));
}

function readTerm(path: string) {
  const found = readTermPath(path.replace(/(?<!\/)\/+$/, ''));
  const slug = found === null || found.name.includes('\0') ? null : toTermSlug(found.name);
  return found === null || slug === null ? null : { kind: found.kind, slug };
}

/** The address of the page of a term, whose parts and feeds are as good as it is; null for other addresses. */
function termOf(path: string): string | null {
  const term = readTerm(path);
  return term === null ? null : toTermPath(term);
}
