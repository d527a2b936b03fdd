import { randomUUID } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AccountDataService } from '../../src/auth/admin/account-data.service.js';
import { AdminUsersService } from '../../src/auth/admin/admin-users.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { accessTokenOf, claimsOf, enrollTotp, newSecuredPerson, showTotp, signInAs } from '../support/second-factor.js';
import { SoftwareAuthenticator, type Deviation } from '../support/software-authenticator.js';

const ORIGIN = 'https://www.example.com';
const FAILED = { status: 400, code: 'webauthn_verification_failed', message: 'Credential verification failed' };
const TAKEN = { status: 400, code: 'webauthn_challenge_not_found', message: 'Challenge not found or already used' };
const EXPIRED = { status: 400, code: 'webauthn_challenge_expired', message: 'Challenge has expired' };
const NEEDS_FACTOR = { status: 403, code: 'insufficient_aal' };

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    AUTH_PASSKEYS_ENABLED: 'true',
    AUTH_ANONYMOUS_ENABLED: 'true',
    PUBLIC_URL: ORIGIN,
    AUTH_EXTERNAL_URL: `${ORIGIN}/auth/v1`,
  });
});

const em = () => server.app.get(EntityManager).fork();
const idOf = async (client: Client) => (await client.getUser()).data.user?.id ?? '';

/** Registers a passkey by the two steps of the client. Returns the answer to the second one. */
async function register(client: Client, key: SoftwareAuthenticator, deviation: Deviation = {}) {
  const { data, error } = await client.passkey.startRegistration();
  if (error) throw error;
  const credential = key.create(data.options as PublicKeyCredentialCreationOptionsJSON, deviation);
  return await client.passkey.verifyRegistration({ challengeId: data.challenge_id, credential });
}

/** Signs in with a passkey by the two steps of the client. */
async function signInWith(key: SoftwareAuthenticator, deviation: Deviation = {}, client = server.client()) {
  const { data, error } = await client.passkey.startAuthentication();
  if (error) throw error;
  const credential = key.get({ challenge: data.options.challenge, rpId: data.options.rpId ?? '' }, deviation);
  const answer = await client.passkey.verifyAuthentication({ challengeId: data.challenge_id, credential });
  return { ...answer, client, challengeId: data.challenge_id, credential };
}

/** Someone with a passkey, signed in by their password. */
async function newOwner() {
  const email = await server.newPerson();
  const client = await signInAs(server, email);
  const key = new SoftwareAuthenticator(ORIGIN);
  const { data, error } = await register(client, key);
  if (error) throw error;
  return { email, client, key, id: data.id };
}

