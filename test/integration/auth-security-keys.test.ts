import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AccountDataService } from '../../src/auth/admin/account-data.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { callAs, claimsOf, newSecuredPerson, signInAs } from '../support/second-factor.js';
import { itSlow } from '../support/slow-tests.js';
import { SoftwareAuthenticator, type AuthenticatorAnswer, type Deviation } from '../support/software-authenticator.js';

const ORIGIN = 'https://www.example.com';
const WRONG = {
  status: 422,
  body: { code: 'mfa_verification_failed', message: 'The security key could not be verified' },
};
const USED = { status: 422, body: { code: 'mfa_ip_address_mismatch' } };

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    TRUSTED_PROXIES: '127.0.0.1',
    AUTH_WEBAUTHN_ENABLED: 'true',
    AUTH_WEBAUTHN_RP_ID: 'example.com',
    AUTH_WEBAUTHN_ORIGINS: `${ORIGIN}, https://app.example.com`,
  });
});

const em = () => server.app.get(EntityManager).fork();

/** Adds a security key that is to be verified. */
async function enroll(client: Client, friendlyName: string): Promise<string> {
  const { data, error } = await client.mfa.enroll({ factorType: 'webauthn', friendlyName });
  if (error) throw error;
  expect(data).toEqual({ id: data.id, type: 'webauthn', friendly_name: friendlyName });
  return data.id;
}

/** Begins a verification as the client does, which names the host of the page. */
async function challenge(client: Client, factorId: string) {
  const body = { factorId, webauthn: { rpId: 'www.example.com', rpOrigins: ['https://evil.example'] } };
  const answer = await callAs(server, client, `/factors/${factorId}/challenge`, body, '127.0.0.1');
  expect(answer).toMatchObject({ status: 200, body: { type: 'webauthn', expires_at: expect.any(Number) } });
  return answer.body as unknown as {
    readonly id: string;
    readonly webauthn: {
      readonly type: 'create' | 'request';
      readonly credential_options: {
        readonly publicKey: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;
      };
    };
  };
}

async function verify(
  client: Client,
  factorId: string,
  challengeId: string,
  type: string,
  answer: AuthenticatorAnswer,
) {
  const webauthn = { type, rpId: 'www.example.com', rpOrigins: [ORIGIN], credential_response: answer };
  return await callAs(
    server,
    client,
    `/factors/${factorId}/verify`,
    { challenge_id: challengeId, webauthn },
    '127.0.0.1',
  );
}

/** Shows a key, which is registered if it is new. */
async function show(client: Client, key: SoftwareAuthenticator, factorId: string, deviation: Deviation = {}) {
  const { id, webauthn } = await challenge(client, factorId);
  const { type, credential_options: options } = webauthn;
  const answer = type === 'create' ? key.create(options.publicKey, deviation) : key.get(options.publicKey, deviation);
  return await verify(client, factorId, id, type, answer);
}

/** Takes the tokens of an answer as the client's. */
async function adopt(client: Client, { status, body }: Awaited<ReturnType<typeof show>>): Promise<void> {
  expect(status).toBe(200);
  const { access_token: accessToken, refresh_token: refreshToken } = body as Record<string, string>;
  await client.setSession({ access_token: accessToken ?? '', refresh_token: refreshToken ?? '' });
}

/** Someone with a security key, signed in with it. */
async function newKeyOwner() {
  const email = await server.newPerson();
  const client = await signInAs(server, email);
  const key = new SoftwareAuthenticator(ORIGIN);
  const factorId = await enroll(client, 'blue key');
  await adopt(client, await show(client, key, factorId));
  return { email, client, key, factorId };
}

