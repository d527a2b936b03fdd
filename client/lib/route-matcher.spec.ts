import { describe, expect, it } from '@jest/globals';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import { createRouteMatcher } from './route-matcher.js';

const routes: RouteObject[] = [
  {
    id: 'root',
    children: [
      {
        id: 'app',
        children: [
          { id: 'home', index: true },
          { id: 'about', path: 'about' },
          { id: 'blogs', path: 'blogs' },
          { id: 'blog', path: 'blogs/:slug' },
          { id: 'both', path: 'both/:which' },
          { id: 'fixed', path: 'both/fixed' },
          { id: 'missing', path: '*' },
        ],
      },
      {
        id: 'admin',
        path: 'admin',
        children: [
          { id: 'start', index: true },
          { id: 'edit', path: 'blogs/edit/:id' },
        ],
      },
    ],
  },
];

describe('matching routes', () => {
  const match = createRouteMatcher(routes);

  // Each path twice: the second time it is remembered.
  it.each([
    ['/', '/', 'home'],
    ['/about', '/about', 'about'],
    ['/ABOUT', '/about/', 'about'],
    ['/blogs', '/blogs/', 'blogs'],
    ['/blogs/first', '/blogs/second', 'blog'],
    ['/blogs/a%2Fb', '/blogs/%00', 'blog'],
    ['/both/other', '/both/one', 'both'],
    ['/both/fixed', '/both/fixed', 'fixed'],
    ['/admin', '/admin/', 'start'],
    ['/admin/blogs/edit/1', '/admin/blogs/edit/2', 'edit'],
    ['/nothing', '/nothing/at/all', 'missing'],
  ])('%s and %s lead to %s, as the router says', (path, another, id) => {
    for (const asked of [path, another, path]) {
      const matches = match(asked);
      expect(matches.at(-1)?.route.id).toBe(id);
      expect(matches).toEqual(matchRoutes(routes, asked));
    }
  });
});