describe('a passkey', () => {
  it('is registered, named, listed, signed in with and removed', async () => {
    const email = await server.newPerson();
    const client = await signInAs(server, email);
    expect(await client.passkey.list()).toEqual({ data: [], error: null });
    const userId = await idOf(client);
    const begun = await client.passkey.startRegistration();
    expect(begun.data).toMatchObject({
      expires_at: expect.any(Number),
      options: {
        rp: { id: 'www.example.com' },
        user: { id: Buffer.from(userId).toString('base64url'), name: email },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    });
    const key = new SoftwareAuthenticator(ORIGIN);
    const { data: made } = await register(client, key);
    expect(made).toEqual({ id: expect.any(String), created_at: expect.any(String) });
    const passkeyId = made?.id ?? '';
    const named = await client.passkey.update({ passkeyId, friendlyName: 'Laptop' });
    expect(named.data).toEqual({ ...made, friendly_name: 'Laptop' });
    expect((await client.passkey.startRegistration()).data?.options.excludeCredentials).toMatchObject([
      { id: key.credential?.id },
    ]);

    const asked = await server.client().passkey.startAuthentication();
    expect(asked.data?.options).toMatchObject({ allowCredentials: [], userVerification: 'required' });
    const { data, error, client: later } = await signInWith(key);
    expect(error).toBeNull();
    expect(data?.user?.email).toBe(email);
    expect(await claimsOf(later)).toMatchObject({ sub: userId, aal: 'aal1', amr: [{ method: 'passkey' }] });
    expect((await later.refreshSession()).error).toBeNull();
    expect((await later.passkey.list()).data).toEqual([
      { ...made, friendly_name: 'Laptop', last_used_at: expect.any(String) },
    ]);
    const [account] = await server.app.get(AccountDataService).exportAccounts(OPERATOR, email);
    expect(account?.passkeys).toMatchObject([{ name: 'Laptop', transports: ['usb'] }]);

    expect(await later.passkey.delete({ passkeyId })).toEqual({ data: null, error: null });
    expect((await client.passkey.list()).data).toEqual([]);
    expect((await signInWith(key)).error).toMatchObject(FAILED);
    const told = await em().execute<{ action: string; details: object }[]>(
      `select action, details from audit_log where subject_id = ? and action like 'user.passkey%' order by at`,
      [userId],
    );
    expect(told).toEqual([
      { action: 'user.passkey_added', details: { name: '' } },
      { action: 'user.passkey_removed', details: { name: 'Laptop' } },
    ]);
  });

  it('that was used just now is proof enough to delete the account, and no longer later', async () => {
    const { key } = await newOwner();
    const { client } = await signInWith(key);
    const remove = async () =>
      (
        await server.app.inject({
          method: 'POST',
          url: '/api/account/deletion',
          headers: { authorization: `Bearer ${await accessTokenOf(client)}` },
          payload: { confirmation: 'delete my account' },
        })
      ).statusCode;
    server.advance(16 * 60);
    expect(await remove()).toBe(400);
    const { client: again } = await signInWith(key);
    await client.setSession((await again.getSession()).data.session!);
    expect(await remove()).toBe(204);
    expect((await signInWith(key)).error).toMatchObject(FAILED);
  });

  it('needs the second factor of its owner to be added, named and removed, and does not replace it', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    const low = await signInAs(server, email);
    expect((await low.passkey.startRegistration()).error).toMatchObject(NEEDS_FACTOR);
    const key = new SoftwareAuthenticator(ORIGIN);
    const { data } = await register(client, key);
    const passkeyId = data?.id ?? '';
    const signedIn = await signInWith(key);
    expect(await claimsOf(signedIn.client)).toMatchObject({ aal: 'aal1' });
    expect((await signedIn.client.passkey.update({ passkeyId, friendlyName: 'x' })).error).toMatchObject(NEEDS_FACTOR);
    expect((await signedIn.client.passkey.delete({ passkeyId })).error).toMatchObject(NEEDS_FACTOR);
    await showTotp(server, signedIn.client, app);
    const amr = [{ method: 'totp' }, { method: 'passkey' }];
    expect(await claimsOf(signedIn.client)).toMatchObject({ aal: 'aal2', amr });
    expect((await signedIn.client.passkey.delete({ passkeyId })).error).toBeNull();
  });

  it('that was begun before its owner added a second factor needs it too', async () => {
    const email = await server.newPerson();
    const [owner, thief] = [await signInAs(server, email), await signInAs(server, email)];
    const { data } = await thief.passkey.startRegistration();
    const challengeId = data?.challenge_id ?? '';
    const credential = new SoftwareAuthenticator(ORIGIN).create(
      data?.options as PublicKeyCredentialCreationOptionsJSON,
    );
    await showTotp(server, owner, await enrollTotp(server, owner));
    const again = await signInAs(server, email);
    expect((await again.passkey.verifyRegistration({ challengeId, credential })).error).toMatchObject(NEEDS_FACTOR);
    expect((await owner.passkey.list()).data).toEqual([]);
  });

  it('is one of ten at most, with a name of 120 characters at most, and its owner\u2019s alone', async () => {
    const { client, id: passkeyId } = await newOwner();
    for (let count = 1; count < 10; count += 1) {
      expect((await register(client, new SoftwareAuthenticator(ORIGIN))).error).toBeNull();
    }
    expect((await client.passkey.startRegistration()).error).toMatchObject({ status: 422, code: 'too_many_passkeys' });
    for (const [friendlyName, message] of [
      ['', 'friendly_name is required'],
      ['x'.repeat(121), 'friendly_name must be 120 characters or less'],
    ] as const) {
      const { error } = await client.passkey.update({ passkeyId, friendlyName });
      expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
    }
    const other = await signInAs(server, await server.newPerson());
    const missing = { status: 404, code: 'validation_failed', message: 'Passkey not found' };
    for (const [somebody, id] of [
      [other, passkeyId],
      [client, 'x'],
      [client, randomUUID()],
    ] as const) {
      expect((await somebody.passkey.update({ passkeyId: id, friendlyName: 'x' })).error).toMatchObject(missing);
      expect((await somebody.passkey.delete({ passkeyId: id })).error).toMatchObject(missing);
    }
    const guest = server.client();
    await guest.signInAnonymously();
    expect((await guest.passkey.startRegistration()).error).toMatchObject({ status: 403, code: 'no_authorization' });
    await em().execute('update auth.users set is_sso_user = true where id = ?', [await idOf(other)]);
    expect((await other.passkey.startRegistration()).error).toMatchObject({ status: 422, code: 'validation_failed' });
  });
});

