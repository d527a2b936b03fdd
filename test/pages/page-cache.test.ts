import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.js';
import type { DatabaseClient } from '../../src/database/pool/database-client.js';
import { ContentListener } from '../../src/database/content-listener.js';
import { PageCache } from '../../src/pages/page-cache.js';
import { PageRenderer } from '../../src/pages/page-renderer.js';
import { READ_LIMIT_MS, ServerPageServices } from '../../src/pages/page-services.js';
import type { PageOutput } from '../../src/shared/contracts/pages.js';
import { PageStream } from '../../src/pages/page-stream.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { SettingsStoreService } from '../../src/settings/settings-store.service.js';
import { VariableTaking } from '../../src/settings/variable-taking.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { paths } from '../../src/shared/paths.js';
import { describeIgnored, SiteService, toMoment } from '../../src/site/site.service.js';
import { ask } from '../support/ask.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { openDatabaseGate, type DatabaseGate } from '../support/database-gate.js';
import { changePosts, createPosts } from '../support/factories.js';
import type { Variables } from '../support/environment.js';
import { findForbidden } from '../support/policy.js';
import { itSlow } from '../support/slow-tests.js';
import { until, untilEqual } from '../support/until.js';

/** The connections of both applications that hear of changes; other tests have theirs on the same server. */
const LISTENERS = "from pg_stat_activity where application_name = 'content-listener' and datname = current_database()";

let gate: DatabaseGate;
let app: TestApp;
let neighbor: TestApp;
let site: string;
let neighborSite: string;
let database: pg.Client;

const load = (path: string, headers: Record<string, string> = {}, method = 'GET') => ask(site + path, headers, method);
const stateOf = async (path: string, headers?: Record<string, string>) =>
  (await load(path, headers)).headers['x-cache'];

/** Waits until the page is served from memory, after whatever was announced before. */
async function settle(path: string): Promise<void> {
  await until(async () => (await stateOf(path)) === 'hit');
}

async function setPublished(slug: string, isPublished: boolean): Promise<void> {
  await changePosts(neighbor, isPublished ? 'publish' : 'unpublish', [slug]);
}

/** Resolves when the application has heard of a change; that it hears again counts as one. */
function nextTelling(): () => Promise<void> {
  let isTold = false;
  app.get(ContentListener).onChange(() => (isTold = true));
  return () => until(() => isTold);
}

/** Makes a change in the other application, and waits until this one has heard of it. */
async function tellingOf(change: () => Promise<unknown>): Promise<void> {
  const told = nextTelling();
  await change();
  await told();
}

/** Lets everything through the gate again; afterward no loss of a connection is still to be found out. */
async function reopen(): Promise<void> {
  const connected = nextTelling();
  await gate.close();
  await gate.open();
  await connected();
}

beforeAll(async () => {
  const databaseUrl = await cloneDatabase();
  gate = await openDatabaseGate(databaseUrl);
  app = await createTestApp({ DATABASE_URL: gate.url });
  neighbor = await createTestApp({ DATABASE_URL: databaseUrl });
  [site, neighborSite] = [await app.listen(), await neighbor.listen()];
  const posts = [
    { slug: 'first', title: 'First post' },
    { slug: 'second' },
    { slug: 'older', published_date: '2010-01-01T00:00:00Z' },
  ];
  await tellingOf(() => createPosts(neighbor, posts));
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  onCleanup(() => database.end());
  await settle(paths.blogs);
});

