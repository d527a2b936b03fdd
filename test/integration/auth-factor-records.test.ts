import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AccountDataService } from '../../src/auth/admin/account-data.service.js';
import { AdminUsersService } from '../../src/auth/admin/admin-users.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { Factor } from '../../src/auth/factors/factor.entity.js';
import { FactorsService } from '../../src/auth/factors/factors.service.js';
import { RefreshToken } from '../../src/auth/sessions/refresh-token.entity.js';
import { Session } from '../../src/auth/sessions/session.entity.js';
import { NotAdminException } from '../../src/http/access.errors.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { startAuthServer, type AuthServer, type Client } from '../support/auth-server.js';
import {
  accessTokenOf,
  authenticatorOf,
  callAs,
  claimsOf,
  enrollTotp,
  newSecuredPerson,
  showTotp,
  signInAs,
} from '../support/second-factor.js';
import { fewOf } from '../support/slow-tests.js';

const WRONG = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' };

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ TRUSTED_PROXIES: '127.0.0.1' });
});

const em = () => server.app.get(EntityManager).fork();
const idOf = async (client: Client) => (await client.getUser()).data.user?.id ?? '';
const sessionOf = async (client: Client) =>
  await em().findOneOrFail(Session, { id: String((await claimsOf(client))['session_id']) });

describe('the secret of an authenticator app', () => {
  it('is in no column, answer or export, and is of no use in another row or under another key', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    const [row] = await em().execute<{ text: string }[]>(
      'select f::text as text from auth.mfa_factors f where id = ?',
      [app.factorId],
    );
    expect(row?.text).not.toContain(app.secret);
    const [account] = await server.app.get(AccountDataService).exportAccounts(OPERATOR, email);
    expect(account?.second_factors).toEqual([
      {
        type: 'totp',
        name: 'app',
        status: 'verified',
        created_at: expect.any(String),
        last_challenged_at: expect.any(String),
        challenges: [{ created_at: expect.any(String), ip: '127.0.0.1' }],
      },
    ]);
    const { sealedSecret } = await em().findOneOrFail(Factor, { id: app.factorId });
    for (const text of [JSON.stringify(account), JSON.stringify((await client.getUser()).data)]) {
      expect(text).not.toContain(app.secret);
      expect(text).not.toContain(sealedSecret);
    }

    const thief = await signInAs(server, await server.newPerson());
    const own = await enrollTotp(server, thief);
    await em().nativeUpdate(Factor, { id: own.factorId }, { sealedSecret });
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const moved = authenticatorOf(server, own.factorId, app.secret);
    const unreadable = { ...WRONG, message: 'This factor cannot be used any more; ask for its removal' };
    expect((await thief.mfa.challengeAndVerify({ ...moved, code: moved.code() })).error).toMatchObject(unreadable);
    const restored = await startAuthServer({
      DATABASE_URL: server.app.config.database.url,
      DATA_DIR: server.app.config.dataDir,
      AUTH_TOKEN_SECRET: 'x'.repeat(32),
    });
    server.advance(31);
    const elsewhere = await signInAs(restored, email);
    const answer = await elsewhere.mfa.challengeAndVerify({ ...app, code: app.code() });
    expect(answer.error).toMatchObject(unreadable);
    expect(error.mock.calls).toEqual([
      [expect.stringContaining(own.factorId)],
      [expect.stringContaining(app.factorId)],
    ]);
    // Its mails would have other codes.
    await restored.app.close();
  });
});

