import { parseFeed } from 'feedsmith';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { EditingService } from '../../src/posts/editing.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { SavePostInput } from '../../src/shared/contracts/admin-post-inputs.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { runCli } from '../support/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { HtmlPage, readHtml } from '../support/html.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

describe('the blog', () => {
  let app: TestApp;
  const load = async (path: string) => {
    const answer = await app.inject(path);
    return { answer, page: new HtmlPage(answer.body) };
  };

  /** Publishes a post under another slug. */
  const rename = async (former: string, slug: string) => {
    const editing = app.get(EditingService);
    const posts = await app.get(PostsService).listAllIncludingDrafts(OPERATOR);
    const { id } = posts.find((post) => post.slug === former)!;
    const { saved, version } = await editing.find(OPERATOR, id);
    const input = { ...saved, slug, is_published: true, version };
    await editing.save(OPERATOR, id, plainToInstance(SavePostInput, input));
  };

  beforeAll(async () => {
    app = await createTestApp({ SITE_NAME: 'A </script><b>company</b>' });
    await createPosts(app, [
      { slug: 'older', title: 'Older post', published_date: '2024-12-12T20:00:00Z' },
      {
        slug: 'newer',
        title: 'Newer </script><b>post</b>',
        excerpt: 'Its "excerpt" & more',
        content: '<h2>Part</h2><p>Some <strong>words</strong> &amp; a <a href="/contact">link</a>.</p>',
        published_date: '2025-01-05T20:00:00Z',
      },
      {
        slug: 'bare',
        title: 'Bare',
        excerpt: null,
        category: null,
        tags: null,
        published_date: '2024-11-01T20:00:00Z',
      },
      { slug: 'unsaid', title: 'Unsaid draft', content: '<p>Unsaid words</p>', is_published: false },
    ]);
  });

  it('lists published posts, newest first, with their dates in the site’s zone', async () => {
    const { answer, page } = await load('/blogs');
    expect(answer.statusCode).toBe(200);
    const headings = page.all('h2').map((heading) => page.source.slice(heading.startIndex ?? 0));
    expect(headings.length).toBeGreaterThanOrEqual(3);
    const text = page.visibleText();
    expect(text.indexOf('Newer')).toBeLessThan(text.indexOf('Older post'));
    expect(text).toContain('Jan 5, 2025');
    expect(text).toContain('Dec 12, 2024');
    expect(text).toContain('Support desk');
    expect(text).toContain('Passwords');
  });

  it('shows a post with its head and its structured data', async () => {
    const { answer, page } = await load('/blogs/newer');
    expect(answer.statusCode).toBe(200);
    expect(page.text('h1')).toBe('Newer </script><b>post</b>');
    expect(page.text('title')).toContain('Newer </script>');
    expect(page.meta('description')).toBe('Its "excerpt" & more');
    expect(page.meta('og:type')).toBe('article');
    expect(page.visibleText()).toContain('January 5, 2025');
    expect(page.source).toContain('<p>Some <strong>words</strong> &amp; a <a href="/contact">link</a>.</p>');
    const [posting] = page.jsonLd().filter((data) => data['@type'] === 'BlogPosting');
    expect(posting).toMatchObject({
      headline: 'Newer </script><b>post</b>',
      datePublished: '2025-01-05T20:00:00.000Z',
      url: 'http://site.test/blogs/newer',
    });
    expect(page.jsonLd().map((data) => data['@type'])).toContain('BreadcrumbList');
  });

  it.each([
    ['/', 'company'],
    ['/blogs', 'company'],
    ['/blogs/newer', 'post'],
  ])('keeps what people write out of the markup of %s', async (path, word) => {
    const { page } = await load(path);
    expect(page.source.split(word).length).toBeGreaterThan(3);
    expect(page.source.split('</script><b>')).toHaveLength(1);
    const texts = page.jsonTexts();
    for (const text of texts) expect(() => JSON.parse(text) as unknown).not.toThrow();
    // What the page starts with is what was written.
    expect(JSON.stringify(JSON.parse(texts.at(-1)!))).toContain(`</script><b>${word}</b>`);
  });

  it('hands the browser the data of what it shows', async () => {
    const stateOf = async (path: string) => {
      const { page } = await load(path);
      const state = JSON.parse(page.jsonTexts().at(-1)!) as { readonly loaderData: Record<string, unknown> };
      return state.loaderData;
    };
    expect(JSON.stringify(await stateOf('/blogs'))).toContain('Older post');
    expect(await stateOf('/blogs/newer')).toMatchObject({
      blog: {
        result: {
          content: expect.stringContaining('<a href="/contact">link</a>.</p>'),
        },
      },
    });
  });

  it.each(['/blogs/unsaid', '/blogs/never-written', '/blogs/%00', `/blogs/${'x'.repeat(300)}`])(
    '%.30s is not there: 404, and says so',
    async (path) => {
      const { answer, page } = await load(path);
      expect(answer.statusCode).toBe(404);
      expect(page.text('h1')).toBe('Blog Post Not Found');
      expect(page.visibleText()).toContain("The blog post you're looking for doesn't exist.");
      expect(page.visibleText()).toContain('Back to Blogs');
    },
  );

  it('shows a slug of 200 characters', async () => {
    const slug = 'long-'.repeat(40).slice(0, 199) + 'x';
    await createPosts(app, [{ slug, title: 'Long address' }]);
    expect((await load(`/blogs/${slug}`)).answer.statusCode).toBe(200);
  });

  it.each([
    '/',
    '/blogs',
    '/sitemap.xml',
    '/rss.xml',
    '/robots.txt',
    '/api/posts',
    '/blogs/newer',
    '/api/openapi.json',
  ])('leaves drafts out of %s', async (path) => {
    const { answer } = await load(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.body.match(/.{20}unsaid.{20}/i)).toBeNull();
  });

  it('answers the API with published posts only', async () => {
    const list = (await app.inject('/api/posts')).json<Record<string, unknown>[]>();
    expect(list.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['newer', 'older', 'bare']));
    expect(list[0]).not.toHaveProperty('content');
    expect((await app.inject('/api/posts/newer')).json()).toMatchObject({ slug: 'newer', author: 'Support desk' });
    const missing = await app.inject('/api/posts/unsaid');
    expect(missing.statusCode).toBe(404);
    expect(missing.json()).toMatchObject({ code: 'post_not_found' });
  });

  it('feeds readers with the full text, under addresses that lead here from anywhere', async () => {
    const { answer } = await load('/rss.xml');
    expect(answer.headers['content-type']).toContain('application/rss+xml');
    expect(answer.body).toContain('Some <strong>words</strong> &amp; a <a href="http://site.test/contact">');
    expect(answer.body).toContain('<link>http://site.test/blogs/newer</link>');
  });

  it('tells readers of both feeds when a post was published, and of the one that can say it when it was changed', async () => {
    const post = (await load('/api/posts/newer')).answer.json<PostDetail>();
    const { items } = (await load('/feed.json')).answer.json<{ items: { url: string }[] }>();
    expect(items.find(({ url }) => url.endsWith('/blogs/newer'))).toMatchObject({
      date_published: '2025-01-05T20:00:00.000Z',
      date_modified: post.updated_at,
    });
    expect((await load('/rss.xml')).answer.body).toContain('<pubDate>Sun, 05 Jan 2025 20:00:00 GMT</pubDate>');
  });

  it.each(['', '/blogs/tag/passwords'])(
    'tells readers of the feed %s/rss.xml when something in it was changed last, and not only when the newest was published',
    async (feed) => {
      const { items } = (await load(`${feed}/feed.json`)).answer.json<{ items: { date_modified: string }[] }>();
      const moments = items.map(({ date_modified }) => Date.parse(date_modified));
      const [, told = ''] = /<lastBuildDate>([^<]*)</.exec((await load(`${feed}/rss.xml`)).answer.body) ?? [];
      expect(Date.parse(told)).toBe(Math.floor(Math.max(...moments) / 1000) * 1000);
    },
  );

  it('tells them nothing of a date that an author has chosen, until which they would leave the feed alone', async () => {
    await createPosts(app, [{ slug: 'dated-ahead', published_date: '2090-01-01T00:00:00Z' }]);
    const [, told = ''] = /<lastBuildDate>([^<]*)</.exec((await load('/rss.xml')).answer.body) ?? [];
    const { updated_at } = (await app.inject('/api/posts/dated-ahead')).json<PostDetail>();
    await changePosts(app, 'unpublish', ['dated-ahead']);
    expect(Date.parse(told)).toBe(Math.floor(Date.parse(updated_at) / 1000) * 1000);
  });

  it('feeds readers with authors and terms as each format has them, each term once', async () => {
    await createPosts(app, [{ slug: 'termed', author: 'Ann & Bo', category: 'Backup', tags: ['Backup', 'Copies'] }]);
    const { format, feed } = parseFeed((await load('/rss.xml')).answer.body);
    if (format !== 'rss') throw new Error(`This is no RSS: ${format}`);
    const item = feed.items?.find(({ link }) => link?.endsWith('/blogs/termed'));
    // An author of RSS has a mail address, which would be one here that nobody has.
    expect(item).toMatchObject({
      dc: { creators: ['Ann & Bo'] },
      categories: [{ name: 'Backup' }, { name: 'Copies' }],
    });
    expect(item).not.toHaveProperty('authors');
    const { items } = (await load('/feed.json')).answer.json<{ items: { url: string }[] }>();
    const same = items.find(({ url }) => url.endsWith('/blogs/termed'));
    expect(same).toMatchObject({ author: { name: 'Ann & Bo' }, tags: ['Backup', 'Copies'] });
    expect(same).not.toHaveProperty('dc:creator');
  });

  it('feeds readers with a renamed post as the same item, which leads to its new address', async () => {
    await createPosts(app, [{ slug: 'named-draft', is_published: false, tags: ['Renaming'] }]);
    // Readers of feeds saw none of the names of a draft.
    await rename('named-draft', 'named-first');
    await rename('named-first', 'named-again');
    await rename('named-again', 'named-last');
    const first = 'http://site.test/blogs/named-first';
    const last = 'http://site.test/blogs/named-last';
    for (const path of ['/rss.xml', '/blogs/tag/renaming/rss.xml']) {
      const { format, feed } = parseFeed((await load(path)).answer.body);
      if (format !== 'rss') throw new Error(`This is no RSS: ${format}`);
      const item = feed.items?.find(({ link }) => link === last);
      expect([path, item?.guid]).toEqual([path, { value: first, isPermaLink: false }]);
    }
    for (const path of ['/feed.json', '/blogs/tag/renaming/feed.json']) {
      const { items } = (await load(path)).answer.json<{ items: { id: string; url: string }[] }>();
      expect([path, items.find(({ url }) => url === last)?.id]).toEqual([path, first]);
    }
    // A post that keeps its name has the id that it always had.
    const { items } = (await load('/feed.json')).answer.json<{ items: { id: string; url: string }[] }>();
    expect(items.find(({ url }) => url.endsWith('/blogs/newer'))?.id).toBe('http://site.test/blogs/newer');
  });

  it('feeds readers with titles and excerpts as text, and with samples of code to the letter', async () => {
    const sample = '&lt;img src="/x" srcset="/y 1w"&gt; ]]&gt; &amp;amp;';
    await createPosts(app, [
      {
        slug: 'marked',
        title: 'Why <script>alert(1)</script> & "R&amp;D" ]]> vanish',
        excerpt: '<img src=x onerror=alert(1)> runs <!-- and this --> vanishes',
        content: `<p><a href="/contact">Here</a> is <code>${sample}</code></p><pre><code>${sample}</code></pre>`,
        category: 'R & D',
        tags: ['<b>'],
      },
      { slug: 'plain', title: 'Q & A: is 1 < 2?', excerpt: 'Tom & Jerry' },
      { slug: 'closing', title: 'Is a[b[0]]>c or d[e[1]]>f?', excerpt: 'One ]]>, two ]]>, three ]]>' },
    ]);
    const { body } = (await load('/rss.xml')).answer;
    const { format, feed } = parseFeed(body);
    if (format !== 'rss') throw new Error(`This is no RSS: ${format}`);
    // As text, and as a reader shows it that takes the text for HTML.
    const seen = (text = '') => [text, readHtml(text)];
    const find = (slug: string) => feed.items?.find(({ link }) => link?.endsWith(`/blogs/${slug}`));
    const [marked, plain, closing] = [find('marked'), find('plain'), find('closing')];
    expect(seen(plain?.title)).toEqual(['Q & A: is 1 < 2?', 'Q & A: is 1 < 2?']);
    expect(seen(plain?.description)).toEqual(['Tom & Jerry', 'Tom & Jerry']);
    expect(seen(marked?.title)[1]).toBe('Why <script>alert(1)</script> & "R&amp;D" ]]> vanish');
    expect(seen(marked?.description)[1]).toBe('<img src=x onerror=alert(1)> runs <!-- and this --> vanishes');
    expect(`${marked?.title}${marked?.description}`).not.toContain('<');
    expect(seen(closing?.title)[1]).toBe('Is a[b[0]]>c or d[e[1]]>f?');
    expect(seen(closing?.description)[1]).toBe('One ]]>, two ]]>, three ]]>');
    // Outside of a section, the letters of its end make a document no XML.
    expect(body.replace(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toContain(']]>');
    expect(readHtml(feed.title ?? '')).toBe('A </script><b>company</b>: IT & Tech Blog');
    expect(marked?.categories?.map(({ name }) => name)).toEqual(['R & D', '<b>']);
    expect(marked?.content?.encoded).toBe(
      `<p><a href="http://site.test/contact">Here</a> is <code>${sample}</code></p><pre tabindex="0"><code>${sample}</code></pre>`,
    );
  });

  it('maps every page and published post for search engines', async () => {
    const { answer } = await load('/sitemap.xml');
    const addresses = [...answer.body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toEqual(
      expect.arrayContaining(['http://site.test/', 'http://site.test/accessibility', 'http://site.test/blogs/older']),
    );
    expect((await load('/robots.txt')).answer.body).toContain('Sitemap: http://site.test/sitemap.xml');
  });

  it('makes headings places of their page, which nothing else on it is, and tells feeds nothing of it', async () => {
    const idsOf = (page: HtmlPage) => [...page.source.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    const words = `<p>${'word '.repeat(200)}<span class="ql-footnote">note</span></p>`;
    const toPost = (titles: readonly string[]) => titles.map((title) => `<h2>${title}</h2>${words}`).join('');
    const titles = ['What it costs', 'What it costs', 'Why'];
    await createPosts(app, [{ slug: 'long', content: toPost(titles) }]);
    const { page } = await load('/blogs/long');
    const inContents = page.all('a').filter(({ attribs }) => attribs['href'] === '#what-it-costs-1');
    expect(inContents.map(({ attribs }) => attribs['class'])).toEqual([undefined, undefined, 'heading-link']);
    expect((await load('/rss.xml')).answer.body).toContain('<h2>What it costs</h2>');

    // Whatever ids the page has, and gets tomorrow, as headings.
    await createPosts(app, [{ slug: 'ids', content: toPost([...new Set(idsOf(page))]) }]);
    const ids = idsOf((await load('/blogs/ids')).page);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const short = (await app.inject('/api/posts/newer')).json<PostDetail>();
    expect([short.sections, short.content.includes('<h2 id="part">')]).toEqual([[], true]);
  });

  it('names the address where a post was published first, and leaves such a post out of the map', async () => {
    const canonical_url = 'https://elsewhere.example/first?a=1&b=2';
    await createPosts(app, [{ slug: 'borrowed', canonical_url }]);
    const { page } = await load('/blogs/borrowed');
    const links = page.all('link').filter(({ attribs }) => attribs['rel'] === 'canonical');
    expect(links.map(({ attribs }) => attribs['href'])).toEqual([canonical_url]);
    expect((await load('/sitemap.xml')).answer.body).not.toContain('/blogs/borrowed');
  });

  it('takes an address that a post itself has here, or had, for none where it was published first', async () => {
    await createPosts(app, [
      { slug: 'self-now', canonical_url: 'http://site.test/blogs/self-now' },
      { slug: 'self-before', canonical_url: 'https://site.test/Blogs/Self-Before/?utm=1' },
      { slug: 'self-copy', canonical_url: 'http://site.test/blogs/newer' },
    ]);
    await rename('self-before', 'self-after');
    const canonicalOf = async (slug: string) => {
      const { page } = await load(`/blogs/${slug}`);
      const links = page.all('link').filter(({ attribs }) => attribs['rel'] === 'canonical');
      return links.map(({ attribs }) => attribs['href']).join();
    };
    expect([await canonicalOf('self-now'), await canonicalOf('self-after'), await canonicalOf('self-copy')]).toEqual([
      'http://site.test/blogs/self-now',
      'http://site.test/blogs/self-after',
      'http://site.test/blogs/newer',
    ]);
    expect((await app.inject('/api/posts/self-after')).json<PostDetail>().canonical_url).toBeNull();
    const map = (await load('/sitemap.xml')).answer.body;
    const listed = ['self-now', 'self-after', 'self-copy'].filter((slug) => map.includes(`/blogs/${slug}<`));
    expect(listed).toEqual(['self-now', 'self-after']);
  });

  itSlow('shows what another process publishes, soon and without a restart', async () => {
    await createPosts(app, [{ slug: 'waiting', title: 'Waiting to be seen', is_published: false }]);
    expect((await load('/blogs')).answer.body.includes('Waiting to be seen')).toBe(false);
    const run = await runCli(['posts', 'publish', 'waiting'], app.environment);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    await until(async () => (await load('/blogs')).answer.body.includes('Waiting to be seen'));
    expect((await load('/blogs/waiting')).answer.statusCode).toBe(200);

    await runCli(['posts', 'unpublish', 'waiting'], app.environment);
    await until(async () => (await load('/blogs/waiting')).answer.statusCode === 404);
    expect((await load('/blogs')).answer.body.includes('Waiting to be seen')).toBe(false);
  });

  itSlow('says so when there is no post', async () => {
    const empty = await createTestApp();
    const page = new HtmlPage((await empty.inject('/blogs')).body);
    expect(page.visibleText()).toContain('No blog posts available yet. Check back soon!');
  });
});
