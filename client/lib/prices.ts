import type { PageFields, PageTexts, ValuesOf } from '../../src/shared/contracts/page-texts/fields.js';
import { toPriceValues } from '../../src/shared/contracts/page-texts/placeholders.js';
import type { Prices } from '../../src/shared/contracts/page-texts/prices.js';
import { pricingTexts, toPrices } from '../../src/shared/contracts/page-texts/pricing.js';
import { usePageTexts } from './page-texts.js';
import { useEdits } from './site-context.js';

const defaultPrices = toPrices(pricingTexts.defaults);

/** The prices of the site, on the pages that name them. */
export function usePrices(): Prices {
  return useEdits()?.prices ?? defaultPrices;
}

/** The texts of a page that can name prices. */
export function usePricedTexts<Fields extends PageFields>(texts: PageTexts<Fields>): ValuesOf<Fields> {
  const prices = usePrices();
  return usePageTexts(texts, () => toPriceValues(prices));
}
