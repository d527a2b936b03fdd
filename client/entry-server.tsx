import { StrictMode, type ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { createStaticRouter, StaticRouterProvider, type StaticHandlerContext } from 'react-router-dom';
import type { PageAssets, PageContext, PageServices, PageState } from '../src/shared/contracts/pages.js';
import type { Site } from '../src/shared/contracts/site.js';
import { Document } from './document.js';
import { postCards } from './features/posts/post-card.js';
import { packLoaderData } from './lib/page-state.js';
import { createPageQuery, type QueriedPage } from './lib/query-page.js';
import { PartWriterProvider } from './lib/shared-part.js';
import { createRoutes, type RouteHandle } from './routes.js';

/** A page whose data is loaded and whose status is known, ready to be rendered. */
export interface LoadedPage {
  readonly status: number;
  /** Whether it is for search engines and shared caches to leave alone. */
  readonly isHidden: boolean;
  /** The modules of the matched routes, as the bundle's manifest names them. */
  readonly modules: readonly string[];
  /** Everything the page depends on beside the build and its address: equal text, equal page. */
  readonly dataText: string;
  /** Writes the document; whatever goes wrong anywhere in it destroys the output. To be called once. */
  render(assets: PageAssets, output: PageOutput): void;
}

/** Where a rendering goes. It takes all there is, so that how fast visitors read holds nothing up. */
export type PageOutput = NodeJS.WritableStream & { destroy(error: Error): void };

/** JSON that can stand in a script element. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A renderer of every page over the given services; made once per process. */
export function createRenderer(services: PageServices, site: Site) {
  const queryPage = createPageQuery(createRoutes(services, { isDeferred: false }));
  const siteJson = toScriptJson(site satisfies PageState['site']);
  const writePart = rememberParts();
  const recallPage = rememberPages();

  function toDocument({ context, routes }: QueriedPage, assets: PageAssets, stateJson: string): ReactNode {
    return (
      <StrictMode>
        <Document assets={assets} stateJson={stateJson} site={site}>
          <PartWriterProvider value={writePart}>
            <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />
          </PartWriterProvider>
        </Document>
      </StrictMode>
    );
  }

  /** Loads the page at an absolute address. Throws what a loader throws. */
  async function load(url: string, requestContext?: PageContext): Promise<LoadedPage> {
    const page = await queryPage(url, requestContext);
    const { context } = page;
    const handles = context.matches.map((match) => match.route.handle as RouteHandle | undefined);
    const isMissing = Object.values(context.loaderData).some(isMissingResult);
    const packed = packLoaderData(context.loaderData, postCards);
    // What the server adds to it differs by route only: it is put together, so that data is written as text once.
    const stateDataJson = toScriptJson(packed.loaderData);
    const path = isMissing || requestContext ? null : constantPathOf(context);
    return {
      status: isMissing ? 404 : (handles.find((handle) => handle?.status)?.status ?? 200),
      isHidden: handles.some((handle) => handle?.isHidden),
      modules: handles.flatMap((handle) => handle?.module ?? []),
      dataText: stateDataJson + packed.inPage,
      render: (assets, output) => {
        const stateJson = `{"site":${siteJson},"assets":${toScriptJson(assets)},"loaderData":${stateDataJson}}`;
        const render = () => toBytes(toDocument(page, assets, stateJson));
        writeTo(output, path === null ? render : () => recallPage(path, stateJson, render));
      },
    };
  }

  return { load };
}

/**
 * All data is there, so nothing suspends, and React would give nothing to a stream before it has all: a string is half
 * the work.
 */
function writeTo(output: PageOutput, render: () => Uint8Array): void {
  try {
    output.end(render());
  } catch (error) {
    if (error instanceof FailedPart) void error.findCause().then((cause) => output.destroy(toError(cause)));
    else output.destroy(toError(error));
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** What React leaves in a string for the browser to render, because it failed on the server. */
const FAILED_PART = '<!--$!-->';

function toBytes(page: ReactNode): Uint8Array {
  const html = renderToString(page);
  if (html.includes(FAILED_PART)) throw new FailedPart(page);
  return Buffer.from(`<!DOCTYPE html>${html}`);
}

/** A part of a page that threw. React says why to a stream only, so the page is rendered once more. */
class FailedPart extends Error {
  constructor(private readonly page: ReactNode) {
    super('A part of a page could not be rendered');
  }

  findCause(): Promise<unknown> {
    return new Promise((resolve) => {
      renderToPipeableStream(this.page, { onError: resolve, onAllReady: () => resolve(this) });
    });
  }
}

/** A loader that looked for one thing and did not find it. */
function isMissingResult(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'result' in data && data.result === null;
}

/**
 * The path of a page that shows no posts, so that it is a function of the build and the configuration; null for others.
 * Only for the path as the routes spell it: there are as many pages to remember as routes.
 */
function constantPathOf({ matches, loaderData, location }: StaticHandlerContext): string | null {
  const hasPosts = Object.values(loaderData).some(
    (data) => typeof data === 'object' && data !== null && 'result' in data,
  );
  const path = `/${matches.flatMap(({ route }) => route.path ?? []).join('/')}`;
  return hasPosts || path !== location.pathname ? null : path;
}

/** Remembers what the shared parts of pages look like (client/lib/shared-part.tsx). Their keys are few. */
function rememberParts() {
  const parts = new Map<string, string>();
  return (key: string, part: ReactNode): string => {
    const known = parts.get(key);
    if (known !== undefined) return known;
    const html = renderToString(part);
    parts.set(key, html);
    return html;
  };
}

/** Remembers pages by path, as long as they have the same state and it is the same year, which the footer shows. */
function rememberPages() {
  const pages = new Map<string, { readonly key: string; readonly bytes: Uint8Array }>();
  return (path: string, stateJson: string, render: () => Uint8Array): Uint8Array => {
    const key = `${new Date().getFullYear()} ${stateJson}`;
    const known = pages.get(path);
    if (known?.key === key) return known.bytes;
    const bytes = render();
    pages.set(path, { key, bytes });
    return bytes;
  };
}
