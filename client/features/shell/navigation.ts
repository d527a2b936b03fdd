import { paths } from '../../../src/shared/paths.js';
import { sitePages, type SitePageSpec } from '../../../src/shared/site-pages.js';

/** A link of the navigation. */
export interface NavigationLink {
  readonly to: string;
  readonly label: string;
}

const toLink = ({ path, label }: SitePageSpec): NavigationLink => ({ to: path, label });

function linksOf(menu: SitePageSpec['menu']): readonly NavigationLink[] {
  return Object.values<SitePageSpec>(sitePages)
    .filter((page) => page.menu === menu)
    .map(toLink);
}

/** Header links before the group (product.md 2.2). */
export const mainLinks = linksOf('main');

/** The group's label, and the page that it names. */
export const whyGroup = toLink(sitePages.whyChooseUs);

/** The group's links. */
export const whyLinks = linksOf('why');

export const contactLink = toLink(sitePages.contact);

export const clientLink = toLink(sitePages.client);

/** In the footer only; the header has no such link (product.md 2.2). */
export const signInLink: NavigationLink = { to: paths.auth, label: 'Sign in' };

/** In its place for those who are signed in. */
export const accountLink: NavigationLink = { to: paths.account, label: 'Your account' };

export const legalLinks = linksOf('legal');

/** Returns 'page' for a link to the current page, 'true' for one to a page above it, undefined otherwise. */
export function toAriaCurrent(to: string, pathname: string): 'page' | 'true' | undefined {
  const current = withoutSlash(pathname);
  if (current === to) return 'page';
  return to !== paths.home && current.startsWith(`${to}/`) ? 'true' : undefined;
}

function withoutSlash(pathname: string): string {
  // From a slash of a row on, it would take time with the square of their number: pages ask this for each of their links.
  return pathname.replace(/([^/])\/+$/, '$1');
}
