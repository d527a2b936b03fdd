import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { LinksService } from '../../src/links/links.service.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { RedirectInput } from '../../src/shared/contracts/redirects.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { askWhere, keepRedirects, outcomes } from '../support/redirects.js';

let app: TestApp;
let redirects: RedirectsService;

beforeAll(async () => {
  app = await createTestApp();
  redirects = app.get(RedirectsService);
});

const keep = (items: readonly RedirectInput[]) => keepRedirects(app, items);
const get = (url: string) => askWhere(app, url);
const cli = (...args: string[]) => runCommand(app, args);

describe('redirects with patterns', () => {
  it('lead every address of their kind on, after pages, usual feeds and redirects of one address, and only where readers get', async () => {
    await createPosts(app, [{ slug: 'patterned' }, { slug: 'hidden-one', is_published: false }]);
    await cli('redirects', 'add', '/:year/:month/:slug.html', '/blogs/:slug#text');
    await cli('redirects', 'add', '/:section/:slug', '/blogs/:slug');
    await cli('redirects', 'add', '/wiki/*', 'https://wiki.example.com/:splat?from=site');
    await cli('redirects', 'add', '/2020/01/other.html', '/pricing');
    for (const [address, answer] of [
      ['/2019/05/patterned.html', '301 /blogs/patterned#text'],
      ['/2019/5/patterned.html/?utm=1', '301 /blogs/patterned#text'],
      ['/news/patterned', '301 /blogs/patterned'],
      ['/2020/01/other.html', '301 /pricing'],
      ['/wiki/a//b%20c', '301 https://wiki.example.com/a/b%20c?from=site#'],
      ['/wiki/', '301 https://wiki.example.com?from=site#'],
      ['/feed/rss', '301 /rss.xml'],
      ['/blogs/patterned', 200],
      ['/about', 200],
      // Nothing is told of names that nobody, or only a draft, has.
      ['/2019/05/never.html', 404],
      ['/news/hidden-one', 404],
      ['/blogs/never', 404],
      ['/a/b/c/d', 404],
      ['/api/never', 404],
    ] as const) {
      expect([address, await get(address)]).toEqual([address, answer]);
    }
    expect(await cli('redirects', 'add', '/x/:slug', '/blogs/:slugg')).toMatchObject({
      code: 2,
      stderr: 'Error: /x/:slug: nothing in the path is called :slugg\n',
    });
    // Where they lead is known by asking alone.
    expect((await app.get(LinksService).findUnused(OPERATOR)).map(({ path }) => path)).not.toContain('/:section/:slug');
    const removed = await redirects.remove(OPERATOR, ['/:year/:month/:slug.html', '/:section/:slug', '/wiki/*']);
    expect(removed.unknown).toEqual([]);
    expect(await get('/2019/05/patterned.html')).toBe(404);
  });

  it('hide no page that is asked for in another spelling, or with a number', async () => {
    await createPosts(app, [
      { slug: 'seen', tags: ['Kept'], published_date: '2024-03-05T12:00:00Z' },
      { slug: 'unseen', is_published: false },
    ]);
    await keep([{ path: '/?p=9', target: '/blogs/unseen' }]);
    await redirects.save(OPERATOR, [
      { path: '/*', target: 'https://old.example/:splat' },
      { path: '/?p=8', target: '/moved/seen' },
      { path: '/moved/*', target: '/blogs/:splat' },
      { path: '/blogs/By-Hand', target: '/blogs/seen' },
    ]);
    for (const [address, answer] of [
      ['/search/?q=backup', '301 /search?q=backup'],
      ['/Search', '301 /search'],
      ['/About/', '301 /about'],
      ['/blogs/archive/2024/', '301 /blogs/archive/2024'],
      ['/Blogs/Tag/kept', '301 /blogs/tag/kept'],
      ['/Blogs/seen', '301 /blogs/seen'],
      ['/blogs/seen/', '301 /blogs/seen'],
      ['/blogs/seen?p=2', 200],
      ['/about?page_id=2', 200],
      ['/?p=5', 200],
      // Nothing is told of what only a draft has.
      ['/?p=9', 200],
      // What is recorded for one address counts, and from there on patterns.
      ['/?p=8', '301 /blogs/seen'],
      ['/blogs/By-Hand/', '301 /blogs/seen'],
      // Where there is no page they count as before, in whatever spelling.
      ['/never/', '301 https://old.example/never#'],
      ['/never/?p=5', '301 https://old.example/never#'],
      ['/blogs/never/', '301 /blogs/never'],
      ['/blogs/never', '301 https://old.example/blogs/never#'],
    ] as const) {
      expect([address, await get(address)]).toEqual([address, answer]);
    }
    await redirects.remove(OPERATOR, ['/*', '/?p=9', '/?p=8', '/moved/*', '/blogs/By-Hand']);
  });

  it('count where the number of a post leads to', async () => {
    await createPosts(app, [{ slug: 'led' }]);
    await keep([{ path: '/?p=7', target: '/were/led' }]);
    await redirects.save(OPERATOR, [{ path: '/were/*', target: '/blogs/:splat' }]);
    expect(await get('/?p=7')).toBe('301 /blogs/led');
    await redirects.remove(OPERATOR, ['/?p=7', '/were/*']);
  });

  it('that close a circle of several are refused in whatever order they come, and the circle is named', async () => {
    const record = async (path: string, target: string) =>
      outcomes(await redirects.save(OPERATOR, [{ path, target }])).join();
    expect(await record('/ring/a/*', '/ring-b/:splat')).toBe('created');
    expect(await record('/ring-b/:year/*', '/ring/a/:year/:splat')).toBe(
      'refused: it would lead in a circle: /ring-b/2010/x1, /ring/a/2010/x1, /ring-b/2010/x1',
    );
    expect(await record('/ring-b/one', '/ring/a/one')).toBe(
      'refused: it would lead in a circle: /ring-b/one, /ring/a/one, /ring-b/one',
    );
    await redirects.remove(OPERATOR, ['/ring/a/*']);
    await record('/ring-b/:year/*', '/ring/a/:year/:splat');
    expect(await record('/ring/a/*', '/ring-b/:splat')).toContain('refused: it would lead in a circle');
    await redirects.remove(OPERATOR, ['/ring-b/:year/*']);
    await record('/ring-b/one', '/ring/a/one');
    expect(await record('/ring/a/*', '/ring-b/:splat')).toContain('refused: it would lead in a circle');
    // What is refused changes nothing of what follows, in the same file either.
    const file = [
      { path: '/ring/a/*', target: '/ring-b/:splat' },
      { path: '/ring/a/*', target: '/pricing' },
      { path: '/ring-c/*', target: '/ring-d/x/:splat' },
      { path: '/ring-d/*', target: '/ring-c/:splat' },
    ];
    expect(outcomes(await redirects.save(OPERATOR, file))).toEqual([
      expect.stringContaining('refused: it would lead in a circle'),
      'created',
      'created',
      'refused: it would lead on more than 10 times: /ring-d/x0',
    ]);
    expect([await get('/ring-b/one'), await get('/ring-d/x')]).toEqual(['301 /pricing', 404]);
    // Where a post may be, it ends.
    expect(await record('/blogs/:slug', '/ring-news/:slug')).toBe('created');
    expect(await record('/ring-news/*', '/blogs/:splat')).toBe('created');
    await redirects.remove(
      OPERATOR,
      (await redirects.list(OPERATOR)).flatMap(({ path }) => (/ring|^.blogs/.test(path) ? [path] : [])),
    );
  });

  it('are for what an address of a hidden post is asked, as for those that never were', async () => {
    await createPosts(app, [{ slug: 'once-public' }]);
    await keep([{ path: '/2018/once-public.html', target: '/blogs/once-public' }]);
    await redirects.save(OPERATOR, [
      { path: '/2018/by-hand.html', target: '/blogs/once-public' },
      { path: '/2018/*', target: 'https://archive.example.com/:splat' },
    ]);
    const ask = async () => [
      await get('/2018/once-public.html'),
      await get('/2018/by-hand.html'),
      await get('/2018/never.html'),
    ];
    const never = '301 https://archive.example.com/never.html#';
    expect(await ask()).toEqual(['301 /blogs/once-public', '301 /blogs/once-public', never]);
    await changePosts(app, 'unpublish', ['once-public']);
    const hidden = '301 https://archive.example.com/once-public.html#';
    expect(await ask()).toEqual([hidden, '301 https://archive.example.com/by-hand.html#', never]);
    // Neither by what is said of everything.
    await redirects.save(OPERATOR, [{ path: '/*', target: 'https://elsewhere.example.com/:splat' }]);
    expect((await ask())[0]).toBe(hidden);
    await redirects.remove(OPERATOR, ['/*', '/2018/*', '/2018/by-hand.html']);
    expect((await ask())[0]).toBe(404);
  });

  it('of other systems, and of other hosts as a whole, are refused instead of recorded as letters', async () => {
    const lines = [
      'source;target',
      '/docs/*/index.html;/about',
      '^/blog/(.*)$;/blogs/$1',
      '/post-:id;/blogs/:id',
      'https://old.example.org/*;https://www.example.org/:splat',
      `${app.config.site.url}/*;/:splat`,
      'https://old.example.org/area/*;/blogs/:splat',
      '/literal%2Astar;/about',
    ];
    const report = await redirects.import(OPERATOR, { name: 'a.csv', text: lines.join('\n') });
    expect(outcomes(report.items)).toEqual([
      'refused: a * stands for the rest of an address, at its end: /blog/*',
      'refused: regular expressions are not supported: a pattern is written like /blog/* or /:year/:slug',
      'refused: a name stands at the beginning of a part of the path: :id does not',
      'refused: it is about everything at old.example.org, whose redirects are its own; what is not found here is written as /*',
      'needless: the path is its own target',
      'created',
      'created',
    ]);
    for (const format of ['csv', 'json', 'hosts'] as const) {
      const again = await redirects.import(OPERATOR, {
        name: 'x',
        format,
        text: await redirects.export(OPERATOR, format),
      });
      expect(again.items.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
    }
    await redirects.remove(OPERATOR, ['/area/*', '/literal*star']);
  });

  it('are those of operators alone: an address of an imported post means what it says', async () => {
    await createPosts(app, [{ slug: 'colon' }]);
    await keep([{ path: '/u/:id', target: '/blogs/colon' }]);
    expect([await get('/u/:id'), await get('/u/7')]).toEqual(['301 /blogs/colon', 404]);
  });

  it('are not made of such an address when a file with it comes to another site', async () => {
    await createPosts(app, [{ slug: 'moved-here' }]);
    await keep([
      { path: '/member/:id', target: '/blogs/moved-here' },
      { path: '/stars/*', target: '/blogs/moved-here' },
    ]);
    const texts = await Promise.all(
      (['csv', 'json', 'hosts'] as const).map(async (format) => ({
        name: 'old-site',
        format,
        text: await redirects.export(OPERATOR, format),
      })),
    );
    // The other site does not know them.
    await redirects.remove(OPERATOR, ['/member/:id', '/stars/*']);
    for (const file of texts) {
      const { items } = await redirects.import(OPERATOR, file);
      expect(items.filter(({ path }) => /^\/(?:member|stars)\//.test(path))).toEqual([
        expect.objectContaining({
          outcome: 'refused',
          reason: expect.stringContaining('cannot be told from a pattern'),
        }),
        expect.objectContaining({
          outcome: 'refused',
          reason: expect.stringContaining('cannot be told from a pattern'),
        }),
      ]);
    }
    expect([await get('/member/7'), await get('/stars/seven')]).toEqual([404, 404]);
  });

  it('are no former addresses of the post that they lead to, and take the place of an address that came as one', async () => {
    await createPosts(app, [{ slug: 'promoted' }]);
    const pattern = { path: '/promo/*', target: '/blogs/promoted' };
    await redirects.save(OPERATOR, [pattern, { path: '/promoted-before', target: pattern.target }]);
    const em = app.get(EntityManager).fork();
    expect(await redirects.findSources(em, [pattern.target])).toEqual(
      new Map([[pattern.target, ['/promoted-before']]]),
    );
    // As exports of before had it.
    await redirects.remove(OPERATOR, [pattern.path]);
    await keep([pattern]);
    expect(await get('/promo/spring')).toBe(404);
    expect(outcomes(await redirects.save(OPERATOR, [pattern]))).toEqual(['changed']);
    expect(await get('/promo/spring')).toBe('301 /blogs/promoted');
    expect(outcomes(await redirects.save(OPERATOR, [pattern]))).toEqual(['unchanged']);
  });

  it('are followed by links of posts as by readers', async () => {
    await createPosts(app, [{ slug: 'linked-there' }]);
    await redirects.save(OPERATOR, [{ path: '/archive/*', target: '/blogs/:splat' }]);
    const asked = ['/archive/linked-there', '/archive/never'];
    const { links } = await app.get(LinksService).check(OPERATOR, asked);
    expect(links.map(({ state }) => state)).toEqual(['found', 'missing']);
  });
});
