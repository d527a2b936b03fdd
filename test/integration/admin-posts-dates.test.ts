import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminPost, AdminPostPage, PostForm, Revision } from '../../src/shared/contracts/admin-posts.js';
import type { AuditPage } from '../../src/shared/contracts/audit.js';
import { buildForm, createAdministrator, holdClock, rowsOf, type Administrator } from '../support/admin-posts.js';
import { runCli } from '../support/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { installLastRelease } from '../support/last-release.js';
import { itSlow } from '../support/slow-tests.js';

// The date that readers see is a part of the publication: it is decided by itself, and by no text that is kept or restored.
const CHOSEN = '2020-01-01T00:00:00.000Z';
const OTHER = '2021-06-01T12:00:00.000Z';
const TYPED = '2022-03-04T05:06:00.000Z';

/** A form of the release before, and of its tabs. */
type FormerForm = Partial<PostForm> & { readonly published_date?: string | null };

let app: TestApp;
let ada: Administrator;
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
  holdClock(app, '2026-03-01T10:00:00Z');
  ada = await createAdministrator(app, 'ada@example.com');
});

const create = async (overrides: FormerForm & { is_published?: boolean } = {}) => {
  const { status, body } = await ada.call('POST', '/posts', {
    ...buildForm({ slug: `t-${(count += 1)}` }),
    ...overrides,
  });
  expect(status).toBe(201);
  return body;
};
const read = async ({ id }: Pick<AdminPost, 'id'>) => (await ada.call('GET', `/posts/${id}`)).body;
const save = ({ id, version, saved }: AdminPost, fields: object) =>
  ada.call('PUT', `/posts/${id}`, { ...textsOf(saved), ...fields, version });
const keep = async ({ id, version }: AdminPost, fields: FormerForm) => {
  const answer = await ada.call('PUT', `/posts/${id}/working-copy`, { version, fields });
  expect(answer.status).toBe(200);
  return answer.body;
};
const setDate = ({ id, version, is_published }: AdminPost, published_date: string | null) =>
  ada.call('PUT', `/posts/${id}/publication`, { version, is_published, published_date });
const datesOf = async ({ id }: AdminPost) => {
  const { items } = (await ada.call<AuditPage>('GET', `/audit?subject_id=${id}`)).body;
  return items.filter(({ action }) => action === 'post.dated').map(({ actor, details }) => [actor, details]);
};
const shownDate = async ({ slug }: AdminPost) =>
  (await app.inject(`/api/posts/${slug}`)).json<{ published_date: string }>().published_date;

/** What an editor of this release sends of a form. */
function textsOf(form: FormerForm): FormerForm {
  const { published_date: _date, ...texts } = form;
  return texts;
}

