import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import pg from 'pg';
import { SchedulingService } from '../../src/posts/scheduling.service.js';
import { TrashService } from '../../src/posts/trash.service.js';
import { DerivedKeysService } from '../../src/auth/keys/derived-keys.service.js';
import { formatPreviewToken } from '../../src/posts/preview-token.js';
import type { AdminPost, PostForm, PreviewLink } from '../../src/shared/contracts/admin-posts.js';
import type { AuditPage } from '../../src/shared/contracts/audit.js';
import { buildForm, createAdministrator, holdClock, rowsOf, type Administrator } from '../support/admin-posts.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { handlerRoutesOf } from '../support/registered-routes.js';
import { withOtherEnds } from '../support/respellings.js';
import { pageRoutes } from '../support/routes.js';
import { itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

let app: TestApp;
let ada: Administrator;
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
  ada = await createAdministrator(app, 'ada@example.com');
});

const create = async (
  overrides: Partial<PostForm> & { is_published?: boolean; published_date?: string | null } = {},
) => {
  const { status, body } = await ada.call('POST', '/posts', {
    ...buildForm({ slug: `p-${(count += 1)}` }),
    ...overrides,
  });
  expect(status).toBe(201);
  return body;
};
const schedule = (post: AdminPost, publish_at: string | null) =>
  ada.call('PUT', `/posts/${post.id}/schedule`, { version: post.version, publish_at });
const statusOf = async (url: string) => (await app.inject(url)).statusCode;

describe('a post that is published', () => {
  it('is noted for no search engine, where nobody switched that on', async () => {
    const post = await create({ is_published: true });
    expect(await statusOf(`/blogs/${post.slug}`)).toBe(200);
    expect(await app.get(EntityManager).fork().execute('select path from search_pings')).toEqual([]);
  });
});

