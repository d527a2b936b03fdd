import faviconUrl from '../assets/favicon.svg?url';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import type { Site } from '../../src/shared/contracts/site.js';
import { paths } from '../../src/shared/paths.js';
import { toAbsoluteUrl, type JsonLd } from './head.js';

const CONTEXT = 'https://schema.org';

/** A page of the trail from Home to the page shown. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** The company as a ProfessionalService, for the home page. */
export function toBusiness(site: Site): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'ProfessionalService',
    '@id': `${site.url}/#company`,
    name: site.name,
    legalName: site.legalName,
    url: site.url,
    description: 'IT support for small and growing businesses at one flat price per user.',
    image: toAbsoluteUrl(site.url, faviconUrl),
    telephone: site.phone,
    email: site.email,
    areaServed: [site.areaRemote, site.areaOnsite],
    priceRange: 'Up to $150 per user per month',
    ...(site.claims.founded ? { foundingDate: '2025-08' } : {}),
    sameAs: Object.values(site.social).filter((address) => address.startsWith('http')),
  };
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

/** A post as a BlogPosting. */
export function toBlogPosting(site: Site, post: PostDetail): JsonLd {
  const url = toAbsoluteUrl(site.url, paths.blog(post.slug));
  return {
    '@context': CONTEXT,
    '@type': 'BlogPosting',
    headline: post.title,
    url,
    mainEntityOfPage: url,
    datePublished: post.published_date,
    dateModified: post.updated_at,
    author: { '@type': 'Person', name: post.author },
    publisher: { '@type': 'Organization', name: site.name, url: site.url },
    ...(post.excerpt ? { description: post.excerpt } : {}),
    ...(post.picture ? { image: toAbsoluteUrl(site.url, post.picture.src) } : {}),
    ...(post.category ? { articleSection: post.category } : {}),
    ...(post.tags?.length ? { keywords: post.tags } : {}),
  };
}
