import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { AdminPost, AdminPostPage, PostConflict, PostForm } from '../../src/shared/contracts/admin-posts.js';
import type { AuditPage } from '../../src/shared/contracts/audit.js';
import type { LinkCheckResult } from '../../src/shared/contracts/link-check.js';
import type { TermLists } from '../../src/shared/contracts/terms.js';
import { POST_REQUEST_MAX_BYTES } from '../../src/shared/limits.js';
import { buildForm, createAdministrator, holdClock, type Administrator } from '../support/admin-posts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { withSlowWrites } from '../support/slow-writes.js';

let app: TestApp;
let ada: Administrator;
let bob: Administrator;
let clock: ReturnType<typeof holdClock>;
const heard: string[] = [];
let flushHeard: () => Promise<unknown>;

beforeAll(async () => {
  app = await createTestApp();
  clock = holdClock(app, '2026-03-01T10:00:00Z');
  ada = await createAdministrator(app, 'ada@example.com');
  bob = await createAdministrator(app, 'bob@example.com');
  const listener = new pg.Client({ connectionString: app.config.database.url });
  await listener.connect();
  onCleanup(() => listener.end());
  listener.on('notification', ({ channel }) => heard.push(channel));
  await listener.query('listen content_changed');
  flushHeard = () => listener.query('select 1');
});

let count = 0;
const form = (overrides: Partial<PostForm> = {}) => buildForm({ slug: `post-${(count += 1)}`, ...overrides });
const create = async (
  overrides: Partial<PostForm> & { is_published?: boolean; published_date?: string | null } = {},
) => {
  const { status, body } = await ada.call('POST', '/posts', { ...form(), ...overrides });
  expect(status).toBe(201);
  return body;
};
/** How many times other processes were told, by what happens in `task`. */
async function notificationsOf(task: () => Promise<unknown>): Promise<number> {
  await flushHeard();
  heard.length = 0;
  await task();
  await flushHeard();
  return heard.length;
}

