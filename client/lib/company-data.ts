import logoUrl from '../assets/icon-512.png?url';
import type { Doubt } from '../../src/shared/contracts/page-texts/not-sure.js';
import { CURRENCY, formatPrice, type Prices } from '../../src/shared/contracts/page-texts/prices.js';
import type { Plan } from '../../src/shared/contracts/page-texts/pricing.js';
import type { Site } from '../../src/shared/contracts/site.js';
import { paths } from '../../src/shared/paths.js';
import { toAbsoluteUrl, type JsonLd } from './head.js';
import { readOpeningHours } from './opening-hours.js';
import { CONTEXT } from './structured-data.js';

/** The company as a ProfessionalService, which is a LocalBusiness, for the home page. */
export function toBusiness(site: Site, description: string, { plans: [main] }: Prices): JsonLd {
  const logo = toAbsoluteUrl(site.url, site.logo?.file.src ?? logoUrl);
  const read = readOpeningHours(site.hours);
  const hours = site.openingHours ?? (read ? [read] : []);
  const specifications = hours.map(({ days, opens, closes }) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: days.map((day) => `${CONTEXT}/${day}`),
    opens,
    closes,
  }));
  return {
    '@context': CONTEXT,
    '@type': 'ProfessionalService',
    '@id': `${site.url}/#company`,
    name: site.name,
    legalName: site.legalName,
    url: site.url,
    description,
    image: logo,
    logo,
    telephone: site.phone,
    email: site.email,
    // 'Anywhere' is no place that a map has.
    areaServed: [site.areaRemote, site.areaOnsite].filter((area) => !/^(?:any|every)where$/i.test(area)),
    ...(specifications.length > 0
      ? { openingHoursSpecification: specifications.length > 1 ? specifications : specifications[0] }
      : {}),
    ...(main ? { priceRange: `Up to ${formatPrice(main.price)} per ${main.unit} per ${main.period}` } : {}),
    ...(site.claims.founded ? { foundingDate: '2025-08' } : {}),
    sameAs: Object.values(site.social).filter((address) => address.startsWith('http')),
  };
}

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

/** Doubts as the questions that they are, with their answers. */
export function toQuestions(doubts: readonly Doubt[]): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: doubts.map(({ doubt, short, answer }) => ({
      '@type': 'Question',
      name: doubt,
      acceptedAnswer: { '@type': 'Answer', text: `${short} ${answer}` },
    })),
  };
}
