import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { FlowState } from '../../src/auth/sessions/flow-state.entity.js';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { createAccount } from '../support/accounts.js';
import { PASSWORD, startAuthServer, type AuthServer, type CallOptions, type Client } from '../support/auth-server.js';
import { onCleanup } from '../support/cleanup.js';
import { isSomebodyWaiting } from '../support/database.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/identity-provider.js';
import { accessTokenOf, signInAs } from '../support/second-factor.js';
import { until } from '../support/until.js';

const PROVIDER = 'custom:oidc';
const PHONES = ['4915112345670', '4915112345671'];
const CODE = '424242';
const CHALLENGE = 'c'.repeat(43);

let provider: IdentityProvider;
let server: AuthServer;
let admin: Client['admin'];

beforeAll(async () => {
  provider = await startIdentityProvider('http://site.test/auth/v1/callback');
  server = await startAuthServer({
    AUTH_OIDC_ISSUER: provider.issuer,
    AUTH_OIDC_CLIENT_ID: CLIENT_ID,
    AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    AUTH_MANUAL_LINKING: 'true',
    AUTH_ANONYMOUS_ENABLED: 'true',
    AUTH_PHONE_ENABLED: 'true',
    AUTH_SMS_TEST_OTP: PHONES.map((phone) => `${phone}:${CODE}`).join(','),
  });
  const { token } = await server.app.get(AccessTokenService).issueServiceToken(3600);
  ({ admin } = server.client({ headers: { Authorization: `Bearer ${token}` } }));
});

const post = (path: string, body: unknown) => server.call(path, { method: 'POST', body });
const idOf = async (client: Client) => (await client.getUser()).data.user?.id ?? '';

