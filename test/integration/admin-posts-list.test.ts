import { EntityManager } from '@mikro-orm/postgresql';
import { plainToInstance } from 'class-transformer';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildListQuery } from '../../src/posts/post-list-query.js';
import { PostInputError } from '../../src/posts/post.errors.js';
import { PostListService } from '../../src/posts/post-list.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PostListQuery } from '../../src/shared/contracts/admin-post-inputs.js';
import { ALL_POSTS } from '../../src/shared/post-scope.js';
import { fieldNames } from '../../src/shared/contracts/post-fields.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { respellings } from '../support/respellings.js';
import { itSlow } from '../support/slow-tests.js';

const POSTS = 10_000;
const SOME_ID = '7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e55';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  const em = app.get(EntityManager).fork();
  // Fifty share each moment of creation: an order by time alone would be none.
  await em.execute(
    `insert into blog_posts
       (slug, title, excerpt, content, author, category, tags, is_published, published_date, created_at, updated_at,
        scheduled_at, deleted_at, working_copy, working_title, kept_at)
     select 'post-' || n, case when n % 100 = 7 then '' else md5(n::text) end, 'About ' || md5((n * 7)::text),
            repeat('<p>text</p>', 50), 'Author ' || n % 20, 'Category ' || n % 30,
            array['tag-' || n % 50, 'tag-' || n % 300], n % 100 > 9,
            timestamptz '2020-01-01' + n * interval '1 hour', timestamptz '2024-01-01' + n / 50 * interval '1 minute',
            timestamptz '2025-01-01' + n % 977 * interval '1 minute',
            case when n % 100 = 1 then timestamptz '2090-01-01' end, case when n % 100 = 2 then now() end,
            case when n % 100 = 7 then '{}'::jsonb end, case when n % 100 = 7 then 'Working title ' || n end,
            case when n % 100 = 7 then now() end
     from generate_series(0, ${POSTS - 1}) n`,
  );
  // As the database does by itself soon after so many changes.
  await em.execute('vacuum analyze blog_posts');
});

const list = (query: Record<string, unknown>) =>
  app.get(PostListService).list(OPERATOR, plainToInstance(PostListQuery, query));