describe('a page that is kept', () => {
  it.each([paths.home, paths.blogs, paths.blog('first'), paths.auth, paths.rss, paths.sitemap, '/robots.txt'])(
    '%s is the one that was rendered, with the same headers',
    async (path) => {
      const rendered = await load(path, { authorization: 'Bearer x' });
      await load(path);
      const kept = await load(path);
      expect(kept.headers['x-cache']).toBe('hit');
      expect(rendered.headers['x-cache']).toBeUndefined();
      expect(kept.body.equals(rendered.body)).toBe(true);
      const { date: _date, 'x-cache': _state, ...headers } = kept.headers;
      // Of each request its own.
      const own = { date: undefined, 'x-request-id': undefined };
      // Who says who asks gets an answer that nobody keeps.
      expect(rendered.headers['cache-control']).toBe('no-store');
      expect({ ...rendered.headers, 'cache-control': headers['cache-control'], ...own }).toEqual({
        ...headers,
        ...own,
      });
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=0, s-maxage=5, must-revalidate',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
        vary: 'accept-encoding',
      });
      expect(findForbidden(kept.body.toString(), headers['content-security-policy'])).toEqual([]);
    },
  );

  it('is sent in the encoding that the visitor likes best', async () => {
    const path = paths.pricing;
    const plain = await load(path);
    const gzip = await load(path, { 'accept-encoding': 'gzip, br;q=0.1' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(gzip.body.length) });
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    const encoding = async (accepted: string) =>
      (await load(path, { 'accept-encoding': accepted })).headers['content-encoding'];
    // Made on the side, when the page has lasted a moment.
    await until(async () => (await encoding('gzip, deflate, br, zstd')) === 'br');
    const brotli = await load(path, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(gzip.body.length);
    expect(brotli.headers.etag).toBe(plain.headers.etag);
    expect(await encoding('br;q=0, gzip')).toBe('gzip');
    expect(await encoding('identity, gzip;q=0.5')).toBeUndefined();
    expect(await encoding('gzip;q=0, br;q=0')).toBeUndefined();
  });

  it('is compressed at the first rendering too, once', async () => {
    const page = await load(paths.terms, { 'accept-encoding': 'br, gzip' });
    expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-cache': 'miss', vary: 'accept-encoding' });
    expect(gunzipSync(page.body).toString()).toContain('</html>');
    const only = await load(paths.client, { 'accept-encoding': 'gzip;q=1, identity;q=0' });
    expect(gunzipSync(only.body).toString()).toContain('</html>');
  });

  it('has a head without a body, and is not sent to who has it', async () => {
    const page = await load(paths.about);
    const head = await load(paths.about, {}, 'HEAD');
    expect(head).toMatchObject({
      status: 200,
      headers: { 'x-cache': 'hit', 'content-length': String(page.body.length) },
    });
    expect(head.body).toHaveLength(0);
    const etag = String(page.headers.etag);
    for (const match of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const answer = await load(paths.about, { 'if-none-match': match, 'accept-encoding': 'gzip' });
      expect(answer).toMatchObject({ status: 304, headers: { etag, vary: 'accept-encoding' } });
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
    }
    expect((await load(paths.about, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is rendered once for all who ask at the same time, whatever their query', async () => {
    const list = jest.spyOn(app.get(PostsService), 'listPublished');
    await createPosts(neighbor, [{ slug: 'third' }]);
    await until(() => app.get(PageCache).find(paths.blogs) === undefined);
    await Promise.all(Array.from({ length: 20 }, (_, visitor) => load(`${paths.blogs}?visitor=${visitor}`)));
    expect(list).toHaveBeenCalledTimes(1);
    expect(await stateOf(`${paths.blogs}?another`)).toBe('hit');
  });

  it('is waited for by who comes while it is rendered', async () => {
    const posts = app.get(PostsService);
    const { listPublished } = posts;
    const held = Promise.withResolvers<void>();
    await settle(paths.blogs);
    await createPosts(neighbor, [{ slug: 'awaited' }]);
    await until(() => app.get(PageCache).find(paths.blogs) === undefined);
    const list = jest.spyOn(posts, 'listPublished').mockImplementation(async () => {
      await held.promise;
      return listPublished.call(posts);
    });
    const first = load(paths.blogs);
    await until(() => app.get(PageCache).coming(paths.blogs) !== undefined);
    const arrived = once(app.app.getHttpServer(), 'request');
    const second = load(paths.blogs, { 'accept-encoding': 'gzip' });
    await arrived;
    held.resolve();
    expect((await first).headers['x-cache']).toBe('miss');
    const { headers, body } = await second;
    expect(headers['x-cache']).toBe('hit');
    expect(gunzipSync(body).toString()).toContain('awaited');
    expect(list).toHaveBeenCalledTimes(1);
  });

  it('is not rendered for who has it, and kept all the same for who comes next', async () => {
    const { etag = '' } = (await ask(neighborSite + paths.devices)).headers;
    const start = jest.spyOn(PageStream.prototype, 'start');
    const unchanged = await load(paths.devices, { 'if-none-match': etag });
    expect(unchanged).toMatchObject({ status: 304, headers: { etag, 'x-cache': 'miss' } });
    await until(() => app.get(PageCache).find(paths.devices) !== undefined);
    expect(start).toHaveBeenCalledTimes(1);
    start.mockRestore();
  });

  it.each([paths.pricing, paths.blog('first')])(
    '%s is neither rendered nor compressed again when something else is published',
    async (path) => {
      const brotli = async () => {
        const { headers, body } = await load(path, { 'accept-encoding': 'br, gzip' });
        return { encoding: headers['content-encoding'], state: headers['x-cache'], body };
      };
      await until(async () => (await brotli()).encoding === 'br');
      const before = app.get(PageCache).find(path)?.page;
      // Posts lead to those before and after them: this one is no neighbor of the first.
      await createPosts(neighbor, [{ published_date: '2000-01-01T00:00:00Z' }]);
      await until(() => app.get(PageCache).find(path) === undefined);
      const start = jest.spyOn(PageStream.prototype, 'start');
      expect(await brotli()).toMatchObject({ encoding: 'br', state: 'miss' });
      expect(await brotli()).toMatchObject({ encoding: 'br', state: 'hit' });
      expect(app.get(PageCache).find(path)?.page).toBe(before);
      expect(start).not.toHaveBeenCalled();
      start.mockRestore();
    },
  );

  it.each(['identity', 'gzip'])(
    'that fails in the middle breaks off for who got a part of it, in %s, and is rendered anew for who waits',
    async (encoding) => {
      await settle(paths.pricing);
      let broken: PageOutput | undefined;
      const headers = { 'content-type': 'text/html', etag: 'W/"broken"' };
      const render = jest.spyOn(app.get(PageRenderer), 'render').mockImplementationOnce(async () => ({
        page: new PageStream({ status: 200, headers }, (output) => void (broken = output)),
        isPublic: true,
      }));
      await createPosts(neighbor, [{}]);
      await until(() => app.get(PageCache).find(paths.pricing) === undefined);
      const visiting = fetch(site + paths.pricing, { headers: { 'accept-encoding': encoding } });
      await until(() => broken !== undefined);
      broken?.write('<!DOCTYPE html>');
      // The head is on its way then; what fails sooner is an error page.
      const visitor = await visiting;
      expect(visitor.status).toBe(200);
      const arrived = once(app.app.getHttpServer(), 'request');
      const waiting = load(paths.pricing);
      await arrived;
      expect(render).toHaveBeenCalledTimes(1);
      broken?.destroy(new Error('A component threw'));
      await expect(visitor.text()).rejects.toThrow();
      const whole = await waiting;
      expect(whole).toMatchObject({ status: 200, headers: { 'x-cache': 'miss' } });
      expect(whole.body.toString()).toContain('</html>');
      expect(render).toHaveBeenCalledTimes(2);
    },
  );

  it('that fails before its first byte is an error page', async () => {
    const render = jest.spyOn(app.get(PageRenderer), 'render').mockImplementationOnce(async () => ({
      page: new PageStream({ status: 200, headers: { etag: 'W/"none"' } }, (output) =>
        output.destroy(new Error('At once')),
      ),
      isPublic: true,
    }));
    const failed = await load('/unkept');
    expect(failed).toMatchObject({ status: 500, headers: { 'cache-control': 'no-store' } });
    expect(failed.headers).not.toHaveProperty('etag');
    expect(failed.body.toString()).toContain('Something went wrong');
    expect(render).toHaveBeenCalledTimes(1);
  });

  it('is kept at its one address only', async () => {
    for (const path of ['/nothing', '/blogs/nothing']) {
      await load(path);
      expect({ path, state: await stateOf(path) }).toEqual({ path, state: 'miss' });
    }
    // Anybody can make up as many spellings as push all pages out.
    for (const path of ['/blogs/First', '/blogs/FIRST']) {
      expect(await load(path)).toMatchObject({ status: 301, headers: { location: '/blogs/first' } });
      expect({ path, state: await stateOf(path) }).toEqual({ path, state: 'miss' });
    }
    // As many addresses as anybody likes are those of a pattern.
    const patterns = [
      { path: '/blogs/tag/*', target: paths.pricing },
      { path: '/blogs/:year-:slug', target: '/blogs/:slug' },
    ];
    await tellingOf(() => neighbor.get(RedirectsService).save(OPERATOR, patterns));
    for (const [path, location] of [
      ['/blogs/tag/made-up', paths.pricing],
      ['/blogs/2010-first', paths.blog('first')],
    ] as const) {
      expect(await load(path)).toMatchObject({ status: 301, headers: { location } });
      expect({ path, state: await stateOf(path) }).toEqual({ path, state: 'miss' });
    }
    const addresses = patterns.map(({ path }) => path);
    await tellingOf(() => neighbor.get(RedirectsService).remove(OPERATOR, addresses));
    await load(paths.about);
    await load(paths.blog('first'));
    for (const path of ['/%61bout', '/blogs/%66irst', '//about', '/x/%2e%2e/about']) {
      expect({ path, state: await stateOf(path) }).toEqual({ path, state: 'hit' });
    }
    expect((await load(paths.about, {}, 'POST')).status).toBe(404);
  });

  it('leads from a former address, until it is taken', async () => {
    const { rows } = await database.query<{ id: string }>("select id from blog_posts where slug = 'second'");
    await database.query('insert into post_slugs (slug, post_id) values ($1, $2)', ['former', rows[0]?.id]);
    for (const state of ['miss', 'hit']) {
      const answer = await load('/blogs/former');
      expect(answer).toMatchObject({ status: 301, headers: { location: '/blogs/second', 'x-cache': state } });
      expect(answer.headers).not.toHaveProperty('etag');
    }
  });
});

describe('a change', () => {
  it('is seen in every process', async () => {
    await load(paths.blog('first'));
    const both = (isThere: boolean) =>
      until(async () => {
        const answers = await Promise.all([site, neighborSite].map((base) => ask(base + paths.blog('first'))));
        return answers.every(({ status }) => (status === 200) === isThere);
      });
    for (const isPublished of [false, true]) {
      await setPublished('first', isPublished);
      await both(isPublished);
    }
  });

  it('that comes while a page is rendered is not hidden by it', async () => {
    const posts = app.get(PostsService);
    const { listPublished } = posts;
    const [read, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    jest.spyOn(posts, 'listPublished').mockImplementationOnce(async () => {
      const old = await listPublished.call(posts);
      read.resolve();
      await held.promise;
      return old;
    });
    await createPosts(neighbor, [{ slug: 'before' }]);
    await until(() => app.get(PageCache).find(paths.blogs) === undefined);
    const slow = load(paths.blogs);
    await read.promise;
    // Before it is heard of, whoever asks waits for what was begun.
    await tellingOf(() => createPosts(neighbor, [{ slug: 'meanwhile', title: 'Published meanwhile' }]));
    // Who asks after the change does not wait for what was begun before.
    await until(async () => (await load(paths.blogs)).body.includes('Published meanwhile'));
    held.resolve();
    expect((await slow).body.includes('Published meanwhile')).toBe(false);
    expect((await load(paths.blogs)).body.includes('Published meanwhile')).toBe(true);
  });

  it('is seen at once where it was made, before anybody is heard', async () => {
    gate.deafen();
    for (const title of ['Published here', 'Published here too']) {
      await createPosts(app, [{ title }]);
      expect((await load(paths.blogs)).body.includes(title)).toBe(true);
      expect(await stateOf(paths.blogs)).toBe('hit');
    }
    await reopen();
  });

  it('is heard of after a connection broke while it was announced', async () => {
    const broken = jest.fn(async (client: DatabaseClient) => {
      if (broken.mock.calls.length > 1) return;
      // The connection ends itself under what is announced on it.
      const ended = once(client, 'end');
      await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
      await ended;
    });
    app.get(ContentListener).onConnect(broken);
    await database.query(`select pg_terminate_backend(pid) ${LISTENERS}`);
    await until(() => broken.mock.calls.length > 1);
  });

  it('is heard of on no connection that was opened while its process ended', async () => {
    const ending = new ContentListener(app.config.database.url);
    ending.onChange(() => undefined);
    const opening = ending.onApplicationBootstrap();
    await ending.onApplicationShutdown();
    await opening;
    // Those of both applications.
    await untilEqual(async () => (await database.query(`select ${LISTENERS}`)).rowCount, 2);
  });

  it('that was not heard of is seen all the same when the connection is back', async () => {
    await load(paths.about);
    await settle(paths.about);
    const connected = nextTelling();
    await database.query(`select pg_terminate_backend(pid) ${LISTENERS}`);
    await connected();
    expect(await stateOf(paths.about)).toBe('miss');
  });

  itSlow('that was not heard of is seen all the same after five seconds', async () => {
    const settling = Date.now();
    await settle(paths.blogs);
    gate.deafen();
    await createPosts(neighbor, [{ slug: 'unheard', title: 'Published unheard' }]);
    const published = Date.now();
    const state = await stateOf(paths.blogs);
    // It was not heard of; a machine may have been away for long enough to know all the same.
    expect(state === 'hit' || Date.now() - settling > 5000).toBe(true);
    let lastAskedInVain = 0;
    await until(async () => {
      const askedAt = Date.now();
      if ((await load(paths.blogs)).body.includes('Published unheard')) return true;
      lastAskedInVain = askedAt;
      return false;
    });
    // However slow the machine is: whoever asks later is not shown what was before.
    expect(lastAskedInVain - published).toBeLessThanOrEqual(5000);
    await reopen();
  });
});

describe('what the site says of the company', () => {
  const publish = (own: TestApp, values: object) =>
    own.get(SettingsStoreService).change(OPERATOR, 'company', async ({ content, draft }) => ({
      content: { ...content, ...values },
      draft,
    }));
  const stored = async () =>
    (await database.query<{ content: object; version: number }>('select content, version from settings_documents'))
      .rows[0];

  it('is read from variables once, by one of two processes, and a variable that does nothing is named', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const start = (own: TestApp, variables: Variables) =>
      new VariableTaking(
        loadConfig({ ...own.environment, ...variables }),
        own.get(SiteService),
        own.get(SettingsStoreService),
      ).onApplicationBootstrap();
    await Promise.all([
      start(app, { SITE_PHONE: '(555) 010-0001', SITE_LOCKED: 'SITE_NAME', SITE_NAME: 'Locked' }),
      start(neighbor, { SITE_PHONE: '(555) 010-0002', SITE_HOURS: 'Monday to Friday, 8 AM to 6 PM' }),
    ]);
    const taken = (await stored())!;
    expect(taken).toMatchObject({ version: 1, content: { phone: expect.stringMatching(/^\(555\) 010-000[12]$/) } });
    expect(Object.keys(taken.content)).toEqual(['phone']);
    await start(app, { SITE_PHONE: '(555) 010-0003', SITE_NAME: 'Harbor & Sons' });
    expect(await stored()).toEqual({ version: 2, content: { ...taken.content, name: 'Harbor & Sons' } });
    // The job queue may complain of the connections that other tests have cut, seconds later.
    const isOurs = (logger: unknown) => (logger as { context?: string }).context === VariableTaking.name;
    expect(warn.mock.calls.filter((_, index) => isOurs(warn.mock.contexts[index]))).toEqual([]);
    const moment = toMoment(
      loadConfig({ SITE_PHONE: '(555) 010-0003', SITE_NAME: 'Harbor & Sons' }),
      (await stored())!.content,
    );
    expect(describeIgnored(moment.company)).toMatch(/^SITE_PHONE: ignored/);
    warn.mockRestore();
  });

  it('is on every page of every process once it is published, of one state in head, text and data', async () => {
    // What was set before is known to both.
    for (const own of [app, neighbor]) await own.get(SiteService).refresh();
    for (const path of [paths.home, paths.rss]) await settle(path);
    const pages = () =>
      Promise.all([site, neighborSite].flatMap((base) => [paths.home, paths.rss].map((path) => ask(base + path)))).then(
        (answers) => answers.map(({ body }) => body.toString()),
      );
    const before = await pages();
    const changed = { name: '</script><b>Vale & Co', legal_name: 'Vale LLC', phone: '(555) 010-0777' };
    await publish(neighbor, changed);
    await until(async () => (await pages()).every((body) => body.includes('Vale LLC')));
    const [home = '', feed = ''] = await pages();
    expect(home).toContain('href="tel:+15550100777"');
    expect(home).toContain('&lt;/script&gt;&lt;b&gt;Vale &amp; Co');
    expect(home).not.toMatch(/<\/script><b>Vale|Harbor/);
    expect(home.match(/"telephone":"\(555\) 010-0777"/)).not.toBeNull();
    expect(JSON.parse(/<script id="page-state"[^>]*>(.*?)<\/script>/s.exec(home)![1]!)).toMatchObject({
      site: { name: changed.name, phone: changed.phone },
    });
    expect(feed).not.toContain('<b>Vale');
    await publish(app, {
      name: 'Harbor & Sons',
      legal_name: null,
      phone: /"phone":"([^"]*)"/.exec(before[0]!)![1]!,
    });
    await until(async () => (await pages()).every((body, index) => body === before[index]));
  });

  it('is what was known last while the database is away, and what was published meanwhile when it is back', async () => {
    await gate.close();
    await publish(neighbor, { phone: '(555) 010-0888' });
    await app.get(SiteService).refresh();
    expect(app.get(SiteService).current.phone).not.toBe('(555) 010-0888');
    await gate.open();
    await until(async () => app.get(SiteService).current.phone === '(555) 010-0888');
    await until(async () => (await load(paths.contact)).body.includes('(555) 010-0888'));
  });
});

