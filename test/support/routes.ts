import { paths } from '../../src/shared/paths.js';

/** Every public page with an address of its own: all paths but feeds. */
export const pageRoutes: readonly string[] = Object.values(paths).flatMap((path) =>
  typeof path === 'string' && !/\.(?:xml|json)$/.test(path) ? [path] : [],
);
