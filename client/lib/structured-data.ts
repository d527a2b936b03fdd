import type { Site } from '../../src/shared/contracts/site.js';
import { paths } from '../../src/shared/paths.js';
import { toAbsoluteUrl, type JsonLd } from './head.js';

/** The vocabulary of structured data. */
export const CONTEXT = 'https://schema.org';

/** A page of the trail from Home to the page shown. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** The trail to a page; Home comes first by itself. */
export function toBreadcrumbs(site: Site, crumbs: readonly Crumb[]): JsonLd {
  const trail = [{ name: 'Home', path: paths.home }, ...crumbs];
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: toAbsoluteUrl(site.url, path),
    })),
  };
}
