import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ImportedPostsService } from '../../src/import/imported-posts.service.js';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type {
  AdminPost,
  AdminPostPage,
  BulkResult,
  PostForm,
  RevisionPage,
} from '../../src/shared/contracts/admin-posts.js';
import type { AuditPage } from '../../src/shared/contracts/audit.js';
import { buildForm, createAdministrator, holdClock, rowsOf, type Administrator } from '../support/admin-posts.js';
import { runCli } from '../support/cli.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { changePosts } from '../support/factories.js';
import { installLastRelease } from '../support/last-release.js';
import { fewOf, itSlow } from '../support/slow-tests.js';

// Whether readers see a post is decided by publishing, unpublishing and scheduling, and by no text that is saved.
let app: TestApp;
let ada: Administrator;
let bob: Administrator;
let clock: { set(to: string): void };
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
  clock = holdClock(app, '2026-03-01T10:00:00Z');
  ada = await createAdministrator(app, 'ada@example.com');
  bob = await createAdministrator(app, 'bob@example.com');
});

const create = async (overrides: Partial<PostForm> & { is_published?: boolean } = {}) => {
  const form = { ...buildForm({ slug: `d-${(count += 1)}` }), ...overrides };
  const { status, body } = await ada.call('POST', '/posts', form);
  expect(status).toBe(201);
  return body;
};
const read = async ({ id }: AdminPost) => (await ada.call('GET', `/posts/${id}`)).body;
const isPublic = async ({ slug }: AdminPost) => (await app.inject(`/api/posts/${slug}`)).statusCode === 200;
const keep = async ({ id, version, saved }: AdminPost, fields: Partial<PostForm>, by = ada) =>
  (await by.call('PUT', `/posts/${id}/working-copy`, { version, fields: { ...saved, ...fields } })).body;
const save = ({ id, version, saved }: AdminPost, fields: object = {}, by = ada) =>
  by.call('PUT', `/posts/${id}`, { ...saved, ...fields, version });
const publish = ({ id, version }: AdminPost, is_published: boolean, by = ada) =>
  by.call('PUT', `/posts/${id}/publication`, { version, is_published });
const schedule = async ({ id, version }: AdminPost, publish_at: string | null) =>
  (await ada.call('PUT', `/posts/${id}/schedule`, { version, publish_at })).body;

/** Saves like an editor that shows what it got: the kept text, without a word about publication. */
const saveFromEditor = (post: AdminPost, by = ada) => save(post, { ...(post.working_copy?.fields ?? post.saved) }, by);

