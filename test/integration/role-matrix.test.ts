import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { User, type UserRow } from '../../src/auth/accounts/user.entity.js';
import { Factor } from '../../src/auth/factors/factor.entity.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { AdminPost, AdminPostPage, BulkResult } from '../../src/shared/contracts/admin-posts.js';
import type { Overview } from '../../src/shared/contracts/overview.js';
import { createAccount, signIn } from '../support/accounts.js';
import { buildForm } from '../support/admin-posts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { handlerRoutesOf } from '../support/registered-routes.js';

/** The expected answer at every route of administrators: a refusal, or anything else. */
const expected = {
  anonymous: '401 no_authorization',
  user: '403 not_admin',
  author: '403 not_admin',
  administrator: 'let in',
  'administrator with a second factor': 'let in',
  'administrator who showed the password alone': '401 insufficient_aal',
  'revoked administrator': '403 not_admin',
  'revoked author': '403 not_admin',
  'banned administrator': '401 no_authorization',
} as const;

/** What is open to authors as well, and nothing else: a route that is new is for administrators until it stands here. */
const AUTHORS_ROUTES = [
  'DELETE /api/admin/comments/:id/:comment',
  'DELETE /api/admin/posts/:id',
  'DELETE /api/admin/posts/:id/permanently',
  'DELETE /api/admin/posts/:id/preview-links',
  'DELETE /api/admin/posts/:id/preview-links/:linkId',
  'DELETE /api/admin/posts/:id/working-copy',
  'GET /api/admin/comments',
  'GET /api/admin/media',
  'GET /api/admin/overview',
  'GET /api/admin/posts',
  'GET /api/admin/posts/:id',
  'GET /api/admin/posts/:id/preview-links',
  'GET /api/admin/posts/:id/revisions',
  'GET /api/admin/posts/:id/revisions/:revisionId',
  'GET /api/admin/posts/count',
  'GET /api/admin/posts/facets',
  'GET /api/admin/reads',
  'GET /api/admin/terms',
  'POST /api/admin/links/check',
  'POST /api/admin/links/counts',
  'POST /api/admin/posts',
  'POST /api/admin/posts/:id/duplicate',
  'POST /api/admin/posts/:id/presence',
  'POST /api/admin/posts/:id/preview-links',
  'POST /api/admin/posts/:id/publication/undo',
  'POST /api/admin/posts/:id/restore',
  'POST /api/admin/posts/bulk',
  'POST /api/uploads',
  'POST /api/uploads/remote',
  'PUT /api/admin/posts/:id',
  'PUT /api/admin/posts/:id/publication',
  'PUT /api/admin/posts/:id/schedule',
  'PUT /api/admin/posts/:id/working-copy',
];

type Who = keyof typeof expected;

let app: TestApp;
const tokens = new Map<Who, string>();
const accounts = new Map<Who, UserRow>();
const idOf = (who: Who) => accounts.get(who)?.id ?? '';

beforeAll(async () => {
  app = await createTestApp({ READ_COUNTS: 'true' });
  const roles = app.get(RolesService);
  const em = app.get(EntityManager).fork();
  for (const who of Object.keys(expected) as Who[]) {
    if (who === 'anonymous') continue;
    const account = await createAccount(app, { email: `${who.replaceAll(' ', '-')}@people.example` });
    accounts.set(who, account);
    if (who.includes('administrator')) await roles.grantAdmin(OPERATOR, account.id);
    if (who.includes('author')) await grant(account.id, false);
    const { sessionId, accessToken } = await signIn(app, account);
    tokens.set(who, accessToken);
    if (who.includes('second factor') || who.includes('password alone')) {
      await em.insert(Factor, { id: randomUUID(), userId: account.id, factorType: 'totp', status: 'verified' });
    }
    // The row counts: the token says aal1.
    if (who.includes('second factor')) await em.nativeUpdate(Session, { id: sessionId }, { aal: 'aal2' });
    if (who.includes('revoked')) {
      await app
        .get(EntityManager)
        .fork()
        .transactional((inside) => roles.revoke(inside, OPERATOR, account.id, { isForced: true }));
    }
    if (who !== 'banned administrator') continue;
    await em.nativeUpdate(User, { id: account.id }, { bannedUntil: new Date(Date.now() + 3_600_000) });
  }
});

/** Makes an account an author. */
async function grant(userId: string, mayPublish: boolean): Promise<void> {
  const em = app.get(EntityManager).fork();
  await em.transactional((inside) =>
    app.get(RolesService).grant(inside, OPERATOR, userId, { role: 'author', mayPublish }),
  );
}

