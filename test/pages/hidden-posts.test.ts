import { beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { paths } from '../../src/shared/paths.js';
import type { TermPage } from '../../src/shared/contracts/blog-list.js';
import type { PostDetail } from '../../src/shared/contracts/posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { handlerRoutesOf } from '../support/registered-routes.js';
import { pageRoutes } from '../support/routes.js';
import { untilEqual } from '../support/until.js';

/** A word of every field of posts that readers must not see, and of no other. */
const SECRET = 'hushhush';
/** A word that hidden and public posts have. */
const SHARED = 'lighthouse';

const termPages = ['/blogs/tag/sea', '/blogs/tag/Sea', '/blogs/category/lamps', '/blogs/author/keeper'];
const belowBlog = (rest: string) => `${paths.api.blog}/${rest}`;

/** Routes that everybody may ask and that answer with posts: what is asked of each. */
const asked: Readonly<Record<string, readonly string[]>> = {
  'GET /*': [...pageRoutes, '/blogs/seen-2', '/blogs/archive/2020', '/blogs/archive/2020/03', ...termPages, '/nowhere'],
  'GET /search': [paths.search(SHARED), paths.search('lighthuose')],
  'GET /rss.xml': [paths.rss],
  'GET /feed.json': [paths.jsonFeed],
  'GET /sitemap.xml': [paths.sitemap],
  'GET /robots.txt': ['/robots.txt'],
  'GET /api/posts': [paths.api.posts],
  'GET /api/posts/:slug': [1, 2, 3].map((number) => paths.api.post(`seen-${number}`)),
  'GET /api/search': [SHARED, 'lighthuose', 'hushhus', 'hushhuhs', `"${SECRET}"`, 'clandestine'].map(paths.api.search),
  'GET /api/blog': [paths.api.blog],
  'GET /api/blog/:kind/:name': ['archive/2020', 'tag/sea', 'category/lamps', 'author/keeper'].map(belowBlog),
  'GET /api/blog/:kind/:name/:second': ['archive/2020/03', 'tag/sea/2'].map(belowBlog),
  'GET /api/blog/:kind/:name/:second/:third': ['archive/2020/03/2'].map(belowBlog),
  'GET /admin/preview/:document': ['/admin/preview/pages'],
  'GET /admin/preview/:document/*': ['/admin/preview/pages/blogs'],
  'GET /blogs/:kind/:name/rss.xml': ['/blogs/tag/sea/rss.xml', '/blogs/author/keeper/rss.xml'],
  'GET /blogs/:kind/:name/feed.json': ['/blogs/tag/sea/feed.json', '/blogs/category/lamps/feed.json'],
};

/** Routes that everybody may ask and that know nothing of posts, or only what a link opens. */
const OTHERS =
  /^GET (?:\/auth\/v1\/|\/dev\/mail|\/media\/|\/api\/health|\/api\/previews\/|\/setup$|\/favicon|\/security|\/\.well-known|\/manifest|\/site\.webmanifest|\/look\/|\/share|\/apple|\/icon)/;

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ SEARCH_RATE_LIMIT: '0', READ_COUNTS: 'true' }, { followsChanges: true });
  const shared = { category: 'Lamps', tags: ['Sea'], author: 'Keeper' };
  const hidden = {
    title: `${SECRET} ${SHARED}`,
    excerpt: `${SECRET} clandestine`,
    content: `<p>${SECRET} ${SHARED}</p>`,
    author: SECRET,
    category: SECRET,
    tags: ['Sea', SECRET],
  };
  const on = (day: number) => `2020-03-0${day}T12:00:00Z`;
  await createPosts(app, [
    { ...shared, slug: 'seen-1', title: `First ${SHARED}`, published_date: on(1) },
    { ...shared, slug: 'seen-2', title: `Second ${SHARED}`, published_date: on(4) },
    { ...shared, slug: 'seen-3', title: `Third ${SHARED}`, published_date: on(7) },
    { ...hidden, slug: `${SECRET}-draft`, published_date: on(2), is_published: false },
    { ...hidden, slug: `${SECRET}-planned`, published_date: on(3), is_published: false },
    { ...hidden, slug: `${SECRET}-withdrawn`, published_date: on(5) },
    { ...hidden, slug: `${SECRET}-trashed`, published_date: on(6) },
  ]);
  await app
    .get(EntityManager)
    .fork()
    .execute(`update blog_posts set scheduled_at = '2090-01-01T00:00:00Z' where slug = ?`, [`${SECRET}-planned`]);
  await changePosts(app, 'unpublish', [`${SECRET}-withdrawn`]);
  await changePosts(app, 'trash', [`${SECRET}-trashed`]);
});

