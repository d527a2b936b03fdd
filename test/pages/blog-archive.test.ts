import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { FeedsService } from '../../src/pages/feeds.service.js';
import type { BlogList } from '../../src/shared/contracts/blog-list.js';
import type { SearchAnswer } from '../../src/shared/contracts/search.js';
import { paths } from '../../src/shared/paths.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabaseInZone } from '../support/database.js';
import { changePosts, createManyPosts, createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

const MAX_BYTES = 300_000;

/** Posts, the newest first, each an hour before the one before it. */
function postsUntil(end: string, count: number, prefix: string) {
  return Array.from({ length: count }, (_, index) => ({
    slug: `${prefix}-${index}`,
    title: `${prefix} & number ${index}`,
    published_date: new Date(Date.parse(end) - index * 3_600_000).toISOString(),
  }));
}

/** Slugs of the posts that a page links to in its main part, in their order. */
function linkedSlugs(body: string): string[] {
  return [...body.matchAll(/href="\/blogs\/([^"/]+)"/g)].map(([, slug = '']) => slug);
}

describe('the list of posts and its archive', () => {
  let app: TestApp;
  const load = async (path: string) => {
    const answer = await app.inject(path);
    return { answer, page: new HtmlPage(answer.body) };
  };

  /** Waits until the page is served from memory: what a change announced may arrive after its answer. */
  const untilKept = (path: string) => until(async () => (await app.inject(path)).headers['x-cache'] === 'hit');

  beforeAll(async () => {
    app = await createTestApp();
    await createPosts(app, postsUntil('2024-06-30T20:00:00Z', 61, 'new'));
  });

  it('shows 60 posts as cards and older ones as lines, all of them as links', async () => {
    const { answer, page } = await load('/blogs');
    expect(page.all('li').filter(({ attribs }) => attribs['class'] === 'post-card')).toHaveLength(60);
    expect(linkedSlugs(answer.body)).toEqual(postsUntil('2024-06-30T20:00:00Z', 61, 'new').map(({ slug }) => slug));
    expect(page.visibleText()).toContain('Older posts');
    expect(answer.body).toContain('<li>Jun 28 <a href="/blogs/new-60">new &amp; number 60</a></li>');
    // Lines are in the page once: its data has none.
    expect(page.jsonTexts().join('')).not.toContain('new-60');
    expect(answer.body).not.toContain('/blogs/archive/');
    // A year that fits on the list has a page all the same, which search engines need not know.
    expect((await app.inject('/sitemap.xml')).body).not.toContain('/blogs/archive/');
  });

  it('takes the end of a year from the zone of the site', async () => {
    // Still 2019 in California.
    await createPosts(app, [{ slug: 'late', title: 'Late in the year', published_date: '2020-01-01T03:00:00Z' }]);
    expect((await load('/blogs')).answer.body).toContain('Dec 31 <a href="/blogs/late">');
    expect(linkedSlugs((await load('/blogs/archive/2019')).answer.body)).toContain('late');
    expect((await load('/blogs/archive/2020')).answer.statusCode).toBe(404);
    const yearsOn = (body: string) => [...body.matchAll(/href="\/blogs\/archive\/(\d{4})"( aria-current)?/g)];
    const [list, ofYear] = [await load('/blogs'), await load('/blogs/archive/2019')].map(({ answer }) =>
      yearsOn(answer.body),
    );
    expect(list?.map(([, year]) => year)).toEqual(['2024', '2019']);
    expect(ofYear?.map(([, year, current]) => [year, current !== undefined])).toEqual([
      ['2024', false],
      ['2019', true],
    ]);
    await changePosts(app, 'unpublish', ['late']);
    expect((await load('/blogs')).answer.body).not.toContain('/blogs/archive/');
    expect((await load('/blogs/archive/2019')).answer.statusCode).toBe(404);
  });

  it('needs no database that knows the zone', async () => {
    // A name of Sydney that Node alone knows, as US/Pacific is beside a PostgreSQL of Debian.
    const sydney = await createTestApp({ SITE_TIME_ZONE: 'AET' });
    await createPosts(sydney, [
      { slug: 'early', published_date: '2019-12-31T13:30:00Z' },
      { slug: 'late', published_date: '2019-12-31T12:30:00Z' },
    ]);
    const { statusCode, body } = await sydney.inject('/blogs');
    expect(statusCode).toBe(200);
    expect([...body.matchAll(/href="\/blogs\/archive\/(\d{4})"/g)].map(([, year]) => year)).toEqual(['2020', '2019']);
    expect(linkedSlugs((await sydney.inject('/blogs/archive/2020')).body)).toEqual(['early']);
    expect(linkedSlugs((await sydney.inject('/blogs/archive/2019')).body)).toEqual(['late']);
    expect((await sydney.inject('/sitemap.xml')).statusCode).toBe(200);
  });

  it('leads to pages of the years beyond the newest 1,000 posts, and from them to every post', async () => {
    const old = [
      ...postsUntil('2023-12-01T20:00:00Z', 930, 'middle'),
      ...postsUntil('2020-03-31T20:00:00Z', 40, 'few'),
      ...postsUntil('2018-12-20T20:00:00Z', 900, 'december'),
      ...postsUntil('2018-03-31T20:00:00Z', 300, 'march'),
    ];
    await createManyPosts(app, old);
    const { answer, page } = await load('/blogs');
    expect(linkedSlugs(answer.body)).toHaveLength(1000);
    expect(page.visibleText()).toMatch(/All 40 posts of 2020.*All 1,200 posts of 2018/s);
    const year = await load('/blogs/archive/2020');
    expect(linkedSlugs(year.answer.body)).toEqual(old.slice(930, 970).map(({ slug }) => slug));
    expect(year.page.text('h1')).toBe('Posts of 2020');
    // Too many for one page.
    const months = await load('/blogs/archive/2018');
    expect(linkedSlugs(months.answer.body)).toEqual([]);
    expect(months.page.visibleText()).toMatch(/December\s*469 posts\s*November/);
    const addresses = [...months.answer.body.matchAll(/href="(\/blogs\/archive\/2018\/\d\d)"/g)].map(
      ([, path = '']) => path,
    );
    const found = [];
    for (const path of addresses) found.push(...linkedSlugs((await load(path)).answer.body));
    expect(found).toEqual(old.slice(970).map(({ slug }) => slug));

    const sitemap = (await app.inject('/sitemap.xml')).body;
    for (const path of ['/blogs/archive/2020', '/blogs/archive/2018', ...addresses]) {
      expect(sitemap).toContain(`<loc>http://site.test${path}</loc>`);
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200]);
      await untilKept(path);
    }
    expect(sitemap).not.toContain('/blogs/archive/2024');
    // A program still gets all of them.
    expect((await app.inject('/api/posts')).json()).toHaveLength(61 + old.length);
    expect((await app.inject('/api/blog')).json<BlogList>().posts).toHaveLength(60);
  });

  // What is allowed for everything beside the posts (archive-pages.ts) does not grow with it.
  it('has less than 81 KB beside posts and links of years', async () => {
    const empty = await createTestApp();
    const { body } = await empty.inject('/blogs');
    expect(body).toContain('</html>');
    expect(Buffer.byteLength(body)).toBeLessThan(81_000);
  });

  itSlow('holds 1,000 posts with titles and slugs of 32 characters', async () => {
    const full = await createTestApp();
    const name = (index: number) => `how-we-keep-backups-and-try-${1000 + index}`;
    await createManyPosts(
      full,
      postsUntil('2024-06-30T20:00:00Z', 1000, 'unused').map((post, index) => ({
        ...post,
        slug: name(index),
        title: name(index),
        excerpt: 'A backup nobody has restored is a hope. What we test every month, and what you can test yourself.',
        category: 'Backups',
        tags: ['Backups', 'Small business'],
      })),
    );
    const { body } = await full.inject('/blogs');
    expect(new Set(linkedSlugs(body)).size).toBe(1000);
    expect(body).not.toContain('/blogs/archive/');
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('shows posts of years that were mistyped, and of those before zones counted in minutes', async () => {
    const odd = await createTestApp({ DATABASE_URL: await cloneDatabaseInZone('America/Los_Angeles') });
    const days = ['9999-11-27', '1850-11-27', '0099-11-01', '0026-11-01', '0001-11-01'];
    const years = days.map((day) => day.slice(0, 4));
    const old = years.map((year) => ({ slug: `of-${year}`, title: 'Mistyped' }));
    await createPosts(odd, [...postsUntil('2024-06-30T20:00:00Z', 60, 'card'), ...old]);
    // Years below 100 are refused by now, and stay where they are stored.
    for (const [index, day] of days.entries()) {
      await odd
        .get(EntityManager)
        .fork()
        .execute('update blog_posts set published_date = ? where slug = ?', [`${day}T00:00:00Z`, `of-${years[index]}`]);
    }
    const listed = linkedSlugs((await odd.inject('/blogs')).body);
    expect(listed.filter((slug) => slug.startsWith('of-'))).toEqual(old.map(({ slug }) => slug));
    expect((await odd.inject('/sitemap.xml')).statusCode).toBe(200);
    for (const year of years) {
      expect([year, linkedSlugs((await odd.inject(`/blogs/archive/${year}`)).body)]).toEqual([year, [`of-${year}`]]);
    }
    const { results } = (await odd.inject('/api/search?q=mistyped')).json<SearchAnswer>();
    expect(results.map(({ published }) => published.iso)).toEqual([
      '9999-11-27T00:00:00.000Z',
      '1850-11-27T00:00:00.000Z',
      '0099-11-01T00:00:00.000Z',
      '0026-11-01T00:00:00.000Z',
      '0001-11-01T00:00:00.000Z',
    ]);
  });

  it('has pages of categories, tags and authors, in parts, each under one spelling', async () => {
    const names = { category: 'Netzwerk/Büro', tags: ['.NET', 'TCP/IP', 'Small  Business', '🚀', 'גיבוי', 'C#', '..'] };
    const posts = postsUntil('2017-06-30T20:00:00Z', 61, 'term').map((post) => ({
      ...post,
      ...names,
      author: 'Dana R.',
    }));
    // The same words in another spelling belong to the same page.
    await createPosts(app, [...posts.slice(1), { ...posts[0], tags: ['small business', 'Small Business', '.net'] }]);
    const { answer, page } = await load('/blogs/tag/small-business');
    expect([answer.statusCode, page.text('h1'), page.text('title')]).toEqual([
      200,
      'Posts tagged “small business”',
      'Posts tagged “small business” | Your IT Team',
    ]);
    expect(linkedSlugs(answer.body)).toEqual(posts.slice(0, 60).map(({ slug }) => slug));
    expect(answer.body).toContain('<a class="link" href="/blogs/tag/small-business/2">Older posts</a>');
    expect(answer.body).toContain('<link rel="canonical" href="http://site.test/blogs/tag/small-business"/>');
    expect(answer.body).toContain('title="Posts tagged “small business”" href="/blogs/tag/small-business/rss.xml"');
    expect(answer.body).toContain('"item":"http://site.test/blogs/tag/small-business"');
    await untilKept('/blogs/tag/small-business');
    expect(linkedSlugs((await load('/blogs/tag/small-business/2')).answer.body)).toEqual(['term-60']);
    for (const path of ['/blogs/tag/small-business/3', '/blogs/tag/small-business/1', '/blogs/tag/nothing']) {
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404]);
    }
    const spellings = {
      '/blogs/tag/Small%20Business': '/blogs/tag/small-business',
      '/Blogs/Tag/SMALL-BUSINESS/': '/blogs/tag/small-business',
      '/blogs/tag/Small%20Business/2': '/blogs/tag/small-business/2',
      '/blogs/tag/Small%20Business/rss.xml': '/blogs/tag/small-business/rss.xml',
      '/blogs/tag/.NET': '/blogs/tag/.net',
      '/blogs/tag/TCP%2FIP': '/blogs/tag/tcp-ip',
      '/blogs/category/Netzwerk%2FBu%CC%88ro': '/blogs/category/netzwerk-b%C3%BCro',
      '/blogs/author/Dana%20R.': '/blogs/author/dana-r.',
    };
    for (const [path, location] of Object.entries(spellings)) {
      const { statusCode, headers } = await app.inject(path);
      expect([path, statusCode, headers.location]).toEqual([path, 301, location]);
    }
    const post = (await load('/blogs/term-1')).answer.body;
    const tags = ['.net', 'tcp-ip', 'small-business', '%F0%9F%9A%80', '%D7%92%D7%99%D7%91%D7%95%D7%99', 'c%23', '--'];
    const sitemap = (await app.inject('/sitemap.xml')).body;
    for (const path of [
      '/blogs/author/dana-r.',
      '/blogs/category/netzwerk-b%C3%BCro',
      ...tags.map((tag) => `/blogs/tag/${tag}`),
    ]) {
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200]);
      expect(post).toContain(`<a href="${path}">`);
      expect(sitemap).toContain(`<loc>http://site.test${path}</loc>`);
    }
  });

  it('are in the sitemap as long as it has room beside pages and the newest posts', async () => {
    const small = await createTestApp();
    await createPosts(small, postsUntil('2024-06-30T20:00:00Z', 4, 'post'));
    const feeds = small.get(FeedsService);
    const readBlogs = async () =>
      [...(await feeds.sitemap()).matchAll(/<loc>http:\/\/site\.test\/blogs\/([^<]+)/g)].map(([, path]) => path);
    const terms = ['author/support-desk', 'category/security', 'tag/email', 'tag/passwords'];
    const posts = ['post-0', 'post-1', 'post-2', 'post-3'];
    expect(await readBlogs()).toEqual([...terms, ...posts]);
    feeds.sitemapLength = paths.listed.length + 6;
    expect(await readBlogs()).toEqual([...terms.slice(0, 2), ...posts]);
    feeds.sitemapLength = paths.listed.length + 3;
    expect(await readBlogs()).toEqual(posts.slice(0, 3));
  });

  it('offers feeds of them', async () => {
    const rss = await app.inject('/blogs/tag/tcp-ip/rss.xml');
    expect(rss.headers).toMatchObject({ 'content-type': 'application/rss+xml; charset=utf-8' });
    expect(rss.body.match(/<item>/g)).toHaveLength(30);
    expect(rss.body).toContain('<title>Posts tagged “TCP/IP” | Your IT Team</title>');
    expect(rss.body).toContain('<link>http://site.test/blogs/tag/tcp-ip</link>');
    const json = await app.inject('/blogs/author/dana-r./feed.json');
    expect(json.json()).toMatchObject({
      title: 'Posts by Dana R. | Your IT Team',
      feed_url: 'http://site.test/blogs/author/dana-r./feed.json',
    });
    await untilKept('/blogs/author/dana-r./feed.json');
  });

  it.each([
    '/blogs/archive/1999',
    '/blogs/archive/2018/13',
    '/blogs/archive/2018/3',
    '/blogs/archive/2018/03/1',
    '/blogs/archive/2018/03/2',
    '/blogs/archive/0000',
    '/blogs/archive/0001',
    '/blogs/archive/9999/12',
    '/blogs/archive/20180',
    '/blogs/archive/x',
  ])('%s is not there', async (path) => {
    const { answer, page } = await load(path);
    expect([answer.statusCode, page.text('h1')]).toEqual([404, 'No Posts Found']);
    expect((await app.inject(path)).headers['x-cache']).not.toBe('hit');
  });

  itSlow('has no page of more than 300 KB, however long titles are and however many posts a day has', async () => {
    const large = await createTestApp();
    const wide = (index: number) => `${'Ж"&<Я'.repeat(38)}${index}`;
    await createManyPosts(
      large,
      Array.from({ length: 2500 }, (_, index) => ({
        slug: wide(index),
        title: wide(index),
        excerpt: 'Щ'.repeat(400),
        published_date: index < 200 ? '2024-05-05T20:00:00Z' : '2017-05-05T20:00:00Z',
      })),
    );
    const found = new Set<string>();
    const waiting = ['/blogs'];
    for (const path of waiting) {
      const { body, statusCode } = await large.inject(path);
      expect([path, statusCode]).toEqual([path, 200]);
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BYTES);
      for (const slug of linkedSlugs(body)) found.add(slug);
      for (const [, next = ''] of body.matchAll(/href="(\/blogs\/archive\/[^"]+)"/g))
        if (!waiting.includes(next)) waiting.push(next);
    }
    expect(waiting.length).toBeGreaterThan(10);
    expect(found.size).toBe(2500);
  });
});
