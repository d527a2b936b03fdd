import { matchRoutes, type createBrowserRouter } from 'react-router-dom';
import type { RouteHandle } from '../routes.js';
import { fetchAhead } from './fetch-json.js';

type Router = ReturnType<typeof createBrowserRouter>;

/** How long a pointer rests on a link before its page is fetched: on their way, pointers cross many. */
const REST_MS = 65;

/** Returns the link of an event; null without one, and for a link that the browser should follow itself. */
function linkOf({ target }: Event): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download') || 'fullLoad' in link.dataset) return null;
  // A number of a post on the site that this one follows: the server alone knows where it leads.
  if (/^\?(p|page_id)=/.test(link.search)) return null;
  // A feed lies where a further part of its list would.
  if (/\/(rss\.xml|feed\.json)$/.test(link.pathname)) return null;
  // A link that differs by its fragment only leads to a place of this page.
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return link.origin === location.origin && !(isHere && link.hash) ? link : null;
}

/**
 * The routes that show the page of a link; null for addresses that are no pages, such as files and feeds, for pages that
 * only their own documents have, and for those of the admin area in a preview, which are not below it.
 */
function routesOf(router: Router, link: HTMLAnchorElement) {
  const matches = matchRoutes(router.routes, link.pathname);
  const isElsewhere = matches?.some(
    ({ route: { path, id, handle } }) =>
      path === '*' ||
      (handle as RouteHandle | undefined)?.isElsewhere === true ||
      (router.basename !== '/' && id === 'admin'),
  );
  return isElsewhere ? null : matches;
}

function isPlainClick(event: MouseEvent): boolean {
  return !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/**
 * Lets links be plain links: one listener takes visitors to other pages of this site without a full load, and fetches a
 * page's data when somebody is about to follow a link. Components that have handled a click prevent its default.
 */
export function followLinks(router: Router): void {
  const prefetcher = createPrefetcher(router);

  // On the window, so after every component.
  window.addEventListener('click', (event) => {
    prefetcher.stop();
    const link = event.defaultPrevented || !isPlainClick(event) ? null : linkOf(event);
    if (!link || !routesOf(router, link)) return;
    event.preventDefault();
    const address = link.pathname + link.search + link.hash;
    void router.navigate(address, { replace: address === location.pathname + location.search + location.hash });
  });
  window.addEventListener('pointerover', prefetcher.start);
  window.addEventListener('focusin', prefetcher.start);
  window.addEventListener('touchstart', prefetcher.start, { passive: true });
  // A finger that moves scrolls.
  window.addEventListener('touchmove', prefetcher.forget, { passive: true });
}

/** Fetches the page of the link that the visitor rests on, once, unless they asked to save data. */
function createPrefetcher(router: Router) {
  let timer: number | undefined;
  let resting: HTMLAnchorElement | null = null;

  const stop = () => window.clearTimeout(timer);
  const forget = () => {
    stop();
    resting = null;
  };
  const start = (event: Event) => {
    const link = linkOf(event);
    if (link === resting) return;
    resting = link;
    stop();
    if (link && !savesData()) timer = window.setTimeout(() => prefetch(router, link), REST_MS);
  };
  return { start, stop, forget };
}

function prefetch(router: Router, link: HTMLAnchorElement): void {
  if (link.pathname === location.pathname) return;
  for (const { route, params } of routesOf(router, link) ?? []) {
    // Following the link fetches again, and reports a failure.
    if (typeof route.lazy === 'function') route.lazy().catch(() => undefined);
    const address = (route.handle as RouteHandle | undefined)?.dataAddress?.(params);
    if (address !== undefined) fetchAhead(address);
  }
}

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