function send(who: Who, method: string, url: string, body: unknown = {}) {
  const token = tokens.get(who);
  return app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
    },
    ...(method === 'GET' ? {} : { payload: JSON.stringify(body) }),
  });
}

async function ask(who: Who, method: string, path: string): Promise<string> {
  // There is no such thing: whoever is let in changes nothing.
  const answer = await send(
    who,
    method,
    path.replace(/:\w+/g, () => randomUUID()),
  );
  if (![401, 403].includes(answer.statusCode)) return answer.statusCode < 500 ? 'let in' : `${answer.statusCode}`;
  return `${answer.statusCode} ${answer.json<{ code: string }>().code}`;
}

describe('every route of the admin area', () => {
  it('lets in administrators, and authors where it says so, as long as they are it, and nobody else', async () => {
    const routes = handlerRoutesOf(app.get(ModulesContainer));
    const namesOf = (access: string) => routes.flatMap((route) => (route.access === access ? [route.name] : []));
    const closed = namesOf('admin');
    expect(namesOf('author').sort()).toEqual(AUTHORS_ROUTES);
    const ofArea = ({ name }: { readonly name: string }) => / \/api\/(?:admin|uploads)(?:\/|$)/.test(name);
    expect(routes.filter((route) => ofArea(route) && !['admin', 'author'].includes(route.access ?? ''))).toEqual([]);
    expect(closed).toEqual(expect.arrayContaining(['POST /api/admin/terms/rename', 'GET /api/admin/audit']));
    for (const name of [...closed, ...AUTHORS_ROUTES]) {
      const [method = '', path = ''] = name.split(' ');
      const answers: Record<string, string> = {};
      for (const who of Object.keys(expected) as Who[]) answers[who] = await ask(who, method, path);
      const author = closed.includes(name) ? expected.author : 'let in';
      expect({ name, ...answers }).toEqual({ name, ...expected, author });
    }
  });
});

/** Words that stand in drafts, names and addresses of others alone. */
const SECRETS = /secret|@people\.example|enquirer|Merger/i;

