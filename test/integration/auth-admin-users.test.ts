import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { AdminUserAttributes } from '@supabase/auth-js';
import { ModulesContainer } from '@nestjs/core';
import bcrypt from 'bcryptjs';
import { AuditRecord } from '../../src/audit/audit-entry.entity.js';
import { Identity } from '../../src/auth/accounts/identity.entity.js';
import { User } from '../../src/auth/accounts/user.entity.js';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { PrivacyService } from '../../src/privacy/privacy.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { RevisionPage } from '../../src/shared/contracts/admin-posts.js';
import { buildForm, createAdministrator } from '../support/admin-posts.js';
import { PASSWORD, startAuthServer, type AuthServer } from '../support/auth-server.js';
import { createPosts } from '../support/factories.js';
import { handlerRoutesOf } from '../support/registered-routes.js';
import { accessTokenOf, enrollTotp, showTotp, signInAs } from '../support/second-factor.js';
import { until } from '../support/until.js';

const OTHER = 'another horse 8';
const DAY = 86_400;
/** Transactions that wait for another one. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

let server: AuthServer;
let token: string;

beforeAll(async () => {
  server = await startAuthServer({ AUTH_PHONE_ENABLED: 'true', AUTH_SMS_TEST_OTP: '491510000001:123456' });
  token = (await server.app.get(AccessTokenService).issueServiceToken(DAY)).token;
});

/** The published client of a program. */
const admin = (bearer = token, on = server) => on.client({ headers: { Authorization: `Bearer ${bearer}` } }).admin;
const call = (method: string, path: string, body?: unknown, bearer: string | null = token) =>
  server.call(path, { method, body, headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` } });
const signIn = (email: string, password = PASSWORD) => server.client().signInWithPassword({ email, password });
const fork = () => server.app.get(EntityManager).fork();

async function create(attributes: AdminUserAttributes = {}) {
  const email = server.newEmail();
  const { data, error } = await admin().createUser({ email, password: PASSWORD, email_confirm: true, ...attributes });
  if (error) throw error;
  return { ...data.user, email };
}

/** Someone with a session. */
async function join() {
  const user = await create();
  const client = server.client();
  const { data } = await client.signInWithPassword({ email: user.email, password: PASSWORD });
  return { ...user, client, session: data.session! };
}

describe('who may administer accounts', () => {
  it('are programs with a token of their role, and nobody else, whatever they ask', async () => {
    const { id, session } = await join();
    await server.app.get(RolesService).grantAdmin(OPERATOR, (await create()).id);
    await server.app.get(RolesService).grantAdmin(OPERATOR, id);
    const routes = handlerRoutesOf(server.app.get(ModulesContainer)).filter(({ access }) => access === 'service-role');
    expect(routes.length).toBeGreaterThan(4);
    for (const { name } of routes) {
      const [method = '', path = ''] = name.replace('/auth/v1', '').split(' ');
      // Not even an id or a body is looked at.
      const ask = (bearer: string | null) =>
        call(method, path.replace(/:\w+/g, 'x'), method === 'GET' ? undefined : '{', bearer);
      expect([name, await ask(null)]).toMatchObject([name, { status: 401, body: { code: 'no_authorization' } }]);
      expect([name, await ask('a.b.c')]).toMatchObject([name, { status: 403, body: { code: 'bad_jwt' } }]);
      expect([name, await ask(session.access_token)]).toMatchObject([
        name,
        { status: 403, body: { code: 'not_admin', message: 'User not allowed' } },
      ]);
    }
  });

  it('are people with such a role, as long as their session lives and they have it', async () => {
    const { id, email } = await create({ role: 'service_role' });
    const person = server.client();
    const { data } = await person.signInWithPassword({ email, password: PASSWORD });
    const bearer = data.session?.access_token ?? '';
    expect((await admin(bearer).getUserById(id)).data.user).toMatchObject({ role: 'service_role' });
    await admin(bearer).updateUserById(id, { user_metadata: { a: 1 } });
    const [line] = await fork().find(AuditRecord, { action: 'user.updated', subjectId: id });
    expect(line).toMatchObject({ actorKind: 'program', actorId: id, actorEmail: email });
    await admin().updateUserById(id, { role: 'authenticated' });
    expect((await admin(bearer).getUserById(id)).error).toMatchObject({ status: 403, code: 'not_admin' });
    await admin().updateUserById(id, { role: 'supabase_admin' });
    expect((await admin(bearer).getUserById(id)).error).toBeNull();
    await person.signOut();
    expect(await call('GET', `/admin/users/${id}`, undefined, bearer)).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
  });

  it('are none of these people without the second factor that they have', async () => {
    const { id, email } = await create({ role: 'service_role' });
    const owner = await signInAs(server, email);
    const before = await accessTokenOf(owner);
    const app = await enrollTotp(server, owner);
    await showTotp(server, owner, app);
    const stranger = await signInAs(server, email);
    const refusal = { status: 403, code: 'insufficient_aal' };
    const theirs = admin(await accessTokenOf(stranger));
    expect((await theirs.getUserById(id)).error).toMatchObject(refusal);
    expect((await theirs.mfa.deleteFactor({ id: app.factorId, userId: id })).error).toMatchObject(refusal);
    // The session was raised, whichever of its tokens asks.
    for (const bearer of [before, await accessTokenOf(owner)]) {
      expect((await admin(bearer).getUserById(id)).error).toBeNull();
    }
  });

  it('sign people out with the token of these people, as the client does', async () => {
    const { id, client, session } = await join();
    const { session: other } = (await signIn((await client.getUser()).data.user?.email ?? '')).data;
    expect(await admin().signOut(session.access_token, 'others')).toMatchObject({ error: null });
    expect(await call('GET', '/user', undefined, other?.access_token)).toMatchObject({ status: 403 });
    expect(await admin().signOut(session.access_token)).toMatchObject({ error: null });
    expect(await call('GET', '/user', undefined, session.access_token)).toMatchObject({
      body: { code: 'session_not_found' },
    });
    expect((await admin().getUserById(id)).error).toBeNull();
  });
});

describe('the list of users', () => {
  let own: AuthServer;
  const ids: string[] = [];
  const ask = (query: string) => own.call(`/admin/users${query}`, { headers: { authorization: `Bearer ${token}` } });
  const idsOf = (body: Readonly<Record<string, unknown>>) => (body['users'] as { id: string }[]).map(({ id }) => id);

  beforeAll(async () => {
    own = await startAuthServer({ DATA_DIR: server.app.environment.DATA_DIR });
    const createdAt = new Date('2020-01-01T00:00:00Z');
    for (let number = 0; number < 7; number += 1) {
      const { data } = await admin(token, own).createUser({ email: own.newEmail(), user_metadata: { number } });
      ids.push(data.user?.id ?? '');
    }
    // All of one moment.
    await own.app.get(EntityManager).fork().nativeUpdate(User, {}, { createdAt });
    ids.sort();
  });

  it('is read to the last page, each user once, though all are of one moment', async () => {
    const found: string[] = [];
    for (let page: number | null = 1; page !== null;) {
      const { data, error } = await admin(token, own).listUsers({ page, perPage: 2 });
      if (error) throw error;
      expect(data).toMatchObject({ aud: 'authenticated', lastPage: 4, total: 7 });
      found.push(...data.users.map(({ id }) => id));
      page = data.nextPage;
    }
    expect(found).toEqual(ids);
  });

  it('has the headers of the protocol, the page first', async () => {
    expect((await ask('?page=&per_page=')).headers.get('link')).toBe('</admin/users?page=1&per_page=50>; rel="last"');
    const first = await ask('?per_page=3&sort=created_at+asc&filter=e,x');
    expect(first.headers.get('x-total-count')).toBe('0');
    const { headers, body } = await ask('?filter=somebody&per_page=3&sort=created_at%20asc');
    expect(headers.get('x-total-count')).toBe('7');
    expect(headers.get('access-control-expose-headers')).toBe('X-Total-Count, Link, X-Supabase-Api-Version');
    const rest = 'per_page=3&sort=created_at+asc&filter=somebody';
    expect(headers.get('link')).toBe(
      `</admin/users?page=2&${rest}>; rel="next", </admin/users?page=3&${rest}>; rel="last"`,
    );
    expect(body).toMatchObject({ aud: 'authenticated', users: [{}, {}, {}] });
    const beyond = await ask('?page=9&per_page=3');
    expect(beyond).toMatchObject({ status: 200, body: { users: [] } });
    expect(beyond.headers.get('link')).toBe('</admin/users?page=3&per_page=3>; rel="last"');
  });

  it('is filtered by a part of an address or of a full name, and sorted', async () => {
    const em = own.app.get(EntityManager).fork();
    await em.nativeUpdate(User, { id: ids[2] ?? '' }, { userMetadata: { full_name: 'Ada 100%_Lovelace' } });
    await em.nativeUpdate(User, { id: ids[4] ?? '' }, { createdAt: new Date('2021-01-01T00:00:00Z') });
    for (const [filter, expected] of [
      ['lovelace', [ids[2]]],
      ['0%_L', [ids[2]]],
      ['a_a', []],
      ['%', [ids[2]]],
      ['\\', []],
      ['SOMEBODY', []],
    ] as const) {
      expect([filter, idsOf((await ask(`?filter=${encodeURIComponent(filter)}`)).body)]).toEqual([filter, expected]);
    }
    expect(idsOf((await ask('?filter=somebody')).body)).toHaveLength(7);
    expect(idsOf((await ask('')).body)[0]).toBe(ids[4]);
    expect(idsOf((await ask('?sort=created_at desc')).body)[0]).toBe(ids[4]);
    expect(idsOf((await ask('?sort=created_at%20asc')).body).at(-1)).toBe(ids[4]);
  });

  it('is that of one audience where the call names one', async () => {
    const headers = { authorization: `Bearer ${token}`, 'x-jwt-aud': 'members' };
    const created = await own.call('/admin/users', { method: 'POST', headers, body: { email: own.newEmail() } });
    expect(created.body).toMatchObject({ aud: 'members' });
    const { body } = await own.call('/admin/users', { headers });
    expect(body).toMatchObject({ aud: 'members', users: [{ id: created.body['id'] }] });
    await admin(token, own).deleteUser(String(created.body['id']));
  });

  it.each([
    ['?page=x', /^Bad Pagination Parameters: page /],
    ['?page=-1', /^Bad Pagination Parameters: page /],
    ['?page=0', /^Bad Pagination Parameters: page /],
    ['?page=99999999999', /^Bad Pagination Parameters: page /],
    ['?per_page=1001', /^Bad Pagination Parameters: per_page is a whole number from 1 to 1000$/],
    ['?per_page=1.5', /^Bad Pagination Parameters: per_page /],
    ['?sort=email%20asc', /^Bad Sort Parameters: bad field for sort 'email'$/],
    ['?sort=created_at%20up', /^Bad Sort Parameters: bad direction for sort 'up'/],
  ])('refuses %s', async (query, message) => {
    expect(await ask(query)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: expect.stringMatching(message) },
    });
  });

  it('refuses a text that no text can have', async () => {
    expect(await ask('?filter=%00')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('a program', () => {
  it('creates users as it says: without a mail, not confirmed, without a way in', async () => {
    const email = server.newEmail();
    const { data } = await admin().createUser({ email: email.toUpperCase(), user_metadata: { a: null, b: 1 } });
    const { user } = data;
    expect(user).toMatchObject({
      email,
      role: 'authenticated',
      aud: 'authenticated',
      phone: '',
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { a: null, b: 1 },
      identities: [{ provider: 'email', id: user?.id, email, identity_data: { sub: user?.id, email } }],
    });
    for (const absent of ['email_confirmed_at', 'confirmation_sent_at', 'invited_at', 'banned_until']) {
      expect(user).not.toHaveProperty(absent);
    }
    // A mail that was asked for later is there.
    await server.newPerson();
    expect((await server.mailbox.unread()).filter(({ to }) => to === email)).toEqual([]);
    expect((await signIn(email)).error).toMatchObject({ code: 'invalid_credentials' });
    expect((await admin().getUserById(user?.id ?? '')).data.user).toEqual(user);
  });

  it('creates users with everything that it may say', async () => {
    const id = randomUUID();
    const email = server.newEmail();
    const { data, error } = await admin().createUser({
      ...{ id: id.toUpperCase(), email, phone: '+49 151 0000001', email_confirm: true, phone_confirm: true },
      password_hash: await bcrypt.hash(PASSWORD, 4),
      ...{ user_metadata: { name: 'Ada' }, app_metadata: { plan: 'gold' }, role: 'editor', ban_duration: '1h30m' },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      id,
      role: 'editor',
      phone: '491510000001',
      email_confirmed_at: expect.any(String),
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email', 'phone'], plan: 'gold' },
      identities: [{ provider: 'email' }, { provider: 'phone', id }],
    });
    expect((await signIn(email)).error).toMatchObject({ code: 'user_banned' });
    // A ban is over by itself.
    server.advance(5401);
    expect((await signIn(email)).error).toBeNull();
    expect((await signIn(email, OTHER)).error).toMatchObject({ code: 'invalid_credentials' });
    const again = await call('POST', '/admin/users', { email: server.newEmail(), id });
    expect(again).toMatchObject({ status: 422, body: { code: 'user_already_exists' } });
    const phone = await call('POST', '/admin/users', { phone: '491510000001' });
    expect(phone).toMatchObject({
      status: 422,
      body: { code: 'phone_exists', message: 'Phone number already registered by another user' },
    });
  });

  it.each([
    [{}, 'validation_failed', 'Cannot create a user without either an email or phone'],
    [{ email: 'x' }, 'validation_failed', 'Unable to validate email address: invalid format'],
    [{ phone: '0' }, 'validation_failed', 'Invalid phone number format (E.164 required)'],
    [{ email: 'a@b.co', id: 'x' }, 'validation_failed', 'ID must conform to the uuid v4 format'],
    [{ email: 'a@b.co', id: '00000000-0000-0000-0000-000000000000' }, 'validation_failed', 'ID cannot be a nil uuid'],
    [
      { email: 'a@b.co', password: 'x', password_hash: 'y' },
      'validation_failed',
      'Only a password or a password hash should be provided',
    ],
    [{ email: 'a@b.co', password_hash: 'y' }, 'validation_failed', 'password_hash is neither'],
    [{ email: 'a@b.co', password: 'x'.repeat(73) }, 'validation_failed', 'Password cannot be longer than 72'],
    [{ email: 'a@b.co', ban_duration: '1d' }, 'validation_failed', 'invalid format for ban duration'],
    [{ email: 'a@b.co', role: 'x'.repeat(256) }, 'validation_failed', 'role cannot be longer than 255'],
    [{ email: 'a@b.co', user_metadata: { a: 'b\0' } }, 'validation_failed', 'The request holds a character'],
    [{ email: 'a@b.co', user_metadata: [] }, 'bad_json', 'Could not parse request body as JSON: user_metadata'],
    [{ email: 1 }, 'bad_json', 'Could not parse request body as JSON: email'],
  ])('is told what is wrong with %j, and creates nobody', async (body, code, message) => {
    expect(await call('POST', '/admin/users', body)).toMatchObject({
      status: 400,
      body: { code, message: expect.stringContaining(message) },
    });
    expect(await fork().count(User, { email: 'a@b.co' })).toBe(0);
  });

  it('creates one user of an address, however many it asks for at once', async () => {
    const email = server.newEmail();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', '/admin/users', { email, password: PASSWORD })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(5);
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'email_exists', message: 'A user with this email address has already been registered' },
      });
    }
    expect(await fork().count(User, { email })).toBe(1);
  });

  it('changes an address at once, with its identity, and voids the links that went to the former', async () => {
    const { id, email, client } = await join();
    const next = server.newEmail();
    await server.client().resetPasswordForEmail(email);
    const { otp } = await server.mailbox.read(email);
    await client.updateUser({ email: server.newEmail() });
    const { data, error } = await admin().updateUserById(id, { email: next });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: next,
      identities: [{ email: next, identity_data: { email: next, email_verified: true } }],
    });
    expect(data.user).not.toHaveProperty('new_email');
    for (const address of [email, next]) {
      const { error: refusal } = await server.client().verifyOtp({ email: address, token: otp, type: 'recovery' });
      expect(refusal).toMatchObject({ code: 'otp_expired' });
    }
    expect((await signIn(next)).error).toBeNull();
    const taken = await admin().updateUserById((await create()).id, { email: next });
    expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  it('confirms addresses, gives a user a phone, and changes metadata piece by piece', async () => {
    const { id } = await create({ email_confirm: false, user_metadata: { a: 1, b: 2 } });
    const phone = '15550001111';
    // In any spelling of the id, which the log has in one.
    const { data } = await admin().updateUserById(id.toUpperCase(), {
      ...{ email_confirm: true, phone, phone_confirm: true, role: 'editor' },
      ...{ user_metadata: { a: null, c: 3 }, app_metadata: { plan: 'gold' } },
    });
    expect(data.user).toMatchObject({
      phone,
      role: 'editor',
      email_confirmed_at: expect.any(String),
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email', 'phone'], plan: 'gold' },
      identities: [{ provider: 'email' }, { provider: 'phone', identity_data: { phone, phone_verified: true } }],
    });
    expect(data.user?.user_metadata).toEqual({ b: 2, c: 3, email_verified: true, phone_verified: true });
    const other = await admin().updateUserById((await create()).id, { phone });
    expect(other.error).toMatchObject({ status: 422, code: 'phone_exists' });
    const [line] = await fork().find(AuditRecord, { action: 'user.updated', subjectId: id });
    expect(line?.details).toEqual({
      fields: 'role, phone, email_confirm, phone_confirm, user_metadata, app_metadata',
    });
  });

  it('sets a password of the usual strength, which ends every session', async () => {
    const { id, email, session } = await join();
    const weak = await admin().updateUserById(id, { password: 'x' });
    expect(weak.error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] });
    expect((await call('PUT', `/admin/users/${id}`, { password: '' })).body).toMatchObject({ code: 'weak_password' });
    expect((await admin().updateUserById(id, { password: OTHER })).error).toBeNull();
    expect(await call('GET', '/user', undefined, session.access_token)).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
    expect((await signIn(email)).error).toMatchObject({ code: 'invalid_credentials' });
    expect((await signIn(email, OTHER)).error).toBeNull();
    await admin().updateUserById(id, { password_hash: await bcrypt.hash(PASSWORD, 4) });
    expect((await signIn(email)).error).toBeNull();
  });

  it('bans somebody during a session, for a time, and lifts the ban', async () => {
    const { id, client, session } = await join();
    const { data } = await admin().updateUserById(id, { ban_duration: '24h' });
    expect(data.user).toMatchObject({ banned_until: expect.any(String) });
    expect((await client.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' });
    const refresh = { method: 'POST', body: { refresh_token: session.refresh_token } };
    expect(await server.call('/token?grant_type=refresh_token', refresh)).toMatchObject({
      status: 400,
      body: { code: 'user_banned' },
    });
    const lifted = await admin().updateUserById(id, { ban_duration: 'none' });
    expect(lifted.data.user).not.toHaveProperty('banned_until');
    expect((await client.getUser()).error).toBeNull();
  });

  it('deletes for good: tokens end, and the address is free', async () => {
    const { id, email, session } = await join();
    const { data, error } = await admin().deleteUser(id);
    expect({ error, id: data.user?.id }).toEqual({ error: null, id });
    expect(await call('GET', '/user', undefined, session.access_token)).toMatchObject({
      status: 403,
      body: { code: 'user_not_found' },
    });
    expect((await admin().getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect(await fork().count(Identity, { userId: id })).toBe(0);
    expect((await admin().createUser({ email })).error).toBeNull();
    expect(await fork().count(AuditRecord, { action: 'user.deleted', subjectId: id, actorKind: 'program' })).toBe(1);
  });

  it('deletes for good without a body, and twice is once', async () => {
    const { id } = await create();
    expect(await call('DELETE', `/admin/users/${id}`)).toMatchObject({ status: 200, body: {} });
    expect(await call('DELETE', `/admin/users/${id}`)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });

  it('deletes softly: nobody gets in, the address is free, and of the person nothing is left but an id', async () => {
    const { id, email, session } = await join();
    await admin().updateUserById(id, { phone: '15550002222', user_metadata: { name: 'Ada' } });
    await server.client().resetPasswordForEmail(email);
    const { otp } = await server.mailbox.read(email);
    expect((await admin().deleteUser(id, true)).error).toBeNull();
    const { user } = (await admin().getUserById(id)).data;
    expect(user).toMatchObject({ id, deleted_at: expect.any(String), user_metadata: {}, app_metadata: {} });
    expect(JSON.stringify(user)).not.toMatch(/Ada|15550002222|@/);
    expect(user?.email).toMatch(/^[0-9a-f]{64}$/);
    expect(user?.phone).toMatch(/^[0-9a-f]{15}$/);
    expect(user?.identities?.map(({ identity_data: data }) => data)).toEqual([{}, {}]);
    expect(await call('GET', '/user', undefined, session.access_token)).toMatchObject({
      status: 403,
      body: { code: 'user_not_found' },
    });
    expect((await signIn(email)).error).toMatchObject({ code: 'invalid_credentials' });
    const { error } = await server.client().verifyOtp({ email, token: otp, type: 'recovery' });
    expect(error).toMatchObject({ code: 'otp_expired' });
    const listed = (await admin().listUsers({ perPage: 1000 })).data.users.find((one) => one.id === id);
    expect(listed).toHaveProperty('deleted_at');
    const changed = await admin().updateUserById(id, { password: OTHER });
    expect(changed.error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await admin().deleteUser(id, true)).error).toBeNull();
    const { data } = await server.client().signUp({ email, password: PASSWORD });
    expect(data.user?.id).not.toBe(id);
    expect((await admin().deleteUser(id)).error).toBeNull();
    expect(await fork().count(User, { id })).toBe(0);
  });

  it('leaves posts under the name of their author, and forgets who saved them', async () => {
    const ada = await createAdministrator(server.app, server.newEmail());
    const { body: post } = await ada.call('POST', '/posts', buildForm({ slug: 'by-ann' }));
    expect(post).toMatchObject({ saved_by: ada.user.email });
    const bob = await createAdministrator(server.app, server.newEmail());
    expect((await admin().deleteUser(ada.user.id, true)).error).toBeNull();
    const seen = await bob.call('GET', `/posts/${post.id}`);
    expect(seen.body).toMatchObject({ saved: { author: 'Ann' }, saved_by: null });
    const revisions = await bob.call<RevisionPage>('GET', `/posts/${post.id}/revisions`);
    expect(revisions.body.items.map(({ author }) => author)).toEqual([null]);
    expect((await admin().deleteUser(ada.user.id)).error).toBeNull();
    expect((await bob.call('GET', `/posts/${post.id}`)).body).toMatchObject({ saved: { author: 'Ann' } });
  });

  it('leaves nothing of a softly deleted person who wants to be erased', async () => {
    const { id, email } = await create();
    await admin().deleteUser(id, true);
    const erased = await server.app.get(PrivacyService).erase(OPERATOR, email);
    expect(erased.accounts).toBe(1);
    expect(await fork().count(User, { id })).toBe(0);
    const lines = await fork().find(AuditRecord, {});
    expect(
      JSON.stringify(lines.map(({ actorEmail, subject, details }) => ({ actorEmail, subject, details }))),
    ).not.toContain(email);
  });

  it('leaves the last administrator alone, and takes the role from those whom it deletes softly', async () => {
    const roles = server.app.get(RolesService);
    const [last, other] = [await create(), await create()];
    for (const { userId } of await roles.listAdmins(OPERATOR)) {
      await roles.revokeAdmin(OPERATOR, userId, { isForced: true });
    }
    for (const { id } of [last, other]) await roles.grantAdmin(OPERATOR, id);
    expect((await admin().deleteUser(other.id, true)).error).toBeNull();
    expect((await roles.listAdmins(OPERATOR)).map(({ userId }) => userId)).toEqual([last.id]);
    const refusal = { status: 409, code: 'last_admin' };
    expect((await admin().deleteUser(last.id)).error).toMatchObject(refusal);
    expect((await admin().deleteUser(last.id, true)).error).toMatchObject(refusal);
    expect((await admin().updateUserById(last.id, { ban_duration: '1h' })).error).toMatchObject(refusal);
    expect((await signIn(last.email)).error).toBeNull();
  });

  it('removes two administrators at once, of whom one would have had the drafts of the other', async () => {
    const roles = server.app.get(RolesService);
    for (const { userId } of await roles.listAdmins(OPERATOR)) {
      await roles.revokeAdmin(OPERATOR, userId, { isForced: true });
    }
    const [heir, writer, last] = [await create(), await create(), await create()];
    for (const { id } of [heir, writer, last]) await roles.grantAdmin(OPERATOR, id);
    const [draft] = await createPosts(server.app, [{ is_published: false }]);
    await fork().execute('update blog_posts set owner_id = ? where slug = ?', [writer.id, draft?.slug]);
    const handOver = roles.handOverPosts.bind(roles);
    let other: ReturnType<typeof call> | undefined;
    // The heir is being deleted by then, which waits for the roles that the deletion of the writer holds.
    const held = jest.spyOn(roles, 'handOverPosts').mockImplementationOnce(async (...of) => {
      other = call('DELETE', `/admin/users/${heir.id}`);
      await until(async () => (await fork().execute(WAITING)).length > 0);
      return await handOver(...of);
    });
    expect(await call('DELETE', `/admin/users/${writer.id}`)).toMatchObject({ status: 200 });
    expect(await other).toMatchObject({ status: 200 });
    expect(held).toHaveBeenCalled();
    const [post] = await fork().execute<{ owner: string }[]>(
      'select owner_id as owner from blog_posts where slug = ?',
      [draft?.slug],
    );
    expect(post?.owner).toBe(last.id);
  });

  it.each([
    ['GET', undefined],
    ['PUT', {}],
    ['DELETE', { should_soft_delete: false }],
  ])('is told of ids that are none or nobody’s: %s', async (method, body) => {
    expect(await call(method, '/admin/users/x', body)).toMatchObject({
      status: 404,
      body: { code: 'validation_failed', message: 'user_id must be an UUID' },
    });
    expect(await call(method, `/admin/users/${randomUUID()}`, body)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found', message: 'User not found' },
    });
  });
});
