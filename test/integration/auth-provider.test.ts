import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { JWTPayload } from 'jose';
import pg from 'pg';
import { User } from '../../src/auth/accounts/user.entity.js';
import { OidcProviderService } from '../../src/auth/external/oidc-provider.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { onCleanup } from '../support/cleanup.js';
import { isSomebodyWaiting } from '../support/database.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  Wanderer,
  type IdentityProvider,
} from '../support/identity-provider.js';
import { payloadOf } from '../support/sign-token.js';
import {
  accessTokenOf,
  callAs,
  claimsOf,
  enrollTotp,
  newSecuredPerson,
  showTotp,
  signInAs,
} from '../support/second-factor.js';
import { until } from '../support/until.js';

const PROVIDER = 'custom:oidc';
const APP = 'https://app.example.com/after';
const SITE = 'http://site.test';

let provider: IdentityProvider;
let server: AuthServer;
let visits = 0;

beforeAll(async () => {
  provider = await startIdentityProvider(`${SITE}/auth/v1/callback`);
  server = await startAuthServer({
    AUTH_OIDC_ISSUER: provider.issuer,
    AUTH_OIDC_CLIENT_ID: CLIENT_ID,
    AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    AUTH_OIDC_NAME: 'Example & Co',
    AUTH_OIDC_ADMIN_CLAIM: 'groups',
    AUTH_OIDC_ADMIN_VALUE: 'site-admins',
    AUTH_MANUAL_LINKING: 'true',
    AUTH_ANONYMOUS_ENABLED: 'true',
    AUTH_REDIRECT_URLS: 'https://app.example.com/**',
    AUTH_RATE_LIMIT_SSO: '0',
  });
});

afterEach(() => {
  provider.forge = null;
  provider.told = null;
  provider.guest = null;
  provider.silent.clear();
  provider.broken.clear();
});

/** Somebody of the directory whose address is verified. */
function newColleague(claims: Record<string, unknown> = {}) {
  visits += 1;
  const sub = `colleague-${visits}`;
  const email = `${sub}@example.com`;
  provider.people.set(sub, { email, email_verified: true, name: `Colleague ${visits}`, ...claims });
  return { sub, email };
}

const newBrowser = () => new Wanderer({ [SITE]: new URL(server.url).origin, [provider.issuer]: provider.issuer });

/** Follows the button of an application to its end; the browser has signed in as `sub` at the provider. */
async function visit(client: Client, sub: string, browser = newBrowser(), redirectTo = APP): Promise<URL> {
  const { data } = await client.signInWithOAuth({
    provider: PROVIDER,
    options: { redirectTo, skipBrowserRedirect: true, queryParams: { login_hint: sub } },
  });
  return await browser.follow(asSite(data.url!));
}

/** The address as browsers know it. */
const asSite = (url: string) => url.replace(server.url, `${SITE}/auth/v1`);

const fragmentOf = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

/** Signs in as that colleague with a client of the implicit flow. */
async function enter(sub: string): Promise<Client> {
  const client = server.client();
  const { access_token = '', refresh_token = '' } = fragmentOf(await visit(client, sub));
  const { error } = await client.setSession({ access_token, refresh_token });
  if (error) throw error;
  return client;
}

/** The refusal that an address tells: in the query and in the fragment alike. */
function refusalIn(url: URL) {
  const { sb: _sb, ...told } = fragmentOf(url);
  expect(Object.fromEntries(url.searchParams)).toEqual(told);
  return { at: url.origin + url.pathname, ...told };
}

const em = () => server.app.get(EntityManager).fork();
const roles = () => server.app.get(RolesService);
const isAdmin = async (client: Client) => await roles().isAdmin((await client.getUser()).data.user!.id);

/** Runs with other settings of accounts. */
async function withSettings<T>(settings: object, run: () => Promise<T>): Promise<T> {
  const { auth } = server.app.config;
  const before = { ...auth };
  Object.assign(auth, settings);
  return await run().finally(() => Object.assign(auth, before));
}

