import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ReadUpkeep } from '../../src/reads/read-upkeep.js';
import { ReadsService } from '../../src/reads/reads.service.js';
import type { AdminPostPage } from '../../src/shared/contracts/admin-posts.js';
import type { ReadReport } from '../../src/shared/contracts/reads.js';
import { createAdministrator, holdClock, type Administrator } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabaseInZone } from '../support/database.js';
import { changePosts, createPosts } from '../support/factories.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const usual = { origin: 'http://site.test', 'user-agent': BROWSER, 'sec-fetch-site': 'same-origin' };

describe('reads of posts', () => {
  let app: TestApp;
  let ada: Administrator;
  let clock: ReturnType<typeof holdClock>;
  let addresses = 0;

  const tell = async (payload: object | string, headers: object = {}, remoteAddress = `10.1.${++addresses}.1`) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/reads',
        headers: { ...usual, 'content-type': 'application/json', ...headers },
        payload,
        remoteAddress,
      })
    ).statusCode;
  const read = (slug: string, from = '', headers = {}) => tell({ slug, from }, headers);
  const rows = async () => {
    await app.get(ReadsService).flush();
    const found = await app
      .get(EntityManager)
      .fork()
      .execute<Record<string, string>[]>(
        `select to_char(day, 'YYYY-MM-DD') as day, slug, host, count from post_reads join blog_posts on id = post_id
         order by day, slug, host`,
      );
    return found.map(({ day, slug, host, count }) => `${day} ${slug} ${host} ${count}`);
  };
  const report = async (query = '') => (await ada.call<ReadReport>('GET', `/reads${query}`)).body;
  const empty = () => app.get(EntityManager).fork().execute('delete from post_reads');

  beforeAll(async () => {
    app = await createTestApp({ READ_COUNTS: 'true', READ_COUNTS_DAYS: '31', SITE_TIME_ZONE: 'America/Los_Angeles' });
    ada = await createAdministrator(app, 'ada@example.com');
    await createPosts(app, [
      { slug: 'one', title: 'One' },
      { slug: 'two', title: 'Two' },
      { slug: 'draft', is_published: false },
      { slug: 'withdrawn' },
    ]);
    await changePosts(app, 'unpublish', ['withdrawn']);
    // Still the day before where the company is.
    clock = holdClock(app, '2026-11-20T06:00:00Z');
  });

  it('are counted by post, day of the site and site that led here, and nothing else is', async () => {
    expect(
      await Promise.all([read('one'), read('one', 'News.Example.org'), read('one', 'www.news.example.org')]),
    ).toEqual([204, 204, 204]);
    clock.set('2026-11-20T20:00:00Z');
    expect(await read('two', 'site.test')).toBe(204);
    // Nothing of these counts, and nobody can tell.
    const others = ['draft', 'withdrawn', 'never-was', '<script>', 'one\u0000'];
    for (const slug of others) expect([204, 400]).toContain(await read(slug));
    for (const headers of [
      { origin: 'https://evil.example' },
      { dnt: '1' },
      { 'sec-gpc': '1' },
      { 'user-agent': 'a bot/1' },
    ])
      expect(await read('one', '', headers)).toBe(204);
    for (const payload of [
      {},
      [],
      '{',
      { slug: 5, from: '' },
      { slug: 'x'.repeat(201), from: '' },
      { slug: 'one', from: {} },
    ])
      expect(await tell(payload)).toBe(400);
    // Everybody may send it, and it names a post and a host: a megabyte of lists would be read for a second.
    expect(await tell(`[${'{},'.repeat(10_000)}{}]`)).toBe(413);
    expect(await tell({ slug: 'one', from: '<b>"</b>', count: 1e9, day: '1999-01-01' })).toBe(204);
    expect(await rows()).toEqual([
      '2026-11-19 one  1',
      '2026-11-19 one news.example.org 2',
      '2026-11-20 one  1',
      '2026-11-20 two  1',
    ]);
  });

  it('of one address are counted up to a limit, and of one day from so many sites', async () => {
    await empty();
    // All in one minute, which the process counts by itself, and not by the clock that the test holds.
    const stopped = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    for (let time = 0; time < 40; time += 1) expect(await tell({ slug: 'one', from: '' }, {}, '192.0.2.7')).toBe(204);
    stopped.mockRestore();
    expect(await rows()).toEqual(['2026-11-20 one  30']);
    for (let site = 0; site < 205; site += 1) await read('two', `s${site}.example`);
    const named = (await rows()).filter((line) => line.includes(' two '));
    expect(named).toHaveLength(201);
    expect(named).toContain('2026-11-20 two others 5');
  });

  it('are told to administrators, with posts that have another name now, and go with their post', async () => {
    await empty();
    await read('one', 'news.example.org');
    await read('two');
    await rows();
    const { body } = await ada.call<AdminPostPage>('GET', '/posts?q=One');
    const { id } = body.items[0]!;
    const { body: post } = await ada.call('GET', `/posts/${id}`);
    await ada.call('PUT', `/posts/${id}`, {
      ...post.saved,
      slug: 'renamed',
      version: post.version,
      is_published: true,
    });
    // A page that was in a cache still says the name of before.
    await read('one');
    await app.get(ReadsService).flush();
    const all = await report();
    expect(all.days).toHaveLength(30);
    expect(all.days.at(-1)).toEqual({ day: '2026-11-20', count: 3 });
    expect(all).toMatchObject({
      post: null,
      months: [{ month: '2026-11', count: 3 }],
      referrers: [{ host: 'news.example.org', count: 1 }],
      posts: [
        { id, title: 'One', count: 2 },
        { title: 'Two', count: 1 },
      ],
    });
    expect(await report(`?post=${id}`)).toMatchObject({ post: { id, title: 'One' }, months: [{ count: 2 }] });
    expect((await ada.call('GET', `/reads?post=${crypto.randomUUID()}`)).status).toBe(404);
    expect((await ada.call('GET', '/reads?post=x')).status).toBe(400);
    expect((await app.inject('/api/admin/reads')).statusCode).toBe(401);
    const { body: copy } = await ada.call('POST', `/posts/${id}/duplicate`, { version: post.version + 1 });
    expect((await report(`?post=${copy.id}`)).months).toEqual([]);
    await app.get(EntityManager).fork().execute(`delete from blog_posts where id = ?`, [id]);
    expect((await report()).posts).toEqual([{ id: expect.any(String), title: 'Two', count: 1 }]);
  });

  it('become one number per post and month when their days are no longer kept', async () => {
    await empty();
    for (const day of ['2026-09-01', '2026-09-02', '2026-09-30', '2026-10-31', '2026-11-01']) {
      clock.set(`${day}T20:00:00Z`);
      await read('two', 'news.example.org');
      await read('two');
    }
    await rows();
    clock.set('2026-11-20T20:00:00Z');
    const sums = ['2026-09-01 two  6', '2026-10-31 two  1', '2026-10-31 two news.example.org 1'];
    for (let time = 0; time < 2; time += 1) {
      await app.get(ReadsService).sumUp();
      expect((await rows()).slice(0, 3)).toEqual(sums);
    }
    expect((await report()).months).toEqual([
      { month: '2026-11', count: 2 },
      { month: '2026-10', count: 2 },
      { month: '2026-09', count: 6 },
    ]);
  });

  it('are told by day where the zone of the database has a day without midnight', async () => {
    const zone = 'America/Santiago';
    const there = await createTestApp({
      READ_COUNTS: 'true',
      SITE_TIME_ZONE: zone,
      DATABASE_URL: await cloneDatabaseInZone(zone),
    });
    const reader = await createAdministrator(there, 'grace@example.com');
    await createPosts(there, [{ slug: 'one' }]);
    // The clocks go forward as September 6 begins.
    const days = ['2026-09-05', '2026-09-06', '2026-09-07', '2026-09-20'];
    const time = holdClock(there, '2026-09-05T16:00:00Z');
    const request = { headers: { ...usual }, clientAddress: '192.0.2.9' };
    for (const day of days) {
      time.set(`${day}T16:00:00Z`);
      there.get(ReadsService).note(request, { slug: 'one', from: '' });
    }
    await there.get(ReadsService).flush();
    const told = (await reader.call<ReadReport>('GET', '/reads')).body.days;
    expect([told.length, told.at(-1)?.day]).toEqual([30, '2026-09-20']);
    expect(told.filter(({ count }) => count > 0)).toEqual(days.map((day) => ({ day, count: 1 })));
  });

  it('wait for a database that is away, and are written when the server ends', async () => {
    await empty();
    await read('two');
    const other = await createTestApp({ READ_COUNTS: 'true', DATABASE_URL: app.environment.DATABASE_URL! });
    holdClock(other, '2026-11-20T20:00:00Z');
    const request = { headers: { ...usual }, clientAddress: '192.0.2.9' };
    other.get(ReadsService).note(request, { slug: 'two', from: '' });
    expect(await rows()).toEqual(['2026-11-20 two  1']);
    await other.close();
    expect(await rows()).toEqual(['2026-11-20 two  2']);
  });

  it('are told by no page, taken by no route and not spoken of where they are not counted', async () => {
    const privacy = async (of: TestApp) => (await of.inject('/privacy')).body.includes('Counted reads.');
    const off = await createTestApp({ DATABASE_URL: app.environment.DATABASE_URL! });
    expect(
      (await off.inject({ method: 'POST', url: '/api/reads', payload: { slug: 'two', from: '' } })).statusCode,
    ).toBe(404);
    expect((await off.inject('/api/admin/reads')).statusCode).toBe(404);
    expect(await Promise.all([privacy(app), privacy(off)])).toEqual([true, false]);
    expect((await off.inject('/privacy')).body).toContain('We don’t count what is read.');
  });

  it('stay when counting is switched off, and become months when their days are no longer kept', async () => {
    await empty();
    clock.set('2026-09-02T20:00:00Z');
    await read('two', 'news.example.org');
    clock.set('2026-11-19T20:00:00Z');
    await read('two', 'news.example.org');
    await rows();
    const off = await createTestApp({ DATABASE_URL: app.environment.DATABASE_URL!, READ_COUNTS_DAYS: '31' });
    holdClock(off, '2026-11-20T20:00:00Z');
    expect(off.get(ReadUpkeep)).toBeDefined();
    await off.get(ReadsService).sumUp();
    expect(await rows()).toEqual(['2026-09-01 two  1', '2026-11-19 two news.example.org 1']);
  });
});
