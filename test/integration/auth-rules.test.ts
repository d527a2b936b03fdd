import { createHash, createHmac, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import bcrypt from 'bcryptjs';
import { User, type UserRow } from '../../src/auth/accounts/user.entity.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { HASH_COST, PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount } from '../support/accounts.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';
import { enrollTotp, showTotp, signInAs } from '../support/second-factor.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SECRET = 'a secret of at least thirty-two characters';
const PASSWORD = 'correct horse 7';
const OTHER = 'another horse 8';
const DAY_S = 24 * 3600;

let server: AuthServer;
const signIn = (email: string, password = PASSWORD) => server.client().signInWithPassword({ email, password });
const exchange = (token: string | undefined) =>
  server.call('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: token } });

/** Someone with a session; addresses need no confirmation here. */
async function join() {
  const client = server.client();
  const email = server.newEmail();
  const { data, error } = await client.signUp({ email, password: PASSWORD });
  if (error) throw error;
  return { client, email, id: data.user!.id, session: data.session! };
}

async function findUser(email: string): Promise<UserRow> {
  return await server.app.get(EntityManager).fork().findOneOrFail(User, { email });
}

async function storeHash(email: string, passwordHash: string | null): Promise<void> {
  await server.app.get(EntityManager).fork().nativeUpdate(User, { email }, { passwordHash });
}

beforeAll(async () => {
  const hashes = ['tested horse 7', 'known 1', 'known 2'].map((text) => createHash('sha1').update(text).digest('hex'));
  const breached = `${temporaryFolder()}/breached.txt`;
  writeFileSync(
    breached,
    hashes
      .sort()
      .map((hash) => `${hash.toUpperCase()}:7\r\n`)
      .join(''),
  );
  server = await startAuthServer({
    AUTH_JWT_KEYS: '',
    AUTH_JWT_SECRET: SECRET,
    AUTH_MAIL_AUTOCONFIRM: 'true',
    AUTH_CURRENT_PASSWORD_REQUIRED: 'true',
    AUTH_ADDRESS_PROOF_REQUIRED: 'true',
    AUTH_BREACHED_PASSWORDS: breached,
    AUTH_REAUTHENTICATION_REQUIRED: 'true',
    AUTH_PASSWORD_MIN_LENGTH: '8',
    AUTH_MAIL_OTP_EXP: '600',
    AUTH_PASSWORD_REQUIRED_CHARACTERS: 'abcdefghijklmnopqrstuvwxyz:0123456789',
    AUTH_SESSION_TIMEBOX: String(30 * DAY_S),
    AUTH_SESSION_INACTIVITY: String(10 * DAY_S),
  });
  server.app.get(PasswordsService).cost = HASH_COST;
});

describe('passwords', () => {
  it.each([
    ['horse', ['length', 'characters']],
    ['horse 7', ['length']],
    ['correct horse', ['characters']],
    ['12345678', ['characters', 'pwned']],
    ['tested horse 7', ['pwned']],
  ])('like %j are refused with their reasons', async (password, reasons) => {
    const { error } = await server.client().signUp({ email: server.newEmail(), password });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, code: 'weak_password', reasons });
  });

  it('have at most 72 bytes', async () => {
    const answer = await server.client().signUp({ email: server.newEmail(), password: `${'ä'.repeat(36)}1` });
    expect(answer.error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Password cannot be longer than 72 characters',
    });
  });

  it('hashed with bcrypt are good, and hashed better from then on', async () => {
    const { email } = await createAccount(server.app);
    await storeHash(email!, await bcrypt.hash(PASSWORD, 4));
    expect((await signIn(email!, OTHER)).error).toMatchObject({ code: 'invalid_credentials' });
    expect((await findUser(email!)).passwordHash).toMatch(/^\$2/);
    expect((await signIn(email!)).error).toBeNull();
    const { passwordHash } = await findUser(email!);
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect((await signIn(email!)).error).toBeNull();
    expect((await findUser(email!)).passwordHash).toBe(passwordHash);
  });

  it('are right in each of two tabs of which one has them hashed better meanwhile, and wrong where they were changed', async () => {
    const { email } = await createAccount(server.app);
    const passwords = server.app.get(PasswordsService);
    const check = passwords.check.bind(passwords);
    for (const [stored, code] of [
      [await passwords.hash(PASSWORD), undefined],
      [await passwords.hash(OTHER), 'invalid_credentials'],
    ] as const) {
      await storeHash(email!, await bcrypt.hash(PASSWORD, 4));
      passwords.check = async (...given) => {
        passwords.check = check;
        const result = await check(...given);
        await storeHash(email!, stored);
        return result;
      };
      expect((await signIn(email!)).error?.code).toBe(code);
      expect((await findUser(email!)).passwordHash).toBe(stored);
    }
  });

  it('do not expire', async () => {
    const { email } = await join();
    server.advance(3_650 * DAY_S);
    const { data, error } = await signIn(email);
    expect(error).toBeNull();
    expect(data).not.toHaveProperty('weakPassword');
  });

  it('are set anew by a mailed code, for as long as AUTH_MAIL_OTP_EXP says', async () => {
    const { email } = await join();
    const client = server.client();
    const recover = async () => {
      await client.resetPasswordForEmail(email);
      return (await server.mailbox.read(email)).otp;
    };
    const late = await recover();
    server.advance(601);
    const { error } = await client.verifyOtp({ email, token: late, type: 'recovery' });
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' });
    const token = await recover();
    server.advance(599);
    expect((await client.verifyOtp({ email, token, type: 'recovery' })).error).toBeNull();
  });

  it('are changed with the present one, and after a day with a mailed code', async () => {
    const { client, email } = await join();
    const change = async (attributes: object) => (await client.updateUser({ password: OTHER, ...attributes })).error;
    expect(await change({})).toMatchObject({ status: 400, code: 'current_password_required' });
    expect(await change({ current_password: OTHER })).toMatchObject({ status: 400, code: 'current_password_invalid' });
    server.advance(DAY_S + 60);
    await client.refreshSession();
    const current = { current_password: PASSWORD };
    expect(await change(current)).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    await client.reauthenticate();
    const { otp: nonce } = await server.mailbox.read(email);
    const wrong = nonce === '000000' ? '000001' : '000000';
    expect(await change({ ...current, nonce: wrong })).toMatchObject({
      status: 422,
      code: 'reauthentication_not_valid',
    });
    expect(await change({ ...current, nonce })).toBeNull();
    expect((await signIn(email, OTHER)).error).toBeNull();
  });
});

