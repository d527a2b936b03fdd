import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AccountDataService } from '../../src/auth/admin/account-data.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { FactorsService } from '../../src/auth/factors/factors.service.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { JOB_QUEUE_SCHEMA } from '../../src/database/job-queue-schema.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import { callAs, claimsOf, enrollTotp, newSecuredPerson, showTotp, signInAs } from '../support/second-factor.js';

const PATH = '/factors/recovery-codes';
const WRONG = { status: 422, code: 'mfa_verification_failed', message: 'Invalid recovery code entered' };
const NONE = { status: 404, code: 'mfa_factor_not_found', message: 'The user has not enrolled recovery codes' };

let server: AuthServer;
/** Another process of the same site, with two connections, where apps cannot be shown and two factors are the most. */
let other: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ AUTH_ANONYMOUS_ENABLED: 'true' });
  other = await beside({ AUTH_TOTP_VERIFY_ENABLED: 'false', AUTH_MFA_MAX_FACTORS: '2', DATABASE_POOL_SIZE: '2' });
});

const beside = async (settings: Record<string, string>) => {
  const { database, dataDir } = server.app.config;
  return await startAuthServer({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...settings });
};
const em = () => server.app.get(EntityManager).fork();
const idOf = async (client: Client) => (await client.getUser()).data.user?.id ?? '';
const refused = (status: number, code: string, message: string) => ({ status, body: { code, message } });

async function codesOf({ mfa }: Client): Promise<string[]> {
  const { data, error } = await mfa.recoveryCodes.generate();
  if (error) throw error;
  return data.codes;
}

/** Somebody with an authenticator app and recovery codes, signed in at aal2. */
async function newPersonWithCodes() {
  const person = await newSecuredPerson(server);
  return { ...person, codes: await codesOf(person.client) };
}

