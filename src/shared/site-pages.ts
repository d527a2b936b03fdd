/** Everything that the site has to know of one of its public pages. */
export interface SitePageSpec {
  readonly path: string;
  /** Its file in `client/pages`, without the suffix. */
  readonly file: string;
  /** Its name in header and footer. */
  readonly label: string;
  /** The list of links that has it: of header and footer, of the group 'Why Choose Us?', of the end of the footer. */
  readonly menu?: 'main' | 'why' | 'legal';
}

/**
 * The public pages that everybody may find, in the order of their links. Addresses (`paths`), routes, header, footer,
 * sitemap and the tests of pages derive from this list (decision 51). Pages with data of their own have a loader in
 * `client/routes.tsx` besides.
 */
export const sitePages = {
  home: { path: '/', file: 'site/home', label: 'Home', menu: 'main' },
  about: { path: '/about', file: 'site/about', label: 'About Us', menu: 'main' },
  blogs: { path: '/blogs', file: 'blog/blog-list', label: 'Blogs', menu: 'main' },
  pricing: { path: '/pricing', file: 'site/pricing', label: 'Pricing', menu: 'main' },
  whyChooseUs: { path: '/why-choose-us', file: 'site/why-choose-us', label: 'Why Choose Us?' },
  ourPromise: { path: '/why-choose-us/our-promise', file: 'site/our-promise', label: 'Our Promise', menu: 'why' },
  devices: {
    path: '/why-choose-us/devices-we-support',
    file: 'site/devices-we-support',
    label: 'Devices we Support',
    menu: 'why',
  },
  notSure: {
    path: '/why-choose-us/not-sure-about-it-service',
    file: 'site/not-sure',
    label: 'Not sure about IT Service?',
    menu: 'why',
  },
  contact: { path: '/contact', file: 'site/contact', label: 'Contact Us' },
  client: { path: '/client', file: 'site/client-resources', label: 'Client Resources' },
  privacy: { path: '/privacy', file: 'site/privacy', label: 'Privacy', menu: 'legal' },
  terms: { path: '/terms', file: 'site/terms', label: 'Terms', menu: 'legal' },
  accessibility: { path: '/accessibility', file: 'site/accessibility', label: 'Accessibility', menu: 'legal' },
} as const satisfies Readonly<Record<string, SitePageSpec>>;

type Specs = typeof sitePages;

/** The name of a public page, which is also the id of its route. */
export type SitePageName = keyof Specs;

/** The addresses of these pages, by name. */
export const sitePaths = Object.fromEntries(Object.entries(sitePages).map(([name, { path }]) => [name, path])) as {
  readonly [Name in SitePageName]: Specs[Name]['path'];
};
