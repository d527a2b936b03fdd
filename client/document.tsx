import fontUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import touchIconUrl from './assets/apple-touch-icon.png?url';
import bitmapIconUrl from './assets/favicon.ico?url';
import iconUrl from './assets/favicon.svg?url';
import type { ReactNode } from 'react';
import type { PageEdits } from '../src/shared/contracts/page-texts/page-edits.js';
import type { InlineTexts, PageAssets } from '../src/shared/contracts/pages.js';
import type { Site } from '../src/shared/contracts/site.js';
import { paths } from '../src/shared/paths.js';
import { THEME_COLORS } from '../src/shared/theme-colors.js';
import { trustHtml } from './lib/trusted-html.js';
import { SiteProvider } from './lib/site-context.js';

/** Id of the script element that holds the page's state as JSON. */
export const PAGE_STATE_ID = 'page-state';
/** Id of the script element that runs before the first paint. */
export const FIRST_SCRIPT_ID = 'first-script';

/** The parts of a document. */
export interface DocumentProps {
  readonly assets: PageAssets;
  readonly site: Site;
  /** The texts of the page that are not as they came. */
  readonly edits?: PageEdits | undefined;
  /** The year in which the server rendered the page. */
  readonly year: number;
  /** True when scripts start before the page is painted. */
  readonly startsAtOnce: boolean;
  /**
   * The texts that stand in the document; null when it names files instead. While hydrating, the script found in the
   * page; React then finds the style element by its address and leaves it alone.
   */
  readonly inlineTexts: InlineTexts | null;
  /** The page's state as JSON text, with every `<` escaped. While hydrating, the text found in the page. */
  readonly stateJson: string;
  readonly children: ReactNode;
}

/**
 * The whole HTML document, hydrated as a whole. It holds nothing about the visitor: the same bytes go to everyone.
 */
export function Document(props: DocumentProps) {
  const { assets, site, edits, year, startsAtOnce, inlineTexts, stateJson, children } = props;
  return (
    // The first script may have set data-theme before React arrives.
    <html lang="en-US" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="preload" href={fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <FirstScript assets={assets} text={inlineTexts?.firstScript} isStarter={!startsAtOnce} />
        {assets.styles.map((href) => (
          <StyleSheet key={href} href={href} text={inlineTexts?.style} />
        ))}
        <link rel="icon" href={bitmapIconUrl} sizes="32x32" />
        <link rel="icon" href={iconUrl} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={touchIconUrl} />
        <link rel="manifest" href={paths.files.manifest} />
        <meta name="theme-color" content={THEME_COLORS.light} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={THEME_COLORS.dark} media="(prefers-color-scheme: dark)" />
        <link rel="alternate" type="application/rss+xml" title="Blog" href="/rss.xml" />
        <link rel="alternate" type="application/feed+json" title="Blog" href="/feed.json" />
        {startsAtOnce ? <ModuleScripts {...assets} /> : null}
      </head>
      <body>
        <SiteProvider site={site} edits={edits} year={year}>
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

interface FirstScriptProps {
  readonly assets: PageAssets;
  /** The script itself, where it is not a file. */
  readonly text: string | undefined;
  /** True when the script starts the application, which it does when the page is painted. */
  readonly isStarter: boolean;
}

/** The script that runs before the paint (client/before-paint.ts). */
function FirstScript({ assets, text, isStarter }: FirstScriptProps) {
  const { firstScript, modulePreloads, scripts } = assets;
  const modules = isStarter ? { 'data-modules': modulePreloads.join(' '), 'data-scripts': scripts.join(' ') } : {};
  if (text === undefined) return <script src={firstScript} {...modules} />;
  return <script id={FIRST_SCRIPT_ID} {...modules} dangerouslySetInnerHTML={{ __html: trustHtml(text) }} />;
}

interface StyleSheetProps {
  readonly href: string;
  /** The rules, where they are not a file. */
  readonly text: string | undefined;
}

/** The public style sheet. The admin area's comes after it, whether a page was loaded there or visited from here. */
function StyleSheet({ href, text }: StyleSheetProps) {
  if (text === undefined) return <link rel="stylesheet" href={href} />;
  return (
    <style href={href} precedence="site">
      {text}
    </style>
  );
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