describe('accounts', () => {
  it('take a new address at once where none is confirmed, and data piece by piece', async () => {
    const { client, email } = await join();
    const next = server.newEmail();
    await client.updateUser({ data: { a: 1, b: { c: 2 } } });
    const current_password = PASSWORD;
    const { data } = await client.updateUser({ email: next, current_password, data: { a: null, d: 3 } });
    expect(data.user).toMatchObject({ email: next, user_metadata: { b: { c: 2 }, d: 3, email: next } });
    expect(data.user).not.toHaveProperty('new_email');
    expect(data.user?.user_metadata).not.toHaveProperty('a');
    expect((await signIn(email)).error).toMatchObject({ code: 'invalid_credentials' });
  });

  it('take another address with the password, or where nothing else can be shown', async () => {
    const { client, email } = await join();
    const next = server.newEmail();
    const change = async (attributes: object = {}) => (await client.updateUser({ email: next, ...attributes })).error;
    expect(await change()).toMatchObject({ status: 400, code: 'current_password_required' });
    const wrong = { current_password: OTHER };
    expect(await change(wrong)).toMatchObject({ status: 400, code: 'current_password_invalid' });
    expect((await client.updateUser({ email, data: { seen: true } })).error).toBeNull();
    expect(await change({ current_password: PASSWORD })).toBeNull();

    const reader = server.client();
    await reader.resetPasswordForEmail(next);
    const { otp: token } = await server.mailbox.read(next);
    await reader.verifyOtp({ email: next, token, type: 'recovery' });
    expect((await reader.updateUser({ email: server.newEmail() })).error).toBeNull();
    server.advance(16 * 60);
    await reader.refreshSession();
    const later = (await reader.updateUser({ email: server.newEmail() })).error;
    expect(later).toMatchObject({ code: 'current_password_required' });
  });

  it('take another address after a second factor, but for one that the session has added', async () => {
    const { client, email } = await join();
    const app = await enrollTotp(server, client);
    await showTotp(server, client, app);
    // Whoever took the session could have added it.
    const { error } = await client.updateUser({ email: server.newEmail() });
    expect(error).toMatchObject({ status: 400, code: 'current_password_required' });
    const later = await signInAs(server, email);
    await showTotp(server, later, app);
    expect((await later.updateUser({ email: server.newEmail() })).error).toBeNull();
  });

  it('that are banned are kept out everywhere', async () => {
    const { id, email, client, session } = await join();
    await server.app.get(UsersService).banUser(OPERATOR, id, null);
    expect((await signIn(email)).error).toMatchObject({ status: 400, code: 'user_banned', message: 'User is banned' });
    expect((await client.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' });
    expect(await exchange(session.refresh_token)).toMatchObject({ status: 400, body: { code: 'user_banned' } });
  });

  it('cannot give themselves what administrators give', async () => {
    const { session } = await join();
    const answer = await server.call('/user', {
      method: 'PUT',
      body: { app_metadata: { role: 'admin' } },
      headers: { authorization: `Bearer ${session.access_token}` },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_admin' } });
  });
});

describe('sessions', () => {
  it('end when they are not used, and after a time whatever happens', async () => {
    const { session } = await join();
    let token: unknown = session.refresh_token;
    for (let days = 9; days < 30; days += 9) {
      server.advance(9 * DAY_S);
      token = (await exchange(String(token))).body['refresh_token'];
    }
    server.advance(4 * DAY_S);
    expect(await exchange(String(token))).toMatchObject({
      status: 400,
      body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired' },
    });
    const idle = await join();
    server.advance(11 * DAY_S);
    expect(await exchange(idle.session.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired (Inactivity)' },
    });
  });
});

describe('access tokens', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signToken = (claims: object, head: object = { alg: 'HS256', typ: 'JWT' }) => {
    const issued = { iss: server.app.config.auth.externalUrl, aud: 'authenticated', exp: 4_000_000_000 };
    const text = `${encode(head)}.${encode({ ...issued, ...claims })}`;
    return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
  };
  const ask = (token: string, headers = {}) =>
    server.call('/user', { headers: { authorization: `Bearer ${token}`, ...headers } });

  it('are checked in the contracted order', async () => {
    const { id, session } = await join();
    for (const [claims, status, code, message] of [
      [{}, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
      [{ sub: 'me' }, 400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'],
      [{ sub: randomUUID() }, 403, 'user_not_found', 'User from sub claim in JWT does not exist'],
      [
        { sub: id, session_id: randomUUID() },
        403,
        'session_not_found',
        'Session from session_id claim in JWT does not exist',
      ],
      [
        { sub: id, aud: 'others' },
        403,
        'bad_jwt',
        'invalid JWT: unable to parse or verify signature, token has invalid claims: token has invalid audience',
      ],
      [{ sub: id }, 200, undefined, undefined],
    ] as const) {
      const answer = await ask(signToken(claims));
      expect([answer.status, answer.body['code'], answer.body['message']]).toEqual([status, code, message]);
    }
    expect(await ask(session.access_token, { 'x-jwt-aud': 'others' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: "Token audience doesn't match request audience" },
    });
    const longest = { 'x-jwt-aud': 'x'.repeat(256) };
    const body = { email: server.newEmail(), password: PASSWORD };
    expect(await server.call('/signup', { method: 'POST', body, headers: longest })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    const another = await join();
    const { session_id: theirs } = JSON.parse(
      Buffer.from(another.session.access_token.split('.')[1]!, 'base64url').toString(),
    ) as { session_id: string };
    expect((await ask(signToken({ sub: id, session_id: theirs }))).body['code']).toBe('session_not_found');
    expect((await ask(signToken({ sub: id }, { alg: 'HS512' }))).body['code']).toBe('bad_jwt');
  });
});
