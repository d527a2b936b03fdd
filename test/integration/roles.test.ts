import { EntityManager, ForeignKeyConstraintViolationException } from '@mikro-orm/postgresql';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { User, type UserRow } from '../../src/auth/accounts/user.entity.js';
import { RedirectsService } from '../../src/redirects/redirects.service.js';
import { BatchService } from '../../src/posts/batch.service.js';
import { ImportedPostsService } from '../../src/import/imported-posts.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { UserRole } from '../../src/roles/user-role.entity.js';
import { OPERATOR, type Actor } from '../../src/shared/actor.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { until } from '../support/until.js';

const NOT_ADMIN = { code: 'not_admin', message: 'You must be an admin to access this page.' };
const LAST_ADMIN = { response: { code: 'last_admin' } };
const politely = { isForced: false };

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
    await expect(roles.grantAdmin(OPERATOR, ada.id)).rejects.toThrow(ForeignKeyConstraintViolationException);
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