describe('a save', () => {
  it('leaves a post public that its schedule has published beside kept edits', async () => {
    // Far ahead: the queue goes by the clock of the database, and would be at it too.
    clock.set('2096-03-01T10:00:00Z');
    const planned = await schedule(await create(), '2096-03-01T11:00:00Z');
    const kept = await keep(planned, { content: '<p>Typed on.</p>' });
    expect(kept).toMatchObject({ state: 'scheduled', has_unsaved_changes: true });
    clock.set('2096-03-01T12:00:00Z');
    expect(await app.get(SchedulingService).publishDue()).toBe(1);
    const saved = await saveFromEditor(await read(planned));
    expect(saved).toMatchObject({ status: 200, body: { state: 'published', saved: { content: '<p>Typed on.</p>' } } });
    expect((await app.inject(`/api/posts/${planned.slug}`)).json()).toMatchObject({ content: '<p>Typed on.</p>' });
    clock.set('2026-03-01T12:00:00Z');
  });

  it('leaves a post hidden that somebody unpublished beside kept edits', async () => {
    const kept = await keep(await create({ is_published: true }), { content: '<p>Unfinished</p>' });
    expect((await publish(kept, false, bob)).status).toBe(200);
    const saved = await saveFromEditor(await read(kept));
    expect(saved).toMatchObject({ status: 200, body: { state: 'draft', saved: { content: '<p>Unfinished</p>' } } });
    expect(await isPublic(kept)).toBe(false);
    // Published again, it is live since then, whatever date readers see.
    const first = kept.first_published_at;
    expect([kept.live_since, saved.body.live_since]).toEqual([first, null]);
    clock.set('2026-03-01T13:00:00Z');
    await publish(saved.body, true);
    const since = '2026-03-01T13:00:00.000Z';
    expect(await read(kept)).toMatchObject({ first_published_at: first, live_since: since, published: { iso: first } });
  });

  it('is refused to who has not seen that the post was unpublished, even where it says that it is public', async () => {
    const seen = await create({ is_published: true });
    await publish(seen, false, bob);
    const late = await save(seen, { is_published: true });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'post_changed', current: { is_published: false, state: 'draft' } },
    });
    expect(await isPublic(seen)).toBe(false);
  });

  it('decides nothing by repeating what the post is, and something by saying otherwise', async () => {
    // A script that sends everything back that product.md 3.1 lists.
    const drafted = (await save(await create(), { is_published: false })).body;
    expect(drafted.state).toBe('draft');
    const planned = await schedule(drafted, '2099-01-01T00:00:00Z');
    const again = (await save(planned, { is_published: planned.is_published })).body;
    expect(again).toMatchObject({ state: 'scheduled', scheduled_at: '2099-01-01T00:00:00.000Z' });
    const shown = (await save(again, { is_published: true })).body;
    expect(shown).toMatchObject({ state: 'published', scheduled_at: null });
    expect((await save(shown, { is_published: shown.is_published })).body.state).toBe('published');
    const hidden = (await save({ ...shown, version: shown.version + 1 }, { is_published: false })).body;
    expect(hidden.state).toBe('draft');
    const audit = await ada.call<AuditPage>('GET', `/audit?subject_id=${hidden.id}`);
    const decisions = audit.body.items.filter(({ action }) => /publish|schedul/.test(action));
    expect(decisions.map(({ action, actor }) => [action, actor])).toEqual([
      ['post.unpublished', 'ada@example.com'],
      ['post.published', 'ada@example.com'],
      ['post.scheduled', 'ada@example.com'],
    ]);
  });

  it('of an earlier version leaves the post as it is, and the version says how it was then', async () => {
    const first = await create({ is_published: true });
    const hidden = await read((await publish(first, false)).body);
    const { body: versions } = await ada.call<RevisionPage>('GET', `/posts/${first.id}/revisions`);
    expect(versions.items).toMatchObject([{ is_published: true }]);
    const restored = await save(hidden, { content: '<p>Old.</p>', restored_from: versions.items[0]!.id });
    expect(restored.body.state).toBe('draft');
    // Kept edits that somebody else replaces are a version too, and the post is not what their form said.
    const shown = (await publish(restored.body, true)).body;
    const kept = await keep({ ...restored.body, version: shown.version }, { content: '<p>By Bob.</p>' }, bob);
    expect((await save(kept)).body.state).toBe('published');
    const later = await ada.call<RevisionPage>('GET', `/posts/${first.id}/revisions`);
    expect(later.body.items[1]).toMatchObject({ reason: 'autosaved', author: 'bob@example.com', is_published: true });
  });
});

describe('keeping, copying and the trash', () => {
  it('publish nothing', async () => {
    const id = randomUUID();
    const half = buildForm({ title: 'Half', slug: '', content: '' });
    // The release before says so; nobody listens.
    const body = { version: 0, is_published: true, fields: half };
    expect((await ada.call('PUT', `/posts/${id}/working-copy`, body)).body).toMatchObject({ is_published: false });
    const copy = await ada.call('POST', `/posts/${id}/duplicate`);
    const whole = { ...buildForm({ slug: `d-${(count += 1)}` }) };
    expect((await save(copy.body, whole)).body.state).toBe('draft');
    expect((await ada.call('POST', `/posts/${(await create({ is_published: true })).id}/duplicate`)).body.state).toBe(
      'draft',
    );
  });

  it('forget a plan whose time passes meanwhile', async () => {
    // Far ahead: the queue would find it due at once, and publish by the clock of a later test.
    clock.set('2096-04-01T10:00:00Z');
    const planned = await schedule(await create(), '2096-04-01T11:00:00Z');
    const kept = await keep(planned, { title: '' });
    await ada.call('DELETE', `/posts/${kept.id}?version=${kept.version}`);
    // As a release before may have left it.
    const past = "update blog_posts set scheduled_at = '2096-04-01T11:00:00Z' where id = ?";
    await app.get(EntityManager).fork().execute(past, [kept.id]);
    clock.set('2096-04-01T12:00:00Z');
    expect(await app.get(SchedulingService).publishDue()).toBe(0);
    const restored = await ada.call('POST', `/posts/${kept.id}/restore`, { version: kept.version + 1 });
    expect(restored.body).toMatchObject({ state: 'draft', scheduled_at: null, has_unsaved_changes: true });
    expect(await app.get(SchedulingService).publishDue()).toBe(0);
    expect(await isPublic(planned)).toBe(false);
  });

  it('record that a plan was taken back as that', async () => {
    const planned = await schedule(await create(), '2099-01-01T00:00:00Z');
    expect((await publish(planned, false)).body).toMatchObject({ state: 'draft' });
    const audit = await ada.call<AuditPage>('GET', `/audit?subject_id=${planned.id}`);
    expect(audit.body.items[0]).toMatchObject({ action: 'post.unscheduled', actor: 'ada@example.com' });
  });
});

