import fontUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import faviconUrl from './assets/favicon.svg?url';
import type { ReactNode } from 'react';
import type { PageAssets } from '../src/shared/contracts/pages.js';
import type { Site } from '../src/shared/contracts/site.js';
import { SiteProvider } from './lib/site-context.js';

/** Id of the script element that holds the page's state as JSON. */
export const PAGE_STATE_ID = 'page-state';

/** The parts of a document. */
export interface DocumentProps {
  readonly assets: PageAssets;
  readonly site: Site;
  /** The year in which the server rendered the page. */
  readonly year: number;
  /** True when scripts start before the page is painted. */
  readonly startsAtOnce: boolean;
  /** The page's state as JSON text, with every `<` escaped. While hydrating, the text found in the page. */
  readonly stateJson: string;
  readonly children: ReactNode;
}

/**
 * The whole HTML document, hydrated as a whole. It holds nothing about the visitor: the same bytes go to everyone.
 */
export function Document({ assets, site, year, startsAtOnce, stateJson, children }: DocumentProps) {
  return (
    // The first script may have set data-theme before React arrives.
    <html lang="en-US" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="preload" href={fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        {startsAtOnce ? <script src={assets.firstScript} /> : <FirstScript {...assets} />}
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="icon" href={faviconUrl} type="image/svg+xml" />
        <link rel="alternate" type="application/rss+xml" title="Blog" href="/rss.xml" />
        {startsAtOnce ? <ModuleScripts {...assets} /> : null}
      </head>
      <body>
        <SiteProvider site={site} year={year}>
          {children}
        </SiteProvider>
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

/** Starts the application when the page is painted (client/before-paint.ts). */
function FirstScript({ firstScript, modulePreloads, scripts }: PageAssets) {
  return <script src={firstScript} data-modules={modulePreloads.join(' ')} data-scripts={scripts.join(' ')} />;
}

function ModuleScripts({ modulePreloads, scripts }: PageAssets) {
  return (
    <>
      {modulePreloads.map((href) => (
        <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
      ))}
      {scripts.map((src) => (
        <script key={src} type="module" src={src} async={false} fetchPriority="low" />
      ))}
    </>
  );
}
