import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RolesService } from '../../src/roles/roles.service.js';
import type {
  AdminPost,
  AdminPostFacets,
  BulkResult,
  PostForm,
  Revision,
  RevisionPage,
} from '../../src/shared/contracts/admin-posts.js';
import type { AuditPage } from '../../src/shared/contracts/audit.js';
import { buildForm, createAdministrator, holdClock, type Administrator } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { everyElement, sanitizedHtml } from '../support/editor-samples.js';
import { changePosts } from '../support/factories.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { withSlowWrites } from '../support/slow-writes.js';
import { canBeSaved, followText } from '../support/text-journey.js';

let app: TestApp;
let ada: Administrator;
let bob: Administrator;
let clock: ReturnType<typeof holdClock>;

beforeAll(async () => {
  app = await createTestApp();
  clock = holdClock(app, '2026-03-01T10:00:00Z');
  ada = await createAdministrator(app, 'ada@example.com');
  bob = await createAdministrator(app, 'bob@example.com');
});

const create = async (overrides: Partial<PostForm> & { is_published?: boolean }) => {
  const { status, body } = await ada.call('POST', '/posts', { ...buildForm(), ...overrides });
  expect(status).toBe(201);
  return body;
};
const save = async (post: AdminPost, fields: Partial<PostForm> & { restored_from?: string }, by = ada) => {
  const { status, body } = await by.call('PUT', `/posts/${post.id}`, {
    ...post.saved,
    ...fields,
    version: post.version,
  });
  expect(status).toBe(200);
  return body;
};
const autosave = async (post: AdminPost, fields: Partial<PostForm>, by = ada) => {
  const copy = { version: post.version, fields: { ...post.saved, ...fields } };
  const { status, body } = await by.call('PUT', `/posts/${post.id}/working-copy`, copy);
  expect(status).toBe(200);
  return body;
};
const revisionsOf = async ({ id }: AdminPost) =>
  (await ada.call<RevisionPage>('GET', `/posts/${id}/revisions`)).body.items.map(
    ({ title, reason, author, version }) => `${version} ${reason} ${author ?? '-'} ${title}`,
  );

describe('a text with every format', () => {
  it('is the same for readers, in versions, restored and duplicated', async () => {
    const made = fc.sample(sanitizedHtml(), { numRuns: 30, seed: PROPERTY_SEED }).filter(canBeSaved);
    const texts = [everyElement.join(''), ...made].slice(0, 12);
    expect(texts).toHaveLength(12);
    for (const [index, text] of fewOf([...texts.entries()], ([place]) => place < 3)) {
      expect(await followText(app, ada, text, `text-${index}`)).toEqual([]);
    }
  });
});

