import type { SitePageName } from '../../site-pages.js';
import type { Prices } from './prices.js';

/** The texts of a page that are not as they came, and what follows from them. It stands in the state of the page, and only there. */
export interface PageEdits {
  /** The page that the values belong to. */
  readonly page?: SitePageName;
  /** Values by the names of fields. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The prices, on pages that name them, where they are not as they came. */
  readonly prices?: Prices;
  /** The day of the last change of a legal page, in the zone of the site. */
  readonly updated?: { readonly iso: string; readonly long: string };
  /** Every page of the site that has edits: browsers load them whole. */
  readonly edited: readonly SitePageName[];
}

/** The edits of all pages at one moment. */
export interface SiteEdits {
  /** Returns what the route of this id needs; null where nothing of any page was edited. */
  of(route: string): PageEdits | null;
}