describe('a post of administrators', () => {
  it('is created, read, saved and published, and says who and when', async () => {
    const post = await create({ title: ' A post ', tags: 'a, b,, a', excerpt: ' ' });
    expect(post).toEqual({
      id: expect.any(String),
      version: 1,
      state: 'draft',
      title: 'A post',
      slug: 'post-1',
      excerpt: null,
      author: 'Ann',
      category: null,
      tags: ['a', 'b'],
      is_published: false,
      published: { iso: '2026-03-01T10:00:00.000Z', short: 'Mar 1, 2026', long: 'March 1, 2026' },
      scheduled_at: null,
      deleted_at: null,
      has_unsaved_changes: false,
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-01T10:00:00.000Z',
      published_date: null,
      // Tabs of the release before look for the date here.
      saved: { ...form({ slug: 'post-1', tags: 'a, b' }), published_date: null },
      working_copy: null,
      first_published_at: null,
      live_since: null,
      picture: null,
      saved_by: 'ada@example.com',
      deleted_by: null,
      owner: { id: ada.user.id, email: 'ada@example.com' },
      save_id: expect.any(String),
    });
    count = 1;
    const found = await bob.call('GET', `/posts/${post.id}`);
    expect(found).toEqual({ status: 200, body: post });

    clock.set('2026-03-02T10:00:00Z');
    const save = { ...post.saved, version: 1, content: '<p>More.</p><script>x</script>', is_published: true };
    const saved = await bob.call('PUT', `/posts/${post.id}`, save);
    expect(saved).toMatchObject({
      status: 200,
      body: {
        version: 2,
        state: 'published',
        published_date: null,
        saved: { content: '<p>More.</p>' },
        published: { iso: '2026-03-02T10:00:00.000Z' },
        first_published_at: '2026-03-02T10:00:00.000Z',
        saved_by: 'bob@example.com',
      },
    });
    expect((await app.inject('/api/posts/post-1')).json()).toMatchObject({ content: '<p>More.</p>' });
  });

  it('goes through a form and back without a change', async () => {
    const post = await create({
      excerpt: 'E',
      content: '<h2>T</h2><p>a <strong>b</strong></p>',
      category: 'C',
      tags: 'x, y',
      image_url: `${app.config.site.url}/a.png`,
      image_alt: '',
      published_date: '2020-02-29T12:00:00.000Z',
    });
    const again = await ada.call('PUT', `/posts/${post.id}`, { ...post.saved, version: 1 });
    expect(again.body).toEqual({ ...post, version: 2, save_id: expect.any(String) });
  });

  it('gets no pictures of other sites, and may keep those that it had before', async () => {
    const remote = (name: string) =>
      `<p>Text <img src="https://elsewhere.example/${name}.png?a=1&amp;b" alt="${name}"></p>`;
    const [old] = await createPosts(app, [
      { slug: 'old-pictures', content: remote('old'), image_url: 'https://elsewhere.example/cover.png' },
    ]);
    const { body: list } = await ada.call<AdminPostPage>('GET', `/posts?q=${old?.slug}`);
    const id = list.items[0]?.id ?? '';
    const { body: post } = await ada.call('GET', `/posts/${id}`);

    const more = { ...post.saved, version: 1, content: remote('old') + remote('new') + remote('newer') };
    const problem = (...names: string[]) => {
      const addresses = names.map((name) => `https://elsewhere.example/${name}`).join(', ');
      return [`Pictures of other sites are not shown. Upload them, or leave them out: ${addresses}`];
    };
    expect(
      await ada.call('PUT', `/posts/${id}`, { ...more, social_image: 'https://elsewhere.example/s.png' }),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_post',
        fields: { content: problem('new.png?a=1&b', 'newer.png?a=1&b'), social_image: problem('s.png') },
      },
    });
    expect((await ada.call('POST', '/posts', form({ content: remote('new') }))).status).toBe(422);

    // Nobody's typing is refused: it waits beside the post, a draft's too.
    const draft = await create();
    const kept = await ada.call('PUT', `/posts/${draft.id}/working-copy`, {
      version: 1,
      fields: { ...draft.saved, content: remote('new') },
    });
    expect(kept.body).toMatchObject({ saved: draft.saved, working_copy: { fields: { content: remote('new') } } });
    const unsaved = { ...draft.saved, version: 2, content: remote('new') };
    expect((await ada.call('PUT', `/posts/${draft.id}`, unsaved)).status).toBe(422);

    const saved = await ada.call('PUT', `/posts/${id}`, {
      ...post.saved,
      version: 1,
      content: `<p>More.</p>${remote('old')}`,
    });
    expect(saved).toMatchObject({ status: 200, body: { saved: { image_url: 'https://elsewhere.example/cover.png' } } });
  });

  it('keeps a date that was chosen, and otherwise that of its first publication', async () => {
    const post = await create({ published_date: '2020-01-01T00:00:00Z', is_published: true });
    expect(post.published.iso).toBe('2020-01-01T00:00:00.000Z');
    clock.set('2026-03-03T10:00:00Z');
    const hidden = await ada.call('PUT', `/posts/${post.id}/publication`, { version: 1, is_published: false });
    const unchosen = { ...post.saved, published_date: null, version: hidden.body.version };
    const draft = (await ada.call('PUT', `/posts/${post.id}`, unchosen)).body;
    expect(draft.published.iso).toBe('2026-03-02T10:00:00.000Z');
    const shown = await ada.call('PUT', `/posts/${post.id}/publication`, {
      version: draft.version,
      is_published: true,
    });
    expect(shown.body).toMatchObject({ state: 'published', published: { iso: '2026-03-02T10:00:00.000Z' } });
  });

  it.each([
    [
      { title: ' ', content: '<p> </p>' },
      { title: ['Title is required'], content: ['Content is required'] },
    ],
    [{ slug: 'x'.repeat(201) }, { slug: ['Slug too long'] }],
    [{ excerpt: 'x'.repeat(501) }, { excerpt: ['Excerpt too long'] }],
    [{ author: '' }, { author: ['Author is required'] }],
    [{ published_date: '2025-02-30' }, { published_date: ['Published date is not a date'] }],
    [{ published_date: '2025-W01-1' }, { published_date: ['Published date is not a date'] }],
    [
      { published_date: '2025-01-05' },
      { published_date: ['Published date needs an offset, as in 2026-01-31T09:00:00Z'] },
    ],
    [
      { published_date: '2025-01-05T09:00:00' },
      { published_date: ['Published date needs an offset, as in 2026-01-31T09:00:00Z'] },
    ],
    [{ save_id: 'x' }, { save_id: ['save_id is not a UUID'] }],
    [{ is_published: 'yes' }, { is_published: ['Published must be yes or no'] }],
  ])('is refused with %j, each field with its reason', async (overrides, fields) => {
    const answer = await ada.call('POST', '/posts', { ...form(), ...overrides });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'invalid_post', message: Object.values(fields).flat()[0], fields },
    });
  });

  it('takes control characters out of every text', async () => {
    const post = await create({ title: 'Ze\x07ro', content: '<p>a\x07b</p>', tags: 'c\x07d', excerpt: '\x07' });
    expect(post).toMatchObject({ title: 'Zero', tags: ['cd'], excerpt: null, saved: { content: '<p>ab</p>' } });
    const kept = { version: 1, fields: { ...post.saved, title: '', excerpt: 'e\x07' } };
    const answer = await ada.call('PUT', `/posts/${post.id}/working-copy`, kept);
    expect(answer.body.working_copy?.fields).toMatchObject({ title: '', excerpt: 'e' });
  });

  it('refuses an address that another post has, and names the next free one', async () => {
    const post = await create();
    const other = await create();
    await create({ slug: `${post.slug}-2` });
    const fields = { slug: [expect.any(String)] };
    const taken = { status: 409, body: { code: 'slug_taken', fields, free_slug: `${post.slug}-3` } };
    expect(await ada.call('POST', '/posts', form({ slug: post.slug }))).toMatchObject(taken);
    const save = { ...other.saved, slug: post.slug, version: 1 };
    expect(await ada.call('PUT', `/posts/${other.id}`, save)).toMatchObject(taken);
  });

  it('tells what links within the site lead to, and does nothing that an address would do', async () => {
    const live = await create({ is_published: true });
    const draft = await create();
    const planned = await create();
    const publish_at = '2099-01-05T17:00:00.000Z';
    await ada.call('PUT', `/posts/${planned.id}/schedule`, { version: planned.version, publish_at });
    const paths = ['/pricing', `/blogs/${live.slug}`, `/blogs/${draft.slug}`, `/blogs/${planned.slug}`, '/blogs/%'];
    const others = ['/nothing-here', '/nothing-here', '/api/nothing', '//other.example/', '/\t/[', '/\\['];
    const { body } = await ada.call('POST', '/links/check', { paths: [...paths, ...others] });
    const { links } = body as unknown as LinkCheckResult;
    const states = ['found', 'found', 'draft', 'scheduled', 'missing', 'missing', 'found', 'found', 'found', 'found'];
    expect(links.map(({ state }) => state)).toEqual(states);
    expect(await ada.call('POST', '/links/check', { paths: [5] })).toMatchObject({ status: 422 });
  });

  it('answers what is missing, malformed or too large', async () => {
    const id = randomUUID();
    const missing = { status: 404, body: { code: 'post_not_found' } };
    expect(await ada.call('GET', `/posts/${id}`)).toMatchObject(missing);
    expect(await ada.call('GET', '/posts/new')).toMatchObject(missing);
    expect(await ada.call('PUT', `/posts/${id}`, { ...form(), version: 3 })).toMatchObject(missing);
    expect(await ada.call('DELETE', `/posts/${id}?version=1`)).toMatchObject(missing);
    const invalid = { status: 422, body: { code: 'invalid_post' } };
    expect(await ada.call('PUT', `/posts/${id}`, form())).toMatchObject(invalid);
    expect(await ada.call('PUT', `/posts/${id}`, [])).toMatchObject(invalid);
    expect(await ada.call('DELETE', `/posts/${id}`)).toMatchObject(invalid);
    expect(await ada.call('GET', '/posts?sort=size')).toMatchObject(invalid);
    expect(await ada.call('GET', '/posts?limit=201')).toMatchObject(invalid);
    expect(await ada.call('GET', '/posts?cursor=abc')).toMatchObject(invalid);
    const kept = { version: 0, fields: { ...form(), title: 5 } };
    expect(await ada.call('PUT', `/posts/${id}/working-copy`, kept)).toMatchObject(invalid);
    const empty = { version: 0, is_published: false };
    expect(await ada.call('PUT', `/posts/${id}/working-copy`, empty)).toMatchObject(invalid);
    const large = { version: 0, fields: form({ content: 'x'.repeat(POST_REQUEST_MAX_BYTES) }) };
    expect(await ada.call('PUT', `/posts/${id}/working-copy`, large)).toMatchObject({
      status: 413,
      body: { code: 'request_too_large' },
    });
    const long = { version: 0, fields: form({ content: `<p>${'x'.repeat(2_000_000)}</p>` }) };
    expect((await ada.call('PUT', `/posts/${id}/working-copy`, long)).status).toBe(200);
  });
});

