import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider, type RouteObject } from 'react-router-dom';
import type { PageState } from '../src/shared/contracts/pages.js';
import { Document, PAGE_STATE_ID } from './document.js';
import { followLinks } from './lib/follow-links.js';
import { browserPageServices } from './lib/page-services.browser.js';
import { unpackLoaderData } from './lib/page-state.js';
import { createRoutes } from './routes.js';
import './styles/index.css';

/** Loads the modules of the routes that the page shows, or hydration would render it a second time. */
async function resolveLazyRoutes(routes: RouteObject[]): Promise<void> {
  const matches = matchRoutes(routes, location) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

async function hydrate(): Promise<void> {
  const stateJson = document.getElementById(PAGE_STATE_ID)?.textContent ?? '';
  const state = JSON.parse(stateJson) as PageState;
  const routes = createRoutes(browserPageServices, { isDeferred: true });
  await resolveLazyRoutes(routes);
  const loaderData = unpackLoaderData(state.loaderData, document);
  const router = createBrowserRouter(routes, { hydrationData: { loaderData } });
  followLinks(router);
  hydrateRoot(
    document,
    <StrictMode>
      <Document assets={state.assets} stateJson={stateJson} site={state.site}>
        <RouterProvider router={router} />
      </Document>
    </StrictMode>,
  );
}

void hydrate();
