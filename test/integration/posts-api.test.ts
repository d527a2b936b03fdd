import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ImportedPostsService, type PostWrite } from '../../src/import/imported-posts.service.js';
import { preparePost } from '../../src/posts/post-preparation.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { PostSummary } from '../../src/shared/contracts/posts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts } from '../support/factories.js';

let app: TestApp;
let posts: PostsService;
let imported: ImportedPostsService;
const heard: string[] = [];

const write = (slug: string, date: string, isPublished: boolean): PostWrite => ({
  target: null,
  fields: preparePost({
    title: `Title of ${slug}`,
    slug,
    content: '<p>Text</p><script>alert(1)</script>',
    author: 'Ann',
    published_date: date,
  }),
  isPublished,
});

beforeAll(async () => {
  app = await createTestApp();
  posts = app.get(PostsService);
  imported = app.get(ImportedPostsService);
  const listener = new pg.Client({ connectionString: app.config.database.url });
  await listener.connect();
  onCleanup(() => listener.end());
  listener.on('notification', ({ channel }) => heard.push(channel));
  await listener.query('listen content_changed');
  await imported.savePosts(OPERATOR, [
    write('older', '2024-01-05T20:00:00Z', true),
    write('newer', '2025-01-06T05:00:00Z', true),
    write('draft', '2025-02-01T20:00:00Z', false),
  ]);
  await listener.query('select 1');
});

describe('GET /api/posts', () => {
  it('lists published posts, newest first, with these fields and no others', async () => {
    const answer = await app.inject('/api/posts');
    expect(answer.statusCode).toBe(200);
    const list = answer.json<PostSummary[]>();
    expect(list.map(({ slug }) => slug)).toEqual(['newer', 'older']);
    expect(list[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: 'newer',
      title: 'Title of newer',
      excerpt: null,
      image_url: null,
      image_alt: null,
      image_focus: null,
      category: null,
      tags: null,
      author: 'Ann',
      published_date: '2025-01-06T05:00:00.000Z',
      published: { iso: '2025-01-06T05:00:00.000Z', short: 'Jan 5, 2025', long: 'January 5, 2025' },
      picture: null,
    });
  });
});

describe('GET /api/posts/:slug', () => {
  it('gives a published post with its clean text', async () => {
    const answer = await app.inject('/api/posts/older');
    expect(answer.json()).toMatchObject({ slug: 'older', content: '<p>Text</p>', reading_minutes: 1 });
  });

  it.each(['draft', 'nothing', 'x'.repeat(500), '%F0%9F%98%80'])('knows no %s', async (slug) => {
    const answer = await app.inject(`/api/posts/${slug}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({
      code: 'post_not_found',
      message: 'There is no published post at this address.',
    });
  });

  it('refuses an address that no text can be', async () => {
    const answer = await app.inject('/api/posts/a%00b');
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_text']);
  });
});

describe('PostsService', () => {
  it('tells other processes once for all posts written together', () => {
    expect(heard).toEqual(['content_changed']);
  });

  it('writes all posts or none', async () => {
    const writes = [write('new', '2024-01-01T20:00:00Z', true), write('older', '2024-01-01T20:00:00Z', true)];
    await expect(imported.savePosts(OPERATOR, writes)).rejects.toMatchObject({ response: { code: 'slug_taken' } });
    expect(await posts.findPublishedBySlug('new')).toBeNull();
  });

  it('refuses to write over a change that the writer has not seen', async () => {
    const [seen] = await imported.findForImportIncludingDrafts(OPERATOR, { sourceKeys: [], slugs: ['older'] });
    const change = { ...write('older', '2024-01-06T20:00:00Z', true), target: seen ?? null };
    await imported.savePosts(OPERATOR, [change]);
    await expect(imported.savePosts(OPERATOR, [change])).rejects.toThrow('changed in the meantime');
  });

  it('publishes and unpublishes', async () => {
    expect(await changePosts(app, 'publish', ['draft', 'older', 'nothing'])).toEqual(['draft']);
    expect(await posts.findPublishedBySlug('draft')).toMatchObject({ slug: 'draft' });
    expect(await changePosts(app, 'unpublish')).toEqual(['draft', 'newer', 'older']);
    expect(await posts.listPublished()).toEqual([]);
    expect(await posts.listPublishedAddresses()).toEqual([]);
    expect(await posts.listLatestPublished(5)).toEqual([]);
    const [seen] = await imported.findForImportIncludingDrafts(OPERATOR, { sourceKeys: [], slugs: ['draft'] });
    expect(seen?.version).toBe(3);
  });
});

describe('a former slug', () => {
  it('leads to its post, although another post has it in small letters since', async () => {
    await imported.savePosts(OPERATOR, [write('Tips', '2023-01-05T20:00:00Z', true)]);
    const [former] = await imported.findForImportIncludingDrafts(OPERATOR, { sourceKeys: [], slugs: ['Tips'] });
    const renamed = write('renamed-tips', '2023-01-05T20:00:00Z', true);
    await imported.savePosts(OPERATOR, [{ ...renamed, target: former ?? null }]);
    const leadsTo = async (slug: string) => (await app.inject(`/api/posts/${slug}`)).headers.location;
    expect(await Promise.all(['Tips', 'RENAMED-tips', 'tips'].map(leadsTo))).toEqual([
      '/api/posts/renamed-tips',
      '/api/posts/renamed-tips',
      undefined,
    ]);
    await imported.savePosts(OPERATOR, [write('tips', '2023-01-07T20:00:00Z', true)]);
    expect(await Promise.all(['Tips', 'TIPS'].map(leadsTo))).toEqual(['/api/posts/renamed-tips', '/api/posts/tips']);
    expect((await app.inject('/blogs/Tips')).headers.location).toBe('/blogs/renamed-tips');
  });
});