describe('the date of a post', () => {
  it('is changed by a save that says another one, and by no other save', async () => {
    const post = await create({ is_published: true });
    const dated = (await save(post, { published_date: CHOSEN })).body;
    expect(dated).toMatchObject({ published_date: CHOSEN, published: { iso: CHOSEN } });
    expect(await shownDate(post)).toBe(CHOSEN);
    const again = (await save(dated, { title: 'More', published_date: CHOSEN })).body;
    const silent = (await save(again, { title: 'Most' })).body;
    expect(silent).toMatchObject({ title: 'Most', published_date: CHOSEN });
    const left = (await save(silent, { published_date: null })).body;
    expect(left).toMatchObject({ published_date: null, published: { iso: left.first_published_at } });
    expect((await save(left, { published_date: null })).body.published_date).toBeNull();
    expect(await datesOf(post)).toEqual([
      ['ada@example.com', { published_date: null }],
      ['ada@example.com', { published_date: CHOSEN }],
    ]);
  });

  it('is chosen with the publication, beside edits that wait, and for a plan', async () => {
    const post = await create();
    const dated = (await setDate(post, CHOSEN)).body;
    expect(dated).toMatchObject({ state: 'draft', published: { iso: CHOSEN } });
    // The same again decides nothing.
    expect((await setDate(await read(post), CHOSEN)).body.version).toBe(dated.version);
    const publication = { version: dated.version, is_published: true, published_date: OTHER };
    const shown = (await ada.call('PUT', `/posts/${post.id}/publication`, publication)).body;
    expect(shown).toMatchObject({ state: 'published', published: { iso: OTHER } });
    const kept = await keep({ ...post, version: shown.version }, { title: 'Not yet' });
    await setDate(kept, CHOSEN);
    expect(await read(post)).toMatchObject({
      published_date: CHOSEN,
      title: 'A post',
      working_copy: { fields: { title: 'Not yet' } },
    });
    expect(await shownDate(post)).toBe(CHOSEN);
    const draft = await create();
    const plan = { version: draft.version, publish_at: '2099-01-01T00:00:00Z', published_date: OTHER };
    const planned = (await ada.call('PUT', `/posts/${draft.id}/schedule`, plan)).body;
    expect(planned).toMatchObject({ state: 'scheduled', published_date: OTHER });
    const unplan = { version: planned.version, publish_at: null, published_date: null };
    expect((await ada.call('PUT', `/posts/${draft.id}/schedule`, unplan)).body).toMatchObject({
      state: 'draft',
      published_date: null,
    });
    const wrong = { ...unplan, published_date: '2025-02-30' };
    for (const [path, body] of [
      ['schedule', wrong],
      ['publication', { ...wrong, is_published: false }],
    ] as const) {
      const refused = await ada.call('PUT', `/posts/${draft.id}/${path}`, body);
      expect(refused).toMatchObject({ status: 422, body: { message: 'Published date is not a date' } });
    }
  });

  it('is not that of edits that were kept, or of an earlier version', async () => {
    const post = await create({ published_date: CHOSEN, is_published: true });
    const kept = await keep(post, { title: 'Kept' });
    await setDate(kept, OTHER);
    const current = await read(post);
    expect(current.working_copy).not.toHaveProperty('unsaved_date');
    const { body: versions } = await ada.call<{ items: Revision[] }>('GET', `/posts/${post.id}/revisions`);
    const { body: first } = await ada.call<Revision>('GET', `/posts/${post.id}/revisions/${versions.items[0]!.id}`);
    // An open tab of the release before restores the version with whatever date it finds in it.
    for (const fields of [current.working_copy!.fields, first.fields]) {
      const saved = (await ada.call('PUT', `/posts/${post.id}`, { ...fields, version: (await read(post)).version }))
        .body;
      expect(saved).toMatchObject({ title: fields.title, published_date: OTHER });
    }
    expect(await datesOf(post)).toHaveLength(2);
  });
});

