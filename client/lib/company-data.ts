import logoUrl from '../assets/icon-512.png?url';
import { formatPrice, type Prices } from '../../src/shared/contracts/page-texts/prices.js';
import type { Site } from '../../src/shared/contracts/site.js';
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
