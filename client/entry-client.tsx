import { StrictMode, startTransition, useEffect, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import type { InlineTexts, PageState } from '../src/shared/contracts/pages.js';
import { paths } from '../src/shared/paths.js';
import { Document, FIRST_SCRIPT_ID, PAGE_STATE_ID } from './document.js';
import { followLinks } from './lib/follow-links.js';
import { loadRoutes } from './lib/lazy-routes.js';
import { logError } from './lib/log-error.js';
import { LOST_PART, RELOAD } from './lib/lost-part.js';
import { browserPageServices } from './lib/page-services.browser.js';
import { showThemeColor } from './lib/theme.js';
import { createRoutes } from './routes.js';
import './styles/index.css';

async function hydrate(): Promise<void> {
  const stateJson = document.getElementById(PAGE_STATE_ID)?.textContent ?? '';
  const { loaderData, isInlined, ...state } = JSON.parse(stateJson) as PageState;
  const inlineTexts = isInlined ? readInlineTexts() : null;
  const routes = createRoutes(browserPageServices, { isDeferred: true, edits: state.edits });
  const { preview } = state.site;
  const basename = preview === undefined ? '/' : paths.admin.sitePreview(preview);
  // Or hydration would render the page a second time.
  try {
    await loadRoutes(matchRoutes(routes, location, basename) ?? []);
  } catch (error) {
    logError('The page could not be started:', error);
    if (state.startsAtOnce) tellOfLostPart();
    return;
  }
  const router = createBrowserRouter(routes, { basename, hydrationData: { loaderData } });
  const page = (
    <StrictMode>
      <Document {...state} inlineTexts={inlineTexts} stateJson={stateJson}>
        <LinkFollower router={router}>
          <RouterProvider router={router} />
        </LinkFollower>
      </Document>
    </StrictMode>
  );
  // As a transition it is done in slices, between which the browser answers the visitor.
  startTransition(() => void hydrateRoot(document, page));
}

/** Pages that do nothing without scripts would ask for a moment for ever; all others can be used as they are. */
function tellOfLostPart(): void {
  const notice = Object.assign(document.createElement('p'), { className: 'notice notice-error', role: 'alert' });
  const link = Object.assign(document.createElement('a'), { className: 'link', href: '', textContent: RELOAD });
  notice.append(LOST_PART, ' ', link);
  document.querySelector('main')?.prepend(notice);
}

/** The texts as React compares them with the document; it does not compare styles. */
function readInlineTexts(): InlineTexts {
  return { style: '', firstScript: document.getElementById(FIRST_SCRIPT_ID)?.textContent ?? '' };
}

interface LinkFollowerProps {
  readonly router: Parameters<typeof followLinks>[0];
  readonly children: ReactNode;
}

/**
 * Until the page is hydrated the browser follows links: the router has nobody yet to draw another page. It stands around
 * the router, as the ids that React makes (useId) count brothers, and the server renders the router alone.
 */
function LinkFollower({ router, children }: LinkFollowerProps) {
  useEffect(() => {
    followLinks(router);
    showThemeColor();
    // Seen in the browser's tools, and waited for by tests.
    performance.mark('hydrated');
  }, [router]);
  return children;
}

void hydrate();
