import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { newSecuredPerson, showTotp, signInAs } from '../support/second-factor.js';
import { itSlow } from '../support/slow-tests.js';

const invalid = (message: string) => ({ status: 400, code: 'validation_failed', message });
const saml = { status: 404, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' };
const passkeys = { status: 404, code: 'passkey_disabled', message: 'Passkeys are disabled' };
const oauth = { status: 404, code: 'feature_disabled', message: 'OAuth server is disabled' };
const web3 = { status: 422, code: 'web3_provider_disabled', message: 'Web3 provider is disabled' };
const disabled = (issuer: string) => ({
  status: 400,
  code: 'provider_disabled',
  message: `Provider (issuer "${issuer}") is not enabled`,
});
const notEnabled = invalid('Unsupported provider: provider is not enabled');
const notFound = (name: string) => invalid(`Unsupported provider: Provider ${name} could not be found`);
const tokenFrom = (iss: unknown) => `e30.${Buffer.from(JSON.stringify({ iss })).toString('base64url')}.x`;

/** Someone who is signed in. */
const enter = async (server: AuthServer) => await signInAs(server, await server.newPerson());

describe.each(['/auth/v1', '/'])('an API at %s that no provider is configured for', (base) => {
  let server: AuthServer;

  beforeAll(async () => {
    server = await startAuthServer({ AUTH_BASE_PATH: base, AUTH_RATE_LIMIT_SSO: '0', AUTH_RATE_LIMIT_WEB3: '0' });
  });

  /** Asks without a session and with a body that nobody looks at; the answer is JSON for every version of clients. */
  async function refusal(method: string, path: string, body: unknown = method === 'GET' ? undefined : '{') {
    const { status, body: recent } = await server.call(path, { method, body });
    const legacy = await server.call(path, { method, body, headers: { 'x-supabase-api-version': '' } });
    expect(legacy).toMatchObject({
      status,
      body: { code: status, error_code: recent['code'], msg: recent['message'] },
    });
    expect(legacy.headers.get('access-control-allow-origin')).toBe('*');
    return { status, ...recent };
  }

  it('has no single sign-on', async () => {
    for (const [method, path] of [
      ['POST', '/sso'],
      ['GET', '/sso/saml/metadata'],
      ['POST', '/sso/saml/acs'],
    ] as const) {
      expect([path, await refusal(method, path)]).toEqual([path, saml]);
    }
    expect(await server.client().signInWithSSO({ domain: 'example.com' })).toMatchObject({ error: saml });
  });

  it('has no passkeys', async () => {
    for (const [method, path] of [
      ['GET', '/passkeys'],
      ['POST', '/passkeys/registration/options'],
      ['POST', '/passkeys/authentication/verify'],
      ['PATCH', '/passkeys/x'],
      ['DELETE', '/passkeys/x'],
    ] as const) {
      expect([path, await refusal(method, path)]).toEqual([path, passkeys]);
    }
    expect(await server.client().passkey.startAuthentication()).toMatchObject({ error: passkeys });
  });

  it('is no provider for others', async () => {
    for (const [method, path] of [
      ['GET', '/oauth/authorize?client_id=x'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/clients/register'],
      ['GET', '/admin/oauth/clients'],
      ['POST', '/admin/oauth/clients/x/regenerate_secret'],
      ['GET', '/user/oauth/grants'],
      ['DELETE', '/user/oauth/grants?client_id=x'],
    ] as const) {
      expect([path, await refusal(method, path)]).toEqual([path, oauth]);
    }
    const client = await enter(server);
    expect(await client.oauth.listGrants()).toMatchObject({ error: oauth });
    expect(await client.oauth.getAuthorizationDetails('x')).toMatchObject({ error: oauth });
    expect(await client.admin.oauth.listClients()).toMatchObject({ error: oauth });
  });

  it('sends nobody to a provider', async () => {
    const { data } = await server
      .client()
      .signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } });
    expect(await refusal('GET', data.url!.slice(server.url.length))).toEqual(notEnabled);
    expect(await refusal('GET', '/authorize?provider=GitLab')).toEqual(notEnabled);
    expect(await refusal('GET', '/authorize?provider=Else')).toEqual(notFound('else'));
    expect(await refusal('GET', '/authorize')).toEqual(notFound(''));
  });

  it('takes the ID tokens of nobody', async () => {
    const grant = '/token?grant_type=id_token';
    const missing = { error: 'invalid request', error_description: 'id_token required' };
    expect(await server.call(grant, { method: 'POST', body: {} })).toMatchObject({ status: 400, body: missing });
    const unnamed = { error: 'invalid request', error_description: 'provider or client_id and issuer required' };
    for (const body of [{}, { client_id: 'x' }, { issuer: 'x' }]) {
      const answer = await server.call(grant, { method: 'POST', body: { id_token: 'x', ...body } });
      expect(answer).toMatchObject({ status: 400, body: unnamed });
    }
    const google = 'https://accounts.google.com';
    const [apple, azure] = ['https://account.apple.com', 'https://login.microsoftonline.com/x/v2.0'];
    for (const [provider, token, expected] of [
      ['google', 'x', disabled(google)],
      ['facebook', 'x', disabled('https://www.facebook.com')],
      ['kakao', 'x', disabled('https://kauth.kakao.com')],
      ['keycloak', 'x', disabled('')],
      ['apple', 'x', invalid('Unable to detect issuer in ID token for Apple provider')],
      ['apple', tokenFrom(1), invalid('Unable to detect issuer in ID token for Apple provider')],
      ['apple', tokenFrom(google), invalid('Detected ID token issuer is not an Apple ID token issuer')],
      ['apple', tokenFrom(apple), disabled(apple)],
      ['azure', 'x', invalid('Unable to detect issuer in ID token for Azure provider')],
      ['azure', tokenFrom(azure), disabled(azure)],
      ['else', 'x', invalid('Custom OIDC provider "else" not allowed')],
      ['custom:x', 'x', invalid('Custom provider "custom:x" not found')],
    ] as const) {
      const { error } = await server.client().signInWithIdToken({ provider, token });
      expect([provider, error]).toMatchObject([provider, expected]);
    }
    const body = { id_token: 'x', client_id: 'x', issuer: google };
    expect(await refusal('POST', grant, body)).toEqual(disabled(google));
    expect(await refusal('POST', grant, { ...body, issuer: azure })).toMatchObject({ code: 'validation_failed' });
    expect(await refusal('POST', grant, { ...body, issuer: 'x' })).toEqual(
      invalid('Custom OIDC provider "" not allowed'),
    );
  });

  it('takes no wallets', async () => {
    const wallet = { chain: 'solana', message: 'x', signature: new Uint8Array(64) } as const;
    expect(await server.client().signInWithWeb3(wallet)).toMatchObject({ error: web3 });
    expect(await refusal('POST', '/token?grant_type=web3')).toEqual(web3);
  });
});