describe('a plan that goes into the trash with its post', () => {
  it('is recorded as taken back, so that no import makes it again once the post is restored', async () => {
    const planned = await schedule(await create(), '2099-01-01T00:00:00Z');
    const draft = await create();
    for (const { id, version } of [planned, draft]) {
      expect((await ada.call('DELETE', `/posts/${id}?version=${version}`)).body.state).toBe('trashed');
      await ada.call('POST', `/posts/${id}/restore`, { version: version + 1 });
    }
    const audit = await ada.call<AuditPage>('GET', `/audit?subject_id=${planned.id}`);
    expect(audit.body.items.slice(0, 3).map(({ action }) => action)).toEqual([
      'post.restored',
      'post.trashed',
      'post.unscheduled',
    ]);
    const wanted = { sourceKeys: [], slugs: [planned.slug, draft.slug] };
    const found = await app.get(ImportedPostsService).findForImportIncludingDrafts(OPERATOR, wanted);
    expect(new Map(found.map(({ id, isPlanTakenBack }) => [id, isPlanTakenBack]))).toEqual(
      new Map([
        [planned.id, true],
        [draft.id, false],
      ]),
    );
  });
});

describe('whatever is done', () => {
  type Step = (post: AdminPost) => Promise<boolean | undefined>;
  const later = '2099-01-01T00:00:00Z';
  /** Each answers what was decided by it; undefined for nothing. */
  const steps: Readonly<Record<string, Step>> = {
    keep: async (post) => void (await keep(post, { content: `<p>${randomUUID()}</p>` }, bob)),
    keepHalf: async (post) => void (await keep(post, { title: '' }, bob)),
    save: async (post) => void (await saveFromEditor({ ...post, working_copy: null })),
    saveAll: async (post) => void (await save(post, { is_published: post.is_published })),
    saveLate: async (post) =>
      void (await save({ ...post, version: post.version - 1 }, { is_published: !post.is_published })),
    restoreVersion: async (post) => void (await save(post, { content: '<p>Old.</p>', restored_from: '1' })),
    discard: async (post) => void (await ada.call('DELETE', `/posts/${post.id}/working-copy?version=${post.version}`)),
    duplicate: async (post) => void (await ada.call('POST', `/posts/${post.id}/duplicate`)),
    switchOn: async (post) => ((await save(post, { is_published: true })).status === 200 ? true : undefined),
    switchOff: async (post) => ((await save(post, { is_published: false })).status === 200 ? false : undefined),
    publish: async (post) => ((await publish(post, true, bob)).status === 200 ? true : undefined),
    unpublish: async (post) => ((await publish(post, false, bob)).status === 200 ? false : undefined),
    unpublishByCommand: async ({ slug }) =>
      (await changePosts(app, 'unpublish', [slug])).length > 0 ? false : undefined,
    publishByCommand: async ({ slug }) => ((await changePosts(app, 'publish', [slug])).length > 0 ? true : undefined),
    fire: async (post) => {
      const planned = await schedule(post, later);
      if (planned.state !== 'scheduled') return undefined;
      await keep(await read(post), { content: '<p>Typed on.</p>' });
      clock.set('2099-01-01T00:00:01Z');
      await app.get(SchedulingService).publishDue();
      clock.set('2026-05-01T10:00:00Z');
      return true;
    },
    trash: async (post) => {
      await ada.call('DELETE', `/posts/${post.id}?version=${post.version}`);
      await ada.call('POST', `/posts/${post.id}/restore`, { version: post.version + 1 });
      return false;
    },
  };

  it('a post is public when the last decision says so, and only then', async () => {
    clock.set('2026-05-01T10:00:00Z');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 8, maxLength: 16 }),
        async (names) => {
          let post = await create();
          let decided = false;
          for (const name of names) {
            decided = (await steps[name]?.(post)) ?? decided;
            post = await read(post);
            expect([name, post.is_published, await isPublic(post)]).toEqual([name, decided, decided]);
          }
        },
      ),
      { numRuns: Math.max(...fewOf([2, 8], (runs) => runs === 2)), seed: 17 },
    );
  });
});