describe('the revisions of a post', () => {
  it('are its saves, and its autosaves as one for ten minutes of one author', async () => {
    let post = await create({ slug: 'revised', title: 'One' });
    post = await autosave(post, { title: 'Two' });
    clock.set('2026-03-01T10:09:59Z');
    post = await autosave(post, { title: 'Two and a half' });
    expect(await revisionsOf(post)).toEqual([
      '3 autosaved ada@example.com Two and a half',
      '1 saved ada@example.com One',
    ]);
    post = await autosave(post, { title: 'Bob' }, bob);
    clock.set('2026-03-01T10:10:00Z');
    post = await autosave(post, { title: 'Three' });
    clock.set('2026-03-01T10:20:00Z');
    post = await autosave(post, { title: 'Four' });
    expect(await revisionsOf(post)).toEqual([
      '6 autosaved ada@example.com Four',
      '5 autosaved ada@example.com Three',
      '4 autosaved bob@example.com Bob',
      '3 autosaved ada@example.com Two and a half',
      '1 saved ada@example.com One',
    ]);
    const page = await ada.call<RevisionPage>('GET', `/posts/${post.id}/revisions`);
    const first = page.body.items.at(-1);
    const answer = await ada.call<Revision>('GET', `/posts/${post.id}/revisions/${first?.id}`);
    expect(answer.body).toEqual({ ...first, fields: { ...post.saved, title: 'One' } });
    const restored = await save(post, { ...answer.body.fields, restored_from: first?.id ?? '' });
    expect(restored.saved.title).toBe('One');

    const missing = { status: 404, body: { code: 'revision_not_found' } };
    const other = await create({ slug: 'other' });
    for (const [id, revision] of [
      [other.id, first?.id],
      [post.id, '999999'],
      [post.id, 'x'],
    ]) {
      expect(await ada.call('GET', `/posts/${id}/revisions/${revision}`)).toMatchObject(missing);
    }
    expect(await ada.call('GET', `/posts/${post.id}/revisions?cursor=x`)).toMatchObject({ status: 422 });
    expect(await ada.call('GET', `/posts/${ada.user.id}/revisions`)).toMatchObject({ status: 404 });
  });

  it('stay when a clock was ahead while one was begun, and is set back', async () => {
    let post = await create({ slug: 'ahead' });
    clock.set('2036-03-01T10:00:00Z');
    post = await autosave(post, { title: 'Typed in the future' });
    clock.set('2026-03-01T10:05:00Z');
    post = await autosave(post, { title: 'Typed on' });
    clock.set('2026-03-01T10:16:00Z');
    post = await autosave(post, { title: 'Typed later' });
    clock.set('2026-03-01T10:20:00Z');
    post = await autosave(post, { title: 'Typed further' });
    expect(await revisionsOf(post)).toEqual([
      '5 autosaved ada@example.com Typed further',
      '3 autosaved ada@example.com Typed on',
      '2 autosaved ada@example.com Typed in the future',
      '1 saved ada@example.com A post',
    ]);
  });

  it('are what readers have had, also when its author published it, took it back and typed on', async () => {
    let post = await autosave(await create({ slug: 'had' }), { title: 'Shown' });
    for (const is_published of [true, false]) {
      const { version } = post;
      await ada.call('PUT', `/posts/${post.id}/publication`, { version, is_published });
      post = (await ada.call('GET', `/posts/${post.id}`)).body;
    }
    post = await autosave(post, { title: 'Typed on' });
    post = await autosave(post, { title: 'Typed further' });
    expect(await revisionsOf(post)).toEqual([
      '6 autosaved ada@example.com Typed further',
      '2 autosaved ada@example.com Shown',
      '1 saved ada@example.com A post',
    ]);
  });

  it('have the edits that somebody else replaced, and those that were discarded', async () => {
    let post = await create({ slug: 'shared', is_published: true });
    post = await autosave(post, { title: 'Kept by Ada' });
    post = await autosave(post, { title: 'Continued by Ada' });
    post = await autosave(post, { title: 'Kept by Bob' }, bob);
    post = await save(post, { title: 'Saved by Ada' });
    post = await autosave(post, { title: 'Discarded' });
    await ada.call('DELETE', `/posts/${post.id}/working-copy?version=${post.version}`);
    expect(await revisionsOf(post)).toEqual([
      '6 autosaved ada@example.com Discarded',
      '5 saved ada@example.com Saved by Ada',
      '4 autosaved bob@example.com Kept by Bob',
      '3 autosaved ada@example.com Continued by Ada',
      '1 saved ada@example.com A post',
    ]);
  });

  itSlow('come in pages', async () => {
    let post = await create({ slug: 'often' });
    for (let number = 0; number < 52; number += 1) post = await save(post, { title: `Save ${number}` });
    const first = await ada.call<RevisionPage>('GET', `/posts/${post.id}/revisions`);
    const path = `/posts/${post.id}/revisions?cursor=${first.body.next_cursor}`;
    const second = await ada.call<RevisionPage>('GET', path);
    expect(first.body.items).toHaveLength(50);
    expect(second.body.items.map(({ title }) => title)).toEqual(['Save 1', 'Save 0', 'A post']);
    expect(second.body.next_cursor).toBeNull();
  });
});