it('counts single sign-on and wallets per address', async () => {
  const server = await startAuthServer({ AUTH_RATE_LIMIT_BURST: '1' });
  const limited = { status: 429, body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' } };
  for (const path of ['/sso', '/token?grant_type=web3']) {
    expect([path, await server.call(path, { method: 'POST' })]).not.toMatchObject([path, limited]);
    expect([path, await server.call(path, { method: 'POST' })]).toMatchObject([path, limited]);
  }
});

const PHONES = Array.from({ length: 9 }, (_, number) => `49151000000${number}`);
const CODE = '123456';
const noToken = { status: 401, code: 'no_authorization', message: 'This endpoint requires a valid Bearer token' };

describe('identities', () => {
  it('are neither linked nor unlinked unless the operator allows it', async () => {
    const server = await startAuthServer();
    const linking = { status: 404, code: 'manual_linking_disabled', message: 'Manual linking is disabled' };
    const client = await enter(server);
    const { data } = await client.getUserIdentities();
    expect(await client.linkIdentity({ provider: 'google' })).toMatchObject({ error: linking });
    expect(await client.unlinkIdentity(data!.identities[0]!)).toMatchObject({ error: linking });
    for (const [method, path] of [
      ['GET', '/user/identities/authorize?provider=google'],
      ['DELETE', '/user/identities/x'],
    ] as const) {
      const { status, body } = await server.call(path, { method });
      expect([path, { status, ...body }]).toEqual([path, noToken]);
    }
  });

  describe('that may be linked', () => {
    let server: AuthServer;
    const free = [...PHONES];

    beforeAll(async () => {
      server = await startAuthServer({
        AUTH_MANUAL_LINKING: 'true',
        AUTH_PHONE_ENABLED: 'true',
        AUTH_SMS_FREQUENCY: '0',
        AUTH_SMS_TEST_OTP: PHONES.map((phone) => `${phone}:${CODE}`).join(','),
        AUTH_BASE_PATH: '/',
      });
    });

    /** Someone with an email address and a phone number. */
    async function enterWithPhone(client?: Client, number = free.pop()!) {
      client ??= await enter(server);
      const change = await client.updateUser({ phone: number });
      const { error } = await client.verifyOtp({ phone: number, token: CODE, type: 'phone_change' });
      expect([change.error, error]).toEqual([null, null]);
      const { data } = await client.getUserIdentities();
      const of = (provider: string) => data!.identities.find((identity) => identity.provider === provider)!;
      return { client, number, email: of('email'), phone: of('phone') };
    }

    /** A call with an id that the client would not send, with all that is answered. */
    async function unlink(client: Client, id: string) {
      const { data } = await client.getSession();
      const headers = { authorization: `Bearer ${data.session!.access_token}` };
      const { status, body } = await server.call(`/user/identities/${id}`, { method: 'DELETE', headers });
      return { status, ...body };
    }

    it('find no provider to be linked to', async () => {
      const client = await enter(server);
      expect(await client.linkIdentity({ provider: 'google' })).toMatchObject({ error: notEnabled });
      const nowhere = 'custom:x';
      expect(await client.linkIdentity({ provider: nowhere })).toMatchObject({ error: notFound(nowhere) });
      const { status, body } = await server.call('/user/identities/authorize?provider=google');
      expect({ status, ...body }).toEqual(noToken);
    });

    it('take the phone number along when they go, and leave the last one', async () => {
      const { client, number, email, phone } = await enterWithPhone();
      expect(await client.unlinkIdentity(phone)).toMatchObject({ error: null });
      const { data } = await client.getUser();
      expect(data.user).toMatchObject({
        phone: '',
        email: String(email.identity_data?.['email']),
        app_metadata: { provider: 'email', providers: ['email'] },
        identities: [{ identity_id: email.identity_id }],
      });
      expect(data.user).not.toHaveProperty('phone_confirmed_at');
      const alone = {
        status: 422,
        code: 'single_identity_not_deletable',
        message: 'User must have at least 1 identity after unlinking',
      };
      expect(await client.unlinkIdentity(email)).toMatchObject({ error: alone });
      expect(await unlink(client, phone.identity_id)).toEqual(alone);
      // The number is free.
      expect(await enterWithPhone(undefined, number)).toMatchObject({ phone: { provider: 'phone' } });
    });

    it('take the email address along, with links that were mailed to it', async () => {
      const { client, number, email, phone } = await enterWithPhone();
      const address = String(email.identity_data?.['email']);
      await client.resetPasswordForEmail(address);
      const { query } = await server.mailbox.read(address);
      await client.updateUser({ email: server.newEmail() });
      await server.mailbox.read(address);
      expect(await client.unlinkIdentity(email)).toMatchObject({ error: null });
      const { data } = await client.getUser();
      expect(data.user).toMatchObject({
        email: '',
        phone: number,
        app_metadata: { provider: 'phone', providers: ['phone'] },
        user_metadata: { email_verified: false },
        identities: [{ identity_id: phone.identity_id }],
      });
      for (const name of ['email_confirmed_at', 'new_email', 'user_metadata.email']) {
        expect(data.user).not.toHaveProperty(name);
      }
      const stale = await client.verifyOtp({ token_hash: query.get('token_hash')!, type: 'recovery' });
      expect(stale.error).toMatchObject({ status: 403, code: 'otp_expired' });
      expect((await server.client().signInWithPassword({ email: address, password: PASSWORD })).error).not.toBeNull();
      const again = await server.client().signInWithPassword({ phone: number, password: PASSWORD });
      expect(again.data.user?.id).toBe(data.user?.id);
      server.advance(61);
      await client.updateUser({ email: address });
      await client.verifyOtp({ email: address, token: (await server.mailbox.read(address)).otp, type: 'email_change' });
      const { data: joined } = await client.getUserIdentities();
      expect(joined?.identities.map(({ provider }) => provider).sort()).toEqual(['email', 'phone']);
      expect(await client.unlinkIdentity(phone)).toMatchObject({ error: null });
    });

    it('are refused when they are somebody else’s, or none', async () => {
      const { client, phone } = await enterWithPhone();
      const { data } = await (await enter(server)).getUserIdentities();
      const missing = { status: 422, code: 'identity_not_found', message: "Identity doesn't exist" };
      expect(await client.unlinkIdentity(data!.identities[0]!)).toMatchObject({ error: missing });
      expect(await unlink(client, 'x')).toEqual({
        status: 404,
        code: 'validation_failed',
        message: 'identity_id must be an UUID',
      });
      expect(await unlink(client, phone.identity_id.toUpperCase())).toEqual({ status: 200 });
    });

    itSlow('need the second factor of who has one', async () => {
      const { client, app } = await newSecuredPerson(server);
      // The code that confirms the number begins another session.
      const { phone } = await enterWithPhone(client);
      const message = 'AAL2 session is required to update email or password when MFA is enabled.';
      const low = { status: 401, code: 'insufficient_aal', message };
      expect(await client.unlinkIdentity(phone)).toMatchObject({ error: low });
      await showTotp(server, client, app);
      expect(await client.unlinkIdentity(phone)).toMatchObject({ error: null });
    });

    it('are never all gone, when both go at once', async () => {
      const { client, email, phone } = await enterWithPhone();
      const answers = await Promise.all([email, phone].map(({ identity_id: id }) => unlink(client, id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      const { data } = await client.getUserIdentities();
      expect(data?.identities).toHaveLength(1);
    });
  });
});