describe('posts of the release before', () => {
  /** A row with the kept edits that release a8cecc7 wrote: the switch of the form beside the text. */
  async function leave(is: 'published' | 'draft' | 'scheduled', switchOfForm: boolean): Promise<AdminPost> {
    const slug = `before-${(count += 1)}`;
    const copy = { fields: buildForm({ slug, content: '<p>Unfinished</p>' }), is_published: switchOfForm };
    await app
      .get(EntityManager)
      .fork()
      .execute(
        `insert into blog_posts (slug, title, content, author, published_date, is_date_chosen, is_published,
           first_published_at, scheduled_at, created_at, updated_at, version, working_copy, working_title, kept_at)
         values (?, 'Before', '<p>Saved.</p>', 'Ann', now(), false, ?, ?, ?, now(), now(), 5, ?, 'A post', now())`,
        [
          slug,
          is === 'published',
          is === 'published' ? '2026-01-01T00:00:00Z' : null,
          is === 'scheduled' ? '2026-06-01T11:00:00Z' : null,
          JSON.stringify(copy),
        ],
      );
    const { body } = await ada.call<{ items: AdminPost[] }>('GET', `/posts?q=${slug}`);
    return await read(body.items[0]!);
  }

  it('are what they are, not what their kept edits say', async () => {
    clock.set('2026-06-01T10:00:00Z');
    const cases = [
      ['published', false, true],
      ['published', true, true],
      ['draft', true, false],
      ['draft', false, false],
      ['scheduled', true, false],
    ] as const;
    for (const [is, switchOfForm, expected] of cases) {
      const post = await leave(is, switchOfForm);
      expect(post).toMatchObject({ state: is, working_copy: { fields: { content: '<p>Unfinished</p>' } } });
      expect(post.working_copy).not.toHaveProperty('is_published');
      const saved = await saveFromEditor(post);
      expect(saved.body).toMatchObject({ state: is, saved: { content: '<p>Unfinished</p>' }, working_copy: null });
      expect(await isPublic(post)).toBe(expected);
    }
  });

  it('are published at the time that was planned, and stay so', async () => {
    const planned = await leave('scheduled', false);
    clock.set('2026-06-01T12:00:00Z');
    await app.get(SchedulingService).publishDue();
    expect((await app.inject(`/api/posts/${planned.slug}`)).json()).toMatchObject({ content: '<p>Saved.</p>' });
    expect((await saveFromEditor(await read(planned))).body.state).toBe('published');
  });

  itSlow('come over from what it recorded', async () => {
    const site = await installLastRelease();
    // Somebody typed on after planning: the copy holds the switch of their form, which is off.
    const typedOn = `update blog_posts p set kept_at = k.kept_at, kept_by = k.kept_by, working_title = k.working_title,
        working_copy = jsonb_set(jsonb_set(k.working_copy, '{is_published}', 'false'), '{fields,slug}', '"planned"')
      from blog_posts k where p.slug = 'planned' and k.slug = 'renamed'`;
    await site.query(typedOn);
    expect(await runCli(['db', 'migrate'], site.environment)).toMatchObject({ code: 0, stderr: '' });
    const upgraded = await createTestApp(site.environment);
    const eve = await createAdministrator(upgraded, 'eve@example.com');
    const find = async (slug: string) => {
      const { body } = await eve.call<AdminPostPage>('GET', `/posts?q=${slug}`);
      const found = body.items.find((post) => post.slug === slug);
      return (await eve.call('GET', `/posts/${found?.id}`)).body;
    };
    const statusOf = async (slug: string) => (await upgraded.inject(`/blogs/${slug}`)).statusCode;

    await site.query("update blog_posts set scheduled_at = now() - interval '1 minute' where slug = 'planned'");
    await upgraded.get(SchedulingService).publishDue();
    const planned = await find('planned');
    expect(planned).toMatchObject({ state: 'published', has_unsaved_changes: true });
    const saved = { ...planned.working_copy?.fields, version: planned.version };
    expect((await eve.call('PUT', `/posts/${planned.id}`, saved)).body.state).toBe('published');
    expect(await statusOf('planned')).toBe(200);

    const shown = await find('renamed');
    expect(shown).toMatchObject({ state: 'published', has_unsaved_changes: true });
    await eve.call('PUT', `/posts/${shown.id}/publication`, { version: shown.version, is_published: false });
    const hidden = await find('renamed');
    const unfinished = { ...hidden.working_copy?.fields, version: hidden.version };
    expect((await eve.call('PUT', `/posts/${hidden.id}`, unfinished)).body.state).toBe('draft');
    expect(await statusOf('renamed')).toBe(404);
  });

  it('can be gone on with by that release, which asks for the switch', async () => {
    const kept = await keep(await leave('published', false), { title: 'Later' });
    const [row] = (await rowsOf(app, 'blog_posts')).filter(({ id }) => id === kept.id);
    expect(row?.['working_copy']).toMatchObject({ fields: { title: 'Later' }, is_published: true });
  });
});

