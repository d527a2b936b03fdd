import type { Site } from '../site.js';
import { CURRENCY, formatPrice, type Prices } from './prices.js';

/** The facts that texts can name in braces on every page, with what each stands for. */
export const companyPlaceholders = {
  company: 'the name of the company',
  legal_name: 'its legal entity',
  phone: 'its telephone',
  email: 'its email address',
  hours: 'its office hours',
  area_remote: 'the area of remote support',
  area_remote_small: 'the same in small letters',
  area_onsite: 'the area of on-site support',
  contact_person: 'who answers enquiries',
  enquiry_days: 'how long enquiries are kept once they are closed',
  read_days: 'for how many days reads are kept by day',
} as const;

/** The facts that texts of pages with prices can name besides. */
export const pricePlaceholders = {
  plan_1: 'the name of the first plan',
  price_1: 'its price',
  unit_1: 'what it is paid for',
  period_1: 'its period',
  plan_2: 'the name of the second plan',
  price_2: 'its price',
  unit_2: 'what it is paid for',
  period_2: 'its period',
  market_from: 'the price of average providers, from',
  market_to: 'the price of average providers, to',
  currency: 'the currency',
} as const;

/** Stands for what the privacy policy says of reads, in a paragraph of its own. */
export const READS_PLACEHOLDER = 'reads';

/** Values of placeholders by name. One that has no value stays in the text as it is. */
export type PlaceholderValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([a-z]+(?:_[a-z0-9]+)*)\}/g;

/** Returns the names of all placeholders of a text. */
export function placeholdersOf(text: string): string[] {
  return text.includes('{') ? [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name) : [];
}

/** Puts values in the place of their placeholders. What a value says is never read for placeholders. */
export function fillText(text: string, values: PlaceholderValues): string {
  if (!text.includes('{')) return text;
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** Returns the values that every page knows. */
export function toCompanyValues(site: Site): PlaceholderValues {
  return {
    company: site.name,
    legal_name: site.legalName,
    phone: site.phone,
    email: site.email,
    hours: site.hours,
    area_remote: site.areaRemote,
    area_remote_small: site.areaRemote.toLowerCase(),
    area_onsite: site.areaOnsite,
    contact_person: site.contactPerson ?? '',
    enquiry_days: site.enquiryRetentionDays === 1 ? 'one day' : `${site.enquiryRetentionDays} days`,
    read_days: String(site.readCountsDays ?? ''),
  };
}

/** Returns the values of pages that show prices. */
export function toPriceValues({ plans, market }: Prices): PlaceholderValues {
  const values: Record<string, string> = {
    market_from: formatPrice(market.from),
    market_to: formatPrice(market.to),
    currency: CURRENCY.name,
  };
  for (const [index, { name, price, unit, period }] of plans.slice(0, 2).entries()) {
    const place = String(index + 1);
    Object.assign(values, {
      [`plan_${place}`]: name,
      [`price_${place}`]: formatPrice(price),
      [`unit_${place}`]: unit,
      [`period_${place}`]: period,
    });
  }
  return values;
}

/** Splits a text at its placeholders: pieces that are one have its name. */
export function placeholderPieces(text: string): { readonly text: string; readonly name?: string }[] {
  const pieces: { text: string; name?: string }[] = [];
  let end = 0;
  for (const match of text.includes('{') ? text.matchAll(PLACEHOLDER) : []) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    const [whole, name = ''] = match;
    pieces.push({ text: whole, name });
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