describe('recovery codes', () => {
  it('are made once, counted, used up one by one, replaced and removed', async () => {
    const { email, client } = await newSecuredPerson(server);
    expect((await client.mfa.recoveryCodes.getStatus()).error).toMatchObject(NONE);
    const { data } = await client.mfa.recoveryCodes.generate({ friendlyName: 'Drawer' });
    const id = data?.id ?? '';
    const codes = data?.codes ?? [];
    const code = expect.stringMatching(/^[a-z2-7]{16}$/);
    const set = { id, type: 'recovery_code', friendly_name: 'Drawer', total: 10, codes: Array(10).fill(code) };
    expect(data).toEqual(set);
    expect(new Set(codes).size).toBe(10);
    const factors = (await client.mfa.listFactors()).data;
    expect(factors?.recovery_code).toMatchObject([{ id, friendly_name: 'Drawer', status: 'verified' }]);

    const lost = await signInAs(server, email);
    const forgotten = await signInAs(server, email);
    const status = { id, type: 'recovery_code', total: 10, remaining: 10 };
    expect((await lost.mfa.recoveryCodes.getStatus()).data).toEqual(status);
    const { session_id: sessionId } = await claimsOf(lost);
    const events: string[] = [];
    lost.onAuthStateChange((event) => void events.push(event));
    const [first = '', second = '', third = ''] = codes;
    const typed = ` ${first.slice(0, 4).toUpperCase()}-${first.slice(4, 8)} ${first.slice(8)}\n`;
    expect((await lost.mfa.recoveryCodes.verify({ code: typed })).error).toBeNull();
    expect(events).toContain('MFA_CHALLENGE_VERIFIED');
    const raised = { aal: 'aal2', session_id: sessionId };
    const amr = [
      { method: 'mfa/recovery_code', timestamp: expect.any(Number) },
      { method: 'password', timestamp: expect.any(Number) },
    ];
    expect(await claimsOf(lost)).toMatchObject({ ...raised, amr });
    expect((await forgotten.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect((await lost.mfa.recoveryCodes.getStatus()).data).toEqual({ ...status, remaining: 9 });
    const again = await signInAs(server, email);
    expect((await again.mfa.recoveryCodes.verify({ code: first })).error).toMatchObject(WRONG);
    expect((await again.mfa.recoveryCodes.verify({ code: second })).error).toBeNull();

    const replaced = (await again.mfa.recoveryCodes.regenerate()).data;
    expect(replaced).toEqual(set);
    expect((await lost.mfa.recoveryCodes.verify({ code: third })).error).toMatchObject(WRONG);
    expect((await lost.mfa.recoveryCodes.verify({ code: replaced?.codes[9] ?? '' })).error).toBeNull();
    expect((await lost.mfa.recoveryCodes.getStatus()).data).toEqual({ ...status, remaining: 9 });

    expect(await client.mfa.recoveryCodes.unenroll()).toEqual({ data: { id }, error: null });
    // The app is there still, and the sessions that codes raised lack it.
    for (const lowered of [lost, again]) {
      expect((await lowered.refreshSession()).error).toBeNull();
      expect(await claimsOf(lowered)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
      const level = { currentLevel: 'aal1', nextLevel: 'aal2' };
      expect((await lowered.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject(level);
    }
    expect((await client.refreshSession()).error).toBeNull();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2' });
    const told = await em().execute<{ action: string; details: object }[]>(
      `select action, details from audit_log where subject_id = ? and details->>'type' is distinct from 'totp' order by at`,
      [await idOf(client)],
    );
    expect(told).toEqual([
      { action: 'user.recovery_codes_created', details: { left: 10 } },
      { action: 'user.recovery_code_used', details: { left: 9 } },
      { action: 'user.recovery_code_used', details: { left: 8 } },
      { action: 'user.recovery_codes_created', details: { left: 10 } },
      { action: 'user.recovery_code_used', details: { left: 9 } },
      { action: 'user.recovery_codes_removed', details: { left: 0 } },
    ]);
  });

  it('go with the last factor that they stand in for, and nobody is left above it or locked out', async () => {
    const { email, client, app, codes } = await newPersonWithCodes();
    const lost = await signInAs(server, email);
    await lost.mfa.recoveryCodes.verify({ code: codes[0] ?? '' });
    const spare = await enrollTotp(server, client, 'spare');
    await showTotp(server, client, spare);
    expect((await lost.mfa.unenroll(app)).error).toBeNull();
    expect((await lost.mfa.recoveryCodes.getStatus()).data).toMatchObject({ remaining: 9 });
    expect((await lost.mfa.unenroll(spare)).error).toBeNull();
    expect((await client.mfa.listFactors()).data?.all).toEqual([]);
    const sessions = await em().find(Session, { userId: await idOf(client) });
    expect(sessions.map(({ aal, factorId }) => [aal, factorId])).toEqual([
      ['aal1', null],
      ['aal1', null],
    ]);
    await lost.refreshSession();
    await showTotp(server, lost, await enrollTotp(server, lost, 'new'));
    expect((await lost.mfa.recoveryCodes.getStatus()).error).toMatchObject(NONE);
  });

  it('go with it as well when an operator removes it, and administrators are told of theirs by mail', async () => {
    const { client, app } = await newSecuredPerson(server);
    const id = await idOf(client);
    await server.app.get(RolesService).grantAdmin(OPERATOR, id);
    const [code = ''] = await codesOf(client);
    await client.mfa.recoveryCodes.verify({ code });
    await server.app.get(FactorsService).remove(OPERATOR, id, app.factorId);
    expect(await server.app.get(FactorsService).list(OPERATOR, id)).toEqual([]);
    const mails = await em().execute<{ kind: string; left: string | null }[]>(
      `select data->'event'->>'kind' as kind, data->'event'->>'left' as left from ${JOB_QUEUE_SCHEMA}.job
       where data->>'userId' = ? and data->>'kind' = 'account' order by created_on, 1`,
      [id],
    );
    expect(mails).toEqual([
      { kind: 'recovery_codes_created', left: '10' },
      { kind: 'recovery_code_used', left: '9' },
      { kind: 'factor_removed', left: null },
      { kind: 'recovery_codes_removed', left: '0' },
    ]);
  });

  it('are in no column, answer or export, and gone with their account', async () => {
    const { email, client, codes } = await newPersonWithCodes();
    const [code = ''] = codes;
    await client.mfa.recoveryCodes.verify({ code });
    const rows = await em().execute<{ id: string; text: string; hash: string }[]>(
      `select c.id, c::text || f::text as text, c.code_hash as hash from auth.mfa_recovery_codes c
       join auth.mfa_factors f on f.id = c.factor_id where f.user_id = ?`,
      [await idOf(client)],
    );
    expect(rows).toHaveLength(10);
    const [account] = await server.app.get(AccountDataService).exportAccounts(OPERATOR, email);
    const exported = account?.second_factors.find(({ type }) => type === 'recovery_code');
    const used = exported?.recovery_codes?.filter((entry) => entry.used_at !== null);
    expect(exported?.recovery_codes).toHaveLength(10);
    expect(used).toEqual([{ used_at: expect.any(String) }]);
    const said = JSON.stringify([account, (await client.getUser()).data, rows.map(({ text }) => text)]);
    for (const secret of codes) expect(said).not.toContain(secret);
    expect(new Set(rows.map(({ hash }) => hash.split('$').slice(0, 5).join())).size).toBe(1);
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$/);

    await server.app.get(UsersService).deleteUser(OPERATOR, await idOf(client));
    expect(await em().execute('select from auth.mfa_recovery_codes where id = ?', [rows[0]?.id])).toEqual([]);
  });
});

describe('calls about recovery codes', () => {
  it('that change them need aal2, and all of them a session of somebody with an address', async () => {
    const { email, codes } = await newPersonWithCodes();
    const low = await signInAs(server, email);
    const anonymous = server.client();
    await anonymous.signInAnonymously();
    const message = 'Anonymous user not allowed to perform these actions';
    for (const [path, method, verb] of [
      [PATH, 'POST', 'generate'],
      [`${PATH}/regenerate`, 'POST', 'regenerate'],
      [PATH, 'DELETE', 'delete'],
      [PATH, 'GET', null],
      [`${PATH}/verify`, 'POST', null],
    ] as const) {
      const body = method === 'POST' ? { code: 'x' } : undefined;
      expect(await server.call(path, { method, body })).toMatchObject({ status: 401 });
      const answer = await callAs(server, anonymous, path, body, undefined, method);
      expect(answer).toMatchObject(refused(403, 'no_authorization', message));
      if (verb === null) continue;
      const below = await callAs(server, low, path, body, undefined, method);
      expect(below).toMatchObject(refused(403, 'insufficient_aal', `AAL2 required to ${verb} recovery codes`));
    }
    expect((await low.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toBeNull();
  });

  it('refuse a second set, names in use or too long, too many factors, and to be the only one', async () => {
    const { client } = await newPersonWithCodes();
    const make = async (to: AuthServer, as: Client, name?: string) =>
      await callAs(to, as, PATH, name === undefined ? undefined : { friendly_name: name });
    const exists = 'Recovery codes are already enrolled for this user, use regenerate to rotate them';
    expect(await make(server, client)).toMatchObject(refused(422, 'mfa_verified_factor_exists', exists));
    const without = await newSecuredPerson(server);
    const taken = 'A factor with the friendly name "app" for this user already exists';
    expect(await make(server, without.client, 'app')).toMatchObject(refused(422, 'mfa_factor_name_conflict', taken));
    const long = 'friendly_name can have 100 characters at most';
    const tooLong = await make(server, without.client, 'x'.repeat(101));
    expect(tooLong).toMatchObject(refused(400, 'validation_failed', long));
    const sole = 'At least one other verified factor is required to generate recovery codes';
    // The only other factor cannot be shown there.
    expect(await make(other, without.client)).toMatchObject(refused(422, 'mfa_recovery_codes_sole_factor', sole));
    await enrollTotp(server, without.client, 'spare');
    const tooMany = 'Maximum number of verified factors reached, unenroll to continue';
    expect(await make(other, without.client)).toMatchObject(refused(422, 'too_many_enrolled_mfa_factors', tooMany));
    expect(await make(server, without.client, '')).toMatchObject({ body: { friendly_name: 'Recovery codes' } });
  });

  it('tell when there are none, and when there is no code', async () => {
    const { client } = await newSecuredPerson(server);
    const { getStatus, regenerate, unenroll, verify } = client.mfa.recoveryCodes;
    for (const call of [getStatus, regenerate, unenroll]) expect((await call()).error).toMatchObject(NONE);
    expect((await verify({ code: 'a'.repeat(16) })).error).toMatchObject(WRONG);
    const empty = { status: 400, code: 'validation_failed', message: 'Code needs to be non-empty' };
    for (const code of ['', ' - ']) expect((await verify({ code })).error).toMatchObject(empty);
  });

  it('for other factors know no codes', async () => {
    const { client } = await newPersonWithCodes();
    const { data } = await client.mfa.listFactors();
    const factorId = data?.recovery_code[0]?.id ?? '';
    const notFound = refused(404, 'mfa_factor_not_found', 'Factor not found');
    for (const path of ['challenge', 'verify'])
      expect(await callAs(server, client, `/factors/${factorId}/${path}`, { code: '1' })).toMatchObject(notFound);
    expect(await callAs(server, client, `/factors/${factorId}`, undefined, undefined, 'DELETE')).toMatchObject(
      notFound,
    );
    const type = await callAs(server, client, '/factors', { factor_type: 'recovery_code' });
    expect(type).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('are refused where recovery codes are switched off, but what there is can be removed', async () => {
    const { email, client, codes } = await newPersonWithCodes();
    const off = await beside({ AUTH_RECOVERY_CODES_ENABLED: 'false', AUTH_RECOVERY_CODES_VERIFY_ENABLED: 'false' });
    const enroll = 'MFA enroll is disabled for recovery codes';
    for (const path of [PATH, `${PATH}/regenerate`]) {
      const answer = await callAs(off, client, path, {});
      expect(answer).toMatchObject(refused(422, 'mfa_recovery_codes_enroll_not_enabled', enroll));
    }
    const low = await signInAs(off, email);
    const verification = await low.mfa.recoveryCodes.verify({ code: codes[0] ?? '' });
    const message = 'MFA verification is disabled for recovery codes';
    expect(verification.error).toMatchObject({ status: 422, code: 'mfa_recovery_codes_verify_not_enabled', message });
    expect(await callAs(off, client, PATH, undefined, undefined, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('and codes of apps are answered although the counter of attempts cannot be reached afterward', async () => {
    const { email, app, codes } = await newPersonWithCodes();
    const byCode = await signInAs(server, email);
    await em().execute(`create function refuse_return() returns trigger language plpgsql as
      $$ begin raise exception 'sorry, too many clients already' using errcode = '53300'; end $$`);
    await em().execute(`create trigger no_return before update on auth.attempts for each row
      when (new.pending < old.pending) execute function refuse_return()`);
    expect((await byCode.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toBeNull();
    // A session at aal1 would have ended by now.
    const byApp = await signInAs(server, email);
    await showTotp(server, byApp, app);
    await em().execute('drop trigger no_return on auth.attempts');
    for (const client of [byCode, byApp]) expect(await claimsOf(client)).toMatchObject({ aal: 'aal2' });
    expect((await byCode.mfa.recoveryCodes.getStatus()).data).toMatchObject({ remaining: 9 });
  });
});

describe('guessing a recovery code', () => {
  it('is stopped after five wrong ones in 15 minutes, for a right one as well, and ends with new codes', async () => {
    const { email, client, codes } = await newPersonWithCodes();
    const guesser = await signInAs(server, email);
    const show = async (code = '') => (await guesser.mfa.recoveryCodes.verify({ code })).error;
    for (const code of ['nonsense', 'a'.repeat(16), '\u0661'.repeat(16), 'b'.repeat(17), 'a'.repeat(16)]) {
      expect(await show(code)).toMatchObject(WRONG);
    }
    const locked = {
      status: 429,
      code: 'mfa_recovery_codes_locked',
      message: 'Too many failed verification attempts, try again later',
    };
    expect(await show(codes[0])).toMatchObject(locked);
    const raw = await callAs(server, guesser, `${PATH}/verify`, { code: codes[0] });
    expect(Number(raw.headers.get('retry-after'))).toBeGreaterThan(800);
    server.advance(900);
    expect(await show(codes[0])).toBeNull();
    for (let count = 0; count < 5; count += 1) expect(await show(codes[0])).toMatchObject(WRONG);
    expect(await show(codes[1])).toMatchObject(locked);
    const { data } = await client.mfa.recoveryCodes.regenerate();
    expect(await show(data?.codes[0])).toBeNull();
  });
});

describe('two at once', () => {
  it('with one code are right once, whichever process each asks', async () => {
    const { email, codes } = await newPersonWithCodes();
    const people: Client[] = [];
    for (const [index, site] of [server, other, server].entries()) {
      const person = await signInAs(site, email);
      // Sessions at aal2 do not end each other.
      expect((await person.mfa.recoveryCodes.verify({ code: codes[index] ?? '' })).error).toBeNull();
      people.push(person);
    }
    for (const code of codes.slice(-2)) {
      const answers = await Promise.all(people.map((person) => person.mfa.recoveryCodes.verify({ code })));
      const outcomes = answers.map(({ error }) => error?.code ?? 'right').sort();
      expect(outcomes).toEqual([WRONG.code, WRONG.code, 'right']);
    }
    expect((await people[0]?.mfa.recoveryCodes.getStatus())?.data).toMatchObject({ remaining: 5 });
  });

  it('that make codes make one set', async () => {
    const { client } = await newSecuredPerson(server);
    const both = await Promise.all([client, client].map((one) => one.mfa.recoveryCodes.generate()));
    expect(both.map(({ error }) => error?.code).sort()).toEqual(['mfa_verified_factor_exists', undefined]);
    const codes = both.flatMap(({ data }) => data?.codes ?? []);
    expect(codes).toHaveLength(10);
    expect((await client.mfa.recoveryCodes.verify({ code: codes[5] ?? '' })).error).toBeNull();
  });

  it('and more than there are connections wait for each other and are answered', async () => {
    const { email } = await newPersonWithCodes();
    const low = await signInAs(other, email);
    const calls = Array.from({ length: 8 }, () => callAs(other, low, PATH, undefined, undefined, 'DELETE'));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(403));
  });

  it('of which one removes the app and one shows a code leave no session above its factors', async () => {
    const { email, client, app, codes } = await newPersonWithCodes();
    const userId = await idOf(client);
    const lost = await signInAs(other, email);
    await Promise.all([client.mfa.unenroll(app), lost.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })]);
    const sessions = await em().find(Session, { userId });
    expect(sessions.filter(({ aal }) => aal === 'aal2')).toEqual([]);
    expect(await em().execute('select from auth.mfa_factors where user_id = ?', [userId])).toEqual([]);
  });
});