describe('a security key', () => {
  it('is registered, listed, asked for at the next sign-in, and removed', async () => {
    const email = await server.newPerson();
    const [client, other] = [await signInAs(server, email), await signInAs(server, email)];
    const key = new SoftwareAuthenticator(ORIGIN);
    const factorId = await enroll(client, 'blue key');
    const { id, webauthn } = await challenge(client, factorId);
    expect(webauthn).toMatchObject({
      type: 'create',
      credential_options: {
        publicKey: {
          rp: { id: 'example.com' },
          user: { name: email, displayName: email },
          attestation: 'none',
          excludeCredentials: [],
          authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
        },
      },
    });
    const answer = key.create(webauthn.credential_options.publicKey);
    // Through the client, which sends what `toJSON()` of browsers says.
    const { error } = await client.mfa.verify({
      factorId,
      challengeId: id,
      webauthn: { type: 'create', rpId: 'www.example.com', credential_response: { toJSON: () => answer } as never },
    });
    expect(error).toBeNull();
    const amr = [{ method: 'mfa/webauthn' }, { method: 'password' }];
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2', amr });
    expect((await client.mfa.listFactors()).data?.webauthn).toMatchObject([{ id: factorId, status: 'verified' }]);
    // The session on the other device has not shown it.
    expect((await other.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });

    const later = await signInAs(server, email);
    const asked = await challenge(later, factorId);
    expect(asked.webauthn).toMatchObject({
      type: 'request',
      credential_options: { publicKey: { rpId: 'example.com', allowCredentials: [{ id: answer.id }] } },
    });
    // Another page of the site may ask as well; keys without a PIN are good enough, as a password comes first.
    const origin = 'https://app.example.com';
    await adopt(later, await show(later, key, factorId, { flags: 0x01, origin }));
    expect(await claimsOf(later)).toMatchObject({ aal: 'aal2', amr });
    const [account] = await server.app.get(AccountDataService).exportAccounts(OPERATOR, email);
    expect(account?.second_factors).toMatchObject([{ type: 'webauthn', key: { transports: ['usb'] } }]);

    const second = await enroll(later, 'red key');
    expect((await challenge(later, second)).webauthn.credential_options.publicKey.excludeCredentials).toEqual([
      { id: answer.id, type: 'public-key', transports: ['usb'] },
    ]);
    expect((await later.mfa.unenroll({ factorId })).error).toBeNull();
    await later.refreshSession();
    expect(await claimsOf(later)).toMatchObject({ aal: 'aal1' });
    expect(await em().execute('select from auth.webauthn_credentials where factor_id = ?', [factorId])).toEqual([]);
  });

  it('cannot be added at aal1 beside another factor, nor verified if it was added before that', async () => {
    const { email } = await newSecuredPerson(server);
    const client = await signInAs(server, email);
    const refused = { status: 403, body: { code: 'insufficient_aal' } };
    expect(await callAs(server, client, '/factors', { factor_type: 'webauthn' })).toMatchObject(refused);
    const owner = await signInAs(server, await server.newPerson());
    const thief = await signInAs(server, (await owner.getUser()).data.user?.email ?? '');
    const [early, own] = [await enroll(thief, 'early'), await enroll(owner, 'own')];
    const begun = await challenge(thief, early);
    await adopt(owner, await show(owner, new SoftwareAuthenticator(ORIGIN), own));
    const again = await signInAs(server, (await owner.getUser()).data.user?.email ?? '');
    const answer = new SoftwareAuthenticator(ORIGIN).create(begun.webauthn.credential_options.publicKey);
    // The factor went with the verification of the other one.
    expect(await verify(again, early, begun.id, 'create', answer)).toMatchObject({ status: 404 });
  });
});

