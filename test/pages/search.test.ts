import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SEARCH_RULES } from '../../src/posts/search/search-documents.js';
import type { SearchAnswer } from '../../src/shared/contracts/search.js';
import { paths } from '../../src/shared/paths.js';
import { holdClock } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { HtmlPage } from '../support/html.js';
import { createReleasedDatabase } from '../support/last-release.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

let app: TestApp;

async function search(typed: string, from: TestApp = app): Promise<SearchAnswer> {
  const answer = await from.inject(paths.api.search(typed));
  expect({ typed, status: answer.statusCode }).toEqual({ typed, status: 200 });
  return answer.json();
}

const find = async (typed: string) => (await search(typed)).results.map(({ slug }) => slug);

const marksOf = (parts: SearchAnswer['results'][number]['text']) =>
  parts.filter(({ is_match: isMatch }) => isMatch).map(({ text }) => text);

beforeAll(async () => {
  app = await createTestApp({ SEARCH_RATE_LIMIT: '0' });
  const plain = { excerpt: null, category: null, tags: null };
  await createPosts(app, [
    { ...plain, slug: 'in-title', title: 'Backups that work', content: '<p>Nothing.</p>' },
    { ...plain, slug: 'in-tags', title: 'One', tags: ['Backup'], content: '<p>Nothing.</p>' },
    { ...plain, slug: 'in-excerpt', title: 'Two', excerpt: 'How we back up: a backup <b>daily</b>' },
    {
      ...plain,
      slug: 'in-text',
      title: 'Three',
      content: `<p>${'filler '.repeat(60)}</p><p>The third b<strong>ackup</strong> &lt;script&gt; copy</p><p>last</p>`,
    },
    { ...plain, slug: 'cafe', title: 'Das Café in Łódź: was ist eine Sicherung?' },
    { ...plain, slug: 'hebrew', title: 'גיבוי של קבצים' },
    { ...plain, slug: 'phrase', title: 'Four', content: '<p>The mail server fell over.</p>' },
    { ...plain, slug: 'no-phrase', title: 'Five', content: '<p>The server of our mail.</p>' },
    { ...plain, slug: 'code', title: 'Six', content: '<pre>curl https://api.example.com/v1/users?id=7</pre>' },
    { ...plain, slug: 'soft', title: 'Eight', content: '<p>Das Netz\u00ADwerk\u2060kabel.</p>' },
    { ...plain, slug: 'hyphens', title: 'Nine', content: '<p>Die neue Wi-Fi-Karte und E-Mail-Konten hier.</p>' },
    { ...plain, slug: 'no-hyphens', title: 'Ten', content: '<p>Die Wificard and emails.</p>' },
    { ...plain, slug: 'huge', title: 'Seven', content: hugeText() },
  ]);
});

/** Short words, each another one: as many as fit into a post. */
function hugeText(): string {
  const words = Array.from({ length: 400_000 }, (_, index) => index.toString(36).padStart(4, 'q'));
  return `<p>hugeness ${words.join(' ')}</p>`;
}

