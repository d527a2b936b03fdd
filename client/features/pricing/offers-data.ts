import { CURRENCY } from '../../../src/shared/contracts/page-texts/prices.js';
import type { Plan } from '../../../src/shared/contracts/page-texts/pricing.js';
import type { Site } from '../../../src/shared/contracts/site.js';
import { paths } from '../../../src/shared/paths.js';
import { toAbsoluteUrl, type JsonLd } from '../../lib/head.js';
import { CONTEXT } from '../../lib/structured-data.js';

/** The plans as offers of the company, with the most that each costs. */
export function toOffers(site: Site, plans: readonly Plan[]): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'Service',
    serviceType: 'Managed IT support',
    provider: { '@type': 'ProfessionalService', '@id': `${site.url}/#company`, name: site.name },
    offers: plans.map(({ name, summary, price, unit, period }) => ({
      '@type': 'Offer',
      name,
      description: summary,
      url: toAbsoluteUrl(site.url, paths.pricing),
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceCurrency: CURRENCY.code,
        maxPrice: price,
        unitText: `${unit} per ${period}`,
      },
    })),
  };
}
