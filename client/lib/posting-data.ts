import logoUrl from '../assets/icon-512.png?url';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import type { Site } from '../../src/shared/contracts/site.js';
import { paths } from '../../src/shared/paths.js';
import { toAbsoluteUrl, type JsonLd } from './head.js';
import { CONTEXT } from './structured-data.js';

/** A post as a BlogPosting. */
export function toBlogPosting(site: Site, post: PostDetail): JsonLd {
  const url = toAbsoluteUrl(site.url, paths.blog(post.slug));
  const { src, width, height } = site.logo?.file ?? { src: logoUrl, width: 512, height: 512 };
  return {
    '@context': CONTEXT,
    '@type': 'BlogPosting',
    headline: post.title,
    url,
    mainEntityOfPage: url,
    datePublished: post.published_date,
    dateModified: post.updated_at,
    author: isCompany(site, post.author)
      ? { '@type': 'Organization', name: post.author, url: site.url }
      : { '@type': 'Person', name: post.author },
    publisher: {
      '@type': 'Organization',
      name: site.name,
      url: site.url,
      logo: { '@type': 'ImageObject', url: toAbsoluteUrl(site.url, src), width, height },
    },
    ...(post.excerpt ? { description: post.excerpt } : {}),
    ...(post.share_image ? { image: toAbsoluteUrl(site.url, post.share_image.src) } : {}),
    ...(post.category ? { articleSection: post.category } : {}),
    ...(post.tags?.length ? { keywords: post.tags } : {}),
  };
}

/** Posts that name no person are signed with the company. */
function isCompany({ name, legalName }: Site, author: string): boolean {
  return [name, legalName].some((own) => own.localeCompare(author, 'en', { sensitivity: 'base' }) === 0);
}