describe('the address of a post', () => {
  const open = (url: string, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url });

  it('leads on for ever once it was published', async () => {
    let post = await create({ slug: 'first name', is_published: true });
    post = await save(post, { slug: 'second' });
    post = await save(post, { slug: 'third' });
    for (const old of ['first%20name', 'second']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const page = await open(`/blogs/${old}`, method);
        expect([page.statusCode, page.headers.location]).toEqual([301, '/blogs/third']);
        const api = await open(`/api/posts/${old}`, method);
        expect([api.statusCode, api.headers.location]).toEqual([301, '/api/posts/third']);
      }
    }
    const taken = { status: 409, body: { code: 'slug_taken' } };
    expect(await ada.call('POST', '/posts', buildForm({ slug: 'second' }))).toMatchObject(taken);
    expect((await ada.call('GET', `/posts?q=second`)).body).toMatchObject({ items: [] });

    post = await save(post, { slug: 'second' });
    expect((await open('/blogs/third')).headers.location).toBe('/blogs/second');
    expect((await open('/blogs/second')).statusCode).toBe(200);
    expect((await open('/blogs/first%20name')).headers.location).toBe('/blogs/second');

    await ada.call('PUT', `/posts/${post.id}/publication`, { version: post.version, is_published: false });
    for (const path of ['/blogs/third', '/api/posts/third', '/blogs/second']) {
      expect((await open(path)).statusCode).toBe(404);
    }
    await ada.call('DELETE', `/posts/${post.id}?version=${post.version + 1}`);
    await ada.call('DELETE', `/posts/${post.id}/permanently?version=${post.version + 2}`);
    expect(await create({ slug: 'third' })).toMatchObject({ slug: 'third' });
  });

  it('is kept through a time as a draft, but not those that nobody ever saw', async () => {
    let post = await create({ slug: 'seen', is_published: true });
    await ada.call('PUT', `/posts/${post.id}/publication`, { version: 1, is_published: false });
    post = await autosave({ ...post, version: 2 }, { slug: 'half-typed' });
    post = await autosave(post, { slug: 'seen-later' });
    await ada.call('PUT', `/posts/${post.id}/publication`, { version: post.version, is_published: true });
    expect((await open('/blogs/seen')).headers.location).toBe('/blogs/seen-later');
    expect((await open('/blogs/half-typed')).statusCode).toBe(404);
    expect(await create({ slug: 'half-typed' })).toMatchObject({ version: 1 });
  });

  it('of a draft is given up when it changes', async () => {
    const post = await create({ slug: 'draft-1' });
    await save(post, { slug: 'draft-2' });
    expect(await create({ slug: 'draft-1' })).toMatchObject({ state: 'draft' });
    expect((await open('/blogs/draft-1')).statusCode).toBe(404);
  });
});

describe('a copy of a post', () => {
  it('is a draft at an address of its own', async () => {
    const post = await create({ slug: 'original', title: 'Original', tags: 'a', is_published: true });
    const copies = [
      await bob.call('POST', `/posts/${post.id}/duplicate`),
      await bob.call('POST', `/posts/${post.id}/duplicate`),
    ];
    expect(copies.map(({ status, body }) => [status, body.state, body.title, body.slug])).toEqual([
      [201, 'draft', 'Copy of Original', 'copy-of-original'],
      [201, 'draft', 'Copy of Original', 'copy-of-original-2'],
    ]);
    expect(copies[0]?.body).toMatchObject({ tags: ['a'], first_published_at: null, saved_by: 'bob@example.com' });
    const half = await ada.call('PUT', `/posts/7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e55/working-copy`, {
      version: 0,
      fields: buildForm({ title: 'Half', content: '', canonical_url: 'https://elsewhere.example.com/half' }),
    });
    const copy = await ada.call('POST', `/posts/${half.body.id}/duplicate`);
    const fields = { title: 'Copy of Half', slug: 'copy-of-half' };
    expect(copy.body).toMatchObject({ title: 'Copy of Half', working_copy: { fields } });
    expect(copy.body.working_copy!.fields.canonical_url).toBe('');
    const second = await ada.call('POST', `/posts/${half.body.id}/duplicate`);
    expect(second.body).toMatchObject({ slug: '', working_copy: { fields: { ...fields, slug: 'copy-of-half-2' } } });
    for (const { id, version, working_copy } of [copy.body, second.body]) {
      const whole = { ...working_copy!.fields, content: '<p>Whole</p>', version };
      expect(await ada.call('PUT', `/posts/${id}`, whole)).toMatchObject({
        status: 200,
        body: { title: 'Copy of Half' },
      });
    }
  });
});

