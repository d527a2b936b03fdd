import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';

let server: AuthServer;
let email: string;

beforeAll(async () => {
  server = await startAuthServer();
  email = await server.newPerson();
});

async function signIn(): Promise<{ client: Client; refresh: string; access: string }> {
  const client = server.client();
  const { data, error } = await client.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return { client, refresh: data.session.refresh_token, access: data.session.access_token };
}

const readPart = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const exchange = (token: string) =>
  server.call('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: token } });
const whoAmI = (access: string) => server.call('/user', { headers: { authorization: `Bearer ${access}` } });

describe('signing in', () => {
  it('says the same of an unknown address and of a wrong password', async () => {
    for (const person of [email, server.newEmail()]) {
      const { error } = await server.client().signInWithPassword({ email: person, password: 'wrong password' });
      expect(error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' });
    }
  });

  it('issues a token with the contracted claims', async () => {
    const { access, client } = await signIn();
    const [head, payload] = access.split('.').slice(0, 2).map(readPart);
    expect(head).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    const { data } = await client.getUser();
    expect(payload).toEqual({
      iss: server.app.config.auth.externalUrl,
      sub: data.user?.id,
      aud: 'authenticated',
      exp: Number(payload?.['iat']) + 3600,
      iat: expect.any(Number),
      email,
      phone: '',
      app_metadata: data.user?.app_metadata,
      user_metadata: data.user?.user_metadata,
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
    });
    const { data: claims } = await client.getClaims();
    expect(claims?.claims.sub).toBe(data.user?.id);
  });

  it.each([
    [{ email: 'a@example.com', phone: '123', password: 'x' }, 400, 'validation_failed'],
    [{ password: 'x' }, 400, 'validation_failed'],
    [{ phone: '4915112345678', password: 'x' }, 422, 'phone_provider_disabled'],
    ['{', 400, 'bad_json'],
    [{ email: 1 }, 400, 'bad_json'],
  ])('refuses %j with %i %s', async (body, status, code) => {
    const answer = await server.call('/token?grant_type=password', { method: 'POST', body });
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.headers.get('x-sb-error-code')).toBe(code);
  });

  it('refuses an unknown grant', async () => {
    const answer = await server.call('/token?grant_type=sorcery', { method: 'POST', body: {} });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'unsupported_grant_type' },
    });
  });
});

describe('refreshing', () => {
  it('rotates the token and keeps the session', async () => {
    const { client, refresh, access } = await signIn();
    const { data, error } = await client.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(refresh);
    const sessionOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { session_id: string }).session_id;
    expect(sessionOf(data.session!.access_token)).toBe(sessionOf(access));
  });

  it('gives one successor to twenty who ask at once', async () => {
    const { refresh } = await signIn();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(refresh)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body['refresh_token'])).size).toBe(1);
  });

  it('gives the active token again to whoever lost the answer, at any age', async () => {
    const { refresh } = await signIn();
    const first = await exchange(refresh);
    server.advance(3000);
    const second = await exchange(refresh);
    expect(second.body['refresh_token']).toBe(first.body['refresh_token']);
  });

  it('ends the session when an old token comes back', async () => {
    const { refresh } = await signIn();
    const second = (await exchange(refresh)).body['refresh_token'] as string;
    const third = (await exchange(second)).body['refresh_token'] as string;
    expect((await exchange(refresh)).body['refresh_token']).toBe(third);
    server.advance(11);
    const used = { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' };
    expect(await exchange(refresh)).toMatchObject({ status: 400, body: used });
    // The rightful owner is out as well, at once and later.
    expect(await exchange(third)).toMatchObject({ status: 400, body: used });
    server.advance(60);
    expect(await exchange(third)).toMatchObject({ status: 400, body: used });
  });

  it.each(['', 'short', 'ABCDEFGHIJKL', 'aaaaaaaaaaaaa', "' or 1=1 --'"])('refuses %j as malformed', async (token) => {
    const message = 'Refresh token is not valid';
    expect(await exchange(token)).toMatchObject({ status: 400, body: { code: 'validation_failed', message } });
  });

  it('does not know what it did not issue', async () => {
    const message = 'Invalid Refresh Token: Refresh Token Not Found';
    expect(await exchange('aaaaaaaaaaaa')).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_not_found', message },
    });
  });
});

describe('signing out', () => {
  it.each([
    ['global', [false, false]],
    ['local', [false, true]],
    ['others', [true, false]],
  ] as const)('%s ends the sessions it names, at once', async (scope, [isMineAlive, isOtherAlive]) => {
    const [mine, other] = [await signIn(), await signIn()];
    expect((await mine.client.signOut({ scope })).error).toBeNull();
    const gone = { status: 403, body: { code: 'session_not_found' } };
    const alive = { status: 200 };
    expect(await whoAmI(mine.access)).toMatchObject(isMineAlive ? alive : gone);
    expect(await whoAmI(other.access)).toMatchObject(isOtherAlive ? alive : gone);
    expect((await exchange(other.refresh)).status).toBe(isOtherAlive ? 200 : 400);
  });

  it('answers nothing with 204, and refuses other scopes', async () => {
    const { access } = await signIn();
    const headers = { authorization: `Bearer ${access}` };
    const refused = await server.call('/logout?scope=x', { method: 'POST', headers });
    expect(refused).toMatchObject({ status: 400, body: { message: 'Unsupported logout scope "x"' } });
    const contentType = { 'content-type': 'application/json;charset=UTF-8' };
    const answer = await server.call('/logout', { method: 'POST', headers: { ...headers, ...contentType } });
    expect(answer).toMatchObject({ status: 204, body: {} });
  });
});

describe('changing the password', () => {
  it('ends the other sessions and refuses the same one', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const same = await mine.client.updateUser({ password: PASSWORD });
    expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
    expect((await mine.client.updateUser({ password: 'another horse 8' })).error).toBeNull();
    expect((await mine.client.getUser()).error).toBeNull();
    expect(await whoAmI(other.access)).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    const { error } = await server.client().signInWithPassword({ email, password: 'another horse 8' });
    expect(error).toBeNull();
    await mine.client.updateUser({ password: PASSWORD });
  });

  it.each([
    ['12345', ['length']],
    ['password1', ['pwned']],
    ['Wassup', ['pwned']],
    ['your-it-team 2026!', ['pwned']],
  ])('refuses %s as weak', async (password, reasons) => {
    const { client } = await signIn();
    const { error } = await client.updateUser({ password });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, reasons });
  });

  it('refuses the own address, and what stands before its @, as weak', async () => {
    const own = 'marguerite@example.com';
    for (const password of [own, 'Marguerite_1987']) {
      const { error } = await server.client().signUp({ email: own, password });
      expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['pwned'] });
    }
    expect((await server.client().signUp({ email: own, password: 'marguerite likes 7 geese' })).error).toBeNull();
  });
});

describe('a call with a token', () => {
  it('is refused without one, with a foreign one and with an expired one', async () => {
    expect(await server.call('/user')).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
    expect(await whoAmI('nonsense')).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
    const { access } = await signIn();
    server.advance(3601);
    const answer = await whoAmI(access);
    expect(answer).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
    expect(answer.body['message']).toMatch(/^invalid JWT: unable to parse or verify signature, .*token is expired$/);
  });
});