describe('a sign-in with the provider', () => {
  it('ends in the application with tokens', async () => {
    const { sub, email } = newColleague();
    const client = server.client();
    const end = await visit(client, sub);
    expect(end.origin + end.pathname + end.search).toBe(APP);
    const tokens = fragmentOf(end);
    expect(Object.keys(tokens)).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
    ]);
    await client.setSession({ access_token: tokens['access_token']!, refresh_token: tokens['refresh_token']! });
    const { data } = await client.getUser();
    expect(data.user).toMatchObject({
      email,
      app_metadata: { provider: PROVIDER, providers: [PROVIDER] },
      user_metadata: { iss: provider.issuer, sub, email, email_verified: true, full_name: expect.any(String) },
      identities: [{ provider: PROVIDER, id: sub, email, identity_data: { sub, email } }],
      email_confirmed_at: expect.any(String),
    });
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'oauth' }] });
    const again = await client.refreshSession();
    expect(again.error).toBeNull();
  });

  it('lets in whom the provider tells more of than metadata can hold, which their identity has', async () => {
    const [name, picture] = ['N'.repeat(2_040), `https://pictures.example.com/${'p'.repeat(2_010)}`];
    const { sub, email } = newColleague({ name, picture });
    const { data } = await (await enter(sub)).getUser();
    expect(data.user).toMatchObject({
      ...{ email, user_metadata: {}, app_metadata: { provider: PROVIDER, providers: [PROVIDER] } },
      identities: [{ provider: PROVIDER, identity_data: { name, picture } }],
    });
    expect(data.user?.user_metadata).not.toHaveProperty('name');
  });

  it('ends with a code that only the client exchanges that began, once', async () => {
    const { sub, email } = newColleague();
    const client = server.client({ flowType: 'pkce' });
    const end = await visit(client, sub);
    expect([end.hash, [...end.searchParams.keys()]]).toEqual(['', ['code']]);
    const code = end.searchParams.get('code')!;
    const stranger = server.client({ flowType: 'pkce' });
    await visit(stranger, newColleague().sub);
    const theft = await stranger.exchangeCodeForSession(code);
    expect(theft.error).toMatchObject({ status: 400, code: 'bad_code_verifier' });
    const { data } = await client.exchangeCodeForSession(code);
    expect(data.user).toMatchObject({ email });
    expect(
      (await callAs(server, client, '/token?grant_type=pkce', { auth_code: code, code_verifier: 'x' })).body,
    ).toMatchObject({
      code: 'flow_state_not_found',
    });
  });

  it('finds the same account again, however its address is called there by then', async () => {
    const { sub, email } = newColleague();
    const first = await (await enter(sub)).getUser();
    provider.people.set(sub, { email: 'married@example.com', email_verified: false, name: 'Another Name' });
    const again = await (await enter(sub)).getUser();
    expect(again.data.user).toMatchObject({
      id: first.data.user!.id,
      email,
      user_metadata: { name: 'Another Name' },
      identities: [{ email: 'married@example.com' }],
    });
  });

  it('makes one account for somebody who comes twice at once', async () => {
    const { sub } = newColleague();
    const ends = await Promise.all([1, 2, 3].map(() => visit(server.client(), sub)));
    const users = ends.map((end) => payloadOf(fragmentOf(end)['access_token'] ?? '')['sub']);
    expect(new Set(users).size).toBe(1);
  });

  it('knows the device again, though its cookie does not come along from the provider', async () => {
    const browser = newBrowser();
    const { sub } = newColleague();
    const deviceAfterVisit = async () => {
      await visit(server.client(), sub, browser);
      return browser.cookie(SITE, 'known_device')?.split('.')[0];
    };
    const first = await deviceAfterVisit();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await deviceAfterVisit()).toBe(first);
    expect(browser.cookie(SITE, 'provider_flow')).toBeUndefined();
  });

  it('is led on by the answer that the client can ask for', async () => {
    const { sub } = newColleague();
    const path = `/authorize?provider=${encodeURIComponent(PROVIDER)}&login_hint=${sub}&redirect_to=${encodeURIComponent(APP)}`;
    const { body, headers } = await server.call(`${path}&skip_http_redirect=true`);
    expect(headers.getSetCookie()).toEqual([]);
    const end = await newBrowser().follow(body['url'] as string);
    expect(fragmentOf(end)).toHaveProperty('access_token');
  });

  it('leads to no address that is not allowed', async () => {
    const { sub } = newColleague();
    const end = await visit(server.client(), sub, newBrowser(), 'https://evil.example.org/');
    expect(end.origin).toBe(SITE);
  });

  it('takes an answer that the provider posts', async () => {
    const { sub } = newColleague();
    const browser = newBrowser();
    const { data } = await server.client().signInWithOAuth({
      provider: PROVIDER,
      options: { redirectTo: APP, skipBrowserRedirect: true, queryParams: { login_hint: sub } },
    });
    const back = await browser.followTo(asSite(data.url!), '/callback');
    const post = { method: 'POST', body: back.search.slice(1) };
    const answer = await fetch(`${server.url}/callback`, { ...post, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(fragmentOf(await browser.follow(answer.headers.get('location')!))).toHaveProperty('access_token');
  });

  it('is named in the settings', async () => {
    const { body } = await server.call('/settings');
    expect(body['external']).toMatchObject({ [PROVIDER]: true, google: false });
    const { body: other } = await server.call('/authorize?provider=google');
    expect(other).toMatchObject({ message: 'Unsupported provider: provider is not enabled' });
  });

  it('asks for the second factor of who has one', async () => {
    const { sub } = newColleague();
    const client = await enter(sub);
    const app = await enrollTotp(server, client, 'app');
    await showTotp(server, client, app);
    const again = await enter(sub);
    expect(await claimsOf(again)).toMatchObject({ aal: 'aal1' });
    const headers = { authorization: `Bearer ${await accessTokenOf(again)}` };
    const me = async () => (await fetch(`${new URL(server.url).origin}/api/me`, { headers })).status;
    expect(await me()).toBe(401);
    await showTotp(server, again, app);
    expect(await claimsOf(again)).toMatchObject({ aal: 'aal2' });
  });
});