async function walk(query: Record<string, unknown>): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ limit: '200', ...query, ...(cursor === null ? {} : { cursor }) });
    slugs.push(...page.items.map(({ slug, id }) => slug || id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return slugs;
}

async function planOf(query: Partial<PostListQuery>, scope = ALL_POSTS): Promise<string> {
  const { sql, values } = buildListQuery(plainToInstance(PostListQuery, query), scope);
  const lines = await app.get(EntityManager).fork().execute<{ 'QUERY PLAN': string }[]>(`explain ${sql}`, values);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe('the list of administrators with 10,000 posts', () => {
  it.each([
    ['blog_posts_list_created', {}],
    ['blog_posts_list_created', { direction: 'asc' }],
    ['blog_posts_list_updated', { sort: 'updated' }],
    ['blog_posts_list_published', { sort: 'published' }],
    ['blog_posts_list_title', { sort: 'title' }],
    ['blog_posts_list_created', { state: 'published' }],
    ['blog_posts_list_unpublished', { state: 'draft' }],
    ['blog_posts_', { state: 'scheduled' }],
    ['blog_posts_trash', { state: 'trashed' }],
    ['blog_posts_list_category', { category: 'Category 7' }],
    ['blog_posts_tags', { tag: 'tag-299' }],
    ['blog_posts_search', { q: 'c4ca4238' }],
    ['blog_posts_search', { q: 'Working title 407', sort: 'title' }],
    ['blog_posts_contents', { q: 'c4ca4238' }],
  ] as const)('reads by the index %s for %j', async (index, query) => {
    const plan = await planOf(query);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });

  it('goes on from where it ended, deep in the list too, without reading what came before', async () => {
    const middle = await list({ limit: '200', sort: 'created' });
    const plan = await planOf({ cursor: middle.next_cursor ?? '' });
    expect(plan).toMatch(/Index Cond: \(ROW\(created_at, id\) < ROW/);
  });

  it('takes a cursor to the letter', async () => {
    // Titles of three lengths, so that one of the cursors at most has no bits that nobody reads.
    const ofTitle = (text: string) => Buffer.from(JSON.stringify([text, SOME_ID])).toString('base64url');
    const cursors = ['a', 'ab', 'abc'].map(ofTitle);
    expect(cursors.map((cursor) => respellings(cursor).length).sort()).toEqual([0, 15, 3]);
    for (const cursor of cursors) {
      expect((await list({ cursor, sort: 'title' })).items).toHaveLength(50);
      for (const text of [...respellings(cursor), `${cursor}=`, ` ${cursor}`]) {
        await expect(list({ cursor: text, sort: 'title' })).rejects.toThrow(PostInputError);
      }
    }
  });

  itSlow('misses no post and shows none twice, in either direction, though many share a moment', async () => {
    const slugs = await walk({ sort: 'updated' });
    expect(slugs).toHaveLength(POSTS - POSTS / 100);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(await walk({ sort: 'updated', direction: 'asc', state: 'draft', limit: '7' })).toEqual(
      (await walk({ sort: 'updated', state: 'draft' })).toReversed(),
    );
    // A hundred have no title.
    expect(new Set(await walk({ sort: 'title', q: 'working title', limit: '7' })).size).toBe(POSTS / 100);
  });

  it.each(fieldNames(({ kind }) => kind === 'text'))(
    'finds what only %s has, signs of patterns as themselves',
    async (name) => {
      const change = `update blog_posts set ${name} = ? where slug = 'post-50'`;
      const em = app.get(EntityManager).fork();
      const find = async (q: string) => (await list({ q })).items.map(({ created_at }) => created_at);
      const [before] = await em.execute<Record<string, string>[]>("select * from blog_posts where slug = 'post-50'");
      await em.execute(change, [`Löß 50%_\\ of ${name}`]);
      try {
        expect(await find(`löß 50%_\\ ${name}`)).toHaveLength(1);
        expect(await find('LÖSS')).toEqual([]);
        expect(await find(`löß 50_%\\`)).toEqual([]);
        expect(await find(`lö% 50`)).toEqual([]);
      } finally {
        await em.execute(`update blog_posts set ${name} = ? where id = ?`, [before?.[name] ?? null, before?.['id']]);
      }
    },
  );

  it('finds what is written in a post and in edits that wait, words with formats too, and no tags', async () => {
    const em = app.get(EntityManager).fork();
    const content = '<p class="quarrel">The <strong>Pass</strong>word of R&amp;D</p><p>expired.</p>';
    await em.execute("update blog_posts set content = ? where slug = 'post-60'", [content]);
    const copy = JSON.stringify({ fields: { content: '<p>Unfinished zephyr</p>' }, is_published: true });
    await em.execute("update blog_posts set working_copy = ?::jsonb where slug = 'post-61'", [copy]);
    const find = async (q: string) => (await list({ q })).items.map(({ slug }) => slug);
    expect(await find('password expired')).toEqual(['post-60']);
    expect(await find('R&D')).toEqual(['post-60']);
    expect(await find('zephyr')).toEqual(['post-61']);
    expect([await find('quarrel'), await find('D</p>'), await find('Dexpired')]).toEqual([[], [], []]);
    expect((await app.get(PostListService).count(OPERATOR, { q: 'zephyr' })).count).toBe(1);
  });

  it('finds by every word, as it is typed, and by state, category and tag together', async () => {
    const found = await list({ q: 'post-1234 AUTHOR' });
    expect(found.items.map(({ slug }) => slug)).toEqual(['post-1234']);
    expect((await list({ q: '100%' })).items).toEqual([]);
    expect((await list({ q: 'post_1234' })).items).toEqual([]);
    const [untitled] = (await list({ q: 'working title 9407' })).items;
    expect(untitled).toMatchObject({ title: 'Working title 9407', slug: '', has_unsaved_changes: true });
    const narrow = { category: 'Category 1', tag: 'tag-1', state: 'published' };
    const slugs = await walk(narrow);
    expect(slugs.length).toBeGreaterThan(0);
    for (const slug of slugs) {
      const n = Number(slug.slice(5));
      expect([n % 30, n % 50 === 1 || n % 300 === 1, n % 100 > 9]).toEqual([1, true, true]);
    }
    expect((await list({ state: 'scheduled' })).items[0]).toMatchObject({ state: 'scheduled' });
    expect((await app.get(PostListService).count(OPERATOR, { state: 'published' })).count).toBe(9000);
    const { counts, categories, tags } = await app.get(PostListService).listFacets(OPERATOR);
    expect(counts).toEqual({ draft: 800, scheduled: 100, published: 9000, trashed: 100 });
    expect([categories.length, tags.length]).toEqual([30, 298]);
  });
});