describe('two who write', () => {
  it('are told how the post stands, and a repeated attempt is no conflict', async () => {
    const id = randomUUID();
    const save_id = randomUUID();
    const first = { ...form(), version: 0, save_id };
    const [one, two] = await Promise.all([
      ada.call('PUT', `/posts/${id}`, first),
      ada.call('PUT', `/posts/${id}`, first),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect([one.body.version, two.body.version]).toEqual([1, 1]);

    const next = { ...first, version: 1, title: 'By Bob', save_id: randomUUID() };
    expect((await bob.call('PUT', `/posts/${id}`, next)).body.version).toBe(2);
    const late = await ada.call<PostConflict>('PUT', `/posts/${id}`, { ...first, version: 1, save_id: randomUUID() });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'post_changed', current: { id, version: 2, title: 'By Bob', saved_by: 'bob@example.com' } },
    });
    for (const [method, path, body] of [
      ['PUT', '/publication', { version: 1, is_published: true }],
      ['PUT', '/working-copy', { version: 1, fields: form() }],
      ['DELETE', '/working-copy?version=1', undefined],
      ['DELETE', '?version=1', undefined],
      ['POST', '/restore', { version: 1 }],
      ['DELETE', '/permanently?version=1', undefined],
    ] as const) {
      const answer = await ada.call<PostConflict>(method, `/posts/${id}${path}`, body);
      expect(answer).toMatchObject({ status: 409, body: { code: 'post_changed', current: { version: 2 } } });
    }
    expect(await ada.call('POST', '/posts', { ...form(), id })).toMatchObject({ status: 409 });
    // Programs send null for what they do not have: that is no name, by which two attempts would be one.
    for (const [title, status] of [
      ['In time', 200],
      ['Late', 409],
    ] as const) {
      const answer = await ada.call('PUT', `/posts/${id}`, { ...first, version: 2, title, save_id: null });
      expect([title, answer.status]).toEqual([title, status]);
    }
  });
});