describe('while the database is down', () => {
  beforeAll(async () => {
    await settle(paths.blogs);
    await settle(paths.rss);
  });

  async function expectLastGoodPages(): Promise<void> {
    await until(async () => (await stateOf(paths.blogs)) === 'stale');
    const page = await load(paths.blogs, { 'accept-encoding': 'gzip' });
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store', 'x-cache': 'stale' } });
    expect(page.headers['warning']).toContain('110');
    const html = gunzipSync(page.body).toString();
    expect(html).toContain('First post');
    expect(findForbidden(html, page.headers['content-security-policy'])).toEqual([]);
    const unknown = await load(paths.blog('never-asked-for'));
    expect(unknown).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '5' } });
    expect(unknown.body.toString()).toContain('back in a moment');
  }

  it('the last good pages are shown, marked, and others refused with a time to come back', async () => {
    await gate.close();
    await expectLastGoodPages();
    await until(async () => (await stateOf(paths.rss)) === 'stale');
    expect((await load(paths.contact)).status).toBe(200);
    await gate.open();
    await until(async () => (await stateOf(paths.blogs)) === 'hit');
    expect((await load(paths.blog('never-asked-for'))).status).toBe(404);
  });

  itSlow('the same when it does not answer', async () => {
    // That of the product.
    jest.replaceProperty(app.get(ServerPageServices), 'readLimitMs', READ_LIMIT_MS);
    gate.silence();
    expect((await load('/api/health')).status).toBe(503);
    await expectLastGoodPages();
    await reopen();
    await until(async () => (await stateOf(paths.blogs)) === 'hit');
  });

  itSlow('what was taken back before is shown nowhere, although nobody asked for its pages since', async () => {
    const pages = [paths.blog('second'), paths.rss, paths.sitemap];
    for (const path of pages) await settle(path);
    await tellingOf(() => setPublished('second', false));
    await settle(paths.blogs);
    await gate.close();
    await until(async () => (await stateOf(paths.blogs)) === 'stale');
    for (const path of pages) expect({ path, ...(await load(path)) }).toMatchObject({ path, status: 503 });
    expect((await load(paths.contact)).status).toBe(200);
    await gate.open();
    await until(async () => (await stateOf(paths.blogs)) === 'hit');
  });
});