describe('a tab of the release before', () => {
  it('keeps a date beside a draft, where it waits to be saved', async () => {
    const post = await create();
    const kept = await keep(post, { ...post.saved, title: 'Typed', published_date: TYPED });
    expect(kept).toMatchObject({
      title: 'A post',
      published_date: null,
      working_copy: { fields: { title: 'Typed' }, unsaved_date: TYPED },
    });
    // Typing goes on there, and in an editor of this release.
    const there = await keep(kept, { ...post.saved, title: 'Typed on', published_date: TYPED });
    const here = await keep(there, { title: 'Typed here' });
    expect(here.working_copy).toMatchObject({ fields: { title: 'Typed here' }, unsaved_date: TYPED });
    const saved = await save(here, { title: 'Typed here', published_date: TYPED });
    expect(saved.body).toMatchObject({ published_date: TYPED, working_copy: null });
  });

  it('takes its date back, and dates nothing by the date that the post has', async () => {
    const post = await create({ published_date: CHOSEN, is_published: true });
    const kept = await keep(post, { ...post.saved, published_date: null });
    expect(kept.working_copy).toMatchObject({ unsaved_date: null });
    const again = await keep(kept, { ...post.saved, title: 'Typed', published_date: CHOSEN });
    expect(again.working_copy).not.toHaveProperty('unsaved_date');
    const odd = await keep(again, { ...post.saved, published_date: 'soon' });
    expect(odd.working_copy).not.toHaveProperty('unsaved_date');
  });

  it('finds the date of the post where it looks for it, in what is kept and in what it is answered', async () => {
    const id = randomUUID();
    const half = { ...buildForm({ title: 'Half', slug: '', content: '' }), published_date: TYPED };
    const kept = (await ada.call('PUT', `/posts/${id}/working-copy`, { version: 0, fields: half })).body;
    expect(kept).toMatchObject({ saved: { published_date: null }, working_copy: { fields: { published_date: null } } });
    expect(kept.working_copy?.unsaved_date).toBe(TYPED);
    const copy = (await ada.call('POST', `/posts/${id}/duplicate`)).body;
    expect(copy.working_copy).not.toHaveProperty('unsaved_date');
    const dated = await create({ published_date: CHOSEN, is_published: true });
    await keep(dated, { title: 'Later' });
    const stored = (await rowsOf(app, 'blog_posts')).find((row) => row['id'] === dated.id);
    expect(stored?.['working_copy']).toMatchObject({ fields: { published_date: CHOSEN } });
    const versions = (await rowsOf(app, 'post_revisions')).filter((row) => row['post_id'] === dated.id);
    expect(versions.map(({ fields }) => fields)).toMatchObject([{ published_date: CHOSEN }]);
  });
});

describe('working copies that the release before stored', () => {
  itSlow('lose no date and bring none back: it is offered', async () => {
    const site = await installLastRelease();
    const noted = `update blog_posts set working_copy = jsonb_set(working_copy, '{fields,published_date}', $1) where slug = 'renamed'`;
    await site.query(noted, [JSON.stringify(TYPED)]);
    expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0, stderr: '' });
    const upgraded = await createTestApp(site.environment);
    const eve = await createAdministrator(upgraded, 'eve@example.com');
    const { items } = (await eve.call<AdminPostPage>('GET', '/posts?q=renamed')).body;
    const find = async () => (await eve.call('GET', `/posts/${items[0]!.id}`)).body;
    const post = await find();
    expect(post).toMatchObject({
      published_date: null,
      working_copy: { fields: { title: 'Edits that wait', published_date: null }, unsaved_date: TYPED },
    });
    const before = (await upgraded.inject('/api/posts/renamed')).json<{ published_date: string }>();
    const fields = { title: 'Edits that went on' };
    const body = { version: post.version, fields };
    const kept = (await eve.call('PUT', `/posts/${post.id}/working-copy`, body)).body;
    expect(kept.working_copy).toMatchObject({ fields, unsaved_date: TYPED });
    // Whoever saves has seen it, and has not taken it.
    const saved = await eve.call('PUT', `/posts/${post.id}`, {
      ...textsOf(kept.working_copy!.fields),
      version: kept.version,
    });
    expect(saved.body).toMatchObject({ published_date: null, working_copy: null, title: 'Edits that went on' });
    const after = (await upgraded.inject('/api/posts/renamed')).json<{ published_date: string }>();
    expect(after.published_date).toBe(before.published_date);
  });

  it('have nothing to offer where nobody changed the date', async () => {
    const post = await create({ published_date: CHOSEN, is_published: true });
    const copy = {
      fields: { ...buildForm({ slug: post.slug, title: 'Kept' }), published_date: CHOSEN },
      is_published: true,
    };
    const em = app.get(EntityManager).fork();
    const change = 'update blog_posts set working_copy = ?, working_title = ?, kept_at = now() where id = ?';
    await em.execute(change, [JSON.stringify(copy), 'Kept', post.id]);
    const found = await read(post);
    expect(found.working_copy).toMatchObject({ fields: { title: 'Kept' } });
    expect(found.working_copy).not.toHaveProperty('unsaved_date');
  });
});