describe('an account with a password', () => {
  it('is not that of somebody who had the same id at a former issuer, unless the verified address is the same', async () => {
    const { sub, email } = newColleague();
    const former = (await (await enter(sub)).getUser()).data.user!;
    const formerIssuer = JSON.stringify({ iss: 'https://former.example.com' });
    await em().execute('update auth.identities set identity_data = identity_data || ?::jsonb where provider_id = ?', [
      formerIssuer,
      sub,
    ]);
    const known = provider.people.get(sub);
    for (const claims of [
      { email: `other-${email}`, email_verified: true },
      { email, email_verified: false },
    ]) {
      provider.people.set(sub, { ...known, ...claims });
      expect(refusalIn(await visit(server.client(), sub))).toEqual({
        at: APP,
        error_code: 'identity_already_exists',
        error_description: 'Identity is already linked to another user',
      });
    }
    provider.people.set(sub, { ...known });
    expect((await (await enter(sub)).getUser()).data.user).toMatchObject({
      id: former.id,
      identities: [{ identity_data: { iss: provider.issuer } }],
    });
  });

  it('is linked by its verified address, and keeps its password', async () => {
    const email = await server.newPerson();
    const { sub } = newColleague({ email: email.toUpperCase() });
    const before = await signInAs(server, email);
    const { data } = await (await enter(sub)).getUser();
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'email', providers: ['email', PROVIDER] } });
    expect((await before.getUser()).data.user?.id).toBe(data.user!.id);
    expect((await server.client().signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  it('stays one that access tokens can carry, whatever the provider tells beside what its owner has told', async () => {
    const email = await server.newPerson();
    const note = 'x'.repeat(7_900);
    expect((await (await signInAs(server, email)).updateUser({ data: { note } })).error).toBeNull();
    const name = 'N'.repeat(1_900);
    const { sub } = newColleague({ email, name });
    for (const _visit of ['first', 'second']) {
      const { data } = await (await enter(sub)).getUser();
      expect(data.user).toMatchObject({
        email,
        user_metadata: { note },
        app_metadata: { providers: ['email', PROVIDER] },
      });
      expect(data.user?.user_metadata).not.toHaveProperty('name');
      expect(data.user?.identities?.find(({ provider }) => provider === PROVIDER)?.identity_data).toMatchObject({
        name,
      });
    }
  });

  it('that falls to the owner of its address stays one that access tokens can carry as well', async () => {
    const { sub, email } = newColleague({ name: 'N'.repeat(1_900) });
    await server.client().signUp({ email, password: PASSWORD });
    const rights = 'x'.repeat(8_000);
    await em().nativeUpdate(User, { email }, { appMetadata: { rights } });
    const { data } = await (await enter(sub)).getUser();
    expect(data.user).toMatchObject({ email, app_metadata: { rights, providers: [PROVIDER] }, user_metadata: {} });
    expect(data.user?.user_metadata).not.toHaveProperty('name');
  });

  it('that nobody confirmed falls to the owner of the address, without what its maker knows', async () => {
    const { sub, email } = newColleague();
    await server.client().signUp({ email, password: PASSWORD, options: { data: { name: 'Mallory' } } });
    const { otp } = await server.mailbox.read(email);
    const owner = await enter(sub);
    const { data } = await owner.getUser();
    expect(data.user).toMatchObject({
      email,
      app_metadata: { provider: PROVIDER, providers: [PROVIDER] },
      user_metadata: { name: expect.stringContaining('Colleague') },
    });
    expect(data.user!.identities).toHaveLength(1);
    const stolen = await server.client().signInWithPassword({ email, password: PASSWORD });
    expect(stolen.error).toMatchObject({ code: 'invalid_credentials' });
    const late = await server.client().verifyOtp({ email, token: otp, type: 'signup' });
    expect(late.error).toMatchObject({ code: 'otp_expired' });
  });

  it.each([
    ['still', true],
    ['no more', false],
  ])(
    'falls to the owner as well where it was confirmed without a mail, as addresses are %s: sessions and factors end',
    async (_when, isAutoconfirmed) => {
      const { sub, email } = newColleague();
      const { mail } = server.app.config.auth;
      const thief = server.client();
      await withSettings({ mail: { ...mail, isAutoconfirmed: true } }, async () => {
        await thief.signUp({ email, password: PASSWORD });
        await showTotp(server, thief, await enrollTotp(server, thief, 'app'));
      });
      await withSettings({ mail: { ...mail, isAutoconfirmed } }, async () => {
        const { data } = await (await enter(sub)).getUser();
        expect(data.user).not.toHaveProperty('factors');
        expect((await thief.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
        expect((await server.client().signInWithPassword({ email, password: PASSWORD })).error).not.toBeNull();
      });
    },
  );
});

describe('what is refused', () => {
  const spent = {
    at: APP,
    error: 'invalid_request',
    error_code: 'bad_oauth_state',
    error_description: 'OAuth state not found or expired',
  };

  /** A sign-in that is about to come back. */
  async function almost(sub: string, browser = newBrowser()) {
    const { data } = await server.client().signInWithOAuth({
      provider: PROVIDER,
      options: { redirectTo: APP, skipBrowserRedirect: true, queryParams: { login_hint: sub } },
    });
    return (await browser.followTo(asSite(data.url!), '/callback')).href;
  }

  it('is a state that comes twice, also at once', async () => {
    const browser = newBrowser();
    const back = await almost(newColleague().sub, browser);
    const ends = await Promise.all([browser.follow(back), browser.follow(back)]);
    expect(ends.filter((end) => 'access_token' in fragmentOf(end))).toHaveLength(1);
    expect(refusalIn(ends.find((end) => !('access_token' in fragmentOf(end)))!)).toEqual(spent);
    expect(refusalIn(await browser.follow(back))).toEqual(spent);
  });

  it('is a state of another browser, which the one that began can end', async () => {
    const browser = newBrowser();
    const back = await almost(newColleague().sub, browser);
    expect(refusalIn(await newBrowser().follow(back))).toEqual(spent);
    expect(fragmentOf(await browser.follow(back))).toHaveProperty('access_token');
  });

  it('is a state that is too old, made up, or missing', async () => {
    const browser = newBrowser();
    const back = await almost(newColleague().sub, browser);
    server.advance(601);
    expect(refusalIn(await browser.follow(back))).toEqual(spent);
    // It began by a clock that was ahead, and would be good until then.
    server.advance(24 * 3600);
    const early = await almost(newColleague().sub, browser);
    server.advance(-24 * 3600);
    expect(refusalIn(await browser.follow(early))).toEqual(spent);
    for (const query of ['?code=x&state=made-up', '?code=x', '']) {
      const end = await browser.follow(`${SITE}/auth/v1/callback${query}`);
      expect(refusalIn(end)).toEqual({ ...spent, at: `${SITE}/` });
    }
  });

  it('is what the provider refuses, in its words', async () => {
    const end = await visit(server.client(), '');
    expect(refusalIn(end)).toEqual({
      at: APP,
      error: 'access_denied',
      error_description: 'End-User aborted interaction',
    });
  });

  const unsigned = (claims: JWTPayload) =>
    [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.';

  it.each([
    ['nonce', { nonce: 'another' }],
    ['nonce that is missing', { nonce: undefined }],
    ['issuer', { iss: 'http://127.0.0.1:1' }],
    ['audience', { aud: 'somebody-else' }],
    ['end', { exp: 1_000_000_000 }],
    ['subject', { sub: '' }],
  ])('is an ID token with a wrong %s', async (_what, wrong) => {
    const { sub } = newColleague();
    provider.forge = (claims) => provider.sign({ ...claims, email: 'a@example.com', email_verified: true, ...wrong });
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject({ at: APP, error_code: 'bad_oauth_callback' });
  });

  it('is an ID token that nobody signed, or somebody else', async () => {
    const { sub } = newColleague();
    provider.forge = (claims) => Promise.resolve(unsigned({ ...claims, email: 'a@example.com', email_verified: true }));
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject({ error_code: 'bad_oauth_callback' });
    provider.forge = async (claims) => {
      const [head, , signature] = (await provider.sign(claims)).split('.');
      const forged = Buffer.from(JSON.stringify({ ...claims, email: 'a@example.com', email_verified: true }));
      return [head, forged.toString('base64url'), signature].join('.');
    };
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject({ error_code: 'bad_oauth_callback' });
    // Otherwise the forged ones would be refused for another reason.
    provider.forge = (claims) => provider.sign({ ...claims, email: 'a@example.com', email_verified: true });
    expect(fragmentOf(await visit(server.client(), sub))).toHaveProperty('access_token');
  });

  it('is an address that the provider has not verified, or does not tell', async () => {
    const unverified = { error_code: 'provider_email_needs_verification' };
    for (const claims of [{ email_verified: false }, { email_verified: undefined }]) {
      const { sub } = newColleague(claims);
      expect(refusalIn(await visit(server.client(), sub))).toMatchObject(unverified);
    }
    const { sub } = newColleague({ email: await server.newPerson(), email_verified: false });
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject(unverified);
    const missing = { error_code: 'email_address_not_provided' };
    for (const email of [undefined, 'no address', 'a@b\0.example']) {
      expect(refusalIn(await visit(server.client(), newColleague({ email }).sub))).toMatchObject(missing);
    }
  });

  it('is an address beside which nothing is said, though another one is verified elsewhere', async () => {
    const unverified = { error_code: 'provider_email_needs_verification' };
    const email = await server.newPerson();
    const { sub, email: own } = newColleague();
    // Without the groups, which are needed, the rest is asked for.
    const claim = (claims: object) => (right: JWTPayload) => provider.sign({ ...right, groups: undefined, ...claims });
    provider.forge = claim({ email });
    provider.told = { sub, email: own, email_verified: true };
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject(unverified);
    provider.forge = claim({ email_verified: true });
    provider.told = { sub, email, email_verified: false };
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject(unverified);
    provider.forge = claim({ email: own });
    provider.told = { sub, email: own, email_verified: true };
    expect(fragmentOf(await visit(server.client(), sub))).toHaveProperty('access_token');
  });

  it('is somebody new where sign-up is closed, and not who has an account', async () => {
    const known = newColleague();
    await enter(known.sub);
    await withSettings({ isSignupDisabled: true }, async () => {
      const end = await visit(server.client(), newColleague().sub);
      expect(refusalIn(end)).toMatchObject({ error_code: 'signup_disabled' });
      await enter(known.sub);
    });
  });

  it('is somebody who is banned, by identity and by address', async () => {
    const { sub } = newColleague();
    const client = await enter(sub);
    const email = await server.newPerson();
    const { sub: other } = newColleague({ email });
    const until = '2100-01-01';
    const id = (await client.getUser()).data.user!.id;
    await em().execute('update auth.users set banned_until = ? where id = ? or email = ?', [until, id, email]);
    for (const banned of [sub, other]) {
      const refusal = { error: 'access_denied', error_code: 'user_banned', error_description: 'User is banned' };
      expect(refusalIn(await visit(server.client(), banned))).toMatchObject(refusal);
    }
  });

  it('is an account that is deleted before its code is exchanged', async () => {
    const { sub, email } = newColleague();
    const client = server.client({ flowType: 'pkce' });
    const code = (await visit(client, sub)).searchParams.get('code')!;
    await em().execute('delete from auth.users where email = ?', [email]);
    const { error } = await client.exchangeCodeForSession(code);
    expect(error).toMatchObject({ code: 'flow_state_not_found' });
  });
});

describe('a provider that is in trouble', () => {
  const outage = { at: APP, error: 'temporarily_unavailable', error_code: 'unexpected_failure' };

  it.each(['silent', 'broken'] as const)('is %s when the code is to be exchanged', async (trouble) => {
    const { sub } = newColleague();
    server.app.get(OidcProviderService).patienceMs = 300;
    provider[trouble].add('/token');
    expect(refusalIn(await visit(server.client(), sub))).toMatchObject(outage);
    provider[trouble].clear();
    server.app.get(OidcProviderService).patienceMs = 8000;
    await enter(sub);
  });

  it('does not keep anybody from beginning, as its metadata are kept, and is asked again later', async () => {
    const { sub } = newColleague();
    await enter(sub);
    const discovery = '/.well-known/openid-configuration';
    const asked = () => provider.calls.filter((path) => path === discovery).length;
    const before = asked();
    await enter(sub);
    expect(asked()).toBe(before);
    provider.broken.add(discovery);
    server.advance(3601);
    await enter(sub);
    expect(asked()).toBe(before + 1);
    provider.broken.clear();
    server.advance(301);
    await enter(sub);
    expect(asked()).toBe(before + 2);
  });
});

it('asks the provider again where it was asked by a clock that was a day ahead', async () => {
  const { sub } = newColleague();
  const asked = () => provider.calls.filter((path) => path.endsWith('/openid-configuration')).length;
  server.advance(24 * 3600);
  await enter(sub);
  const before = asked();
  server.advance(-24 * 3600);
  await enter(sub);
  expect(asked()).toBe(before + 1);
  await enter(sub);
  expect(asked()).toBe(before + 1);
});

describe('an ID token that a client brings', () => {
  /** Claims that are right. */
  const rightClaims = (sub: string, nonce?: string): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    const hashed = nonce === undefined ? {} : { nonce: createHash('sha256').update(nonce).digest('hex') };
    const { people, issuer } = provider;
    return { iss: issuer, aud: CLIENT_ID, sub, iat: now, exp: now + 7200, ...people.get(sub), ...hashed };
  };

  it('signs in, named by provider, by issuer, or by client and issuer', async () => {
    const { sub, email } = newColleague();
    const token = await provider.sign(rightClaims(sub, 'once'));
    for (const name of [PROVIDER, provider.issuer]) {
      const { data } = await server.client().signInWithIdToken({ provider: name, token, nonce: 'once' });
      expect(data.user).toMatchObject({ email });
    }
    const body = { client_id: CLIENT_ID, issuer: provider.issuer, id_token: token, nonce: 'once' };
    expect(await server.call('/token?grant_type=id_token', { method: 'POST', body })).toMatchObject({ status: 200 });
  });

  it('is refused when it is of another issuer, for somebody else, too old, unsigned or altered', async () => {
    const { sub } = newColleague();
    const right = rightClaims(sub);
    const bad = { error: 'invalid request', error_description: 'Bad ID token' };
    const [head, , signature] = (await provider.sign(right)).split('.');
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const tokens = [
      await provider.sign({ ...right, iss: 'https://accounts.google.com' }),
      await provider.sign({ ...right, aud: 'somebody-else' }),
      await provider.sign({ ...right, aud: [CLIENT_ID, 'somebody-else'] }),
      await provider.sign({ ...right, exp: 1_000_000_000 }),
      await provider.sign({ ...right, sub: '' }),
      await provider.sign({ ...right, at_hash: 'x' }),
      `${encode({ alg: 'none' })}.${encode(right)}.`,
      `${encode({ alg: 'HS256', kid: 'first' })}.${encode(right)}.${signature}`,
      `${head}.${encode({ ...right, sub: 'else' })}.${signature}`,
      'x',
    ];
    for (const [index, token] of tokens.entries()) {
      const answer = await server.call('/token?grant_type=id_token', {
        method: 'POST',
        body: { provider: PROVIDER, id_token: token },
      });
      expect([index, answer]).toMatchObject([index, { status: 400, body: bad }]);
    }
  });

  it('may be for an application that the operator names', async () => {
    const { sub, email } = newColleague();
    const forPhone = { ...rightClaims(sub), aud: 'the-phone' };
    const forBoth = { ...forPhone, aud: [CLIENT_ID, 'the-phone'], azp: 'the-phone' };
    const grant = async (claims: JWTPayload, named: object = { provider: PROVIDER }) => {
      const body = { ...named, id_token: await provider.sign(claims) };
      return await server.call('/token?grant_type=id_token', { method: 'POST', body });
    };
    expect((await grant(forPhone)).status).toBe(400);
    expect((await grant(forBoth)).status).toBe(400);
    const byClient = { client_id: 'the-phone', issuer: provider.issuer };
    expect((await grant(forPhone, byClient)).status).toBe(400);
    const known = { ...server.app.config.auth.provider, appClientIds: ['the-tablet', 'the-phone'] };
    await withSettings({ provider: known }, async () => {
      for (const answer of [await grant(forPhone), await grant(forBoth), await grant(forPhone, byClient)]) {
        expect(answer).toMatchObject({ status: 200, body: { user: { email } } });
      }
      expect((await grant({ ...forPhone, aud: 'somebody-else' })).status).toBe(400);
      expect((await grant({ ...forBoth, azp: 'somebody-else' })).status).toBe(400);
    });
  });

  it('comes with the nonce that it was asked for with, or neither has one', async () => {
    const { sub } = newColleague();
    const grant = async (claims: JWTPayload, nonce?: string) => {
      const body = { provider: PROVIDER, id_token: await provider.sign(claims), nonce };
      return await server.call('/token?grant_type=id_token', { method: 'POST', body });
    };
    const either = 'Passed nonce and nonce in id_token should either both exist or not.';
    expect((await grant(rightClaims(sub, 'a'))).body).toMatchObject({ error_description: either });
    expect((await grant(rightClaims(sub), 'a')).body).toMatchObject({ error_description: either });
    expect((await grant(rightClaims(sub, 'a'), 'b')).body).toEqual({
      error: 'invalid nonce',
      error_description: 'Nonces mismatch',
    });
    expect((await grant(rightClaims(sub))).status).toBe(200);
  });

  it('comes with the access token that it is bound to', async () => {
    const { sub } = newColleague();
    const accessToken = 'an access token of the provider';
    const digest = createHash('sha256').update(accessToken).digest();
    const claims = { ...rightClaims(sub), at_hash: digest.subarray(0, 16).toString('base64url') };
    const token = await provider.sign(claims);
    const { error } = await server.client().signInWithIdToken({ provider: PROVIDER, token, access_token: accessToken });
    expect(error).toBeNull();
  });

  it('links to who is signed in, with their second factor', async () => {
    const { client, email } = await newSecuredPerson(server);
    const { sub } = newColleague();
    const token = await provider.sign(rightClaims(sub));
    const { data, error } = await client.linkIdentity({ provider: PROVIDER, token });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, app_metadata: { providers: ['email', PROVIDER] } });
    const again = await signInAs(server, email);
    const { sub: other } = newColleague();
    const low = await again.linkIdentity({ provider: PROVIDER, token: await provider.sign(rightClaims(other)) });
    expect(low.error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    const nobody = { provider: PROVIDER, id_token: token, link_identity: true };
    expect(await server.call('/token?grant_type=id_token', { method: 'POST', body: nobody })).toMatchObject({
      status: 401,
    });
  });
});

describe('an identity', () => {
  /** The address at the provider for the button of somebody who is signed in. */
  async function begin(client: Client, sub: string, redirectTo = APP) {
    const options = { redirectTo, skipBrowserRedirect: true, queryParams: { login_hint: sub } };
    const { data, error } = await client.linkIdentity({ provider: PROVIDER, options });
    if (error) throw error;
    return data.url;
  }

  it('is linked when the client exchanges the code that began', async () => {
    const email = await server.newPerson();
    const client = server.client({ flowType: 'pkce' });
    await client.signInWithPassword({ email, password: PASSWORD });
    const { sub, email: theirs } = newColleague();
    const end = await newBrowser().follow(await begin(client, sub));
    const before = await client.getUserIdentities();
    expect(before.data?.identities).toHaveLength(1);
    const { data } = await client.exchangeCodeForSession(end.searchParams.get('code')!);
    expect(data.user).toMatchObject({ email, app_metadata: { providers: ['email', PROVIDER] } });
    const linked = data.user!.identities!.find((identity) => identity.provider === PROVIDER)!;
    expect(linked).toMatchObject({ id: sub, identity_data: { email: theirs } });
    expect(await (await enter(sub)).getUser()).toMatchObject({ data: { user: { id: data.user!.id } } });
    expect(await client.unlinkIdentity(linked)).toMatchObject({ error: null });
    expect((await client.getUser()).data.user).toMatchObject({ email, app_metadata: { providers: ['email'] } });
  });

  it('of an administrator is told by mail when it comes and goes, at an address that goes with it too', async () => {
    const email = await server.newPerson();
    const client = server.client({ flowType: 'pkce' });
    const { data: mine } = await client.signInWithPassword({ email, password: PASSWORD });
    await server.app.get(RolesService).grantAdmin(OPERATOR, mine.user!.id);
    const { sub } = newColleague();
    const end = await newBrowser().follow(await begin(client, sub));
    await client.exchangeCodeForSession(end.searchParams.get('code')!);
    const mailAbout = async (subject: string) => {
      let mail = await server.mailbox.read(email);
      while (!mail.subject.startsWith(subject)) mail = await server.mailbox.read(email);
      return mail;
    };
    const linked = await mailAbout('New way to sign in');
    expect(linked.text).toContain('can be signed in to with');
    const { data } = await client.getUserIdentities();
    const own = data!.identities.find(({ provider }) => provider === 'email')!;
    expect((await client.unlinkIdentity(own)).error).toBeNull();
    expect((await client.getUser()).data.user?.email).not.toBe(email);
    const unlinked = await mailAbout('A way to sign in was removed');
    expect(unlinked.text).toContain('with its email address any more');
  });

  it('of somebody who was led into it stays theirs', async () => {
    const { client: thief } = await newSecuredPerson(server);
    const { sub, email } = newColleague();
    // The browser of the victim has not begun: it lacks the cookie.
    const end = await newBrowser().follow(await begin(thief, sub));
    expect(refusalIn(end)).toMatchObject({ error_code: 'bad_oauth_state' });
    expect((await (await enter(sub)).getUser()).data.user).toMatchObject({ email });
  });

  it('is linked in the browser that began, and makes who was nameless permanent', async () => {
    const client = server.client();
    await client.signInAnonymously();
    const { sub, email } = newColleague();
    const browser = newBrowser();
    const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
    const query = new URLSearchParams({
      provider: PROVIDER,
      redirect_to: APP,
      login_hint: sub,
      skip_http_redirect: 'true',
    });
    const answer = await browser.open(`${SITE}/auth/v1/user/identities/authorize?${query}`, { headers });
    const { url } = (await answer.json()) as { url: string };
    const end = await browser.follow(url);
    expect(fragmentOf(end)).toHaveProperty('access_token');
    expect((await client.getUser()).data.user).toMatchObject({ email, is_anonymous: false });
  });

  it('that is linked already is refused, in the address', async () => {
    const taken = newColleague();
    await enter(taken.sub);
    const own = newColleague();
    const client = server.client({ flowType: 'pkce' });
    const first = await visit(client, own.sub);
    await client.exchangeCodeForSession(first.searchParams.get('code')!);
    for (const [sub, whose] of [
      [taken.sub, ' to another user'],
      [own.sub, ''],
    ] as const) {
      const end = await newBrowser().follow(await begin(client, sub));
      expect(refusalIn(end)).toEqual({
        at: APP,
        error_code: 'identity_already_exists',
        error_description: `Identity is already linked${whose}`,
      });
    }
  });

  it('is not linked for who has signed out meanwhile', async () => {
    const email = await server.newPerson();
    const client = server.client({ flowType: 'pkce' });
    await client.signInWithPassword({ email, password: PASSWORD });
    const url = await begin(client, newColleague().sub);
    await client.signOut();
    expect(refusalIn(await newBrowser().follow(url))).toMatchObject({ error_code: 'bad_oauth_state' });
  });

  it.each([
    ['has signed out', async (client: Client) => void (await client.signOut())],
    [
      'has added a second factor elsewhere',
      async (_client: Client, email: string) => {
        const elsewhere = await signInAs(server, email);
        await showTotp(server, elsewhere, await enrollTotp(server, elsewhere));
      },
    ],
  ])('is not linked by the code that a session got of somebody who %s since', async (_what, end) => {
    const email = await server.newPerson();
    const client = await signInAs(server, email);
    const { sub } = newColleague();
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      provider: PROVIDER,
      redirect_to: APP,
      login_hint: sub,
      skip_http_redirect: 'true',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 's256',
    });
    const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
    const begun = await server.call(`/user/identities/authorize?${query}`, { headers });
    const back = await newBrowser().follow(String(begun.body['url']));
    await end(client, email);
    const body = { auth_code: back.searchParams.get('code'), code_verifier: verifier };
    expect(await server.call('/token?grant_type=pkce', { method: 'POST', body })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
    expect((await (await enter(sub)).getUser()).data.user?.email).not.toBe(email);
  });

  describe('that is linked while something else happens', () => {
    let database: pg.Client;

    beforeAll(async () => {
      database = new pg.Client({ connectionString: server.app.config.database.url });
      await database.connect();
      onCleanup(() => database.end());
    });

    const idOf = async (client: Client) => (await client.getUser()).data.user!.id;

    it('stays that of whom the provider knows where the session ends as the browser comes back', async () => {
      const client = await signInAs(server, await server.newPerson());
      const id = await idOf(client);
      const { sub } = newColleague();
      const browser = newBrowser();
      const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
      const query = new URLSearchParams({
        provider: PROVIDER,
        redirect_to: APP,
        login_hint: sub,
        skip_http_redirect: 'true',
      });
      const begun = await browser.open(`${SITE}/auth/v1/user/identities/authorize?${query}`, { headers });
      const { url } = (await begun.json()) as { url: string };
      await database.query('begin');
      await database.query('select from auth.users where id = $1 for update', [id]);
      const end = browser.follow(url);
      await until(() => isSomebodyWaiting(database));
      await database.query('delete from auth.sessions where user_id = $1', [id]);
      await database.query('commit');
      expect(refusalIn(await end)).toMatchObject({ error: 'access_denied', error_code: 'session_not_found' });
      expect(await idOf(await enter(sub))).not.toBe(id);
    });

    it('is refused in the words of the protocol where the session ends while the provider is asked', async () => {
      const client = await signInAs(server, await server.newPerson());
      const headers = { authorization: `Bearer ${await accessTokenOf(client)}` };
      const oidc = server.app.get(OidcProviderService);
      const ask = oidc.authorizationUrl.bind(oidc);
      jest.spyOn(oidc, 'authorizationUrl').mockImplementationOnce(async (...asked) => {
        await client.signOut({ scope: 'local' });
        return await ask(...asked);
      });
      const path = `/user/identities/authorize?provider=${PROVIDER}&skip_http_redirect=true`;
      expect(await server.call(path, { headers })).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    });

    it('belongs to the first of two who exchange their codes for it at once', async () => {
      const other = await idOf(await signInAs(server, await server.newPerson()));
      const email = await server.newPerson();
      const client = server.client({ flowType: 'pkce' });
      await client.signInWithPassword({ email, password: PASSWORD });
      const { sub } = newColleague();
      const end = await newBrowser().follow(await begin(client, sub));
      await database.query('begin');
      await database.query('insert into auth.identities (user_id, provider, provider_id) values ($1, $2, $3)', [
        other,
        PROVIDER,
        sub,
      ]);
      const exchanged = client.exchangeCodeForSession(end.searchParams.get('code')!);
      await until(() => isSomebodyWaiting(database));
      await database.query('commit');
      expect((await exchanged).error).toMatchObject({ status: 422, code: 'identity_already_exists' });
    });
  });

  it('is begun to be linked no more often than the limit allows', async () => {
    const client = await signInAs(server, await server.newPerson());
    const { sub } = newColleague();
    const limits = { ...server.app.config.auth.limits, sso: { count: 1, seconds: 300, burst: 1 } };
    await withSettings({ limits }, async () => {
      await begin(client, sub);
      await expect(begin(client, sub)).rejects.toMatchObject({ status: 429 });
    });
    const { session_id: session } = await claimsOf(client);
    expect(await em().execute('select 1 from auth.provider_flows where session_id = ?', [session])).toHaveLength(1);
  });

  it('is not linked without the second factor of who has one', async () => {
    const { email } = await newSecuredPerson(server);
    const low = await signInAs(server, email);
    await expect(begin(low, newColleague().sub)).rejects.toMatchObject({ status: 401, code: 'insufficient_aal' });
  });
});

describe('the claim for administrators', () => {
  const admins = { groups: ['staff', 'site-admins'] };

  beforeEach(async () => {
    // Somebody who is one for good.
    await roles().grantAdmin(OPERATOR, (await (await enter(newColleague().sub)).getUser()).data.user!.id);
  });

  it('gives the role, and takes it again when it is gone', async () => {
    const { sub } = newColleague(admins);
    const client = await enter(sub);
    expect(await isAdmin(client)).toBe(true);
    provider.people.set(sub, { ...provider.people.get(sub), groups: 'staff' });
    await enter(sub);
    expect(await isAdmin(client)).toBe(false);
    provider.people.set(sub, { ...provider.people.get(sub), groups: 'site-admins' });
    await enter(sub);
    expect(await isAdmin(client)).toBe(true);
    const log = await em().execute(
      `select action, actor_kind, details->>'source' as source from audit_log where subject_id = ? order by at`,
      [(await client.getUser()).data.user!.id],
    );
    expect(log).toEqual(
      ['role.granted', 'role.revoked', 'role.granted'].map((action) => ({
        action,
        actor_kind: 'system',
        source: 'provider',
      })),
    );
  });

  it('takes no role that somebody here gave', async () => {
    const { sub } = newColleague(admins);
    const client = await enter(sub);
    await roles().grantAdmin(OPERATOR, (await client.getUser()).data.user!.id);
    provider.people.set(sub, { ...provider.people.get(sub), groups: [] });
    await enter(sub);
    expect(await isAdmin(client)).toBe(true);
  });

  it('leaves the role to the last administrator', async () => {
    const { sub } = newColleague(admins);
    const client = await enter(sub);
    const { id } = (await client.getUser()).data.user!;
    await em().execute('delete from user_roles where user_id <> ?', [id]);
    provider.people.set(sub, { ...provider.people.get(sub), groups: [] });
    await enter(sub);
    expect(await isAdmin(client)).toBe(true);
  });
});

it('has what a sign-in needs nowhere in the database', async () => {
  const browser = newBrowser();
  const { sub } = newColleague();
  const { data } = await server.client().signInWithOAuth({
    provider: PROVIDER,
    options: { redirectTo: APP, skipBrowserRedirect: true, queryParams: { login_hint: sub } },
  });
  const at = await browser.followTo(asSite(data.url!), '/auth');
  const rows = JSON.stringify(await em().execute('select * from auth.provider_flows'));
  for (const name of ['state', 'nonce', 'code_challenge']) expect(rows).not.toContain(at.searchParams.get(name));
});
