import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost, AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { LinkCheckResult } from '../../src/shared/contracts/link-check.js';
import type { DeadLinkPage } from '../../src/shared/contracts/links.js';
import { sitePaths } from '../../src/shared/site-pages.js';
import { createAdministrator, type Administrator } from '../support/admin-posts.js';
import { onCleanup } from '../support/cleanup.js';
import { runCommand } from '../support/command.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

const NO_IMAGE = `/media/${'0'.repeat(32)}-20x20.png`;

describe('links of posts', () => {
  let app: TestApp;
  let ada: Administrator;

  const link = (address: string) => `<p><a href="${address}">a link</a></p>`;
  const dead = async () => {
    const { body } = await ada.call<DeadLinkPage>('GET', '/links');
    const lines = body.items.flatMap(({ slug, links }) => links.map((found) => [slug, found] as const));
    return lines.map(([slug, { place, kind, address, state, reason }]) =>
      [slug, ...(place === 'edits' ? ['edits'] : []), kind, address, reason ?? state].join(' '),
    );
  };
  const find = async (slug: string) => {
    const { body } = await ada.call<AdminPostPage>('GET', `/posts?q=${slug}`);
    const id = body.items.find((post) => post.slug === slug)?.id;
    return (await ada.call<AdminPost>('GET', `/posts/${id}`)).body;
  };
  const check = async (...options: string[]) => runCommand(app, ['links', 'check', ...options]);

  beforeAll(async () => {
    app = await createTestApp({}, { followsChanges: true });
    ada = await createAdministrator(app, 'ada@example.com');
    await createPosts(app, [
      { slug: 'live', title: 'Live' },
      { slug: 'draft', is_published: false },
      { slug: 'withdrawn' },
      { slug: 'trashed' },
    ]);
    await changePosts(app, 'unpublish', ['withdrawn']);
    await changePosts(app, 'trash', ['trashed']);
    const { saved, version, id } = await find('live');
    await ada.call('PUT', `/posts/${id}`, { ...saved, slug: 'renamed', version, is_published: true });
    await app.get(RedirectsService).save(OPERATOR, [
      { path: '/old/live', target: '/blogs/live?a=1#b' },
      { path: '/old/again', target: '/old/live' },
      { path: '/old/gone', target: '/blogs/never-was' },
      { path: '/old/draft', target: '/blogs/draft' },
      { path: '/blogs/tag/old', target: '/blogs/tag/email' },
      { path: '/old/other', target: 'https://other.example/' },
    ]);
  });

  it('lead where the server says', async () => {
    const paths = [
      ...Object.values(sitePaths),
      ...['/Pricing', '/pricing/', '/pricing/more', '/nowhere', '/search', '/rss.xml', '/robots.txt', '/favicon.ico'],
      ...['/blogs/live', '/blogs/renamed', '/blogs/renamed/', '/blogs/RENAMED', '/BLOGS/renamed', '/blogs/never-was'],
      ...[
        '/blogs/draft',
        '/blogs/withdrawn',
        '/blogs/trashed',
        '/blogs/%',
        '/blogs/%00',
        '/blogs/a/b',
        '/contact/sent',
      ],
      ...[
        '/blogs/archive/2025',
        '/blogs/archive/2025/01',
        '/blogs/archive/2024',
        '/blogs/archive/2025/02',
        '/blogs/archive',
      ],
      ...['/old/live', '/old/again', '/old/gone', '/old/draft', '/old/other', '/old/nothing', '/auth', '/account'],
      ...['/blogs/tag/passwords', '/blogs/tag/Passwords', '/blogs/category/nothing', '/blogs/author/support%20desk'],
      ...['/blogs/tag/passwords/rss.xml', '/blogs/tag/%00', '/blogs/tag', '/blogs/tag/old'],
      ...[NO_IMAGE, '/media/nothing'],
    ];
    const { body } = await ada.call<LinkCheckResult>('POST', '/links/check', { paths });
    const told = Object.fromEntries(body.links.map(({ path, state }) => [path, state]));
    const answered: Record<string, string> = {};
    for (const path of paths) {
      let address = path;
      for (let hop = 0; hop < 3; hop += 1) {
        const { statusCode, headers } = await app.inject(address);
        answered[path] = statusCode < 400 ? 'found' : 'missing';
        if (headers.location?.startsWith('/') !== true) break;
        address = headers.location;
      }
    }
    const drafts = { '/blogs/draft': 'draft', '/blogs/withdrawn': 'draft', '/old/draft': 'draft' };
    expect(told).toEqual({ ...answered, ...drafts });
  });

  it('lead to months of the archive in a zone that the database does not know', async () => {
    // A name of Sydney that Node alone knows.
    const sydney = await createTestApp({ SITE_TIME_ZONE: 'AET' });
    const eve = await createAdministrator(sydney, 'eve@example.com');
    await createPosts(sydney, [{ slug: 'early', published_date: '2019-12-31T13:30:00Z' }]);
    const archive = ['2020', '2020/01', '2019', '2019/12', '2020/13'].map((name) => `/blogs/archive/${name}`);
    const { body } = await eve.call<LinkCheckResult>('POST', '/links/check', { paths: archive });
    const found = body.links.flatMap(({ path, state }) => (state === 'found' ? [path] : []));
    expect(found.sort()).toEqual(['/blogs/archive/2020', '/blogs/archive/2020/01']);
  });

  it('have a rule for every page with something variable in its address', () => {
    const routes = readFileSync(`${import.meta.dirname}/../../client/routes.tsx`, 'utf8');
    const variable = [...routes.matchAll(/path: ['`]((?:blogs|preview)\/[^'`]*[:$][^'`]*)['`]/g)].map(
      ([, path]) => path,
    );
    // `src/links/link-targets.ts` knows these. Those of the admin area are not followed.
    const inAdmin = ['blogs/:id', 'blogs/edit/:id', 'blogs/edit/:id/revisions'];
    expect(variable.filter((path = '') => !inAdmin.includes(path))).toEqual([
      'blogs/${kind}/${parts}',
      'blogs/:slug',
      'preview/:token',
    ]);
  });

  it('that are dead are listed for administrators as soon as a post is saved, and until it is mended', async () => {
    const content = [
      ...[
        '/nowhere',
        '/blogs/draft',
        '/blogs/live#top',
        '#top',
        '#below',
        'mailto:a@b.example',
        '/pricing?a=1&amp;b=2',
        'beside',
      ],
      ...['http://site.test/old/gone', '/api/nothing', '/nowhere'],
    ].map(link);
    content.push(`<p><img src="${NO_IMAGE}" alt="A lamp"></p>`);
    await createPosts(app, [
      { slug: 'dead', content: content.join(''), image_url: NO_IMAGE },
      { slug: 'quiet', content: link('/nowhere'), is_published: false },
    ]);
    const expected = [
      `dead image ${NO_IMAGE} missing`,
      'dead link #below no-anchor',
      'dead link /blogs/draft draft',
      'dead link /nowhere missing',
      'dead link beside missing',
      'dead link http://site.test/old/gone missing',
    ];
    await untilEqual(async () => (await dead()).sort(), expected);

    // Edits are named apart; the text of a draft is nobody's business yet.
    const edited = await find('renamed');
    const edits = { version: edited.version, fields: { ...edited.saved, content: link('/in-edits') } };
    expect((await ada.call('PUT', `/posts/${edited.id}/working-copy`, edits)).status).toBe(200);
    const ofEdits = async () => (await dead()).filter((line) => line.startsWith('renamed edits'));
    await untilEqual(ofEdits, ['renamed edits link /in-edits missing']);

    const post = await find('dead');
    await ada.call('PUT', `/posts/${post.id}`, {
      ...post.saved,
      content: link('/pricing'),
      image_url: '',
      version: post.version,
    });
    await untilEqual(dead, ['renamed edits link /in-edits missing']);
    expect(await ada.call('GET', '/links?page=0')).toMatchObject({ status: 400 });
    expect(await ada.call('GET', '/links?page=2')).toMatchObject({ status: 200, body: { items: [], total: 0 } });
    expect((await app.inject('/api/admin/links')).statusCode).toBe(401);
  });

  itSlow('are followed again when what they lead to comes or goes, by the server and by itself', async () => {
    await createPosts(app, [{ slug: 'leads', content: link('/blogs/comes') }]);
    // The list leaves it to the server where this is looking through them already.
    const ofLeads = async () => (await dead()).filter((line) => line.startsWith('leads'));
    await untilEqual(ofLeads, ['leads link /blogs/comes missing']);
    await createPosts(app, [{ slug: 'comes' }]);
    await untilEqual(ofLeads, []);
    await changePosts(app, 'unpublish', ['comes']);
    await untilEqual(ofLeads, ['leads link /blogs/comes draft']);
  });

  itSlow(
    'are checked by a command, which asks other sites only when told to, and none at a private address',
    async () => {
      const requests: string[] = [];
      const site = createServer(({ method, url = '' }, response) => {
        requests.push(`${method} ${url}`);
        if (url === '/cut-head' && method === 'HEAD') response.destroy();
        else if (url === '/inside') response.writeHead(302, { location: 'http://127.0.0.2:1/secret' }).end();
        else response.writeHead(url === '/no-head' && method === 'HEAD' ? 405 : Number(url.slice(1)) || 200).end();
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      onCleanup(() => void site.close());
      const { port } = site.address() as AddressInfo;
      const there = `http://127.0.0.1:${port}`;
      const places = ['/200', '/404', '/403', '/no-head', '/cut-head', '/inside', '/404#again'];
      const addresses = places.map((path) => link(there + path));
      await createPosts(app, [{ slug: 'outer', content: addresses.join('') }]);

      const inner = await check();
      expect(inner).toMatchObject({ code: 1, stderr: '' });
      expect(inner.stdout).toContain('/blogs/leads  ');
      expect(inner.stdout).toContain('  link   /blogs/comes leads to a draft\n');
      expect(inner.stdout).toContain('/in-edits leads to no page (in edits that are not saved)\n');
      expect(inner.stdout).toContain('  redirect  /old/gone leads to /blogs/never-was, which is no page\n');
      expect(inner.stdout).toContain('  redirect  /old/draft leads to /blogs/draft, which is no page\n');
      expect(inner.stdout).not.toMatch(/redirect {2}\/old\/(?:live|again|other)/);
      expect(inner.stdout).toMatch(/\d+ posts checked: 1 dead link in 1 post; 1 in edits that are not saved\n$/);
      expect((await check('--outer')).stdout).toContain('/200 is at a private address (127.0.0.1), which is refused\n');
      expect(requests).toEqual([]);
      expect(await check('--allow-private-host', '127.0.0.1')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: 'Error: --allow-private-host is for --outer.\n',
      });

      const told = await check('--outer', '--allow-private-host', '127.0.0.1', '--json');
      const { posts, redirects } = JSON.parse(told.stdout) as { posts: DeadLinkPage['items']; redirects: unknown[] };
      expect(redirects).toContainEqual({ path: '/old/gone', target: '/blogs/never-was' });
      const outer = posts.find(({ slug }) => slug === 'outer')?.links.map(({ address, reason }) => [address, reason]);
      expect(outer).toEqual([
        [`${there}/404`, 'answers 404'],
        [`${there}/inside`, 'is at a private address (127.0.0.2), which is refused'],
        [`${there}/404#again`, 'answers 404'],
      ]);
      expect(requests.sort()).toEqual([
        ...['GET /403', 'GET /404', 'GET /cut-head', 'GET /no-head'],
        ...['HEAD /200', 'HEAD /403', 'HEAD /404', 'HEAD /cut-head', 'HEAD /inside', 'HEAD /no-head'],
      ]);

      // What another site answered is not forgotten with the next round, nor when the post is saved.
      const post = await find('outer');
      await ada.call('PUT', `/posts/${post.id}`, {
        ...post.saved,
        content: `${post.saved.content}<p>More</p>`,
        version: post.version,
      });
      await until(async () => (await dead()).includes(`outer link ${there}/404 answers 404`));
    },
  );

  it('keep two processes from the same work, and a post that changes meanwhile is read again', async () => {
    const em = app.get(EntityManager).fork();
    // The upkeep of this process may be at it as well: then the list leaves it to that.
    const untilFound = () => until(async () => (await dead()).includes('late link /late missing'));
    await em.transactional(async (own) => {
      await own.execute('select pg_advisory_xact_lock(7217013)');
      await createPosts(app, [{ slug: 'late', content: link('/late') }]);
      expect(await dead()).not.toContain('late link /late missing');
    });
    await untilFound();
    await em.execute(`update post_links set version = version - 1, links = '[]', dead = 0`);
    await untilFound();
    await changePosts(app, 'trash', ['late', 'leads', 'outer', 'renamed']);
    expect(await check()).toMatchObject({ code: 0 });
  });
});