describe('a post that is planned', () => {
  it('is published by its job, at its time', async () => {
    const post = await create();
    const clock = holdClock(app, '2096-02-01T10:00:00Z');
    const at = '2096-02-01T11:00:00.000Z';
    expect((await schedule(post, at)).body).toMatchObject({ state: 'scheduled', scheduled_at: at, version: 2 });
    expect(await statusOf(`/blogs/${post.slug}`)).toBe(404);
    const em = app.get(EntityManager).fork();
    const waiting = "select id, start_after from pgboss.job where state = 'created' and start_after > now()";
    const jobs = await em.execute<{ id: string; start_after: Date }[]>(waiting);
    expect(jobs.map(({ start_after }) => new Date(start_after).toISOString())).toEqual([at]);
    // An hour passes: for the application by its clock, for the queue by the one of the database.
    clock.set(at);
    await em.execute('update pgboss.job set start_after = now() where id = ?', [jobs[0]!.id]);
    await until(async () => (await statusOf(`/blogs/${post.slug}`)) === 200);
    const published = (await ada.call('GET', `/posts/${post.id}`)).body;
    expect(published).toMatchObject({ state: 'published', scheduled_at: null, published: { iso: at } });
  });

  itSlow('is published when somebody lets it go who was writing it at its time', async () => {
    const post = await create();
    const clock = holdClock(app, '2096-02-02T10:00:00Z');
    const at = '2096-02-02T11:00:00.000Z';
    await schedule(post, at);
    const writer = new pg.Client({ connectionString: app.config.database.url });
    await writer.connect();
    onCleanup(() => writer.end());
    await writer.query('begin');
    await writer.query('select from blog_posts where id = $1 for update', [post.id]);
    clock.set(at);
    const em = app.get(EntityManager).fork();
    await em.execute("update pgboss.job set start_after = now() where data->>'postId' = ?", [post.id]);
    const waiting = "select id from pgboss.job where state = 'retry' and data->>'postId' = ?";
    await until(async () => (await em.execute(waiting, [post.id])).length === 1);
    expect(await statusOf(`/blogs/${post.slug}`)).toBe(404);
    await writer.query('commit');
    const done = "select id from pgboss.job where state = 'completed' and data->>'postId' = ?";
    await until(async () => (await em.execute(done, [post.id])).length === 1);
    expect((await ada.call('GET', `/posts/${post.id}`)).body).toMatchObject({
      state: 'published',
      published: { iso: at },
    });
  });

  it('is published when a process starts that finds it due', async () => {
    const post = await create({ published_date: '2020-01-01T00:00:00Z' });
    await schedule(post, '2099-01-01T00:00:00Z');
    const past = "update blog_posts set scheduled_at = now() - interval '1 hour' where id = ?";
    await app.get(EntityManager).fork().execute(past, [post.id]);
    const next = await createTestApp({ DATABASE_URL: app.config.database.url });
    expect((await next.inject(`/api/posts/${post.slug}`)).json()).toMatchObject({
      published_date: '2020-01-01T00:00:00.000Z',
    });
    await next.close();
  });

  it('is published once, whoever looks, and not when the plan was changed', async () => {
    const clock = holdClock(app, '2096-03-01T10:00:00Z');
    const other = await createTestApp({ DATABASE_URL: app.config.database.url });
    const otherClock = holdClock(other, '2096-03-01T10:00:00Z');
    const due = await Promise.all([create(), create(), create()]);
    for (const post of due) await schedule(post, '2096-03-01T11:00:00Z');
    const later = (await schedule(await create(), '2096-03-01T11:00:00Z')).body;
    await schedule(later, '2096-03-01T13:00:00Z');
    const never = (await schedule(await create(), '2096-03-01T11:00:00Z')).body;
    expect((await schedule(never, null)).body).toMatchObject({ state: 'draft', scheduled_at: null });
    const hidden = (await schedule(await create(), '2096-03-01T11:00:00Z')).body;
    await ada.call('PUT', `/posts/${hidden.id}/publication`, { version: 2, is_published: false });
    const trashed = (await schedule(await create(), '2096-03-01T11:00:00Z')).body;
    await ada.call('DELETE', `/posts/${trashed.id}?version=2`);
    const edited = (await schedule(await create(), '2096-03-01T11:00:00Z')).body;
    const fields = { ...edited.saved, content: '<p>Half</p>' };
    const copy = { version: 2, fields };
    expect((await ada.call('PUT', `/posts/${edited.id}/working-copy`, copy)).body.state).toBe('scheduled');

    const publishDue = () => [app, other].map((one) => one.get(SchedulingService).publishDue());
    expect(await Promise.all(publishDue())).toEqual([0, 0]);
    clock.set('2096-03-01T12:00:00Z');
    otherClock.set('2096-03-01T12:00:00Z');
    const counts = await Promise.all([...publishDue(), ...publishDue()]);
    expect(counts.reduce((sum, number) => sum + number)).toBe(4);
    for (const { id } of [...due, edited]) {
      const { body } = await ada.call('GET', `/posts/${id}`);
      expect(body).toMatchObject({ state: 'published', first_published_at: '2096-03-01T11:00:00.000Z' });
      const audit = await ada.call<AuditPage>('GET', `/audit?subject_id=${id}&action=post.published`);
      expect(audit.body.items.map(({ actor_kind }) => actor_kind)).toEqual(['system']);
    }
    expect((await app.inject(`/api/posts/${edited.slug}`)).json()).toMatchObject({ content: '<p>Text.</p>' });
    const states = await Promise.all([later, never, hidden, trashed].map(({ id }) => ada.call('GET', `/posts/${id}`)));
    expect(states.map(({ body }) => body.state)).toEqual(['scheduled', 'draft', 'draft', 'trashed']);
    // Nothing is to be due behind the back of the tests that follow; the years are far ahead for the same reason.
    await schedule(states[0]!.body, null);
    await other.close();
  });

  it('cannot be planned for what makes no sense', async () => {
    const post = await create();
    const invalid = { status: 422, body: { code: 'invalid_schedule', fields: { publish_at: [expect.any(String)] } } };
    expect(await schedule(post, '2096-03-01T12:00:00Z')).toMatchObject(invalid);
    expect(await schedule(post, 'soon')).toMatchObject({ status: 422, body: { code: 'invalid_post' } });
    // In whose zone?
    for (const time of ['2097-01-01', '2097-01-01T09:00:00']) {
      const message = 'The time needs an offset, as in 2026-01-31T09:00:00Z';
      expect(await schedule(post, time)).toMatchObject({ status: 422, body: { code: 'invalid_post', message } });
    }
    expect(await schedule({ ...post, version: 7 }, null)).toMatchObject({ status: 409 });
    const published = await create({ is_published: true });
    expect(await schedule(published, '2097-01-01T00:00:00Z')).toMatchObject(invalid);
    const copy = { version: 1, fields: { ...post.saved, title: '' } };
    const kept = (await ada.call('PUT', `/posts/${post.id}/working-copy`, copy)).body;
    expect(await schedule(kept, '2097-01-01T00:00:00Z')).toMatchObject({ body: { code: 'unsaved_changes' } });
    const gone = (await ada.call('DELETE', `/posts/${post.id}?version=2`)).body;
    expect(await schedule(gone, '2097-01-01T00:00:00Z')).toMatchObject({ body: { code: 'post_trashed' } });
  });

  it('leaves the trash for good after thirty days', async () => {
    const clock = holdClock(app, '2096-04-01T10:00:00Z');
    const post = await create();
    await ada.call('DELETE', `/posts/${post.id}?version=1`);
    clock.set('2096-05-01T09:59:59Z');
    await app.get(TrashService).purge();
    expect((await ada.call('GET', `/posts/${post.id}`)).status).toBe(200);
    clock.set('2096-05-01T10:00:00Z');
    expect(await app.get(TrashService).purge()).toBe(1);
    expect((await ada.call('GET', `/posts/${post.id}`)).status).toBe(404);
    expect((await rowsOf(app, 'post_revisions')).filter(({ post_id }) => post_id === post.id)).toEqual([]);
    const audit = await ada.call<AuditPage>('GET', `/audit?subject_id=${post.id}&action=post.deleted`);
    expect(audit.body.items).toMatchObject([{ actor_kind: 'system', actor: null }]);
  });
});

