import type { RouteMatch, RouteObject, StaticHandlerContext } from 'react-router-dom';
import type { PageContext } from '../../src/shared/contracts/pages.js';
import { loadRoutes } from './lazy-routes.js';
import { createRouteMatcher } from './route-matcher.js';

/** A page to render: the router's match, and the only routes that the rendering has to know. */
export interface QueriedPage {
  readonly context: StaticHandlerContext;
  readonly routes: RouteObject[];
}

/** A loader of this site's routes: it depends on nothing else of a request. */
type PageDataLoader = (from: { readonly params: RouteMatch['params']; readonly context: unknown }) => unknown;

/** Finds pages by their addresses. */
export interface PageFinder {
  /** Loads the data of the page at an absolute address. Throws what a loader throws. */
  query(this: void, url: string, requestContext?: PageContext): Promise<QueriedPage>;
  /** The one spelling of a path under which there may be a page; null where no route has one. */
  spell(this: void, path: string): string | null;
}

/**
 * Finds a page's routes and loads their data on the server. The router's own static handler does as much, and takes
 * longer for it than React for a page: it plays a request of a browser, with its signals, answers and actions.
 */
export function createPageFinder(routes: RouteObject[]): PageFinder {
  const match = createRouteMatcher(routes);
  const branches = new Map<string, RouteObject[]>();

  async function query(url: string, requestContext?: PageContext): Promise<QueriedPage> {
    const address = new URL(url).pathname;
    const matches = match(address);
    // The page names itself by its one spelling.
    const pathname = spell(address) ?? address;
    await loadRoutes(matches);
    const context: StaticHandlerContext = {
      basename: '/',
      location: { pathname, search: '', hash: '', state: null, key: 'default', mask: undefined },
      matches: matches as StaticHandlerContext['matches'],
      loaderData: await loadData(matches, requestContext),
      actionData: null,
      errors: null,
      statusCode: 200,
      loaderHeaders: {},
      actionHeaders: {},
    };
    return { context, routes: branchOf(matches) };
  }

  function spell(path: string): string | null {
    const matches = match(new URL(`http://page${path}`).pathname);
    const pattern = matches.flatMap(({ route }) => route.path ?? []).join('/');
    if (matches.length === 0 || pattern.includes('*')) return null;
    const params = matches.at(-1)?.params ?? {};
    return `/${pattern}`.replace(/:(\w+)/g, (_parameter, name: string) => encodeURIComponent(params[name] ?? ''));
  }

  return { query, spell };

  /** The matched routes alone, so that the router does not look through all of them again. */
  function branchOf(matches: readonly RouteMatch[]): RouteObject[] {
    const id = matches.at(-1)?.route.id ?? '';
    const known = branches.get(id);
    if (known) return known;
    const [leaf, ...parents] = matches.map(({ route }) => route).reverse();
    const branch = parents.reduce((child, parent) => ({ ...parent, children: [child] }) as RouteObject, leaf ?? {});
    branches.set(id, [branch]);
    return [branch];
  }
}

async function loadData(matches: readonly RouteMatch[], context: unknown): Promise<Record<string, unknown>> {
  const loaderData: Record<string, unknown> = {};
  for (const { route, params } of matches) {
    if (typeof route.loader !== 'function') continue;
    loaderData[route.id ?? ''] = await (route.loader as unknown as PageDataLoader)({ params, context });
  }
  return loaderData;
}