describe('a decision that is undone', () => {
  const undo = ({ id, version }: AdminPost, before: object) =>
    ada.call('POST', `/posts/${id}/publication/undo`, { version, ...before });

  it('is a second one, which gives readers back the text that they had beside edits that wait', async () => {
    const kept = await keep(await create({ is_published: true }), { content: '<p>Unfinished</p>' });
    const hidden = (await publish(kept, false)).body;
    expect(await isPublic(kept)).toBe(false);
    const undone = await undo(hidden, { was_published: true });
    expect(undone).toMatchObject({ status: 200, body: { state: 'published', has_unsaved_changes: true } });
    expect((await app.inject(`/api/posts/${kept.slug}`)).json()).toMatchObject({ content: kept.saved.content });
    const { items } = (await ada.call('GET', `/audit?subject_type=post&subject_id=${kept.id}`))
      .body as unknown as AuditPage;
    expect(items.slice(0, 2).map(({ action }) => action)).toEqual(['post.published', 'post.unpublished']);
    // It comes twice, or after somebody else did something.
    expect(await undo(hidden, { was_published: true })).toMatchObject({ status: 409, body: { code: 'post_changed' } });
  });

  it('plans again what was planned, unless the time is over', async () => {
    clock.set('2097-02-01T12:00:00Z');
    const planned = await schedule(await create(), '2097-02-01T13:00:00Z');
    const public1 = (await publish(planned, true)).body;
    const before = { was_published: false, publish_at: planned.scheduled_at };
    const undone = await undo(public1, before);
    expect(undone.body).toMatchObject({ state: 'scheduled', scheduled_at: '2097-02-01T13:00:00.000Z' });
    const public2 = (await publish(undone.body, true)).body;
    clock.set('2097-02-01T13:00:01Z');
    expect(await undo(public2, before)).toMatchObject({ status: 422, body: { code: 'invalid_schedule' } });
    expect(await isPublic(planned)).toBe(true);
  });

  it('is undone for several posts at once, each as it was', async () => {
    clock.set('2097-02-01T14:00:00Z');
    const planned = await schedule(await create(), '2097-02-01T15:00:00Z');
    const shown = await create({ is_published: true });
    const change = async (action: string, posts: readonly object[], extra = {}) =>
      ((await ada.call('POST', '/posts/bulk', { action, posts, ...extra })).body as unknown as BulkResult).results;
    const name = ({ id, version }: { id: string; version: number }) => ({ id, version });
    const [first, second] = await change('unpublish', [name(planned), name(shown)]);
    const posts = [{ ...name(first!.post!), publish_at: planned.scheduled_at }, name(second!.post!)];
    const undone = await change('publish', posts, { is_undo: true });
    expect(undone.map(({ outcome, post }) => [outcome, post?.state])).toEqual([
      ['done', 'scheduled'],
      ['done', 'published'],
    ]);
    clock.set('2097-02-01T15:00:01Z');
    const late = { ...name(undone[0]!.post!), publish_at: planned.scheduled_at };
    expect(await change('publish', [late], { is_undo: true })).toMatchObject([{ outcome: 'too-late' }]);
  });

  it('publishes no text that readers never had beside another one', async () => {
    const kept = await keep(await schedule(await create(), '2097-03-01T11:00:00Z'), { content: '<p>Other</p>' });
    expect(await undo(kept, { was_published: true })).toMatchObject({ status: 409, body: { code: 'unsaved_changes' } });
  });
});