describe('a signature', () => {
  const flaws: readonly [string, Deviation][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another relying party', { rpId: 'www.example.com' }],
    ['of another challenge', { challenge: 'x'.repeat(43) }],
    ['that was tampered with', { isTampered: true }],
    ['that makes a credential', { type: 'webauthn.create' }],
    ['without anybody at the key', { flags: 0x00 }],
    ['whose count went back', { count: 1 }],
    ['whose count stood still', { count: 2 }],
    ['of a credential of another name', { id: 'AAAA' }],
  ];

  it.each(flaws)('%s is refused, counted, and spends its challenge', async (_name, deviation) => {
    const { client, key, factorId } = await newKeyOwner();
    expect(await show(client, key, factorId)).toMatchObject({ status: 200 });
    const begun = await challenge(client, factorId);
    const { publicKey } = begun.webauthn.credential_options;
    expect(await verify(client, factorId, begun.id, 'request', key.get(publicKey, deviation))).toMatchObject(WRONG);
    expect(await verify(client, factorId, begun.id, 'request', key.get(publicKey, { count: 9 }))).toMatchObject(USED);
    const counted = await em().execute('select cardinality(failures) as count from auth.attempts where subject = ?', [
      factorId,
    ]);
    expect(counted).toEqual([{ count: 1 }]);
    expect(await show(client, key, factorId, { count: 10 })).toMatchObject({ status: 200 });
  });

  itSlow('is accepted once, in time, from the same address and for its own factor', async () => {
    const { client, key, factorId } = await newKeyOwner();
    const begun = await challenge(client, factorId);
    const answer = key.get(begun.webauthn.credential_options.publicKey);
    const both = await Promise.all([1, 2].map(() => verify(client, factorId, begun.id, 'request', answer)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    const late = await challenge(client, factorId);
    server.advance(301);
    const lateAnswer = key.get(late.webauthn.credential_options.publicKey);
    expect(await verify(client, factorId, late.id, 'request', lateAnswer)).toMatchObject({
      status: 422,
      body: { code: 'mfa_challenge_expired' },
    });
    const own = await newKeyOwner();
    const foreign = await challenge(client, factorId);
    const foreignAnswer = key.get(foreign.webauthn.credential_options.publicKey);
    // Of somebody else, and for the challenge of somebody else.
    for (const [id, response] of [
      [foreign.id, foreignAnswer],
      [(await challenge(own.client, own.factorId)).id, foreignAnswer],
    ] as const) {
      expect(await verify(own.client, own.factorId, id, 'request', response)).toMatchObject({ status: 422 });
    }
    expect(await verify(own.client, factorId, foreign.id, 'request', foreignAnswer)).toMatchObject({ status: 404 });
  });

  it('may be wrong five times in 15 minutes', async () => {
    const { client, key, factorId } = await newKeyOwner();
    for (let count = 0; count < 5; count += 1) {
      expect(await show(client, key, factorId, { isTampered: true })).toMatchObject(WRONG);
    }
    expect(await show(client, key, factorId)).toMatchObject({ status: 429 });
    await server.app.get(UsersService).liftLimits(OPERATOR, (await client.getUser()).data.user?.id ?? '');
    expect(await show(client, key, factorId)).toMatchObject({ status: 200 });
  });
});

describe('a new credential', () => {
  const flaws: readonly [string, Deviation][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['of another challenge', { challenge: 'x'.repeat(43) }],
    ['that is a signature', { type: 'webauthn.get' }],
    ['without anybody at the key', { flags: 0x00 }],
    ['with a statement of its maker', { format: 'android-key' }],
  ];

  it.each(flaws)('%s is refused', async (_name, deviation) => {
    const client = await signInAs(server, await server.newPerson());
    const factorId = await enroll(client, 'key');
    expect(await show(client, new SoftwareAuthenticator(ORIGIN), factorId, deviation)).toMatchObject(WRONG);
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal1' });
  });

  it('belongs to one person, who does not replace it', async () => {
    const { client, key, factorId } = await newKeyOwner();
    const id = key.credential?.id ?? '';
    const other = await signInAs(server, await server.newPerson());
    const copy = await enroll(other, 'copy');
    const exists = { status: 422, body: { code: 'webauthn_credential_exists' } };
    expect(await show(other, new SoftwareAuthenticator(ORIGIN), copy, { id })).toMatchObject(exists);
    // As an answer of a factor that is verified, a new credential is a wrong signature.
    const begun = await challenge(client, factorId);
    const forged = new SoftwareAuthenticator(ORIGIN).create({
      ...begun.webauthn.credential_options.publicKey,
      rp: { id: 'example.com', name: '' },
      user: { id: '', name: '', displayName: '' },
    });
    expect(await verify(client, factorId, begun.id, 'create', forged)).toMatchObject(WRONG);
    expect(await show(client, key, factorId)).toMatchObject({ status: 200 });
  });

  it('has to be in the call', async () => {
    const client = await signInAs(server, await server.newPerson());
    const factorId = await enroll(client, 'key');
    const { id } = await challenge(client, factorId);
    for (const [webauthn, message] of [
      [undefined, 'WebAuthn config required'],
      [{ type: 'x' }, 'WebAuthn type must be create or request'],
      [{ type: 'create' }, 'credential_response required'],
    ] as const) {
      const body = { challenge_id: id, code: '123456', webauthn };
      const refused = { status: 400, body: { code: 'validation_failed', message } };
      expect(await callAs(server, client, `/factors/${factorId}/verify`, body)).toMatchObject(refused);
    }
  });
});

itSlow('keys that are switched off again can be neither added nor shown', async () => {
  const { email, factorId } = await newKeyOwner();
  const off = await startAuthServer({
    DATABASE_URL: server.app.config.database.url,
    DATA_DIR: server.app.config.dataDir,
    AUTH_WEBAUTHN_VERIFY_ENABLED: 'false',
  });
  const client = await signInAs(off, email);
  expect(await callAs(off, client, '/factors', { factor_type: 'webauthn' })).toMatchObject({
    status: 422,
    body: { code: 'mfa_webauthn_enroll_not_enabled', message: 'MFA enroll is disabled for WebAuthn' },
  });
  expect(await callAs(off, client, `/factors/${factorId}/challenge`, {})).toMatchObject({
    status: 422,
    body: { code: 'mfa_webauthn_verify_not_enabled', message: 'MFA verification is disabled for WebAuthn' },
  });
  await off.app.close();
});