describe('a working copy', () => {
  const keep = (post: AdminPost, fields: Partial<PostForm>, by = ada) =>
    by.call('PUT', `/posts/${post.id}/working-copy`, {
      version: post.version,
      fields: { ...post.saved, ...fields },
    });

  it('of a published post is seen by administrators only, and tells nobody', async () => {
    const post = await create({ is_published: true });
    clock.set('2026-03-04T10:00:00Z');
    let kept = post;
    const told = await notificationsOf(async () => {
      kept = (await keep(post, { title: 'Half a sen' }, bob)).body;
    });
    expect(told).toBe(0);
    expect(kept).toMatchObject({
      version: 2,
      title: 'A post',
      has_unsaved_changes: true,
      updated_at: post.updated_at,
      working_copy: {
        fields: { title: 'Half a sen' },
        kept_at: '2026-03-04T10:00:00.000Z',
        kept_by: 'bob@example.com',
      },
    });
    expect(await ada.call('PUT', `/posts/${post.id}/publication`, { version: 2, is_published: true })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    const hidden = await ada.call('PUT', `/posts/${post.id}/publication`, { version: 2, is_published: false });
    expect(hidden.body).toMatchObject({ state: 'draft', has_unsaved_changes: true });
    const refusal = await ada.call('PUT', `/posts/${post.id}/publication`, { version: 3, is_published: true });
    expect(refusal).toMatchObject({ status: 409, body: { code: 'unsaved_changes' } });

    const discarded = await ada.call('DELETE', `/posts/${post.id}/working-copy?version=3`);
    expect(discarded.body).toMatchObject({ version: 4, working_copy: null, has_unsaved_changes: false });
    const told2 = await notificationsOf(() => ada.call('PUT', `/posts/${post.id}`, { ...post.saved, version: 4 }));
    expect(told2).toBe(0);
    const told3 = await notificationsOf(() =>
      ada.call('PUT', `/posts/${post.id}`, { ...post.saved, version: 5, is_published: true }),
    );
    expect(told3).toBe(1);
  });

  it('of a draft becomes the draft as soon as it could be saved', async () => {
    const id = randomUUID();
    const fields = form({ title: 'Begun', slug: '', content: '' });
    const begun = await ada.call('PUT', `/posts/${id}/working-copy`, { version: 0, fields });
    expect(begun).toMatchObject({
      status: 200,
      body: {
        version: 1,
        state: 'draft',
        title: 'Begun',
        saved: { title: '', slug: '', content: '', author: '' },
        working_copy: { fields },
        saved_by: null,
      },
    });
    const publish = await ada.call('PUT', `/posts/${id}/publication`, { version: 1, is_published: true });
    expect(publish).toMatchObject({ status: 422, body: { code: 'invalid_post' } });
    const whole = { title: 'Whole', slug: 'whole', content: '<p>Text</p>' };
    const written = await keep(begun.body, { ...fields, ...whole });
    expect(written.body).toMatchObject({ version: 2, state: 'draft', saved: whole, working_copy: null });
    const taken = await keep(written.body, { ...written.body.saved, slug: 'post-1' });
    expect(taken.body).toMatchObject({
      version: 3,
      saved: { slug: 'whole' },
      working_copy: { fields: { slug: 'post-1' } },
    });
    const saved = await ada.call('PUT', `/posts/${id}`, { ...written.body.saved, version: 3, is_published: true });
    expect(saved.body).toMatchObject({ version: 4, state: 'published', working_copy: null });
  });
});

describe('the trash', () => {
  it('takes a post from everyone at once, and gives it back as a draft', async () => {
    const post = await create({ is_published: true });
    const open = () => app.inject(`/api/posts/${post.slug}`);
    expect((await open()).statusCode).toBe(200);
    const told = await notificationsOf(async () => {
      const trashed = await bob.call('DELETE', `/posts/${post.id}?version=1`);
      expect(trashed.body).toMatchObject({ state: 'trashed', version: 2, deleted_at: '2026-03-04T10:00:00.000Z' });
    });
    expect(told).toBe(1);
    expect((await open()).statusCode).toBe(404);
    const listed = async (query: string) =>
      (await ada.call<AdminPostPage>('GET', `/posts${query}`)).body.items.some(({ id }) => id === post.id);
    expect([await listed(''), await listed('?state=published'), await listed('?state=trashed')]).toEqual([
      false,
      false,
      true,
    ]);
    const inTrash = { status: 409, body: { code: 'post_trashed' } };
    const publish = { version: 2, is_published: true };
    expect(await ada.call('PUT', `/posts/${post.id}/publication`, publish)).toMatchObject(inTrash);
    expect(await ada.call('PUT', `/posts/${post.id}`, { ...post.saved, ...publish })).toMatchObject(inTrash);

    const restored = await ada.call('POST', `/posts/${post.id}/restore`, { version: 2 });
    expect(restored).toMatchObject({ status: 200, body: { state: 'draft', version: 3, saved: post.saved } });
    expect((await open()).statusCode).toBe(404);
    const notInTrash = { status: 409, body: { code: 'post_not_trashed' } };
    expect(await ada.call('POST', `/posts/${post.id}/restore`, { version: 3 })).toMatchObject(notInTrash);
    expect(await ada.call('DELETE', `/posts/${post.id}/permanently?version=3`)).toMatchObject(notInTrash);
    await ada.call('DELETE', `/posts/${post.id}?version=3`);
    expect((await ada.call('DELETE', `/posts/${post.id}/permanently?version=4`)).status).toBe(204);
    expect((await ada.call('GET', `/posts/${post.id}`)).status).toBe(404);
  });
});

describe('categories and tags', () => {
  const rename = (kind: string, from: string, to: string) =>
    ada.call('POST', '/terms/rename', { kind, from, to }) as Promise<{ status: number; body: unknown }>;
  const read = async ({ id }: AdminPost) => (await ada.call('GET', `/posts/${id}`)).body;

  it('are renamed and merged in all posts and in edits that wait, once, and caches are told', async () => {
    const shown = await create({ category: 'Backup', tags: 'Cloud, IT', is_published: true });
    const other = await create({ category: 'Backups', tags: 'Hosting, Cloud' });
    const fields = { ...shown.saved, category: ' Backup', tags: 'Cloud,New' };
    const kept = (await ada.call('PUT', `/posts/${shown.id}/working-copy`, { version: 1, fields })).body;
    const heardOf = await notificationsOf(async () => {
      expect(await rename('category', 'Backup', ' Backups ')).toMatchObject({
        status: 200,
        body: { name: 'Backups', changed: 1, is_merged: true },
      });
    });
    expect(heardOf).toBe(1);
    expect(await read(shown)).toMatchObject({
      version: kept.version + 1,
      saved: { category: 'Backups' },
      working_copy: { fields: { category: 'Backups', tags: 'Cloud,New' }, kept_by: 'ada@example.com' },
    });
    expect((await rename('tag', 'Cloud', 'Hosting')).body).toMatchObject({ changed: 2, is_merged: true });
    expect((await read(shown)).working_copy?.fields.tags).toBe('Hosting, New');
    expect((await read(other)).tags).toEqual(['Hosting']);
    const { body } = await ada.call<TermLists>('GET', '/terms');
    expect(body.categories.find(({ name }) => name === 'Backups')?.count).toBe(2);
    expect(body.tags.filter(({ name }) => ['Cloud', 'Hosting'].includes(name))).toEqual([
      { name: 'Hosting', count: 2 },
    ]);
    const { body: log } = await ada.call<AuditPage>('GET', '/audit?subject_type=tag');
    expect(log.items).toMatchObject([
      { action: 'tag.merged', actor: 'ada@example.com', subject: 'Cloud', details: { to: 'Hosting', posts: 2 } },
    ]);
  });

  it('are renamed in so many posts that it takes longer than a request may', async () => {
    const post = await create({ tags: 'Everywhere', is_published: true });
    const renamed = await withSlowWrites(app, 10_000, () => rename('tag', 'Everywhere', 'All over'));
    expect(renamed).toMatchObject({ status: 200, body: { changed: 1 } });
    expect((await read(post)).tags).toEqual(['All over']);
    // Whoever waits is told while they still wait.
    expect(await withSlowWrites(app, 25_000, () => rename('tag', 'All over', 'Nowhere'))).toMatchObject({
      status: 503,
      body: { code: 'database_unavailable' },
    });
    expect((await read(post)).tags).toEqual(['All over']);
  });

  it('get names as long as tags may be, in any script', async () => {
    const long = 'Ж'.repeat(199);
    const post = await create({ tags: 'Short name', is_published: true });
    expect(await rename('tag', 'Short name', `${long}1`)).toMatchObject({ status: 200, body: { changed: 1 } });
    expect(await rename('tag', `${long}1`, `${long}2`)).toMatchObject({ status: 200, body: { changed: 1 } });
    expect((await read(post)).tags).toEqual([`${long}2`]);
    const { body: log } = await ada.call<AuditPage>('GET', '/audit?action=tag.renamed');
    expect(log.items.slice(0, 2)).toMatchObject([
      { subject: `${long}1`, details: { to: `${long}2`, posts: 1 } },
      { subject: 'Short name', details: { to: `${long}1`, posts: 1 } },
    ]);
  });

  it('are not merged by whoever knows of none that has the new name', async () => {
    const post = await create({ category: 'Alone', tags: 'Lonely' });
    const binned = await create({ category: 'Binned' });
    await ada.call('DELETE', `/posts/${binned.id}?version=1`);
    await create({ category: 'By now', tags: 'There' });
    for (const [kind, from, to] of [
      ['category', 'Alone', ' By now'],
      ['tag', 'Lonely', 'There'],
    ] as const) {
      const refused = await ada.call('POST', '/terms/rename', { kind, from, to, may_merge: false });
      expect(refused).toMatchObject({ status: 422, body: { fields: { to: [expect.stringContaining('by now')] } } });
    }
    expect(await read(post)).toMatchObject({ version: 1, saved: { category: 'Alone', tags: 'Lonely' } });
    // Nobody sees what is in the trash.
    const renamed = await ada.call('POST', '/terms/rename', {
      kind: 'category',
      from: 'Alone',
      to: 'Binned',
      may_merge: false,
    });
    expect(renamed).toMatchObject({ status: 200, body: { changed: 1 } });
  });

  it('lead from the page and the feeds of the old name to those of the new one, which nobody hears of while it is hidden', async () => {
    const ask = async (path: string) => {
      const { statusCode, headers } = await app.inject(path);
      return [statusCode, headers.location];
    };
    const shown = await create({ tags: 'Wi-Fi + LAN', is_published: true });
    await create({ tags: 'Project Nightfall' });
    expect(await ask('/blogs/tag/wi-fi-%2B-lan')).toEqual([200, undefined]);
    await rename('tag', 'Wi-Fi + LAN', 'WLAN');
    await rename('tag', 'WLAN', 'Wireless LAN');
    expect(await ask('/blogs/tag/wi-fi-%2B-lan')).toEqual([301, '/blogs/tag/wireless-lan']);
    expect(await ask('/blogs/tag/wlan')).toEqual([301, '/blogs/tag/wireless-lan']);
    expect(await ask('/blogs/tag/wlan/rss.xml')).toEqual([301, '/blogs/tag/wireless-lan/rss.xml']);
    expect(await ask('/blogs/tag/WLAN/2')).toEqual([301, '/blogs/tag/wireless-lan']);
    // And back again: a page that is there leads nowhere.
    await rename('tag', 'Wireless LAN', 'WLAN');
    expect(await ask('/blogs/tag/wlan')).toEqual([200, undefined]);
    expect(await ask('/blogs/tag/wireless-lan')).toEqual([301, '/blogs/tag/wlan']);
    expect(await ask('/blogs/tag/wi-fi-%2B-lan')).toEqual([301, '/blogs/tag/wlan']);
    await rename('tag', 'Project Nightfall', 'Project Daybreak');
    expect(await ask('/blogs/tag/project-nightfall')).toEqual([404, undefined]);
    await ada.call('PUT', `/posts/${shown.id}/publication`, { version: 4, is_published: false });
    for (const name of ['wlan', 'wireless-lan', 'wi-fi-%2B-lan']) {
      expect([name, ...(await ask(`/blogs/tag/${name}`))]).toEqual([name, 404, undefined]);
    }
  });

  it('get no name that posts could not have, and none without a post is renamed', async () => {
    await create({ category: 'Lonely', tags: 'lonely' });
    const refusal = (field: string, message: string) => ({ status: 422, body: { fields: { [field]: [message] } } });
    expect(await rename('category', 'Lonely', ' ')).toMatchObject(refusal('to', 'Category is required'));
    expect(await rename('category', 'Lonely', 'x'.repeat(51))).toMatchObject(refusal('to', 'Category too long'));
    expect(await rename('category', 'Lonely', 'Lonely')).toMatchObject(refusal('to', 'This is the name already'));
    expect(await rename('tag', 'lonely', 'a, b')).toMatchObject(refusal('to', 'A tag has no comma'));
    expect(await rename('tag', 'nobody', 'else')).toMatchObject(refusal('from', 'No post has the tag “nobody”'));
  });
});
