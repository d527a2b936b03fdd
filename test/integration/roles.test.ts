import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { BatchService } from '../../src/posts/batch.service.js';
import { PeopleService } from '../../src/people/people.service.js';
import { ImportedPostsService } from '../../src/import/imported-posts.service.js';
import { PrivacyService } from '../../src/privacy/privacy.service.js';
import { PostInputError } from '../../src/posts/post.errors.js';
import { PostOwnersService } from '../../src/posts/post-owners.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { PreviewsService } from '../../src/posts/previews.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { UserChangesService } from '../../src/auth/admin/user-changes.service.js';
import { User, type UserRow } from '../../src/auth/accounts/user.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { UserRole } from '../../src/roles/user-role.entity.js';
import { OPERATOR, type Actor } from '../../src/shared/actor.js';
import type { InvitedPerson, Person } from '../../src/shared/contracts/people.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { Mailbox } from '../support/mailbox.js';
import { until } from '../support/until.js';

const NOT_ADMIN = { code: 'not_admin', message: 'You must be an admin to access this page.' };
const LAST_ADMIN = { response: { code: 'last_admin' } };
const GONE = { response: { code: 'person_not_found' } };
const politely = { isForced: false };
/** Somebody who waits for a lock. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

let app: TestApp;
let roles: RolesService;
let ada: UserRow;
let bob: UserRow;
const actorOf = ({ id }: UserRow): Actor => ({ kind: 'user', userId: id });
const adminIds = async () => (await roles.listAdmins(OPERATOR)).map(({ userId }) => userId);

beforeAll(async () => {
  app = await createTestApp();
  roles = app.get(RolesService);
});

beforeEach(async () => {
  await app.get(EntityManager).fork().nativeDelete(User, {});
  ada = await createAccount(app, { email: 'ada@example.com' });
  bob = await createAccount(app, { email: 'bob@example.com' });
});

describe('the role of administrator', () => {
  it('is granted and revoked at once, and nothing happens twice', async () => {
    expect(await roles.isAdmin(ada.id)).toBe(false);
    expect(await roles.grantAdmin(OPERATOR, ada.id)).toBe(true);
    expect(await roles.grantAdmin(OPERATOR, ada.id)).toBe(false);
    expect(await roles.grantAdmin(actorOf(ada), bob.id)).toBe(true);
    expect(await roles.isAdmin(ada.id)).toBe(true);
    expect(await roles.listAdmins(OPERATOR)).toEqual([
      { userId: ada.id, email: 'ada@example.com', createdAt: expect.any(Date) },
      { userId: bob.id, email: 'bob@example.com', createdAt: expect.any(Date) },
    ]);
    expect(await roles.revokeAdmin(OPERATOR, ada.id, politely)).toBe(true);
    expect(await roles.revokeAdmin(OPERATOR, ada.id, politely)).toBe(false);
    expect(await adminIds()).toEqual([bob.id]);
  });

  it('is not any role, and not somebody else’s', async () => {
    await app.get(EntityManager).fork().insert(UserRole, { user: bob.id, role: 'editor', createdAt: new Date() });
    await roles.grantAdmin(OPERATOR, ada.id);
    expect(await roles.isAdmin(bob.id)).toBe(false);
    expect(await adminIds()).toEqual([ada.id]);
  });

  it('goes with its user, and cannot be given to nobody', async () => {
    await roles.grantAdmin(OPERATOR, ada.id);
    await app.get(EntityManager).fork().nativeDelete(User, { id: ada.id });
    expect(await adminIds()).toEqual([]);
    await expect(roles.grantAdmin(OPERATOR, ada.id)).rejects.toMatchObject(GONE);
    // Whoever was deleted softly would count as an administrator who is left.
    await app.get(EntityManager).fork().nativeUpdate(User, { id: bob.id }, { deletedAt: new Date() });
    await expect(roles.grantAdmin(OPERATOR, bob.id)).rejects.toMatchObject(GONE);
  });

  it('stays with the last one, unless forced', async () => {
    await roles.grantAdmin(OPERATOR, ada.id);
    // Another role is no administrator who is left.
    await app.get(EntityManager).fork().insert(UserRole, { user: bob.id, role: 'editor', createdAt: new Date() });
    await expect(roles.revokeAdmin(OPERATOR, ada.id, politely)).rejects.toMatchObject(LAST_ADMIN);
    expect(await roles.revokeAdmin(OPERATOR, bob.id, politely)).toBe(false);
    expect(await roles.revokeAdmin(OPERATOR, ada.id, { isForced: true })).toBe(true);
    expect(await adminIds()).toEqual([]);
  });

  it('stays with the last one who can come in: nobody who is banned or has not come yet takes their place', async () => {
    const cleo = await createAccount(app, { email: 'cleo@example.com', emailConfirmedAt: null });
    for (const user of [ada, bob, cleo]) await roles.grantAdmin(OPERATOR, user.id);
    const users = app.get(UsersService);
    await users.banUser(actorOf(ada), bob.id, null);
    await expect(roles.revokeAdmin(actorOf(ada), ada.id, politely)).rejects.toMatchObject(LAST_ADMIN);
    await expect(users.banUser(OPERATOR, ada.id, null)).rejects.toMatchObject(LAST_ADMIN);
    await expect(users.deleteUser(OPERATOR, ada.id)).rejects.toMatchObject(LAST_ADMIN);
    // Those who cannot come in anyway can go.
    expect(await roles.revokeAdmin(actorOf(ada), cleo.id, politely)).toBe(true);
    await users.liftBan(OPERATOR, bob.id);
    expect(await roles.revokeAdmin(actorOf(ada), ada.id, politely)).toBe(true);
    expect(await adminIds()).toEqual([bob.id]);
  });

  it('stays with one of two who revoke each other at the same time', async () => {
    for (const user of [ada, bob]) await roles.grantAdmin(OPERATOR, user.id);
    const em = app.get(EntityManager).fork();
    await em.begin();
    await roles.requireOtherAdmin(em, bob.id);
    await em.nativeDelete(UserRole, { user: bob.id });

    let isSettled = false;
    const second = roles.revokeAdmin(OPERATOR, ada.id, politely).finally(() => (isSettled = true));
    const outcome = expect(second).rejects.toMatchObject(LAST_ADMIN);
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => isSettled || (await app.get(EntityManager).fork().execute(waiting)).length > 0);
    await em.commit();
    await outcome;
    expect(await adminIds()).toEqual([ada.id]);
  });

  it('is what services ask for before they write or show drafts', async () => {
    await roles.grantAdmin(OPERATOR, ada.id);
    const posts = app.get(PostsService);
    const imported = app.get(ImportedPostsService);
    const batch = app.get(BatchService);
    const redirects = app.get(RedirectsService);
    const calls: ((actor: Actor) => Promise<unknown>)[] = [
      (actor) => roles.grantAdmin(actor, bob.id),
      (actor) => roles.revokeAdmin(actor, ada.id, politely),
      (actor) => roles.listAdmins(actor),
      (actor) => posts.listAllIncludingDrafts(actor),
      (actor) => imported.findForImportIncludingDrafts(actor, { sourceKeys: [], slugs: [] }),
      (actor) => imported.savePosts(actor, []),
      (actor) => batch.plan(actor, { kind: 'publish' }, {}),
      (actor) => batch.apply(actor, { kind: 'publish' }, []),
      (actor) => app.get(PeopleService).list(actor),
      (actor) => app.get(PeopleService).invite(actor, { email: 'eve@example.com', role: 'admin' }),
      (actor) => redirects.list(actor),
      (actor) => redirects.save(actor, []),
      (actor) => redirects.remove(actor, []),
    ];
    for (const call of calls) await expect(call(actorOf(bob))).rejects.toMatchObject({ response: NOT_ADMIN });
    expect(await posts.listAllIncludingDrafts(actorOf(ada))).toEqual([]);
    await roles.revokeAdmin(OPERATOR, ada.id, { isForced: true });
    await expect(posts.listAllIncludingDrafts(actorOf(ada))).rejects.toMatchObject({ response: NOT_ADMIN });
  });
});

describe('GET /api/me', () => {
  const ask = (accessToken: string) =>
    app.inject({ url: '/api/me', headers: { authorization: `Bearer ${accessToken}` } });

  it('tells who asks, and whether they are an administrator at this moment', async () => {
    const { accessToken } = await signIn(app, ada);
    const me = {
      id: ada.id,
      email: 'ada@example.com',
      is_admin: false,
      role: null,
      may_publish: false,
      needs_second_factor: false,
    };
    const answer = await ask(accessToken);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual(me);
    await roles.grantAdmin(OPERATOR, ada.id);
    expect((await ask(accessToken)).json()).toEqual({ ...me, is_admin: true, role: 'admin', may_publish: true });
    await roles.revokeAdmin(OPERATOR, ada.id, { isForced: true });
    expect((await ask(accessToken)).json()).toEqual(me);
  });

  it('is closed as soon as the session is over, or its user is gone or banned', async () => {
    const em = app.get(EntityManager).fork();
    const expectClosed = async (accessToken: string) => {
      const answer = await ask(accessToken);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ code: 'no_authorization' });
    };
    const first = await signIn(app, ada);
    expect((await ask(first.accessToken)).statusCode).toBe(200);
    await em.nativeDelete(Session, { id: first.sessionId });
    await expectClosed(first.accessToken);

    const second = await signIn(app, ada);
    await em.nativeUpdate(User, { id: ada.id }, { bannedUntil: new Date(Date.now() + 3_600_000) });
    await expectClosed(second.accessToken);
    await em.nativeUpdate(User, { id: ada.id }, { bannedUntil: null });
    expect((await ask(second.accessToken)).statusCode).toBe(200);
    await em.nativeDelete(User, { id: ada.id });
    await expectClosed(second.accessToken);
    await expectClosed(`${second.accessToken}x`);
  });

  it('is described for programs', async () => {
    const api = (await app.inject('/api/openapi.json')).json<{ paths: Record<string, unknown> }>();
    expect(api.paths['/api/me']).toMatchObject({
      get: {
        security: [{ bearer: [] }],
        responses: { 200: { content: { 'application/json': {} } }, 401: {} },
      },
    });
  });
});

describe('/api/admin/people', () => {
  let token: string;

  beforeEach(async () => {
    await roles.grantAdmin(OPERATOR, ada.id);
    token = (await signIn(app, ada)).accessToken;
  });

  const call = async <T = { code: string }>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object) => {
    const answer = await app.inject({
      method,
      url: `/api/admin/people${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: answer.statusCode, body: answer.json<T>() };
  };
  const list = async () => (await call<Person[]>('GET')).body;
  const rows = (sql: string) => app.get(EntityManager).fork().execute<Record<string, unknown>[]>(sql);
  const mails = () =>
    rows(`select data from pgboss.job where data::text like '%"invite"%' or data::text like '%role_granted%'`);

  it('invites somebody without an account, who has the role when they come, and withdraws it', async () => {
    const before = (await mails()).length;
    const invited = await call<InvitedPerson>('POST', '', {
      email: 'Cleo@example.com',
      role: 'author',
      may_publish: true,
    });
    expect(invited).toMatchObject({
      status: 200,
      body: {
        outcome: 'invited',
        person: { email: 'cleo@example.com', role: 'author', may_publish: true, is_invited: true },
      },
    });
    // Before the mail has left, and by its link afterwards: a week, and the mail says who invites and to do what.
    const mail = await new Mailbox(app).read('cleo@example.com');
    expect(mail.text).toContain('ada@example.com invites you');
    expect(mail.text).toContain('write posts for its blog and publish them');
    const ends = [invited.body.person, (await list())[1]].map((person) => Date.parse(person?.invited_until ?? ''));
    for (const end of ends) expect(Math.abs(end - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
    expect((await list())[0]).toMatchObject({ invited_until: null });
    expect(await mails()).toHaveLength(before + 1);
    // Twice at once is one mail, and one person.
    const again = await call('POST', '', { email: 'cleo@example.com', role: 'author', may_publish: true });
    expect(again).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } });
    expect((await list()).map(({ email }) => email)).toEqual(['ada@example.com', 'cleo@example.com']);

    const withdrawn = await call('DELETE', `/${invited.body.person.id}`);
    expect(withdrawn).toEqual({ status: 200, body: { drafts: 0, drafts_to: null, is_withdrawn: true } });
    expect(await rows(`select 1 from auth.users where email = 'cleo@example.com'`)).toEqual([]);
    expect(await call('DELETE', `/${invited.body.person.id}`)).toMatchObject({
      status: 404,
      body: { code: 'person_not_found' },
    });

    // Whoever has come before that keeps the account.
    const { body: late } = await call<InvitedPerson>('POST', '', { email: 'dora@example.com', role: 'author' });
    await rows(`update auth.users set email_confirmed_at = now() where id = '${late.person.id}'`);
    expect((await call('DELETE', `/${late.person.id}`)).body).toMatchObject({ is_withdrawn: false });
    expect(await rows(`select 1 from auth.users where email = 'dora@example.com'`)).toHaveLength(1);
  });

  it('gives an account that is there the role at once, tells it once, and takes no role by an invitation', async () => {
    const before = (await mails()).length;
    const input = { email: 'BOB@example.com', role: 'author' };
    expect(await call('POST', '', input)).toMatchObject({ status: 200, body: { outcome: 'granted' } });
    expect(await mails()).toHaveLength(before + 1);
    expect(await call('POST', '', input)).toMatchObject({ status: 200, body: { outcome: 'unchanged' } });
    expect(await mails()).toHaveLength(before + 1);
    expect(await call('POST', '', { email: 'ada@example.com', role: 'admin' })).toMatchObject({
      status: 200,
      body: { outcome: 'unchanged', person: { role: 'admin', may_publish: true } },
    });
    expect(await call('POST', '', { email: 'ada@example.com', role: 'author' })).toMatchObject({
      status: 409,
      body: { code: 'has_role' },
    });
    expect(await call('POST', '', { email: 'nonsense', role: 'author' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    expect(await call('POST', '', { email: 'dan@example.com', role: 'owner' })).toMatchObject({ status: 400 });
  });

  it('changes a role, but never that of the last administrator', async () => {
    expect(await call('PUT', `/${bob.id}`, { role: 'admin' })).toMatchObject({
      status: 404,
      body: { code: 'person_not_found' },
    });
    expect(await roles.findRole(bob.id)).toBeNull();
    // An account that somebody else has deleted since the list was read.
    expect(await call('PUT', `/${randomUUID()}`, { role: 'admin' })).toMatchObject({
      status: 404,
      body: { code: 'person_not_found' },
    });
    await call('POST', '', { email: 'bob@example.com', role: 'author' });
    expect(await call('PUT', `/${bob.id}`, { role: 'author', may_publish: true })).toMatchObject({
      body: { role: 'author', may_publish: true },
    });
    // Programs send null for what they do not say, and spell ids as they like; the log has them in one spelling.
    expect(await call('PUT', `/${bob.id.toUpperCase()}`, { role: 'author', may_publish: null })).toMatchObject({
      status: 200,
      body: { id: bob.id, role: 'author', may_publish: false },
    });
    expect(await rows(`select 1 from audit_log where subject_id = '${bob.id.toUpperCase()}'`)).toEqual([]);
    // Somebody else was faster: nobody stops being an administrator who was none when that was decided.
    const seen = { seen_role: 'author', seen_may_publish: false };
    expect(await call('PUT', `/${bob.id}`, { role: 'admin', ...seen })).toMatchObject({ status: 200 });
    expect(await call('PUT', `/${bob.id}`, { role: 'author', may_publish: true, ...seen })).toMatchObject({
      status: 409,
      body: { code: 'role_changed' },
    });
    expect(await roles.findRole(bob.id)).toBe('admin');
    // An answer that got lost is asked for again.
    expect(await call('PUT', `/${bob.id}`, { role: 'admin', ...seen })).toMatchObject({ status: 200 });
    const known = { seen_role: 'admin', seen_may_publish: true };
    expect(await call('PUT', `/${bob.id}`, { role: 'author', ...known })).toMatchObject({ body: { role: 'author' } });
    // In any spelling of the id.
    for (const id of [ada.id, ada.id.toUpperCase()]) {
      for (const [method, body] of [
        ['PUT', { role: 'author' }],
        ['DELETE', undefined],
      ] as const) {
        expect(await call(method, `/${id}`, body)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
      }
    }
    expect(await roles.findRole(ada.id)).toBe('admin');
    expect(await call('PUT', `/${bob.id}`, { role: 'admin' })).toMatchObject({ body: { role: 'admin' } });
    expect(await call('PUT', `/${ada.id}`, { role: 'author' })).toMatchObject({ body: { role: 'author' } });
    // At the next request.
    expect(await call('GET')).toMatchObject({ status: 403, body: { code: 'not_admin' } });
  });

  it('gives the drafts of an account that is deleted to an administrator, whichever way it goes', async () => {
    for (const isSoft of [false, true]) {
      const { id } = await createAccount(app);
      await roles.grant(app.get(EntityManager).fork(), OPERATOR, id, { role: 'author', mayPublish: false });
      const slug = `of-${id}`;
      await rows(
        `insert into blog_posts (title, slug, content, author, published_date, is_published, owner_id, created_at)
         select 'Post ' || n, '${slug}-' || n, '', 'Cleo', now(), n = 2, '${id}', now() from generate_series(1, 2) n`,
      );
      await app
        .get(EntityManager)
        .fork()
        .transactional(async (em) => {
          const user = await em.findOneOrFail(User, { id });
          if (isSoft) await app.get(UserChangesService).removeSoftly(em, OPERATOR, user);
          else await app.get(UserChangesService).remove(em, OPERATOR, user);
        });
      const left = await rows(`select owner_id from blog_posts where slug like '${slug}-%' order by slug`);
      expect(left).toEqual([{ owner_id: ada.id }, { owner_id: null }]);
      await rows(`delete from blog_posts where slug like '${slug}-%'`);
    }
  });

  it('takes a role back at once, with the drafts, and writes it down', async () => {
    await call('POST', '', { email: 'bob@example.com', role: 'author' });
    const { accessToken } = await signIn(app, bob);
    const ask = () => app.inject({ url: '/api/admin/posts', headers: { authorization: `Bearer ${accessToken}` } });
    expect((await ask()).statusCode).toBe(200);
    await rows(
      `insert into blog_posts (title, slug, content, author, published_date, is_published, scheduled_at, owner_id, created_at)
       select 'Post ' || n, 'of-bob-' || n, '', 'Bob', now(), n = 3, case when n = 2 then timestamptz '2090-01-01' end,
         '${bob.id}', now() + n * interval '1 s' from generate_series(1, 3) n`,
    );
    // Of somebody else nothing goes.
    const cleo = await createAccount(app, { email: 'cleo@example.com' });
    await app.get(PeopleService).grant(OPERATOR, cleo.id, { role: 'author', mayPublish: false });
    await rows(
      `insert into blog_posts (title, slug, content, author, published_date, is_published, owner_id, created_at)
       values ('Hers', 'of-cleo', '', 'Cleo', now(), false, '${cleo.id}', now())`,
    );
    const shown = (await list()).find(({ id }) => id === bob.id);
    expect(shown).toMatchObject({
      posts: { drafts: 1, scheduled: 1, published: 1 },
      has_second_factor: false,
      is_invited: false,
      name: '',
    });
    expect(await app.get(PrivacyService).export(OPERATOR, 'bob@example.com')).toMatchObject({
      accounts: [{ is_admin: false, role: 'author', may_publish: false }],
      posts: ['draft', 'scheduled', 'published'].map((state, n) => ({ title: `Post ${n + 1}`, state })),
    });
    expect(await call('DELETE', `/${bob.id}`)).toEqual({
      status: 200,
      body: { drafts: 2, drafts_to: 'ada@example.com', is_withdrawn: false },
    });
    expect(await ask()).toMatchObject({ statusCode: 403 });
    const owners = await rows(
      `select email, scheduled_at is null as is_unplanned from blog_posts join auth.users on users.id = owner_id
       where slug like 'of-bob-%' order by slug`,
    );
    expect(owners).toEqual([
      { email: 'ada@example.com', is_unplanned: true },
      { email: 'ada@example.com', is_unplanned: false },
      { email: 'bob@example.com', is_unplanned: true },
    ]);
    expect(await rows(`select owner_id from blog_posts where slug = 'of-cleo'`)).toEqual([{ owner_id: cleo.id }]);
    const [line] = await rows(
      `select actor_email, subject, details from audit_log where action = 'role.revoked' order by id desc`,
    );
    expect(line).toEqual({
      actor_email: 'ada@example.com',
      subject: 'bob@example.com',
      details: { role: 'author', drafts: 2, drafts_to: 'ada@example.com' },
    });
    await rows(`delete from blog_posts where slug like 'of-bob-%' or slug = 'of-cleo'`);
  });

  it('gives one post to somebody with a role, and writes it down once', async () => {
    await app.get(PeopleService).grant(OPERATOR, bob.id, { role: 'author', mayPublish: false });
    await rows(
      `insert into blog_posts (title, slug, content, author, published_date, is_published, created_at)
       select 'Given ' || n, 'given-' || n, '', 'Ada', now(), false, now() from generate_series(1, 2) n`,
    );
    const [, second] = await rows(`select id from blog_posts where slug like 'given-%' order by slug`);
    const owners = app.get(PostOwnersService);
    const give = (who: UserRow, to: string | null) => owners.give(actorOf(who), String(second!['id']), to);
    await expect(give(bob, bob.id)).rejects.toMatchObject({ response: NOT_ADMIN });
    const stranger = await createAccount(app, { email: 'stranger@example.com' });
    await expect(give(ada, stranger.id)).rejects.toThrow(PostInputError);
    for (let time = 0; time < 2; time += 1)
      expect(await give(ada, bob.id)).toEqual({ id: bob.id, email: 'bob@example.com' });
    const ownersNow = `select owner_id from blog_posts where slug like 'given-%' order by slug`;
    expect(await rows(ownersNow)).toEqual([{ owner_id: null }, { owner_id: bob.id }]);
    expect(await give(ada, null)).toBeNull();
    expect(await rows(ownersNow)).toEqual([{ owner_id: null }, { owner_id: null }]);
    const lines = `select actor_email, subject, details from audit_log where action = 'post.given' order by id`;
    expect(await rows(lines)).toEqual(
      ['bob@example.com', null].map((to) => ({ actor_email: 'ada@example.com', subject: 'Given 2', details: { to } })),
    );
    await rows(`delete from blog_posts where slug like 'given-%'`);
  });

  it('ends the preview links of what goes to somebody else, and of all posts of who has no role any more', async () => {
    const cleo = await createAccount(app, { email: 'cleo@example.com' });
    for (const { id } of [bob, cleo]) {
      await app.get(PeopleService).grant(OPERATOR, id, { role: 'author', mayPublish: false });
    }
    // Of Bob two drafts and a published post, of Cleo the same without the first, and one of nobody.
    await rows(
      `insert into blog_posts (title, slug, content, author, published_date, is_published, owner_id, created_at)
       select 'Linked ' || n, 'linked-' || n, '', 'Bob', now(), n in (3, 5),
         case when n <= 3 then '${bob.id}'::uuid when n <= 5 then '${cleo.id}'::uuid end, now() from generate_series(1, 6) n`,
    );
    const posts = await rows(`select id from blog_posts where slug like 'linked-%' order by slug`);
    const ids = posts.map(({ id }) => String(id));
    const links: string[] = [];
    for (const id of ids) {
      const headers = { authorization: `Bearer ${token}` };
      const made = await app.inject({ method: 'POST', url: `/api/admin/posts/${id}/preview-links`, headers });
      links.push(new URL(made.json<{ url: string }>().url).pathname.replace('/preview/', '/api/previews/'));
    }
    /** The numbers of the posts whose links still show them. */
    const shown = async () => {
      const numbers: number[] = [];
      for (const [index, url] of links.entries())
        if ((await app.inject(url)).statusCode === 200) numbers.push(index + 1);
      return numbers;
    };
    expect(await shown()).toEqual([1, 2, 3, 4, 5, 6]);
    const owners = app.get(PostOwnersService);
    // Of nobody, so nobody loses it; and to whom has it already.
    await owners.give(actorOf(ada), ids[5]!, ada.id);
    await owners.give(actorOf(ada), ids[0]!, bob.id);
    expect(await shown()).toEqual([1, 2, 3, 4, 5, 6]);
    await owners.give(actorOf(ada), ids[0]!, ada.id);
    expect(await shown()).toEqual([2, 3, 4, 5, 6]);
    expect(await call('DELETE', `/${bob.id}`)).toMatchObject({ status: 200, body: { drafts: 1 } });
    expect(await shown()).toEqual([4, 5, 6]);
    await app.get(UsersService).deleteUser(OPERATOR, cleo.id);
    expect(await shown()).toEqual([6]);
    await rows(`delete from blog_posts where slug like 'linked-%'`);
  });

  it('ends the preview links that somebody made to posts that they reach no more, whichever way that came', async () => {
    const withdraw: Readonly<Record<string, (user: UserRow) => Promise<unknown>>> = {
      taken: ({ id }) => call('DELETE', `/${id}`),
      lowered: ({ id }) => call('PUT', `/${id}`, { role: 'author' }),
      banned: ({ id }) => app.get(UsersService).banUser(OPERATOR, id, null),
      deleted: ({ id }) => app.get(UsersService).deleteUser(OPERATOR, id),
      provided: ({ id }) =>
        app
          .get(EntityManager)
          .fork()
          .transactional((em) => roles.followProvider(em, id, false)),
    };
    await rows(
      `insert into blog_posts (title, slug, content, author, published_date, is_published, created_at)
       values ('Nobody’s', 'linked-nobody', '', 'Nobody', now(), false, now())`,
    );
    const [foreign] = await rows(`select id from blog_posts where slug = 'linked-nobody'`);
    const linkOf = async (accessToken: string, postId: unknown) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      const made = await app.inject({
        method: 'POST',
        url: `/api/admin/posts/${String(postId)}/preview-links`,
        headers,
      });
      return new URL(made.json<{ url: string }>().url).pathname.replace('/preview/', '/api/previews/');
    };
    const isOpen = async (url: string) => (await app.inject(url)).statusCode === 200;
    const kept = await linkOf(token, foreign!['id']);
    for (const [way, change] of Object.entries(withdraw)) {
      const user = await createAccount(app, { email: `${way}@example.com` });
      await roles.grantAdmin(OPERATOR, user.id);
      await rows(`update user_roles set source = 'provider' where user_id = '${user.id}' and ${way === 'provided'}`);
      await rows(
        `insert into blog_posts (title, slug, content, author, published_date, is_published, owner_id, created_at)
         values ('Own', 'linked-${way}', '', 'Own', now(), false, '${user.id}', now())`,
      );
      const [own] = await rows(`select id from blog_posts where slug = 'linked-${way}'`);
      const { accessToken } = await signIn(app, user);
      const links = [await linkOf(accessToken, foreign!['id']), await linkOf(accessToken, own!['id'])];
      const shown = async () => await Promise.all([kept, ...links].map(isOpen));
      expect([way, await shown()]).toEqual([way, [true, true, true]]);
      const data = await app.get(PrivacyService).export(OPERATOR, `${way}@example.com`);
      const made = data.preview_links.map(
        ({ post_id: postId, withdrawn_at: withdrawnAt }) => [postId, withdrawnAt] as const,
      );
      expect(new Map<unknown, unknown>(made)).toEqual(
        new Map([
          [foreign!['id'], null],
          [own!['id'], null],
        ]),
      );
      await change(user);
      // An author goes on reading what is theirs.
      expect([way, await shown()]).toEqual([way, [true, false, way === 'lowered']]);
    }
    expect(await rows(`select from post_preview_links where created_by is not null`)).toHaveLength(9);
    await rows(`delete from blog_posts where slug like 'linked-%'`);
  });

  it('makes no preview link for somebody whose role is taken at that moment', async () => {
    await roles.grantAdmin(OPERATOR, bob.id);
    await rows(
      `insert into blog_posts (title, slug, content, author, published_date, is_published, created_at)
       values ('Raced', 'linked-raced', '', 'Nobody', now(), false, now())`,
    );
    const [post] = await rows(`select id from blog_posts where slug = 'linked-raced'`);
    const em = app.get(EntityManager).fork();
    await em.begin();
    await roles.revoke(em, OPERATOR, bob.id, { isForced: false });
    const link = app.get(PreviewsService).createLink(actorOf(bob), String(post!['id']));
    const refusal = expect(link).rejects.toMatchObject({ response: NOT_ADMIN });
    await until(async () => (await rows(WAITING)).length > 0);
    await em.commit();
    await refusal;
    await rows(`delete from blog_posts where slug = 'linked-raced'`);
  });

  it('lets one of two stay who take each other back, among three as well', async () => {
    const cleo = await createAccount(app, { email: 'cleo@example.com' });
    for (const { id } of [bob, cleo]) await roles.grantAdmin(OPERATOR, id);
    const people = app.get(PeopleService);
    const outcomes = await Promise.allSettled([
      people.dismiss(actorOf(ada), bob.id),
      people.dismiss(actorOf(bob), ada.id),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await adminIds()).toHaveLength(2);
  });
});
