import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { AuthClient } from '@supabase/auth-js';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { Factor, type FactorType } from '../../src/auth/factors/factor.entity.js';
import { WebauthnCredential } from '../../src/auth/webauthn/webauthn-credential.entity.js';
import { User } from '../../src/auth/accounts/user.entity.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount, signIn } from '../support/accounts.js';
import { runCli } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createInstallation } from '../support/installation.js';
import { startServer } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';

let app: TestApp;
const users = (args: readonly string[], input?: string | Buffer) => runCommand(app, ['users', ...args], input);
/** The same as an operator runs it. */
const usersAlone = (args: readonly string[], input?: string) => runCli(['users', ...args], app.environment, input);
const findRow = (email: string) => app.get(EntityManager).fork().findOne(User, { email });
const hasPassword = async (email: string, password: string) => {
  const row = await findRow(email);
  return (await app.get(PasswordsService).check(password, row?.passwordHash)).isRight;
};
/** What operators did with an account, as the audit log has it. */
const actionsOn = async (id: string) => {
  const select = `select action from audit_log where subject_id = ? and actor_kind = 'operator' order by id`;
  const rows = await app.get(EntityManager).fork().execute<{ action: string }[]>(select, [id]);
  return rows.map(({ action }) => action);
};
const askWith = async (accessToken: string) =>
  (await app.inject({ url: '/api/me', headers: { authorization: `Bearer ${accessToken}` } })).statusCode;

beforeAll(async () => {
  app = await createTestApp();
});

