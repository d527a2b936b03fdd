import type { PageEdits, SiteEdits } from '../shared/contracts/page-texts/page-edits.js';
import {
  editedPages,
  isEditedPage,
  legalPages,
  pagesWithPrices,
  textsOf,
  type EditedPage,
} from '../shared/contracts/page-texts/page-texts.js';
import type { Prices } from '../shared/contracts/page-texts/prices.js';
import { pricingTexts, toPrices } from '../shared/contracts/page-texts/pricing.js';
import { toUsable, type AllTexts } from '../shared/contracts/page-texts/text-input.js';
import { toDay, toDisplayDate } from '../shared/dates.js';
import { isRecord } from '../shared/is-record.js';
import { headlineOf } from '../shared/share-images.js';
import type { SitePageName } from '../shared/site-pages.js';

/** The name of the document that holds the texts of pages. */
export const PAGES_DOCUMENT = 'pages';
/** The name in it under which the moments stand at which pages were changed. */
export const CHANGED = 'changed';

type Values = Readonly<Record<string, unknown>>;

/** Routes that show texts of another page. */
const BORROWERS: Readonly<Record<string, EditedPage>> = { 'contact-sent': 'contact' };

/** The published texts of pages, and what each page needs of them. */
export class PublishedTexts implements SiteEdits {
  /** Values that are not as they came, by page. */
  readonly edits: { readonly [Page in EditedPage]: Values };
  private readonly changed: Values;
  private readonly known = new Map<string, PageEdits | null>();
  private readonly edited: readonly SitePageName[];
  private readonly prices: Prices | undefined;

  /** @param content the published document as it is stored: what this release cannot use in it is left aside */
  constructor(
    content: unknown,
    private readonly timeZone: string,
  ) {
    const stored = isRecord(content) ? content : {};
    this.edits = Object.fromEntries(editedPages.map((page) => [page, toEdits(page, stored)])) as typeof this.edits;
    this.changed = isRecord(stored[CHANGED]) ? stored[CHANGED] : {};
    const { pricing } = this.edits;
    const hasPrices = ['plans', 'market_from', 'market_to'].some((name) => name in pricing);
    if (hasPrices) this.prices = toPrices({ ...pricingTexts.defaults, ...pricing });
    this.edited = editedPages.filter(
      (page) =>
        Object.keys(this.edits[page]).length > 0 ||
        (legalPages.includes(page) && this.changedAt(page) !== null) ||
        (hasPrices && pagesWithPrices.includes(page)),
    );
  }

  /** The texts of all pages as they are shown. */
  get values(): AllTexts {
    const pages = editedPages.map((page) => [page, { ...textsOf(page).defaults, ...this.edits[page] }] as const);
    return Object.fromEntries(pages) as unknown as AllTexts;
  }

  of(route: string): PageEdits | null {
    let edits = this.known.get(route);
    if (edits === undefined) {
      edits = this.edited.length === 0 ? null : this.toPageEdits(BORROWERS[route] ?? route);
      // Routes that have no texts, of which there are many, all get the same.
      if (edits?.page !== undefined) this.known.set(route, edits);
    }
    return edits;
  }

  /** When the texts of a page were changed last; null for texts as they came. */
  changedAt(page: SitePageName): Date | null {
    const moment = this.changed[page];
    const date = typeof moment === 'string' ? new Date(moment) : null;
    return date === null || Number.isNaN(date.getTime()) ? null : date;
  }

  /** The title of a page on its share image. */
  headlineOf(page: SitePageName): string {
    const edits: Values = isEditedPage(page) ? this.edits[page] : {};
    const own = page === 'home' ? edits['tagline'] : edits['title'];
    return typeof own === 'string' ? own : headlineOf(page);
  }

  private toPageEdits(page: string): PageEdits {
    const { edited } = this;
    if (!isEditedPage(page) || !edited.includes(page)) return { edited };
    const changedAt = legalPages.includes(page) ? this.changedAt(page) : null;
    return {
      page,
      values: this.edits[page],
      ...(this.prices !== undefined && pagesWithPrices.includes(page) ? { prices: this.prices } : {}),
      ...(changedAt === null ? {} : { updated: toUpdated(changedAt, this.timeZone) }),
      edited,
    };
  }
}

function toEdits(page: EditedPage, stored: Values): Values {
  const edits = Object.entries(textsOf(page).fields).flatMap(([name, field]) => {
    const key = `${page}.${name}`;
    const value = Object.hasOwn(stored, key) ? toUsable(field, stored[key]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(edits);
}

function toUpdated(moment: Date, timeZone: string): NonNullable<PageEdits['updated']> {
  return { iso: toDay(moment, timeZone), long: toDisplayDate(moment, timeZone).long };
}