describe('a change of many posts', () => {
  it('is made also where it takes longer than a request may', async () => {
    const some = [await create({ slug: 'slow-1' }), await create({ slug: 'slow-2' })];
    const posts = some.map(({ id, version }) => ({ id, version }));
    const { status, body } = await withSlowWrites(app, 10_000, () =>
      ada.call<BulkResult>('POST', '/posts/bulk', { action: 'trash', posts }),
    );
    expect(status).toBe(200);
    expect(body.results.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    for (const { id } of some) await ada.call('DELETE', `/posts/${id}/permanently?version=2`);
  });

  it('tells of each what became of it', async () => {
    const plain = await create({ slug: 'bulk-1', category: 'Zebra', tags: 'zoo, Äpfel, bananas' });
    const edited = await create({ slug: 'bulk-2', is_published: true });
    const kept = await autosave(edited, { title: 'Edited' });
    const hidden = await ada.call('PUT', `/posts/${kept.id}/publication`, { version: 2, is_published: false });
    const shown = await create({ slug: 'bulk-3', is_published: true });
    const late = await save(await create({ slug: 'bulk-4' }), { title: 'Newer' });
    const gone = '7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e99';
    const change = async (action: string, posts: readonly { id: string; version: number }[]) => {
      const answer = await ada.call<BulkResult>('POST', '/posts/bulk', {
        action,
        posts: posts.map(({ id, version }) => ({ id, version })),
      });
      expect(answer.status).toBe(200);
      return answer.body.results.map(({ outcome, post }) => [outcome, post?.state ?? null]);
    };
    const all = [plain, hidden.body, shown, { ...late, version: 1 }, { id: gone, version: 1 }];
    expect(await change('publish', all)).toEqual([
      ['done', 'published'],
      ['unsaved-changes', 'draft'],
      ['unchanged', 'published'],
      ['changed-meanwhile', 'draft'],
      ['gone', null],
    ]);
    expect(await change('trash', [{ ...plain, version: 2 }])).toEqual([['done', 'trashed']]);
    expect(await change('trash', [{ ...plain, version: 3 }])).toEqual([['unchanged', 'trashed']]);
    expect(await change('publish', [{ ...plain, version: 3 }])).toEqual([['gone', 'trashed']]);
    expect(await change('restore', [{ ...plain, version: 3 }, shown])).toEqual([
      ['done', 'draft'],
      ['unchanged', 'published'],
    ]);
    expect(await change('unpublish', [shown])).toEqual([['done', 'draft']]);
    for (const body of [
      {},
      { action: 'publish', posts: [] },
      { action: 'publish', posts: [[]] },
      { action: 'burn', posts: [plain] },
    ]) {
      expect((await ada.call('POST', '/posts/bulk', body)).status).toBe(422);
    }
    const { body: facets } = await ada.call<AdminPostFacets>('GET', '/posts/facets');
    expect(facets.categories).toEqual(['Zebra']);
    expect(facets.tags).toEqual(['a', 'Äpfel', 'bananas', 'zoo']);
    expect(facets.counts).toMatchObject({ scheduled: 0, trashed: 0 });
  });
});

describe('the audit log', () => {
  const read = async (query = '') => (await ada.call<AuditPage>('GET', `/audit${query}`)).body;

  it('says who did what to a post, in the order of what happened', async () => {
    let post = await create({ slug: 'audited', title: 'Audited', is_published: true });
    post = await autosave(post, { title: 'Half' });
    post = (await bob.call('DELETE', `/posts/${post.id}/working-copy?version=2`)).body;
    await changePosts(app, 'unpublish', ['audited']);
    post = await save({ ...post, version: 4 }, { title: 'Renamed', restored_from: '17' }, bob);
    await bob.call('DELETE', `/posts/${post.id}?version=5`);
    await bob.call('POST', `/posts/${post.id}/restore`, { version: 6 });
    await bob.call('DELETE', `/posts/${post.id}?version=7`);
    await bob.call('DELETE', `/posts/${post.id}/permanently?version=8`);
    await bob.call('PUT', `/posts/${post.id}`, { ...post.saved, version: 8 });
    const { items, next_cursor } = await read(`?subject_type=post&subject_id=${post.id}`);
    expect(next_cursor).toBeNull();
    expect(items.map(({ actor, actor_kind, action, subject }) => [actor ?? actor_kind, action, subject])).toEqual([
      ['bob@example.com', 'post.deleted', 'Renamed'],
      ['bob@example.com', 'post.trashed', 'Renamed'],
      ['bob@example.com', 'post.restored', 'Renamed'],
      ['bob@example.com', 'post.trashed', 'Renamed'],
      ['bob@example.com', 'post.saved', 'Renamed'],
      ['operator', 'post.unpublished', 'Audited'],
      ['bob@example.com', 'post.working_copy_discarded', 'Audited'],
      ['ada@example.com', 'post.published', 'Audited'],
      ['ada@example.com', 'post.created', 'Audited'],
    ]);
    expect(items[4]).toMatchObject({ details: { restored_from: '17' }, at: '2026-03-01T10:20:00.000Z' });
    const own = await read(`?actor=BOB@example.com&action=post.working_copy_discarded`);
    expect(own.items).toHaveLength(1);
    expect((await read(`?actor=Operator%20&subject_id=${post.id}`)).items).toEqual([items[5]]);
  });

  it('says who began a post by typing, once', async () => {
    const path = `/posts/${randomUUID()}/working-copy`;
    const { status, body } = await bob.call('PUT', path, { version: 0, fields: buildForm({ slug: 'typed' }) });
    expect(status).toBe(200);
    await autosave(body, { title: 'And on' });
    const { items } = await read(`?subject_type=post&subject_id=${body.id}`);
    expect(items.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ['bob@example.com', 'post.created', 'A post'],
    ]);
  });

  it('says who became administrator and who no longer is, and goes on by cursor', async () => {
    const roles = app.get(RolesService);
    await roles.revokeAdmin({ kind: 'user', userId: ada.user.id }, bob.user.id, { isForced: false });
    await roles.revokeAdmin({ kind: 'user', userId: ada.user.id }, bob.user.id, { isForced: false });
    const { items } = await read('?subject_type=user');
    expect(items.map(({ actor, actor_kind, action, subject }) => [actor ?? actor_kind, action, subject])).toEqual([
      ['ada@example.com', 'role.revoked', 'bob@example.com'],
      ['operator', 'role.granted', 'bob@example.com'],
      ['operator', 'role.granted', 'ada@example.com'],
    ]);
    const first = await read();
    const second = await read(`?cursor=${first.next_cursor}`);
    expect(first.items).toHaveLength(50);
    expect(Number(second.items[0]?.id)).toBe(Number(first.items.at(-1)?.id) - 1);
    expect((await ada.call('GET', '/audit?cursor=x')).status).toBe(422);
    expect((await read('?actor=operator&action=post.published')).items).toEqual([]);
  });
});