describe('a sign-in', () => {
  const flaws: readonly [string, Deviation][] = [
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'example.com' }],
    ['that answers another challenge', { challenge: 'x'.repeat(43) }],
    ['with a signature that was tampered with', { isTampered: true }],
    ['that makes a credential', { type: 'webauthn.create' }],
    ['without anybody at the authenticator', { flags: 0x00 }],
    ['of an authenticator that did not see who it is', { flags: 0x01 }],
    ['whose count went back', { count: 1 }],
    ['with a credential that nobody has', { id: 'AAAA' }],
    ['for another account', { userHandle: Buffer.from(randomUUID()).toString('base64url') }],
    ['for no account', { userHandle: '' }],
  ];

  it.each(flaws)('%s is refused like every other, and spends its challenge', async (_name, deviation) => {
    const { key } = await newOwner();
    expect((await signInWith(key)).error).toBeNull();
    const { error, client, challengeId, credential } = await signInWith(key, deviation);
    expect(error).toMatchObject(FAILED);
    expect((await client.passkey.verifyAuthentication({ challengeId, credential })).error).toMatchObject(TAKEN);
    expect((await client.getSession()).data.session).toBeNull();
    expect((await signInWith(key, { count: 20 })).error).toBeNull();
  });

  it('is accepted once, in time, and not by the challenge of a registration', async () => {
    const { client: owner, key } = await newOwner();
    const { client, challengeId, credential } = await signInWith(key);
    expect((await client.passkey.verifyAuthentication({ challengeId, credential })).error).toMatchObject(TAKEN);
    const { data } = await owner.passkey.startRegistration();
    const registration = { challenge: data?.options.challenge ?? '', rpId: 'www.example.com' };
    const crossed = { challengeId: data?.challenge_id ?? '', credential: key.get(registration) };
    expect((await client.passkey.verifyAuthentication(crossed)).error).toMatchObject(TAKEN);
    // The second time was noted by a clock that was a day ahead, and is set back.
    for (const [before, after] of [
      [0, 301],
      [24 * 3600, -24 * 3600],
    ] as const) {
      server.advance(before);
      const late = await client.passkey.startAuthentication();
      server.advance(after);
      const answer = key.get({ challenge: late.data?.options.challenge ?? '', rpId: 'www.example.com' });
      const lateAnswer = { challengeId: late.data?.challenge_id ?? '', credential: answer };
      expect((await client.passkey.verifyAuthentication(lateAnswer)).error).toMatchObject(EXPIRED);
    }
    for (const [body, message] of [
      [{}, 'challenge_id is required'],
      [{ challenge_id: 'x' }, 'credential is required'],
      [{ challenge_id: 'x', credential }, 'challenge_id must be a valid UUID'],
    ] as const) {
      expect(await server.call('/passkeys/authentication/verify', { method: 'POST', body })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', message },
      });
    }
    // A second factor is no passkey.
    await em().execute(`insert into auth.mfa_factors (id, user_id, factor_type) values (?, ?, 'webauthn')`, [
      challengeId,
      await idOf(owner),
    ]);
    await em().execute('update auth.webauthn_credentials set factor_id = ? where credential_id = ?', [
      challengeId,
      key.credential?.id ?? '',
    ]);
    expect((await signInWith(key)).error).toMatchObject(FAILED);
  });

  it('of somebody who is banned, unconfirmed or deleted is refused', async () => {
    const { client, key } = await newOwner();
    const userId = await idOf(client);
    const users = server.app.get(UsersService);
    await users.banUser(OPERATOR, userId, null);
    expect((await signInWith(key)).error).toMatchObject({ status: 403, code: 'user_banned' });
    await users.liftBan(OPERATOR, userId);
    await em().execute('update auth.users set email_confirmed_at = null where id = ?', [userId]);
    expect((await signInWith(key)).error).toMatchObject({ status: 403, code: 'email_not_confirmed' });
    await em().execute(`update auth.users set email_confirmed_at = now(), phone = '15550001' where id = ?`, [userId]);
    expect((await signInWith(key)).error).toMatchObject({ status: 403, code: 'phone_not_confirmed' });
    await em().execute('update auth.users set phone = null where id = ?', [userId]);
    expect((await signInWith(key)).error).toBeNull();
    // A softly deleted account is a row still.
    for (const isSoft of [true, false]) {
      await server.app.get(AdminUsersService).delete(OPERATOR, userId, isSoft);
      expect((await signInWith(key)).error).toMatchObject(FAILED);
      expect(await em().execute('select from auth.webauthn_credentials where user_id = ?', [userId])).toEqual([]);
    }
  });

  it('leaves one session of two that signed the same', async () => {
    const { key } = await newOwner();
    const client = server.client();
    const begun = await Promise.all([1, 2].map(() => client.passkey.startAuthentication()));
    // The same count, as of an authenticator and its copy.
    const answers = await Promise.all(
      begun.map(({ data }) => {
        const options = { challenge: data?.options.challenge ?? '', rpId: 'www.example.com' };
        const credential = key.get(options, { count: 7 });
        return server.client().passkey.verifyAuthentication({ challengeId: data?.challenge_id ?? '', credential });
      }),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  });
});

