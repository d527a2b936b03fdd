import { paths } from '../../../src/shared/paths.js';

/** A link of the navigation. */
export interface NavigationLink {
  readonly to: string;
  readonly label: string;
}

/** Header links before the group (product.md 2.2). */
export const mainLinks: readonly NavigationLink[] = [
  { to: paths.home, label: 'Home' },
  { to: paths.about, label: 'About Us' },
  { to: paths.blogs, label: 'Blogs' },
  { to: paths.pricing, label: 'Pricing' },
];

/** The group's label, and the page that it names. */
export const whyGroup = { to: paths.whyChooseUs, label: 'Why Choose Us?' } as const;

/** The group's links. */
export const whyLinks: readonly NavigationLink[] = [
  { to: paths.ourPromise, label: 'Our Promise' },
  { to: paths.devices, label: 'Devices we Support' },
  { to: paths.notSure, label: 'Not sure about IT Service?' },
];

export const contactLink: NavigationLink = { to: paths.contact, label: 'Contact Us' };

export const clientLink: NavigationLink = { to: paths.client, label: 'Client Resources' };

/** In the footer only; the header has no such link (product.md 2.2). */
export const signInLink: NavigationLink = { to: paths.auth, label: 'Sign in' };

export const legalLinks: readonly NavigationLink[] = [
  { to: paths.privacy, label: 'Privacy' },
  { to: paths.terms, label: 'Terms' },
  { to: paths.accessibility, label: 'Accessibility' },
];

/** Returns 'page' for a link to the current page, 'true' for one to a page above it, undefined otherwise. */
export function toAriaCurrent(to: string, pathname: string): 'page' | 'true' | undefined {
  const current = withoutSlash(pathname);
  if (current === to) return 'page';
  return to !== paths.home && current.startsWith(`${to}/`) ? 'true' : undefined;
}

function withoutSlash(pathname: string): string {
  return pathname.replace(/(.)\/+$/, '$1');
}