describe('the search', () => {
  it('finds every form of a word in title, tags, excerpt and text, in this order', async () => {
    expect(await find('backups')).toEqual(['in-title', 'in-tags', 'in-excerpt', 'in-text']);
  });

  it('shows where it found a word', async () => {
    const { results } = await search('backup');
    expect(marksOf(results[0]!.title)).toEqual(['Backups']);
    expect(marksOf(results[2]!.text)).toEqual(['backup']);
    const text = results[3]!.text.map((part) => part.text).join('');
    expect(text).toMatch(/^… .*The third backup <script> copy · last$/);
    expect(marksOf(results[3]!.text)).toEqual(['backup']);
    const { results: hyphened } = await search('emailkonten');
    expect(hyphened.map((result) => marksOf(result.text))).toEqual([['E-Mail-Konten']]);
  });

  it.each([
    ['unfinished words', 'sicher', ['cafe']],
    ['unfinished words behind another form of a word', 'backups dail', ['in-excerpt']],
    ['words without their accents', 'cafe lodz', ['cafe']],
    ['words of other languages that English leaves out', 'was ist', ['cafe']],
    ['other scripts', 'קבצים', ['hebrew']],
    ['words beside each other', '"mail server"', ['phrase']],
    ['parts of addresses', 'example.com/v1 users', ['code']],
    ['words in which lines may be broken', 'netzwerkkabel', ['soft']],
    ['what is typed with signs that nobody sees', 'Netz\u00ADwerkkabel', ['soft']],
    ['words with hyphens by words without', 'emailkonten', ['hyphens']],
    ['words without hyphens by words with some', 'wi-ficard e-mails', ['no-hyphens']],
    ['words with hyphens before unfinished ones', 'e-mail-konten hie', ['hyphens']],
    ['the words of the longest text', 'hugeness', ['huge']],
    ['only posts that have all words', 'mail fell', ['phrase']],
  ])('finds %s', async (_what, typed, slugs) => {
    expect(await find(typed)).toEqual(slugs);
  });

  it.each(['bakcup', 'bakcups', 'backps', 'backuups', 'bockups'])(
    'finds the title that was meant by %s',
    async (typed) => {
      const answer = await search(typed);
      expect(answer.is_similar).toBe(true);
      expect(answer.results.map(({ slug }) => slug)).toEqual(['in-title']);
    },
  );

  it.each([
    `'`,
    `"`,
    `:*`,
    `a:* & (`,
    `\\`,
    `' or 1=1 --`,
    `-"a b"`,
    '%',
    '!!',
    '<->',
    'x'.repeat(200),
    '㍿'.repeat(200),
    '٪',
    '🙂',
  ])('takes %j for words', async (typed) => {
    await search(typed);
    expect((await app.inject(paths.search(typed))).statusCode).toBe(200);
  });

  it('refuses more than anybody types, and finds nothing for nothing', async () => {
    expect((await app.inject(paths.api.search('x'.repeat(201)))).json()).toMatchObject({ code: 'validation_failed' });
    for (const url of ['/api/search', '/api/search?q=', '/api/search?q=a&q=b', '/api/search?q[]=backup']) {
      expect({ url, ...(await app.inject(url)).json<object>() }).toMatchObject({ url, results: [] });
    }
  });

  it('says that there is more than it shows, and prefers the newest', async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({
      title: `Plentiful ${index}`,
      published_date: `2020-01-${String(index + 1).padStart(2, '0')}T00:00:00Z`,
    }));
    await createPosts(app, many);
    const { results, has_more: hasMore } = await search('plentiful');
    expect({ hasMore, count: results.length }).toEqual({ hasMore: true, count: 20 });
    expect(results[0]!.published.short).toBe('Jan 20, 2020');
  });

  it('follows a post that changes, and forgets one that is taken back', async () => {
    await createPosts(app, [{ slug: 'passing', title: 'Ephemeral' }]);
    expect(await find('ephemeral')).toEqual(['passing']);
    await changePosts(app, 'unpublish', ['passing']);
    expect(await find('ephemeral')).toEqual([]);
    await changePosts(app, 'publish', ['passing']);
    expect(await find('ephemeral')).toEqual(['passing']);
    await changePosts(app, 'trash', ['passing']);
    expect(await find('ephemeral')).toEqual([]);
    expect(await find('ephemerla')).toEqual([]);
  });
});

