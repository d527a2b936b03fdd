import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import type { PageAssets, PageContext, PageServices, PageState } from '../src/shared/contracts/pages.js';
import type { Site } from '../src/shared/contracts/site.js';
import { Document } from './document.js';
import { createRoutes, type RouteHandle } from './routes.js';

/** A page whose data is loaded and whose status is known, ready to be rendered. */
export interface LoadedPage {
  readonly status: number;
  /** Whether it is for search engines and shared caches to leave alone. */
  readonly isHidden: boolean;
  /** The modules of the matched routes, as the bundle's manifest names them. */
  readonly modules: readonly string[];
  /** The whole document. Throws what a component throws. */
  render(assets: PageAssets): string;
}

/** JSON that can stand in a script element. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A renderer of every page over the given services; made once per process. */
export function createRenderer(services: PageServices, site: Site) {
  const handler = createStaticHandler(createRoutes(services, { isDeferred: false }));

  /** Loads the page at an absolute address. Throws what a loader throws. */
  async function load(url: string, requestContext?: PageContext): Promise<LoadedPage> {
    const context = await handler.query(new Request(url), { requestContext });
    if (context instanceof Response) throw new Error(`Unexpected answer ${context.status} of a route`);
    const failure: unknown = Object.values(context.errors ?? {})[0];
    if (failure instanceof Error) throw failure;
    if (failure !== undefined) throw new Error('A route failed', { cause: failure });
    const handles = context.matches.map((match) => match.route.handle as RouteHandle | undefined);
    const isMissing = Object.values(context.loaderData).some(isMissingResult);
    return {
      status: isMissing ? 404 : (handles.find((handle) => handle?.status)?.status ?? 200),
      isHidden: handles.some((handle) => handle?.isHidden),
      modules: handles.flatMap((handle) => handle?.module ?? []),
      render: (assets) => {
        const state: PageState = { site, assets, loaderData: context.loaderData };
        // All data is there, so nothing suspends, and one string is half the work of a stream.
        const html = renderToString(
          <StrictMode>
            <Document assets={assets} stateJson={toScriptJson(state)} site={site}>
              <StaticRouterProvider
                router={createStaticRouter(handler.dataRoutes, context)}
                context={context}
                hydrate={false}
              />
            </Document>
          </StrictMode>,
        );
        return `<!DOCTYPE html>${html}`;
      },
    };
  }

  return { load };
}

/** A loader that looked for one thing and did not find it. */
function isMissingResult(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'result' in data && data.result === null;
}
