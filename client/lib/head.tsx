import { useLocation } from 'react-router-dom';
import type { ShareImage } from '../../src/shared/contracts/posts.js';
import { toOwnSpelling } from './own-spelling.js';
import { ShareTags } from './share-tags.js';
import { useSite } from './site-context.js';

/** Structured data for search engines, as schema.org JSON-LD. */
export type JsonLd = Readonly<Record<string, unknown>>;

interface HeadProps {
  /** The page's own title; the company's name is appended. */
  readonly title: string;
  readonly description: string;
  /** 'article' for posts. */
  readonly type?: 'website' | 'article';
  /** The picture for previews on social networks; that of the page, or of the part of the site, if it is not given. */
  readonly image?: ShareImage | null;
  readonly jsonLd?: readonly JsonLd[];
  /** Address of the page at which this was published first; null when that is here. */
  readonly canonical?: string | null;
  /** For pages that search engines are to leave out, such as the 404 page. */
  readonly isHidden?: boolean;
}

/** Absolute form of an address of this site; absolute addresses stay as they are. */
export function toAbsoluteUrl(base: string, address: string): string {
  // A path stays a path, also one that begins with two slashes, which would be read as another host.
  if (!address.startsWith('/')) return new URL(address, `${base}/`).href;
  // Parsing would not change most paths.
  return /^[\w\-/.~%]*$/.test(address) && !address.includes('/.') ? base + address : new URL(base + address).href;
}

/**
 * The head of one page. React moves title, meta and link elements into the document's head, on the server and on
 * every navigation, and escapes every value.
 */
export function Head(props: HeadProps) {
  const { title, description, type = 'website', image = null, jsonLd = [], canonical = null, isHidden = false } = props;
  const site = useSite();
  const { pathname } = useLocation();
  const fullTitle = title === site.name ? title : `${title} | ${site.name}`;
  const address = toAbsoluteUrl(site.url, toOwnSpelling(pathname));
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      {isHidden ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical ?? address} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      {import.meta.env.SSR && !isHidden ? (
        <ShareTags
          image={image}
          pathname={pathname}
          stamp={site.shareStamp}
          title={title}
          toAbsolute={(path) => toAbsoluteUrl(site.url, path)}
        />
      ) : null}
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      {jsonLd.map((data, index) => (
        <script
          key={index}
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
        />
      ))}
    </>
  );
}
