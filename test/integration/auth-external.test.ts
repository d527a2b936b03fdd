import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';

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
async function enter(server: AuthServer): Promise<Client> {
  const client = server.client();
  await client.signInWithPassword({ email: await server.newPerson(), password: PASSWORD });
  return client;
}

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