describe('cli users', () => {
  itSlow('creates accounts with a password from standard input, and tells about them', async () => {
    const first = await usersAlone(['create', 'Ada@Example.com', '--admin'], 'a good pass phrase \n');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Created administrator ada@example\.com \([0-9a-f-]{36}\)\.\n$/);
    expect(await hasPassword('ada@example.com', 'a good pass phrase ')).toBe(true);
    const second = await users(['create', 'bob@example.com', '--unconfirmed'], 'another pass phrase');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created user bob@example\.com /) });

    const list = await usersAlone(['list', '--json']);
    const [bob, ada, ...none] = JSON.parse(list.stdout) as Record<string, unknown>[];
    expect(none).toEqual([]);
    expect(bob).toMatchObject({ email: 'bob@example.com', is_admin: false, email_confirmed_at: null });
    expect(ada).toEqual({
      id: (await findRow('ada@example.com'))?.id,
      email: 'ada@example.com',
      is_admin: true,
      role: 'admin',
      created_at: expect.any(String),
      email_confirmed_at: expect.any(String),
      last_sign_in_at: null,
      banned_until: null,
      deleted_at: null,
    });
    const text = await users(['show', String(bob?.['id'])]);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^state +unconfirmed\nid +\S+\nemail +bob@example\.com\nis admin +no\nrole +-\n/);
  });

  itSlow('invites people by a mail that a running server sends', async () => {
    const sink = await startSmtpSink();
    const { environment } = await createInstallation({ SMTP_URL: sink.url });
    const site = await startServer(environment);
    const run = await runCli(['users', 'invite', 'Ivy@Example.com', '--role', 'admin'], environment);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^Invited ivy@example\.com \([0-9a-f-]{36}\) as an administrator\. A running server sends the mail\.\n$/,
    );
    const { link, code } = await sink.mailTo('ivy@example.com');
    expect(link).toMatch(/^http:\/\/site\.test\/auth\/confirm\?token_hash=[0-9a-f]{56}&type=invite&redirect_to=/);
    const client = new AuthClient({ url: `${site.url}/auth/v1`, autoRefreshToken: false, persistSession: false });
    const { data, error } = await client.verifyOtp({ email: 'ivy@example.com', token: code ?? '', type: 'invite' });
    expect(error).toBeNull();
    const headers = { authorization: `Bearer ${data.session?.access_token ?? ''}` };
    expect(await (await fetch(`${site.url}/api/me`, { headers })).json()).toMatchObject({ is_admin: true });
    const again = await runCli(['users', 'invite', 'ivy@example.com'], environment);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already been registered') });
    expect(await site.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  itSlow('lets someone in again whose password was guessed too often', async () => {
    const own = await createTestApp({ DATABASE_URL: app.environment.DATABASE_URL, AUTH_GUESSES_PASSWORD: '2' });
    const guessed = await createAccount(app, {
      email: 'guessed@example.com',
      passwordHash: await app.get(PasswordsService).hash('a good one'),
    });
    const guess = async (password: string) => {
      const payload = { email: 'guessed@example.com', password };
      return (await own.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })).statusCode;
    };
    for (const status of [400, 400, 429]) expect(await guess('a bad one')).toBe(status);
    expect(await guess('a good one')).toBe(429);
    expect(await usersAlone(['unlock', 'guessed@example.com'])).toMatchObject({
      code: 0,
      stdout: 'The wrong passwords and codes of guessed@example.com are forgotten.\n',
      stderr: '',
    });
    expect(await guess('a good one')).toBe(200);
    expect(await actionsOn(guessed.id)).toContain('user.unlocked');
    const unknown = await users(['unlock', 'nobody@example.com']);
    expect(unknown).toMatchObject({ code: 2, stderr: 'Error: There is no user nobody@example.com.\n' });
    await users(['delete', 'guessed@example.com', '--yes']);
  });

  it('confirms and deletes', async () => {
    const { id } = await createAccount(app, { email: 'cyd@example.com', emailConfirmedAt: null });
    expect(await users(['confirm', 'cyd@example.com'])).toMatchObject({ stdout: 'cyd@example.com is confirmed.\n' });
    expect((await findRow('cyd@example.com'))?.emailConfirmedAt).toBeInstanceOf(Date);
    const again = await users(['confirm', 'CYD@example.com']);
    expect(again).toMatchObject({ code: 0, stdout: 'cyd@example.com is confirmed already.\n' });
    expect(await actionsOn(id)).toEqual(['user.confirmed']);
    const refusal = await users(['delete', 'cyd@example.com']);
    expect(refusal).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('give --yes') });
    expect(await findRow('cyd@example.com')).not.toBeNull();
    expect(await users(['delete', 'cyd@example.com', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect(await findRow('cyd@example.com')).toBeNull();
  });

  it('keeps people out at once, until a date or for good, and lets them in again', async () => {
    const dan = await createAccount(app, { email: 'dan@example.com' });
    const { accessToken } = await signIn(app, dan);
    expect(await askWith(accessToken)).toBe(200);
    const until = await users(['ban', 'dan@example.com', '--until', '2999-12-31']);
    expect(until.stdout).toBe('dan@example.com is banned until 2999-12-31 00:00 (America/Los_Angeles).\n');
    expect((await findRow('dan@example.com'))?.bannedUntil).toEqual(new Date('2999-12-31T08:00:00Z'));
    const offset = await users(['ban', 'dan@example.com', '--until', '2999-12-31T18:00+09:00']);
    expect(offset.stdout).toBe('dan@example.com is banned until 2999-12-31 01:00 (America/Los_Angeles).\n');
    expect(await askWith(accessToken)).toBe(401);
    expect((await users(['ban', dan.id, '--lift'])).stdout).toBe('dan@example.com is no longer banned.\n');
    expect(await askWith(accessToken)).toBe(200);
    expect((await users(['ban', dan.id])).stdout).toBe('dan@example.com is banned for good.\n');
    expect(await askWith(accessToken)).toBe(401);
  });

  it('sets a password, which ends every session', async () => {
    const eve = await createAccount(app, { email: 'eve@example.com' });
    const { accessToken } = await signIn(app, eve);
    const weak = await users(['reset-password', 'eve@example.com'], 'short\n');
    expect(weak).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/at least 6 characters/) });
    expect(await askWith(accessToken)).toBe(200);
    expect(await users(['reset-password', 'eve@example.com'], 'a new pass phrase\r\n')).toMatchObject({ code: 0 });
    expect(await hasPassword('eve@example.com', 'a new pass phrase')).toBe(true);
    expect(await actionsOn(eve.id)).toEqual(['user.password_set']);
    expect(await askWith(accessToken)).toBe(401);
  });

  it('lists and removes second factors and passkeys, the recovery codes with the last other factor', async () => {
    const email = 'fay@example.com';
    const account = await createAccount(app, { email });
    const em = app.get(EntityManager).fork();
    const facts = { userId: account.id, status: 'verified', createdAt: new Date(0) } as const;
    const factor = (factorType: FactorType, friendlyName: string) => ({
      ...facts,
      id: randomUUID(),
      factorType,
      friendlyName,
    });
    const [app1, app2, codes] = [factor('totp', 'Phone'), factor('totp', 'Watch'), factor('recovery_code', '')];
    await em.insertMany(Factor, [app1, app2, codes]);
    const passkeys = [randomUUID(), randomUUID()].map((id) => ({
      id,
      userId: account.id,
      credentialId: id,
      publicKey: id,
      friendlyName: 'Laptop',
    }));
    await em.insertMany(WebauthnCredential, passkeys);
    const list = async () => await users(['factors', 'list', email]);
    expect((await list()).stdout).toContain(`totp           verified  1970-01-01T00:00:00.000Z  ${app1.id}  Phone\n`);
    const json = JSON.parse((await users(['factors', 'list', email, '--json'])).stdout) as object[];
    expect(json).toHaveLength(5);
    expect(json).toContainEqual(expect.objectContaining({ id: passkeys[0]?.id, factor_type: 'passkey' }));
    expect(json).toContainEqual(expect.objectContaining({ id: codes.id, factor_type: 'recovery_code' }));

    expect((await users(['factors', 'remove', email])).stderr).toContain('either --factor with an id, or --all');
    const unknown = await users(['factors', 'remove', email, '--factor', account.id]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Factor not found') });
    const one = await users(['factors', 'remove', email, '--factor', app1.id]);
    expect(one.stdout).toBe(`Removed a second factor of ${email}, who has 2 now.\n`);
    const passkey = await users(['factors', 'remove', email, '--factor', passkeys[0]?.id ?? '']);
    expect(passkey.stdout).toBe(`Removed a passkey of ${email}.\n`);
    const all = await users(['factors', 'remove', account.id, '--all']);
    expect(all.stdout).toBe(`${email} has no second factor and no passkey any more: 3 removed.\n`);
    expect((await list()).stdout).toBe('No second factors, and no passkeys.\n');
    expect(await actionsOn(account.id)).toEqual([
      'user.factor_removed',
      'user.passkey_removed',
      'user.factor_removed',
      'user.recovery_codes_removed',
      'user.passkey_removed',
    ]);
  });

  it('mails no invitation whose role cannot be given', async () => {
    const em = app.get(EntityManager).fork();
    await em.nativeDelete(User, {});
    const last = await createAccount(app, { email: 'last@example.com', emailConfirmedAt: null });
    await app.get(RolesService).grantAdmin(OPERATOR, last.id);
    const run = await users(['invite', 'last@example.com', '--role', 'author']);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/last administrator/) });
    expect(await em.execute(`select 1 from pgboss.job where data->>'userId' = ?`, [last.id])).toEqual([]);
  });

  it('makes an administrator or no account at all, which would be in the way of the next try', async () => {
    const create = ['create', 'wes@example.com', '--admin'];
    const outage = jest.spyOn(app.get(RolesService), 'grant').mockRejectedValueOnce(new Error('gone away'));
    expect(await users(create, 'a good pass phrase')).toMatchObject({ code: 2, stderr: 'Error: gone away\n' });
    outage.mockRestore();
    expect(await findRow('wes@example.com')).toBeNull();
    const made = await users(create, 'a good pass phrase');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created administrator wes@example\.com /) });
    const row = await findRow('wes@example.com');
    expect(await app.get(RolesService).findRole(row!.id)).toBe('admin');
    expect(await actionsOn(row!.id)).toEqual(['user.created', 'role.granted']);
  });

  it('says to programs, too, that there are more sessions than it lists', async () => {
    const { id } = await createAccount(app, { email: 'vic@example.com' });
    const em = app.get(EntityManager).fork();
    for (let number = 0; number < 102; number += 1) em.create(Session, { userId: id, createdAt: new Date() });
    await em.flush();
    const run = await users(['sessions', 'list', 'vic@example.com', '--json']);
    expect(run).toMatchObject({ code: 0, stderr: 'And 2 more, last used before these.\n' });
    expect(JSON.parse(run.stdout)).toHaveLength(100);
  });

  it('lists every account once, also when somebody signs up meanwhile', async () => {
    const em = app.get(EntityManager).fork();
    await em.execute(
      `insert into auth.users (aud, role, email, created_at)
       select 'authenticated', 'authenticated', 'someone-' || n || '@example.com', now() - n * interval '1 minute'
       from generate_series(1, 600) n`,
    );
    let loaded = 0;
    em.getEventManager().registerSubscriber({
      getSubscribedEntities: () => [User],
      // Told of each of the first 500 once all of these were read, and nothing of the others.
      onLoad: async () => {
        loaded += 1;
        if (loaded === 100) await createAccount(app, { email: 'late@example.com' });
      },
    });
    const list = JSON.parse((await users(['list', '--json'])).stdout) as {
      readonly id: string;
      readonly email: string | null;
    }[];
    expect(loaded).toBeGreaterThanOrEqual(600);
    expect(list.filter(({ email }) => email?.startsWith('someone-'))).toHaveLength(600);
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  });

  itSlow('says on the standard error what it logs, as its answer is for programs', async () => {
    const variables = { ...app.environment, AUTH_BREACHED_PASSWORDS: '/no/such/list.txt' };
    const run = await runCli(['users', 'create', 'zoe@example.com'], variables, 'a good pass phrase');
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created user zoe@example\.com \(\S+\)\.\n$/),
    });
    expect(run.stderr).toContain('The list of breached passwords cannot be read');
  });

  it('takes a password from a file as it is, and none of which letters would be lost', async () => {
    const latin = Buffer.from('a g\u00f6\u00f6d pass phrase\n', 'latin1');
    const refusal = 'Error: the standard input is not in UTF-8\n';
    expect(await users(['create', 'yan@example.com'], latin)).toMatchObject({ code: 2, stdout: '', stderr: refusal });
    expect(await findRow('yan@example.com')).toBeNull();
    // As programs of Windows write it.
    const marked = Buffer.from('\ufeffa g\u00f6\u00f6d pass phrase\r\n');
    expect(await users(['create', 'yan@example.com'], marked)).toMatchObject({ code: 0, stderr: '' });
    expect(await hasPassword('yan@example.com', 'a g\u00f6\u00f6d pass phrase')).toBe(true);
    expect(await users(['reset-password', 'yan@example.com'], latin)).toMatchObject({ code: 2, stderr: refusal });
  });

  it('leaves the last administrator alone', async () => {
    await app.get(EntityManager).fork().nativeDelete(User, {});
    const fay = await createAccount(app, { email: 'fay@example.com' });
    await app.get(RolesService).grantAdmin(OPERATOR, fay.id);
    for (const args of [
      ['delete', fay.id, '--yes'],
      ['ban', fay.id],
    ]) {
      const run = await users(args);
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/last administrator/) });
    }
    expect(await findRow('fay@example.com')).toMatchObject({ bannedUntil: null });
  });

  it.each([
    [['create'], 'x', /missing required argument 'email'/],
    [['create', 'gus@example.com', 'a password'], 'x', /too many arguments/],
    [['create', 'gus@example.com', '--password', 'x'], 'x', /unknown option '--password'/],
    [['create', 'gus@example.com'], '', /No password was given/],
    [['create', 'gus@example.com'], 'two\nlines\n', /several lines/],
    [['invite', 'gus@'], '', /invalid format/],
    [['invite', 'gus@example.com', '--role', 'king'], '', /Allowed choices are admin/],
    [['ban', 'gus@example.com', '--until', 'tomorrow'], '', /Give a day as 2030-12-31/],
    [['ban', 'gus@example.com', '--until', '2999-02-30'], '', /Give a day as 2030-12-31/],
    [['ban', 'gus@example.com', '--until', '2020-01-01'], '', /passed already/],
    [['ban', 'gus@example.com', '--until', '2999-01-01', '--lift'], '', /cannot be used with option '--lift'/],
  ])('answers with 2 to users %j', async (args, input, stderr) => {
    const run = await users(args, input);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });

  itSlow('says what the rules refuse', async () => {
    await createAccount(app, { email: 'hal@example.com' });
    const taken = await users(['create', 'hal@example.com'], 'a good pass phrase');
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('already been registered') });
    const malformed = await usersAlone(['create', 'hal@'], 'a good pass phrase');
    expect(malformed).toMatchObject({ code: 2, stderr: expect.stringContaining('invalid format') });
    const unknown = await users(['show', 'nobody@example.com']);
    expect(unknown).toMatchObject({ code: 2, stderr: 'Error: There is no user nobody@example.com.\n' });
  });
});