describe('a code that comes twice at once', () => {
  it('raises one of two sessions, whichever process each asks', async () => {
    const { email, client, app } = await newSecuredPerson(server);
    const other = await startAuthServer({
      DATABASE_URL: server.app.config.database.url,
      DATA_DIR: server.app.config.dataDir,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const people = [client, await signInAs(other, email), await signInAs(server, email), await signInAs(other, email)];
    for (const _round of fewOf([1, 2, 3], (round) => round === 1)) {
      server.advance(1000);
      other.advance(1000);
      const challenges = await Promise.all(people.map((person) => person.mfa.challenge(app)));
      const code = app.code();
      const answers = await Promise.all(
        people.map((person, index) => {
          const challengeId = challenges[index]?.data?.id ?? '';
          return person.mfa.verify({ factorId: app.factorId, challengeId, code });
        }),
      );
      expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
      for (const { error } of answers) {
        // The others had the right code too late, or their session was ended by the one that was first.
        if (error !== null)
          expect(['mfa_verification_failed', 'AuthSessionMissingError']).toContain(error.code ?? error.name);
      }
      people.splice(0, 4, client);
      await showTotp(server, client, app);
      other.advance(31);
      for (const site of [other, server, other]) people.push(await signInAs(site, email));
    }
  });
});

describe('the end of a session', () => {
  it('by a stolen refresh token is not undone by a second factor', async () => {
    const { client, app } = await newSecuredPerson(server);
    const session = await sessionOf(client);
    await em().nativeUpdate(RefreshToken, { sessionId: session.id }, { isRevoked: true });
    server.advance(31);
    const { error } = await client.mfa.challengeAndVerify({ ...app, code: app.code() });
    expect(error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect(await em().count(RefreshToken, { sessionId: session.id, isRevoked: false })).toBe(0);
    // The code was not used up by what came of nothing.
    const again = await signInAs(server, (await client.getUser()).data.user?.email ?? '');
    expect((await again.mfa.challengeAndVerify({ ...app, code: app.code() })).error).toBeNull();
  });

  it('and the ban of its user keep out codes as well', async () => {
    const { client, app } = await newSecuredPerson(server);
    const id = await idOf(client);
    server.advance(31);
    const path = `/factors/${app.factorId}/challenge`;
    const users = server.app.get(UsersService);
    await users.banUser(OPERATOR, id, null);
    expect(await callAs(server, client, path, {})).toMatchObject({ status: 403, body: { code: 'user_banned' } });
    await users.liftBan(OPERATOR, id);
    expect(await callAs(server, client, path, {})).toMatchObject({ status: 200 });
    const token = await accessTokenOf(client);
    await client.signOut();
    const headers = { authorization: `Bearer ${token}` };
    const gone = await server.call(path, { method: 'POST', headers, body: {} });
    expect(gone).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    await users.deleteUser(OPERATOR, id);
    expect(await em().count(Factor, { userId: id })).toBe(0);
    expect(await em().execute('select from auth.mfa_challenges where factor_id = ?', [app.factorId])).toEqual([]);
  });
});

describe('operators and administrators', () => {
  it('list the factors of an account and remove one, whose sessions fall back to aal1', async () => {
    const { client, app } = await newSecuredPerson(server);
    const id = await idOf(client);
    const factors = server.app.get(FactorsService);
    const listed = await factors.list(OPERATOR, id);
    expect(listed).toEqual([
      {
        id: app.factorId,
        created_at: expect.any(Date),
        updated_at: expect.any(Date),
        status: 'verified',
        friendly_name: 'app',
        factor_type: 'totp',
        phone: '',
        last_challenged_at: expect.any(Date),
      },
    ]);
    const nobody = '00000000-0000-4000-8000-000000000000';
    await expect(factors.list({ kind: 'user', userId: id }, id)).rejects.toThrow(NotAdminException);
    await expect(factors.remove({ kind: 'user', userId: id }, id, app.factorId)).rejects.toThrow(NotAdminException);
    await expect(factors.list(OPERATOR, nobody)).rejects.toMatchObject({ code: 'user_not_found' });
    await expect(factors.remove(OPERATOR, nobody, app.factorId)).rejects.toMatchObject({ code: 'user_not_found' });
    await expect(factors.remove(OPERATOR, id, nobody)).rejects.toMatchObject({ code: 'mfa_factor_not_found' });
    expect(await factors.remove(OPERATOR, id, app.factorId)).toEqual(listed[0]);
    expect(await factors.list(OPERATOR, id)).toEqual([]);
    expect(await sessionOf(client)).toMatchObject({ aal: 'aal1', factorId: null, amr: [{ method: 'password' }] });
    const told = await em().execute<{ action: string; details: object }[]>(
      'select action, actor_kind, details from audit_log where subject_id = ? order by at',
      [id],
    );
    const details = { type: 'totp', name: 'app' };
    expect(told).toEqual([
      { action: 'user.factor_added', actor_kind: 'user', details },
      { action: 'user.factor_removed', actor_kind: 'operator', details },
    ]);
  });

  it('forgive wrong codes with those who were locked out', async () => {
    const { client, app } = await newSecuredPerson(server);
    server.advance(31);
    const challengeId = (await client.mfa.challenge(app)).data?.id ?? '';
    const show = async (code: string) => (await client.mfa.verify({ factorId: app.factorId, challengeId, code })).error;
    for (let count = 0; count < 5; count += 1) await show(app.code(500));
    expect(await show(app.code())).toMatchObject({ status: 429 });
    await server.app.get(UsersService).liftLimits(OPERATOR, await idOf(client));
    expect(await show(app.code())).toBeNull();
  });

  it.each([true, false])('leave nothing of it when they delete an account (softly: %s)', async (isSoft) => {
    const { client, app } = await newSecuredPerson(server);
    await client.mfa.challengeAndVerify({ ...app, code: app.code(500) });
    const counted = async () => await em().execute('select from auth.attempts where subject = ?', [app.factorId]);
    expect(await counted()).toHaveLength(1);
    await server.app.get(AdminUsersService).delete(OPERATOR, await idOf(client), isSoft);
    expect(await counted()).toEqual([]);
    expect(await em().count(Factor, { id: app.factorId })).toBe(0);
  });
});