describe('a registration', () => {
  const flaws: readonly [string, Deviation][] = [
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['that answers another challenge', { challenge: 'x'.repeat(43) }],
    ['that is a signature', { type: 'webauthn.get' }],
    ['of an authenticator that did not see who it is', { flags: 0x01 }],
    ['with a statement of its maker', { format: 'android-key' }],
  ];

  it.each(flaws)('%s is refused', async (_name, deviation) => {
    const client = await signInAs(server, await server.newPerson());
    expect((await register(client, new SoftwareAuthenticator(ORIGIN), deviation)).error).toMatchObject(FAILED);
    expect((await client.passkey.list()).data).toEqual([]);
  });

  it('is of a credential that nobody has, and answers a challenge of one\u2019s own, once and in time', async () => {
    const { key } = await newOwner();
    const [client, other] = [
      await signInAs(server, await server.newPerson()),
      await signInAs(server, await server.newPerson()),
    ];
    const copied = await register(client, new SoftwareAuthenticator(ORIGIN), { id: key.credential?.id ?? '' });
    expect(copied.error).toMatchObject({ status: 422, code: 'webauthn_credential_exists' });
    const begin = async () => {
      const { data } = await client.passkey.startRegistration();
      const options = data?.options as PublicKeyCredentialCreationOptionsJSON;
      const credential = new SoftwareAuthenticator(ORIGIN).create(options);
      return { challengeId: data?.challenge_id ?? '', credential };
    };
    const one = await begin();
    expect((await other.passkey.verifyRegistration(one)).error).toMatchObject(TAKEN);
    expect((await client.passkey.verifyRegistration(one)).error).toBeNull();
    expect((await client.passkey.verifyRegistration(one)).error).toMatchObject(TAKEN);
    const late = await begin();
    server.advance(301);
    expect((await client.passkey.verifyRegistration(late)).error).toMatchObject(EXPIRED);
    // Whoever comes much later finds nothing left.
    server.advance(4000);
    await client.refreshSession();
    await begin();
    const kept = 'select count(*)::int as count from auth.webauthn_challenges where created_at < now()';
    expect(await em().execute(kept)).toEqual([{ count: 0 }]);
  });
});

it('a way to the authenticator is kept once, however often it is said', async () => {
  const client = await signInAs(server, await server.newPerson());
  const { data } = await client.passkey.startRegistration();
  const credential = new SoftwareAuthenticator(ORIGIN).create(data?.options as PublicKeyCredentialCreationOptionsJSON);
  Object.assign(credential.response, { transports: Array.from({ length: 50_000 }, () => 'usb') });
  const { error } = await client.passkey.verifyRegistration({ challengeId: data?.challenge_id ?? '', credential });
  expect(error).toBeNull();
  const { data: next } = await client.passkey.startRegistration();
  expect(next?.options.excludeCredentials).toMatchObject([{ transports: ['usb'] }]);
});

it('programs list and remove passkeys of somebody', async () => {
  const { client, key, id: passkeyId } = await newOwner();
  const userId = await idOf(client);
  const { token } = await server.app.get(AccessTokenService).issueServiceToken(86_400);
  const { admin } = server.client({ headers: { Authorization: `Bearer ${token}` } });
  expect((await admin.passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkeyId }]);
  const nobody = randomUUID();
  expect((await admin.passkey.listPasskeys({ userId: nobody })).error).toMatchObject({ code: 'user_not_found' });
  const missing = [
    await admin.passkey.deletePasskey({ userId: nobody, passkeyId }),
    await admin.passkey.deletePasskey({ userId, passkeyId: nobody }),
  ];
  expect(missing.map(({ error }) => error?.code)).toEqual(['user_not_found', 'validation_failed']);
  expect(await admin.passkey.deletePasskey({ userId, passkeyId })).toEqual({ data: null, error: null });
  expect((await signInWith(key)).error).toMatchObject(FAILED);
});

it('the calls are limited by address as sign-ins and changes of accounts are', async () => {
  const limited = await startAuthServer(
    {
      DATABASE_URL: server.app.config.database.url,
      DATA_DIR: server.app.config.dataDir,
      AUTH_PASSKEYS_ENABLED: 'true',
      AUTH_RATE_LIMIT_BURST: '2',
    },
    'default',
  );
  for (const call of ['authentication/options', 'registration/options']) {
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await limited.call(`/passkeys/${call}`, { method: 'POST', body: {} })).status),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  }
  for (const call of ['authentication/verify', 'registration/verify']) {
    expect((await limited.call(`/passkeys/${call}`, { method: 'POST', body: {} })).status).toBe(429);
  }
  expect(await limited.call('/passkeys/x/y')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await limited.call('/settings')).body).toMatchObject({ passkeys_enabled: true });
  await limited.app.close();
});