describe('posts that readers must not see', () => {
  it('are asked of every route that everybody may ask', () => {
    const routes = handlerRoutesOf(app.get(ModulesContainer));
    const open = routes.filter(({ access, name }) => access === 'public' && name.startsWith('GET '));
    const unknown = open.map(({ name }) => name).filter((name) => !OTHERS.test(name) && !(name in asked));
    expect(unknown).toEqual([]);
  });

  it.each(Object.values(asked).flat())('are not in %s', async (url) => {
    const { body, headers } = await app.inject(url);
    // Words that were asked for are told back.
    const told = body.replaceAll(`\\"${SECRET}\\"`, '');
    expect({ url, leaked: /.{0,40}hushhush.{0,40}/.exec(told)?.[0] ?? null }).toEqual({ url, leaked: null });
    expect(JSON.stringify(headers)).not.toContain(SECRET);
  });

  it.each(['draft', 'planned', 'withdrawn', 'trashed'])('are nowhere: the %s one', async (state) => {
    const slug = `${SECRET}-${state}`;
    expect((await app.inject(paths.blog(slug))).statusCode).toBe(404);
    expect((await app.inject(paths.api.post(slug))).statusCode).toBe(404);
  });

  it('give no page to words that only they have, and do not count on those of others', async () => {
    for (const kind of ['category', 'tag', 'author']) {
      for (const rest of ['', '/rss.xml', '/feed.json']) {
        const path = `/blogs/${kind}/${SECRET}${rest}`;
        expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404]);
      }
      expect((await app.inject(`/api/blog/${kind}/${SECRET}`)).statusCode).toBe(404);
    }
    const page = (await app.inject('/api/blog/tag/sea')).json<TermPage>();
    expect(page.posts.map(({ slug }) => slug)).toEqual(['seen-3', 'seen-2', 'seen-1']);
  });

  it('go with no other post, from the moment on at which they are hidden', async () => {
    const relatedOf = async (slug: string) => {
      const { related } = (await app.inject(paths.api.post(slug))).json<PostDetail>();
      return related.map((post) => post.slug).sort();
    };
    await untilEqual(() => relatedOf('seen-2'), ['seen-1', 'seen-3']);
    // An older post gets a newer one.
    const apart = { slug: 'apart', title: 'Soup', excerpt: 'Leeks', category: 'Food', tags: ['Kitchen'] };
    await createPosts(app, [{ slug: 'seen-4', title: 'Buoys', tags: ['Sea'] }, apart]);
    await untilEqual(() => relatedOf('seen-2'), ['seen-1', 'seen-3', 'seen-4']);
    await untilEqual(() => relatedOf('seen-4').then(({ length }) => length), 3);
    expect(await relatedOf('apart')).toEqual([]);
    const isShown = async () => /Related posts.*href="\/blogs\/seen-4"/s.test((await app.inject('/blogs/seen-2')).body);
    await untilEqual(isShown, true);
    await changePosts(app, 'unpublish', ['seen-4', 'apart']);
    expect(await relatedOf('seen-2')).toEqual(['seen-1', 'seen-3']);
    expect((await app.inject('/blogs/seen-2')).body).not.toContain('seen-4');
  });

  it('leave no gap between their neighbors', async () => {
    const read = async (slug: string) => (await app.inject(paths.api.post(slug))).json<object>();
    expect(await read('seen-2')).toMatchObject({ older: { slug: 'seen-1' }, newer: { slug: 'seen-3' } });
    expect(await read('seen-1')).toMatchObject({ older: null, newer: { slug: 'seen-2' } });
    expect(await read('seen-3')).toMatchObject({ older: { slug: 'seen-2' }, newer: null });
    expect((await app.inject(paths.api.search(SHARED))).json<{ results: object[] }>().results).toHaveLength(3);
  });

  it('lead readers from post to post in the order of the list, also where dates are the same', async () => {
    const same = { published_date: '2021-01-01T00:00:00Z' };
    await createPosts(
      app,
      ['a', 'b', 'c'].map((letter) => ({ ...same, slug: `same-${letter}`, title: letter })),
    );
    const list = (await app.inject(paths.api.posts)).json<{ slug: string }[]>().map(({ slug }) => slug);
    const walked: string[] = [];
    for (let slug: string | undefined = list[0]; slug !== undefined && walked.length < 10;) {
      walked.push(slug);
      const { older } = (await app.inject(paths.api.post(slug))).json<{ older: { slug: string } | null }>();
      slug = older?.slug;
    }
    expect(walked).toEqual(list);
    expect((await app.inject(paths.blog('same-a'))).body).toContain('Older post');
  });
});
