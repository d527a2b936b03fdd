import { beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { paths } from '../../src/shared/paths.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts, createPosts } from '../support/factories.js';
import { handlerRoutesOf } from '../support/registered-routes.js';
import { pageRoutes } from '../support/routes.js';

/** A word of every field of posts that readers must not see, and of no other. */
const SECRET = 'hushhush';
/** A word that hidden and public posts have. */
const SHARED = 'lighthouse';

/** Routes that everybody may ask and that answer with posts: what is asked of each. */
const asked: Readonly<Record<string, readonly string[]>> = {
  'GET /*': [...pageRoutes, '/blogs/seen-2', '/blogs/archive/2020', '/blogs/archive/2020/03', '/nowhere'],
  'GET /search': [paths.search(SHARED), paths.search('lighthuose')],
  'GET /rss.xml': [paths.rss],
  'GET /feed.json': [paths.jsonFeed],
  'GET /sitemap.xml': [paths.sitemap],
  'GET /robots.txt': ['/robots.txt'],
  'GET /api/posts': [paths.api.posts],
  'GET /api/posts/:slug': [1, 2, 3].map((number) => paths.api.post(`seen-${number}`)),
  'GET /api/search': [SHARED, 'lighthuose', 'hushhus', 'hushhuhs', `"${SECRET}"`, 'clandestine'].map(paths.api.search),
  'GET /api/blog': [paths.api.blog],
  'GET /api/blog/archive/:year': [paths.api.archive({ year: '2020' })],
  'GET /api/blog/archive/:year/:month': [paths.api.archive({ year: '2020', month: '03' })],
  'GET /api/blog/archive/:year/:month/:part': ['/api/blog/archive/2020/03/2'],
};

/** Routes that everybody may ask and that know nothing of posts, or only what a link opens. */
const OTHERS =
  /^GET (?:\/auth\/v1\/|\/dev\/mail|\/media\/|\/api\/health|\/api\/previews\/|\/favicon|\/security|\/\.well-known|\/manifest|\/site\.webmanifest|\/share|\/apple|\/icon)/;

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ SEARCH_RATE_LIMIT: '0' });
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
