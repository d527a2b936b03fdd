import fontUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import faviconUrl from './assets/favicon.svg?url';
import type { ReactNode } from 'react';
import type { PageAssets } from '../src/shared/contracts/pages.js';
import type { Site } from '../src/shared/contracts/site.js';
import { SiteProvider } from './lib/site-context.js';

/** Id of the script element that holds the page's state as JSON. */
export const PAGE_STATE_ID = 'page-state';

interface DocumentProps {
  readonly assets: PageAssets;
  readonly site: Site;
  /** The page's state as JSON text, with every `<` escaped. The browser hands back what it found in the page. */
  readonly stateJson: string;
  readonly children: ReactNode;
}

/**
 * The whole HTML document, hydrated as a whole. It holds nothing about the visitor: the same bytes go to everyone.
 */
export function Document({ assets, site, stateJson, children }: DocumentProps) {
  return (
    // The theme script may have set data-theme before React arrives.
    <html lang="en-US" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="preload" href={fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        {assets.blockingScripts.map((src) => (
          <script key={src} src={src} />
        ))}
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="icon" href={faviconUrl} type="image/svg+xml" />
        <link rel="alternate" type="application/rss+xml" title="Blog" href="/rss.xml" />
        {assets.modulePreloads.map((href) => (
          <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
        ))}
        {assets.scripts.map((src) => (
          <script key={src} type="module" src={src} async={false} fetchPriority="low" />
        ))}
      </head>
      <body>
        <SiteProvider site={site}>{children}</SiteProvider>
        <script
          id={PAGE_STATE_ID}
          type="application/json"
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: stateJson }}
        />
      </body>
    </html>
  );
}
