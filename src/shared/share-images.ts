import { sitePages, type SitePageName } from './site-pages.js';

/** Size in pixels of drawn share images, which all networks take. */
export const SHARE_IMAGE_SIZE = { width: 1200, height: 630 } as const;

/** Raised when drawn share images look different: all of them are drawn anew then. */
export const SHARE_IMAGE_DESIGN = 1;

/** Hexadecimal digits of the digests in the addresses of drawn share images. */
export const DIGEST_LENGTH = 16;

/** Path under which drawn share images are served. */
export const SHARE_IMAGE_PATH = '/media/share/';

/** A drawn share image, by what it belongs to and what it shows. */
export interface ShareImageName {
  /** Id of a post, or name of a page. */
  readonly subject: string;
  /** Names what the image shows, so that a file never changes under its name: 16 hexadecimal digits. */
  readonly digest: string;
}

const NAME = /^([A-Za-z0-9-]{1,60})-([0-9a-f]{16})\.png$/;

/** Returns the address of a drawn share image, on this site. */
export function toShareImagePath({ subject, digest }: ShareImageName): string {
  return `${SHARE_IMAGE_PATH}${subject}-${digest}.png`;
}

/** Reads the last part of such an address; null for every other text. */
export function parseShareImageName(name: string): ShareImageName | null {
  const [, subject, digest] = NAME.exec(name) ?? [];
  return subject === undefined || digest === undefined ? null : { subject, digest };
}

/** Titles on share images of pages, where they are not the labels of their links. */
const headlines: { readonly [Name in SitePageName]?: string } = {
  home: 'Your Trusted IT Team - Simple. Reliable. Affordable',
  blogs: 'IT & Tech Blog',
};

/** Returns the title of a page on its share image. Browsers have no use for it. */
export function headlineOf(page: SitePageName): string {
  return headlines[page] ?? sitePages[page].label;
}

/** Returns the page whose share image stands for a path: its own, that of the blog for what is below it, or that of home. */
export function sharedPageOf(pathname: string): SitePageName {
  const path = pathname.startsWith('/blogs') ? '/blogs' : pathname;
  for (const name in sitePages) if (sitePages[name as SitePageName].path === path) return name as SitePageName;
  return 'home';
}
