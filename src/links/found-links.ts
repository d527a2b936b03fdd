import { unescapeMarkup } from '../posts/content/markup-tree.js';
import { fieldNames, specOf } from '../shared/contracts/post-fields.js';
import type { DeadLinkState, LinkKind, LinkPlace } from '../shared/contracts/links.js';
import { isPagePath } from '../shared/link-state.js';
import { MEDIA_PATH } from '../shared/media.js';

/** Links and images of one text that are looked at. */
const MOST = 500;
/** Longer addresses are not looked at: no site of ours has such. */
const LONGEST = 2000;

/** An address that a post links to or shows, each once per place. */
export interface PostLink {
  readonly place: LinkPlace;
  readonly kind: LinkKind;
  readonly address: string;
  /** Absent while nothing speaks against it. */
  readonly state?: DeadLinkState;
  /** Says why an address of another site is dead: 'answers 404'. */
  readonly reason?: string;
}

/** Fields by name, as a row or a form has them. */
export type LinkingTexts = Readonly<Record<string, string | null | undefined>>;

/** The fields of posts that link or show. */
export const linkingFields = fieldNames(({ kind }) => kind === 'html' || kind === 'image');

/** Finds what the fields of a post link to, show and play: what is played counts as an image. */
export function findLinks(place: LinkPlace, texts: LinkingTexts): PostLink[] {
  const found = new Map<string, PostLink>();
  const add = (kind: LinkKind, address: string) => {
    if (found.size < MOST && isFollowed(address)) found.set(`${kind} ${address}`, { place, kind, address });
  };
  for (const name of linkingFields) {
    const text = texts[name] ?? '';
    if (specOf(name).kind === 'image') add('image', text);
    else for (const [kind, address] of addressesIn(text)) add(kind, address);
  }
  return [...found.values()];
}

/** Stored HTML is sanitized, and spells its attributes in one way. */
function* addressesIn(html: string): Generator<[LinkKind, string]> {
  for (const [, tag, address = ''] of html.matchAll(
    /<(?:a\b[^>]*? href|(img|audio|video|track)\b[^>]*? src)="([^"]*)"/g,
  ))
    yield [tag === undefined ? 'link' : 'image', unescapeMarkup(address)];
}

/** Mail addresses and telephone numbers lead nowhere that could be missing. */
function isFollowed(address: string): boolean {
  if (address === '' || address.length > LONGEST) return false;
  return /^https?:$/.test(URL.parse(address, BASE)?.protocol ?? '');
}

/** Returns true for an address that names a place on the page that it stands on. */
export function isOnSamePage(address: string): boolean {
  return address.startsWith('#');
}

const BASE = 'http://site.invalid/blogs/post';

/**
 * Returns the path of an address within this site, of a page or an image, and null for other sites and for places on
 * the same page.
 * @param address as posts have it; one without a slash is beside the post
 */
export function toSitePath(address: string, siteUrl: string): string | null {
  return toSiteUrl(address, siteUrl)?.pathname ?? null;
}

/** Returns what {@link toSitePath} returns, with the place on the page that the address names, as '#costs'. */
export function toSitePlace(address: string, siteUrl: string): string | null {
  const url = toSiteUrl(address, siteUrl);
  return url === null ? null : url.pathname + url.hash;
}

function toSiteUrl(address: string, siteUrl: string): URL | null {
  const url = isOnSamePage(address) ? null : URL.parse(address, `${siteUrl}/blogs/post`);
  return url?.origin === new URL(siteUrl).origin ? url : null;
}

/** Returns true for paths at which there is something to be found, or not: others belong to programs. */
export function isJudged(path: string): boolean {
  return path.startsWith(MEDIA_PATH) || isPagePath(path);
}
