import type { SitePageName } from '../shared/site-pages.js';

/**
 * The ids of the places of public pages that links can name, besides `main`, which every page has. A page without an entry has
 * no others. Only ids that stand in the code, and on the page whatever settings say: those of React (`useId`) are others when
 * the page changes. Null where they follow from posts, and links to them are not judged. A test compares them with the pages.
 * Not beside the addresses, as browsers would load them with those.
 */
export const pagePlaces: { readonly [Name in SitePageName]?: readonly string[] | null } = {
  // The parts with both headings are there always; what texts and claims take away has no places.
  home: ['tagline', 'get-in-touch'],
  // Years of older posts, which come and go with them.
  blogs: null,
  // Both footnotes are printed, even when no plan refers to them.
  pricing: ['footnote-1', 'footnote-2', 'which-plan'],
};