describe('an author', () => {
  const create = async (who: Who, input: Record<string, unknown> = {}): Promise<AdminPost> => {
    const answer = await send(who, 'POST', '/api/admin/posts', { ...buildForm({ slug: randomUUID() }), ...input });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json();
  };
  const codeOf = async (answer: ReturnType<typeof send>) => {
    const { statusCode, body } = await answer;
    return statusCode < 300 ? statusCode : `${statusCode} ${(JSON.parse(body) as { code: string }).code}`;
  };
  const put = (id: string, path: string, body: unknown, method = 'PUT') =>
    codeOf(send('author', method, `/api/admin/posts/${id}${path}`, body));

  it('sees their own posts and nothing of others: no drafts, enquiries or people', async () => {
    const secret = await create('administrator', {
      title: 'Secret Merger',
      slug: 'secret-merger',
      content: '<p>secret words</p>',
      category: 'Secret plans',
      tags: 'secret-tag',
      author: 'Secret Author',
    });
    const visible = await create('administrator', { title: 'In the open', tags: 'open', is_published: true });
    await sendEnquiry(app, buildEnquiry({ name: 'Enquirer', message: 'From the enquirer' }));
    const own = await create('author', { title: 'My own', tags: 'mine' });
    const openElsewhere = () =>
      send('administrator', 'POST', `/api/admin/posts/${own.id}/presence`, { tab: randomUUID() });
    // An administrator works on it, too.
    const saved = await send('administrator', 'PUT', `/api/admin/posts/${own.id}`, {
      ...buildForm({ title: 'My own', slug: own.slug, tags: 'mine' }),
      version: own.version,
    });
    expect(saved.statusCode).toBe(200);
    await openElsewhere();

    const addresses = AUTHORS_ROUTES.filter((name) => name.startsWith('GET '))
      .map((name) => name.slice('GET '.length))
      .flatMap((path) => [path.replace(':id', own.id), path.replace(':id', secret.id)]);
    const searched = ['?q=secret', '?q=merger', '?category=Secret+plans', '?tag=secret-tag', '?state=draft'];
    const answers = await Promise.all(
      [
        ...addresses,
        ...searched.flatMap((query) => [`/api/admin/posts${query}`, `/api/admin/posts/count${query}`]),
        '/api/admin/media?search=merger',
        `/api/admin/reads?post=${secret.id}`,
        `/api/admin/reads?post=${own.id}`,
      ].map(async (url) => ({ url, body: (await send('author', 'GET', url)).body })),
    );
    // Who has it open is forgotten within seconds, which so many answers may take.
    await openElsewhere();
    const presence = await send('author', 'POST', `/api/admin/posts/${own.id}/presence`, { tab: randomUUID() });
    expect(presence.json()).toMatchObject({ others: ['a colleague'], written_by: 'a colleague' });
    answers.push({ url: 'presence', body: presence.body });
    const told = answers.map(({ url, body }) => ({ url, body: body.replaceAll('author@people.example', '') }));
    expect(told.filter(({ body }) => SECRETS.test(body))).toEqual([]);

    const list = (await send('author', 'GET', '/api/admin/posts')).json<AdminPostPage>();
    expect(list.items.map(({ id }) => id)).toEqual([own.id]);
    expect((await send('author', 'GET', '/api/admin/posts/count')).json()).toEqual({ count: 1 });
    expect((await send('author', 'GET', '/api/admin/posts/facets')).json()).toMatchObject({
      tags: ['mine'],
      counts: { draft: 1, published: 0 },
    });
    // Words that readers see are offered to write with.
    const terms = (await send('author', 'GET', '/api/admin/terms')).json<{ tags: { name: string }[] }>();
    expect(terms.tags.map(({ name }) => name)).toEqual(['mine', 'open']);
    const links = await send('author', 'POST', '/api/admin/links/check', {
      paths: [`/blogs/${secret.slug}`, `/blogs/${own.slug}`, `/blogs/${visible.slug}`],
    });
    expect(links.json<{ links: { state: string }[] }>().links.map(({ state }) => state)).toEqual([
      'missing',
      'draft',
      'found',
    ]);
    const countDead = () => send('author', 'POST', '/api/admin/links/counts', { ids: [secret.id, own.id, visible.id] });
    expect((await countDead()).json()).toEqual({ posts: [] });
    await app.get(EntityManager).fork().execute(`update post_links set dead = 1`);
    expect((await countDead()).json()).toEqual({ posts: [{ id: own.id, links: 1 }] });
    const overview = (await send('author', 'GET', '/api/admin/overview')).json<Overview>();
    expect(overview).toMatchObject({ failed: [], start: null, enquiries: null, settings: null, health: null });
    expect(overview.waiting?.items.map(({ id }) => id)).toEqual([own.id]);
  });

  it('is told the same of posts of others as of posts that are not there', async () => {
    const { id, version } = await create('administrator', { title: 'Not yours' });
    const calls: [string, string, unknown][] = [
      ['GET', '', {}],
      ['PUT', '', { ...buildForm(), version }],
      ['PUT', '', { ...buildForm(), version: version + 1 }],
      ['PUT', '/working-copy', { version: 0, fields: buildForm() }],
      ['PUT', '/working-copy', { version, fields: buildForm() }],
      ['DELETE', `/working-copy?version=${version}`, {}],
      ['PUT', '/publication', { version, is_published: true }],
      ['POST', '/publication/undo', { version, was_published: true }],
      ['PUT', '/schedule', { version, publish_at: '2090-01-01T00:00:00Z' }],
      ['POST', '/presence', { tab: randomUUID() }],
      ['GET', '/revisions', {}],
      ['POST', '/preview-links', {}],
      ['GET', '/preview-links', {}],
      ['DELETE', `/preview-links/${randomUUID()}`, {}],
      ['DELETE', '/preview-links', {}],
      ['DELETE', `?version=${version}`, {}],
      ['POST', '/restore', { version }],
      ['DELETE', `/permanently?version=${version}`, {}],
      ['POST', '/duplicate', {}],
    ];
    for (const [method, path, body] of calls) {
      const answers = [await put(id, path, body, method), await put(randomUUID(), path, body, method)];
      // A working copy of version 0 begins a post where there is none.
      const there = path === '/working-copy' && answers[1] === 200 ? 200 : '404 post_not_found';
      expect({ method, path, answers }).toEqual({ method, path, answers: ['404 post_not_found', there] });
    }
    // Whoever names the id of a new post hears nothing of what is there.
    expect(await codeOf(send('author', 'POST', '/api/admin/posts', { ...buildForm(), id }))).toBe('404 post_not_found');
    const bulk = await send('author', 'POST', '/api/admin/posts/bulk', { action: 'trash', posts: [{ id, version }] });
    expect(bulk.json<BulkResult>()).toEqual({ results: [{ id, outcome: 'gone', post: null }] });
    const after = (await send('administrator', 'GET', `/api/admin/posts/${id}`)).json<AdminPost>();
    expect(after).toMatchObject({ version, state: 'draft', owner: { id: idOf('administrator') } });
  });

  it('decides what readers see only while an administrator allows it', async () => {
    const own = await create('author', { title: 'Mine' });
    const { id, version } = own;
    const input = { ...buildForm({ title: 'Mine', slug: own.slug }), version };
    const refused = '403 may_not_publish';
    expect(await put(id, '/publication', { version, is_published: true })).toBe(refused);
    expect(await put(id, '/publication', { version, is_published: false })).toBe(refused);
    expect(await put(id, '/schedule', { version, publish_at: '2090-01-01T00:00:00Z' })).toBe(refused);
    expect(await put(id, '', { ...input, is_published: true })).toBe(refused);
    expect(await codeOf(send('author', 'POST', '/api/admin/posts', { ...buildForm(), is_published: true }))).toBe(
      refused,
    );
    const many = { action: 'publish', posts: [{ id, version }] };
    const bulk = await send('author', 'POST', '/api/admin/posts/bulk', many);
    expect(bulk.json<BulkResult>().results).toMatchObject([{ id, outcome: 'not-allowed', post: { version } }]);
    // Programs send null for what they do not say: it decides nothing, in a new post neither.
    const undecided = await create('author', { title: 'Undecided', is_published: null });
    const saved = { ...buildForm({ title: 'Undecided', slug: undecided.slug }), version: undecided.version };
    expect(await put(undecided.id, '', { ...saved, is_published: null })).toBe(200);

    await grant(idOf('author'), true);
    expect(await put(id, '/publication', { version, is_published: true })).toBe(200);
    expect(await put(id, '', { ...input, version: version + 1, title: 'Mine, anew' })).toBe(200);
    await grant(idOf('author'), false);

    // What readers have stays as it is; edits are kept beside it.
    const live = version + 2;
    expect(await put(id, '', { ...input, version: live, title: 'Not agreed' })).toBe(refused);
    expect(await put(id, '/publication', { version: live, is_published: false })).toBe(refused);
    expect(await put(id, `?version=${live}`, {}, 'DELETE')).toBe(refused);
    const fields = buildForm({ title: 'Not agreed', slug: own.slug });
    expect(await put(id, '/working-copy', { version: live, fields })).toBe(200);
    expect((await app.inject(`/api/posts/${own.slug}`)).json()).toMatchObject({ title: 'Mine, anew' });

    // A plan was agreed to with its text, and stays when the permission goes.
    const planned = await create('author', { title: 'Planned' });
    await send('administrator', 'PUT', `/api/admin/posts/${planned.id}/schedule`, {
      version: planned.version,
      publish_at: '2090-01-01T00:00:00Z',
    });
    const plannedInput = { ...buildForm({ title: 'Other', slug: planned.slug }), version: planned.version + 1 };
    expect(await put(planned.id, '', plannedInput)).toBe(refused);
    expect(await put(planned.id, '/schedule', { version: planned.version + 1, publish_at: null })).toBe(refused);

    // A draft that readers never had is theirs to throw away, and to get back.
    const draft = await create('author', { title: 'A mistake' });
    expect(await put(draft.id, `?version=${draft.version}`, {}, 'DELETE')).toBe(200);
    expect(await put(draft.id, '/restore', { version: draft.version + 1 }, 'POST')).toBe(200);
  });

  it('has what they duplicate, and keeps nothing of what is taken from them', async () => {
    const own = await create('author', { title: 'An original' });
    const copy = await send('author', 'POST', `/api/admin/posts/${own.id}/duplicate`);
    expect(copy.json<AdminPost>().owner).toEqual({ id: idOf('author'), email: 'author@people.example' });
    const theirs = await send('administrator', 'POST', `/api/admin/posts/${own.id}/duplicate`);
    expect(theirs.json<AdminPost>().owner?.id).toBe(idOf('administrator'));
    expect(await put(theirs.json<AdminPost>().id, '', {}, 'GET')).toBe('404 post_not_found');
    await app.get(EntityManager).fork().execute('update blog_posts set owner_id = null where id = ?', [own.id]);
    expect(await put(own.id, '', {}, 'GET')).toBe('404 post_not_found');
  });
});