describe('a preview', () => {
  it('shows the post as its author sees it to whoever has the link, for seven days, and is kept nowhere', async () => {
    const clock = holdClock(app, '2096-06-01T10:00:00Z');
    const post = await create({ content: '<p>Not yet.</p>' });
    const { status, body: link } = await ada.call<PreviewLink>('POST', `/posts/${post.id}/preview-links`);
    expect([status, link.expires_at]).toEqual([201, '2096-06-08T10:00:00.000Z']);
    const { origin, pathname } = new URL(link.url);
    expect(origin).toBe('http://site.test');
    const page = await app.inject(pathname);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    expect(page.body).toContain('Not yet.');
    expect(page.body).toContain('<strong>Preview.</strong>');
    expect(page.body).toContain('<meta name="robots" content="noindex"');
    expect(page.body).not.toMatch(/rel="canonical"|ld\+json/);

    const fields = {
      ...post.saved,
      title: '',
      content: '<p>Half</p><script>x</script>',
      image_url: 'javascript:x',
      tags: 'a,',
    };
    await ada.call('PUT', `/posts/${post.id}/working-copy`, { version: 1, fields });
    const api = pathname.replace('/preview/', '/api/previews/');
    const answer = await app.inject(api);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    expect(answer.json()).toMatchObject({ title: 'Untitled', content: '<p>Half</p>', image_url: null, tags: ['a'] });
    expect((await app.inject(pathname)).body).toContain('Half');

    for (const position of [0, 30]) {
      const at = position + '/api/previews/'.length;
      const tampered = api.slice(0, at) + (api[at] === 'A' ? 'B' : 'A') + api.slice(at + 1);
      expect(await statusOf(tampered)).toBe(404);
    }
    for (const other of withOtherEnds(api)) expect([other, await statusOf(other)]).toEqual([other, 404]);
    expect(await statusOf(`${api}=`)).toBe(404);
    clock.set('2096-06-08T09:59:59Z');
    expect(await statusOf(api)).toBe(200);
    clock.set('2096-06-08T10:00:00Z');
    expect((await app.inject(api)).json()).toMatchObject({ code: 'preview_not_found' });
    const late = await app.inject(pathname);
    expect([late.statusCode, late.body.includes('Half')]).toEqual([404, false]);
    clock.set('2096-06-01T10:00:00Z');
    await ada.call('DELETE', `/posts/${post.id}?version=2`);
    expect(await statusOf(api)).toBe(404);
    expect(await ada.call('POST', `/posts/${post.id}/preview-links`)).toMatchObject({ status: 409 });
    expect(await statusOf('/api/previews/x')).toBe(404);
  });

  const linksOf = (id: string) => `/posts/${id}/preview-links`;
  const makeLink = async (id: string) => (await ada.call<PreviewLink>('POST', linksOf(id))).body;
  const pathOf = ({ url }: Pick<PreviewLink, 'url'>) => new URL(url).pathname;
  const works = async (link: Pick<PreviewLink, 'url'>) => {
    const api = await statusOf(pathOf(link).replace('/preview/', '/api/previews/'));
    expect((await app.inject(pathOf(link))).statusCode).toBe(api);
    return api === 200;
  };

  it('has one link for each day, which is listed while it works, for administrators', async () => {
    const clock = holdClock(app, '2096-07-01T10:00:00Z');
    const post = await create();
    const first = await makeLink(post.id);
    expect(first).toMatchObject({ id: expect.any(String), created_at: '2096-07-01T10:00:00.000Z' });
    clock.set('2096-07-02T09:00:00Z');
    expect(await makeLink(post.id)).toEqual(first);
    clock.set('2096-07-02T11:00:00Z');
    const second = await makeLink(post.id);
    expect((await ada.call<PreviewLink[]>('GET', linksOf(post.id))).body).toEqual([second, first]);
    clock.set('2096-07-08T10:00:00Z');
    expect((await ada.call<PreviewLink[]>('GET', linksOf(post.id))).body).toEqual([second]);
    expect([await works(first), await works(second)]).toEqual([false, true]);
    expect(await statusOf(`/api/admin${linksOf(post.id)}`)).toBe(401);
  });

  it('is over at once and for good when a link is withdrawn, and only for that link', async () => {
    const clock = holdClock(app, '2096-08-01T10:00:00Z');
    const [post, other] = [await create(), await create()];
    const first = await makeLink(post.id);
    clock.set('2096-08-02T11:00:00Z');
    const [second, foreign] = [await makeLink(post.id), await makeLink(other.id)];
    const withdraw = (id: string, link: string) => ada.call('DELETE', `${linksOf(id)}/${link}`);
    for (const link of [first.id, 'x', '00000000-0000-4000-8000-000000000000']) {
      expect(await withdraw(other.id, link)).toMatchObject({ status: 404, body: { code: 'preview_link_not_found' } });
    }
    expect(await withdraw(post.id, first.id)).toMatchObject({ status: 204 });
    expect(await withdraw(post.id, first.id)).toMatchObject({ status: 204 });
    expect([await works(first), await works(second), await works(foreign)]).toEqual([false, true, true]);
    expect((await ada.call<PreviewLink[]>('GET', linksOf(post.id))).body).toEqual([second]);
    const audit = await ada.call<AuditPage>('GET', `/audit?subject_id=${post.id}&action=post.preview_link_withdrawn`);
    expect(audit.body.items).toHaveLength(1);

    expect(await ada.call('DELETE', linksOf(post.id))).toMatchObject({ status: 204 });
    expect([await works(second), await works(foreign)]).toEqual([false, true]);
    const third = await makeLink(post.id);
    expect(third.url).not.toBe(second.url);
    expect([await works(third), await works(second)]).toEqual([true, false]);
  });

  it('stays withdrawn when the post returns from the trash', async () => {
    holdClock(app, '2096-09-01T10:00:00Z');
    const post = await create();
    const link = await makeLink(post.id);
    await ada.call('DELETE', `/posts/${post.id}?version=1`);
    expect(await ada.call('POST', `/posts/${post.id}/restore`, { version: 2 })).toMatchObject({ status: 200 });
    expect(await works(link)).toBe(false);
    expect((await ada.call<PreviewLink[]>('GET', linksOf(post.id))).body).toEqual([]);
    expect(await works(await makeLink(post.id))).toBe(true);
    expect(await works(link)).toBe(false);
  });

  it('lasts for seven days also when a clock was ahead, and is set back', async () => {
    const clock = holdClock(app, '2104-09-01T10:00:00Z');
    const post = await create();
    const ahead = await makeLink(post.id);
    expect(await works(ahead)).toBe(true);
    clock.set('2096-09-01T10:00:00Z');
    expect(await works(ahead)).toBe(false);
    expect((await ada.call<PreviewLink[]>('GET', linksOf(post.id))).body).toEqual([]);
    const link = await makeLink(post.id);
    expect(link.expires_at).toBe('2096-09-08T10:00:00.000Z');
    expect((await ada.call<PreviewLink[]>('GET', linksOf(post.id))).body).toEqual([link]);
    clock.set('2096-09-08T09:59:59Z');
    expect(await works(link)).toBe(true);
    clock.set('2096-09-08T10:00:00Z');
    expect(await works(link)).toBe(false);
  });

  it('by a link of version 0.1.0, which has no row, works until anything of the post is withdrawn', async () => {
    const clock = holdClock(app, '2096-10-01T10:00:00Z');
    const [post, other] = [await create(), await create()];
    const key = app.get(DerivedKeysService).keyFor('posts previews');
    const expiresAt = new Date('2096-10-08T09:00:00Z');
    const older = (id: string) => ({
      url: `http://site.test/preview/${formatPreviewToken(key, { postId: id, expiresAt })}`,
    });
    expect([await works(older(post.id)), await works(older(other.id))]).toEqual([true, true]);
    expect(await ada.call('DELETE', linksOf(post.id))).toMatchObject({ status: 204 });
    clock.set('2096-10-08T08:59:59Z');
    await makeLink(post.id);
    expect([await works(older(post.id)), await works(older(other.id))]).toEqual([false, true]);
  });
});

