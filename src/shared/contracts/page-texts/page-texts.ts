import type { SitePageName } from '../../site-pages.js';
import { aboutTexts } from './about.js';
import { accessibilityTexts } from './accessibility.js';
import { blogsTexts } from './blogs.js';
import { clientTexts } from './client.js';
import { contactTexts } from './contact.js';
import { devicesTexts } from './devices.js';
import type { PageField, PageFields, PageTexts } from './fields.js';
import { homeTexts } from './home.js';
import { notSureTexts } from './not-sure.js';
import { promiseTexts } from './our-promise.js';
import { companyPlaceholders, pricePlaceholders, READS_PLACEHOLDER } from './placeholders.js';
import { pricingTexts } from './pricing.js';
import { privacyTexts } from './privacy.js';
import { termsTexts } from './terms.js';
import { whyTexts } from './why-choose-us.js';

/** The texts of all pages that have some. Browsers of visitors load those of the pages that they show, each by itself. */
export const pageTexts = {
  home: homeTexts,
  about: aboutTexts,
  blogs: blogsTexts,
  pricing: pricingTexts,
  whyChooseUs: whyTexts,
  ourPromise: promiseTexts,
  devices: devicesTexts,
  notSure: notSureTexts,
  contact: contactTexts,
  client: clientTexts,
  privacy: privacyTexts,
  terms: termsTexts,
  accessibility: accessibilityTexts,
} as const;

/** The name of a page that has texts. */
export type EditedPage = keyof typeof pageTexts;

/** The pages in the order of their links. */
export const editedPages = Object.keys(pageTexts) as readonly EditedPage[];

/** Pages that name prices of the page `pricing`. */
export const pagesWithPrices: readonly SitePageName[] = ['home', 'pricing', 'notSure'];

/** Pages of legal texts, which say when they were changed last. */
export const legalPages: readonly SitePageName[] = ['privacy', 'terms', 'accessibility'];

/** Returns true for the name of a page that has texts. */
export function isEditedPage(name: string): name is EditedPage {
  return Object.hasOwn(pageTexts, name);
}

/** Returns the texts of a page, with all the properties that a field may have. */
export function textsOf(page: EditedPage): PageTexts {
  return pageTexts[page];
}

/** All fields of all pages by their names in the stored document. */
export const textFields: ReadonlyMap<string, PageFields[string] & { readonly page: EditedPage }> = new Map(
  editedPages.flatMap((page) =>
    Object.entries(textsOf(page).fields).map(([name, field]) => [`${page}.${name}`, { ...field, page }] as const),
  ),
);

/** Returns the placeholders that a field can name, with what they stand for. */
export function placeholdersFor(page: EditedPage, field: PageField): Readonly<Record<string, string>> {
  if (field.kind === 'price' || field.kind === 'glyph' || field.kind === 'choice') return {};
  return {
    ...companyPlaceholders,
    ...(pagesWithPrices.includes(page) ? pricePlaceholders : {}),
    ...(field.requires?.includes(READS_PLACEHOLDER)
      ? { [READS_PLACEHOLDER]: 'what the policy says of counted reads' }
      : {}),
  };
}
