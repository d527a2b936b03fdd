import type { RouteMatch } from 'react-router-dom';

/** Loads the modules of routes that are about to be shown. */
export async function loadRoutes(matches: readonly RouteMatch[]): Promise<void> {
  for (const { route } of matches) {
    if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
  }
}