describe('the page of the search', () => {
  const load = async (path: string, from: TestApp = app) => {
    const answer = await from.inject(path);
    return { answer, page: new HtmlPage(answer.body) };
  };

  it('shows finds without scripts, marked, and is kept by nobody', async () => {
    const { answer, page } = await load(paths.search('backup copy'));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(answer.headers).not.toHaveProperty('x-cache');
    expect(page.meta('robots')).toBe('noindex');
    expect(page.visibleText()).toContain('One post');
    expect(page.all('mark').length).toBe(2);
    expect(page.source).not.toContain('<script> copy');
    const other = await load(paths.search('sicherung'));
    expect(other.page.visibleText()).toContain('Das Café in Łódź');
    expect(other.page.visibleText()).not.toContain('Three');
  });

  it('has no tag by which to ask whether it has changed, and comes whole to who asks', async () => {
    const url = paths.search('backup');
    const tags = ['*', '"none",', 'W/""'];
    const answers = await Promise.all(
      [{}, ...tags.map((tag) => ({ 'if-none-match': tag }))].map((headers) => app.inject({ url, headers })),
    );
    for (const { statusCode, headers } of answers) {
      expect(statusCode).toBe(200);
      expect(headers).not.toHaveProperty('etag');
    }
  });

  it('keeps what was typed in its field, whatever it is', async () => {
    const { page } = await load(`/search?q=${encodeURIComponent(`  "><script>\0 'x'  `)}`);
    const [field] = page.all('input').filter(({ attribs }) => attribs['name'] === 'q');
    expect(field?.attribs['value']).toBe(`"><script> 'x'`);
    expect(page.visibleText()).toContain('No post has the words');
  });

  it('has its form on the blog, and is empty without a word', async () => {
    const { page } = await load(paths.blogs);
    const [form] = page.all('form').filter(({ attribs }) => attribs['role'] === 'search');
    expect(form?.attribs['action']).toBe('/search');
    const empty = await load('/search');
    expect(empty.answer.statusCode).toBe(200);
    expect(empty.page.all('ol').length).toBe(0);
  });

  it.each(['/search/', '/Search', '/SEARCH//'])('is asked for the same words where its address is %s', async (path) => {
    for (const typed of ['backup copy', `"mail & server" 'גיבוי'`, '']) {
      const { answer } = await load(`${path}?q=${encodeURIComponent(typed)}&from=mail`);
      expect([answer.statusCode, answer.headers['location']]).toEqual([301, paths.search(typed)]);
    }
    expect((await load(path)).answer.headers['location']).toBe('/search');
  });

  it('is limited per address, and says for how long', async () => {
    const limited = await createTestApp({ SEARCH_RATE_LIMIT: '2', DATABASE_URL: app.environment.DATABASE_URL });
    // A second later it would be one less.
    holdClock(limited, new Date().toISOString());
    await search('one', limited);
    await search('two', limited);
    const { answer, page } = await load(paths.search('backup'), limited);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('30');
    expect(page.visibleText()).toContain('That was a lot of searches.');
    const refused = await limited.inject(paths.api.search('backup'));
    expect(refused.json()).toMatchObject({ code: 'over_search_limit' });
    // Other addresses, and a search for nothing, are not counted.
    expect((await limited.inject({ url: paths.search('backup'), remoteAddress: '10.1.2.3' })).statusCode).toBe(200);
    expect((await limited.inject('/search')).statusCode).toBe(200);
  });
});

describe('posts that the search does not know', () => {
  /** A site of the last release, and a post of it. */
  async function startUpgraded() {
    const upgraded = await createTestApp({ DATABASE_URL: await createReleasedDatabase(), SEARCH_RATE_LIMIT: '0' });
    const em = upgraded.get(EntityManager).fork();
    const [post] = await em.execute<{ slug: string; title: string }[]>(
      `select slug, title from blog_posts where is_published and deleted_at is null order by slug limit 1`,
    );
    const isFound = async () => (await search(post!.title, upgraded)).results.some(({ slug }) => slug === post!.slug);
    return { upgraded, em, slug: post!.slug, isFound };
  }

  it('of the last release become known when a process serves', async () => {
    const { isFound } = await startUpgraded();
    await until(isFound);
  });

  itSlow('as another release has changed them since become known as well', async () => {
    const { upgraded, em, slug, isFound } = await startUpgraded();
    await until(isFound);
    await em.execute(`update blog_posts set title = 'Unheard words', updated_at = now() where slug = ?`, [slug]);
    const again = await createTestApp({ DATABASE_URL: upgraded.environment.DATABASE_URL, SEARCH_RATE_LIMIT: '0' });
    await until(async () => (await search('unheard', again)).results.length === 1);
    const stale = await em.execute<object[]>(
      `select 1 from search_documents d join blog_posts p on p.id = d.post_id where d.changed_at <> p.updated_at`,
    );
    expect(stale).toEqual([]);
  });

  it('are made known anew where older rules made their documents, and left to the release whose rules are newer', async () => {
    const site = await createTestApp({ SEARCH_RATE_LIMIT: '0' });
    await createPosts(site, [{ slug: 'older' }, { slug: 'newer' }]);
    const em = site.get(EntityManager).fork();
    await em.execute(
      `update search_documents d set rules = case p.slug when 'older' then 1 else 1000 end
       from blog_posts p where p.id = d.post_id and p.slug in ('older', 'newer')`,
    );
    const rulesOf = async (slug: string) => {
      const [found] = await em.execute<{ rules: number }[]>(
        `select d.rules from search_documents d join blog_posts p on p.id = d.post_id where p.slug = ?`,
        [slug],
      );
      return found?.rules;
    };
    await createTestApp({ DATABASE_URL: site.environment.DATABASE_URL });
    // Both are seen to in one transaction.
    await until(async () => (await rulesOf('older')) === SEARCH_RULES);
    expect(await rulesOf('newer')).toBe(1000);
  });
});