describe('what is not published', () => {
  const SECRET = 'xyzzy';
  const secretly = (overrides: Partial<PostForm> = {}) => ({
    ...buildForm({ title: SECRET, slug: `${SECRET}-${(count += 1)}`, tags: SECRET, category: SECRET, author: SECRET }),
    content: `<p>${SECRET}</p>`,
    excerpt: SECRET,
    ...overrides,
  });

  it('is behind no public door, changes nothing there, and tells nobody', async () => {
    holdClock(app, '2096-07-01T10:00:00Z');
    const shown = await create({ slug: 'shown', is_published: true });
    const listener = new pg.Client({ connectionString: app.config.database.url });
    await listener.connect();
    onCleanup(() => listener.end());
    let told = 0;
    listener.on('notification', () => void (told += 1));
    await listener.query('listen content_changed');
    const slugs = (await rowsOf(app, 'blog_posts')).map(({ slug }) => String(slug));
    const before = await openAll(slugs);
    holdClock(app, '2096-08-01T10:00:00Z');

    const draft = await ada.call('POST', '/posts', secretly());
    const id = '7d4b0f2e-4a57-4d0c-9a3b-0d6f2c1a9e10';
    const copy = { fields: secretly({ content: '' }) };
    await ada.call('PUT', `/posts/${id}/working-copy`, { ...copy, version: 0 });
    await ada.call('PUT', `/posts/${shown.id}/working-copy`, { ...copy, version: 1 });
    const planned = await ada.call('POST', '/posts', secretly());
    await schedule(planned.body, '2099-01-01T00:00:00Z');
    const trashed = await ada.call('POST', '/posts', secretly());
    await ada.call('DELETE', `/posts/${trashed.body.id}?version=1`);
    const discarded = await ada.call('POST', '/posts', secretly());
    await ada.call('PUT', `/posts/${discarded.body.id}/working-copy`, { ...copy, version: 1 });
    await ada.call('DELETE', `/posts/${discarded.body.id}/working-copy?version=2`);
    await ada.call('POST', `/posts/${draft.body.id}/duplicate`);
    await ada.call('PUT', `/posts/${draft.body.id}`, { ...secretly(), version: 1 });
    const all = await rowsOf(app, 'blog_posts');
    const hidden = all.map(({ slug }) => String(slug)).filter((slug) => !slugs.includes(slug));
    expect(hidden).toHaveLength(6);
    expect(all.find(({ slug }) => slug === 'shown')).toMatchObject({ version: 2, is_published: true });

    await listener.query('select 1');
    expect(told).toBe(0);
    expect(await openAll(slugs)).toEqual(before);
    for (const door of [...hidden, ...(await rowsOf(app, 'blog_posts')).map(({ id: one }) => String(one))]) {
      for (const path of [`/blogs/${door}`, `/api/posts/${door}`, `/media/${door}`, `/api/previews/${door}`]) {
        const answer = await app.inject(path);
        expect([path, answer.statusCode]).toEqual([path, 404]);
        expect(answer.body.replaceAll(door, '')).not.toContain(SECRET);
      }
    }
  });

  /** Reads every public address as everybody can: routes of controllers, pages, feeds, posts. */
  async function openAll(slugs: readonly string[]): Promise<Record<string, string>> {
    const routes = handlerRoutesOf(app.get(ModulesContainer)).filter(({ access }) => access === 'public');
    const names = routes.map(({ name }) => name.split(' ')).filter(([method]) => method === 'GET' || method === 'ALL');
    const doors = names.flatMap(([, path = '']) =>
      path.includes(':slug') ? slugs.map((s) => path.replace(':slug', s)) : [path],
    );
    const pages = [...pageRoutes, '/rss.xml', '/sitemap.xml', ...slugs.map((slug) => `/blogs/${slug}`)];
    const bodies: Record<string, string> = {};
    for (const door of new Set([...doors, ...pages])) {
      const answer = await app.inject(door.replace('*', 'nothing').replace(/:\w+/, 'nothing'));
      const lastModified = answer.headers['etag'] ?? '';
      // Each answer has an id of its own; and media are looked through a minute after the start, of which this tells.
      const body = door === '/api/health/details' ? '' : answer.body.replace(/"request_id":"[^"]+"/, '');
      bodies[door] = `${answer.statusCode} ${String(lastModified)} ${body}`;
      expect(answer.body).not.toContain(SECRET);
    }
    expect(Object.keys(bodies).length).toBeGreaterThan(30);
    expect(bodies['/sitemap.xml']).toContain('2096-07-01T10:00:00.000Z');
    return bodies;
  }
});