// Refusals of the contract that no flow of another file meets.
describe('what is refused', () => {
  it.each([
    ['/signup', { email: 'a@example.com', phone: PHONES[0], password: PASSWORD }, 400, 'validation_failed'],
    ['/recover', { email: 'a@example.com', code_challenge: 'ä'.repeat(43), code_challenge_method: 's256' }, 400, ''],
    ['/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'y' }, 404, 'flow_state_not_found'],
    ['/verify', { type: 'sms', token_hash: 'x' }, 400, 'validation_failed'],
  ])('is %s with %j: %i %s', async (path, body, status, code) => {
    expect(await post(path, body)).toMatchObject({ status, body: { code: code || 'validation_failed' } });
  });

  it('is an email address where nobody has one', async () => {
    const { mail } = server.app.config.auth;
    const body = { email: server.newEmail(), password: PASSWORD };
    Object.assign(mail, { isEnabled: false });
    try {
      const code = 'email_provider_disabled';
      const signups = { status: 400, body: { code, message: 'Email signups are disabled' } };
      const logins = { status: 422, body: { code, message: 'Email logins are disabled' } };
      expect(await post('/signup', body)).toMatchObject(signups);
      expect(await post('/token?grant_type=password', body)).toMatchObject(logins);
      expect(await post('/otp', body)).toMatchObject(logins);
      // What they ask for would let them in: they are answered as always, and get nothing.
      const account = await createAccount(server.app);
      const waiting = await createAccount(server.app, { emailConfirmedAt: null });
      expect(await post('/recover', { email: account.email })).toMatchObject({ status: 200, body: {} });
      expect(await post('/resend', { type: 'signup', email: waiting.email })).toMatchObject({ status: 200, body: {} });
      const em = server.app.get(EntityManager).fork();
      const sent = 'select coalesce(recovery_sent_at, confirmation_sent_at) as at from auth.users where id in (?, ?)';
      expect(await em.execute(sent, [account.id, waiting.id])).toEqual([{ at: null }, { at: null }]);
    } finally {
      Object.assign(mail, { isEnabled: true });
    }
  });

  it('is a phone number that somebody else has', async () => {
    const [phone = ''] = PHONES;
    const { data } = await admin.createUser({ phone, phone_confirm: true });
    expect(data.user).toMatchObject({ phone });
    const client = await signInAs(server, await server.newPerson());
    const message = 'A user with this phone number has already been registered';
    expect((await client.updateUser({ phone })).error).toMatchObject({ status: 422, code: 'phone_exists', message });
  });

  it('is a proof by an address that nobody has confirmed', async () => {
    for (const [kind, address] of [
      ['email', server.newEmail()],
      ['phone', PHONES[1]],
    ] as const) {
      const client = server.client();
      await client.signInAnonymously();
      expect((await admin.updateUserById(await idOf(client), { [kind]: address })).error).toBeNull();
      const { error } = await client.reauthenticate();
      expect(error).toMatchObject({
        status: 422,
        code: `${kind}_not_confirmed`,
        message: `Please verify your ${kind} first.`,
      });
    }
  });

  it('is somebody who was banned after the mail', async () => {
    const email = await server.newPerson();
    const client = server.client({ flowType: 'pkce' });
    await client.signInWithOtp({ email });
    const { query } = await server.mailbox.read(email);
    const token = query.get('token_hash') ?? '';
    const { headers } = await server.call(`/verify?token=${token}&type=magiclink`);
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    server.advance(61);
    await server.client().signInWithOtp({ email });
    const { otp } = await server.mailbox.read(email);
    const { users } = (await admin.listUsers({ perPage: 1000 })).data;
    const { id = '' } = users.find((user) => user.email === email) ?? {};
    await admin.updateUserById(id, { ban_duration: '24h' });
    const banned = { status: 403, code: 'user_banned', message: 'User is banned' };
    expect((await client.exchangeCodeForSession(code)).error).toMatchObject(banned);
    expect((await server.client().verifyOtp({ email, token: otp, type: 'email' })).error).toMatchObject(banned);
  });

  it('is a link of the flow with codes whose challenge is gone', async () => {
    const email = await server.newPerson();
    await post('/otp', { email, code_challenge: CHALLENGE, code_challenge_method: 'plain' });
    const { query } = await server.mailbox.read(email);
    await server.app.get(EntityManager).fork().nativeDelete(FlowState, { codeChallenge: CHALLENGE });
    const { headers } = await server.call(`/verify?token=${query.get('token_hash')}&type=magiclink`);
    expect(headers.get('location')).toContain('error_code=flow_state_not_found');
  });

  it('is a link for another address of nobody', async () => {
    const [email, newEmail] = [server.newEmail(), server.newEmail()];
    const { error } = await admin.generateLink({ type: 'email_change_current', email, newEmail });
    expect(error).toMatchObject({ status: 404, code: 'user_not_found', message: 'User with this email not found' });
  });
});

describe('a call whose caller is gone when its turn comes', () => {
  let database: pg.Client;

  beforeAll(async () => {
    database = new pg.Client({ connectionString: server.app.config.database.url });
    await database.connect();
    onCleanup(() => database.end());
  });

  async function idToken() {
    const [iat, email] = [Math.floor(Date.now() / 1000), server.newEmail()];
    const claims = { iss: provider.issuer, aud: CLIENT_ID, sub: email, iat, exp: iat + 3600, email };
    return await provider.sign(claims);
  }

  const CALLS: readonly (readonly [string, CallOptions & { readonly isLink?: boolean }])[] = [
    ['/user', { method: 'PUT', body: { password: 'a thief with the key 9' } }],
    ['/user', { method: 'PUT', body: { email: 'thief@example.com' } }],
    ['/reauthenticate', {}],
    ['/token?grant_type=id_token', { method: 'POST', isLink: true }],
    ['/user/identities/00000000-0000-4000-8000-000000000000', { method: 'DELETE' }],
    ['/logout?scope=others', { method: 'POST' }],
  ];
  const ENDS = [
    ['delete from auth.sessions where user_id = $1', 'session_not_found'],
    ['delete from auth.users where id = $1', 'user_not_found'],
  ] as const;

  it.each(CALLS.flatMap(([path, call]) => ENDS.map(([statement, code]) => [path, code, call, statement] as const)))(
    '%s is refused: %s',
    async (path, code, { isLink = false, ...call }, statement) => {
      const client = await signInAs(server, await server.newPerson());
      const id = await idOf(client);
      const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
      const link = { body: { provider: PROVIDER, id_token: await idToken(), link_identity: true } };
      await database.query('begin');
      await database.query('select from auth.users where id = $1 for update', [id]);
      const waiting = server.call(path, { ...call, headers, ...(isLink ? link : {}) });
      await until(() => isSomebodyWaiting(database));
      await database.query(statement, [id]);
      await database.query('commit');
      expect(await waiting).toMatchObject({ status: 403, body: { code } });
    },
  );

  it('begins no session for somebody who is banned while the password is compared', async () => {
    const person = await server.newPerson();
    const id = await idOf(await signInAs(server, person));
    const sessions = 'select id from auth.sessions where user_id = $1';
    const { rows } = await database.query(sessions, [id]);
    await database.query('begin');
    await database.query("update auth.users set banned_until = '9999-12-31' where id = $1", [id]);
    const waiting = server.call('/token?grant_type=password', {
      method: 'POST',
      body: { email: person, password: PASSWORD },
    });
    await until(() => isSomebodyWaiting(database));
    await database.query('commit');
    expect(await waiting).toMatchObject({ status: 400, body: { code: 'user_banned' } });
    expect((await database.query(sessions, [id])).rows).toEqual(rows);
  });
});
