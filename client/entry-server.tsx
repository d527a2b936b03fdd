import { StrictMode, type ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import type {
  InlineTexts,
  PageAssets,
  PageContext,
  PageMoment,
  PageOutput,
  PageServices,
  PageState,
} from '../src/shared/contracts/pages.js';
import type { Site } from '../src/shared/contracts/site.js';
import { Document, type DocumentProps } from './document.js';
import { createPageFinder, type QueriedPage } from './lib/query-page.js';
import { createRoutes, type RouteHandle } from './routes.js';

/** A page whose data is loaded and whose status is known, ready to be rendered. */
export interface LoadedPage {
  readonly status: number;
  /** True when search engines and shared caches should leave the page alone. */
  readonly isHidden: boolean;
  /** The modules of the matched routes, as the bundle's manifest names them. */
  readonly modules: readonly string[];
  /** True for pages that name style sheet and first script as files, also where others hold them. */
  readonly namesFiles: boolean;
  /** Everything the page depends on beside the build and its address: equal text, equal page. */
  readonly dataText: string;
  /** Writes the document; any failure in it destroys the output. Call it once. */
  render(assets: PageAssets, inlineTexts: InlineTexts | null, output: PageOutput): void;
}

/** JSON that can stand in a script element. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** No page takes longer to render, or something in it never ends. */
const RENDER_LIMIT_MS = 10_000;

/** A renderer of every page over the given services; made once per process. */
export function createRenderer(services: PageServices) {
  const { query, spell } = createPageFinder(createRoutes(services, { isDeferred: false }));
  const siteTexts = new WeakMap<Site, string>();

  /** The site as text, which is made once for as long as it is the same. */
  function toSiteJson(site: Site): string {
    const known = siteTexts.get(site);
    if (known !== undefined) return known;
    const text = toScriptJson(site satisfies PageState['site']);
    siteTexts.set(site, text);
    return text;
  }

  function toDocument({ context, routes }: QueriedPage, state: Omit<DocumentProps, 'children'>): ReactNode {
    return (
      <StrictMode>
        <Document {...state}>
          <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />
        </Document>
      </StrictMode>
    );
  }

  /** Loads the page at an absolute address, for one moment of the site. Throws what a loader throws. */
  async function load(url: string, { site, edits }: PageMoment, requestContext?: PageContext): Promise<LoadedPage> {
    const page = await query(url, requestContext);
    const { context } = page;
    const handles = context.matches.map((match) => match.route.handle as RouteHandle | undefined);
    const isMissing = Object.values(context.loaderData).some(isMissingResult);
    const startsAtOnce = handles.some((handle) => handle?.startsAtOnce);
    const namesFiles = handles.some((handle) => handle?.namesFiles);
    const { forBrowser, serverOnly } = splitData(context);
    // Written as text once, to name the page by it and to put it into the page.
    const dataJson = toScriptJson(forBrowser);
    const own = edits?.of(context.matches.at(-1)?.route.id ?? '') ?? undefined;
    const editsJson = own === undefined ? '' : toScriptJson(own satisfies PageState['edits']);
    return {
      status: isMissing ? 404 : (handles.find((handle) => handle?.status)?.status ?? 200),
      isHidden: handles.some((handle) => handle?.isHidden),
      modules: handles.flatMap((handle) => handle?.module ?? []),
      dataText: editsJson + dataJson + (serverOnly.length > 0 ? JSON.stringify(serverOnly) : ''),
      namesFiles,
      render: (assets, inlineTexts, output) => {
        const year = new Date().getFullYear();
        const facts = { year, assets, startsAtOnce, isInlined: inlineTexts !== null } satisfies Partial<PageState>;
        const rest = toScriptJson(facts).slice(1, -1);
        const editsPart = own === undefined ? '' : `"edits":${editsJson},`;
        const stateJson = `{"site":${toSiteJson(site)},${editsPart}${rest},"loaderData":${dataJson}}`;
        stream(toDocument(page, { site, edits: own, year, assets, startsAtOnce, inlineTexts, stateJson }), output);
      },
    };
  }

  return { load, spell };
}

/** Splits the data of a page's routes into what its browser needs and what only the server renders. */
function splitData({ matches, loaderData }: QueriedPage['context']) {
  const forBrowser: Record<string, unknown> = { ...loaderData };
  const serverOnly: unknown[] = [];
  for (const { route } of matches) {
    const split = (route.handle as RouteHandle | undefined)?.splitData;
    if (!split) continue;
    const parts = split(loaderData[route.id] as never);
    forBrowser[route.id] = parts.forBrowser;
    serverOnly.push(parts.serverOnly);
  }
  return { forBrowser, serverOnly };
}

/** Writes the document into the output as React renders it. */
function stream(page: ReactNode, output: PageOutput): void {
  const rendering = renderToPipeableStream(page, {
    // Nothing is cut out for later: later parts would need an inline script to be put in place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onShellReady: () => void rendering.pipe(toDestination(output)),
    onAllReady: () => clearTimeout(timer),
    onError: (error) => {
      clearTimeout(timer);
      output.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  });
  const timer = setTimeout(
    () => rendering.abort(new Error(`A page was not rendered within ${RENDER_LIMIT_MS} ms`)),
    RENDER_LIMIT_MS,
  );
}

/**
 * The part of Node's streams that React uses. A real stream would keep the parts of each page until the old generation
 * is collected, which then happens four times a second (docs/performance.md).
 */
function toDestination(output: PageOutput): NodeJS.WritableStream {
  const destination = {
    write: (piece: Uint8Array | string) => {
      output.write(piece);
      return true;
    },
    end: () => output.end(),
    destroy: (error: Error) => output.destroy(error),
    // There is always room, and the output does not go away.
    on: () => destination,
  };
  return destination as unknown as NodeJS.WritableStream;
}

/** A loader that looked for one thing and did not find it. */
function isMissingResult(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'result' in data && data.result === null;
}
