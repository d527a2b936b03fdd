import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import { User, type UserRow } from '../../src/auth/accounts/user.entity.js';
import { RefreshToken } from '../../src/auth/sessions/refresh-token.entity.js';
import { Session, type SessionRow } from '../../src/auth/sessions/session.entity.js';
import { SessionUpkeep } from '../../src/auth/sessions/session-upkeep.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { Clock } from '../../src/shared/clock.js';
import type { AccountSessionList } from '../../src/shared/contracts/account.js';
import { createAccount } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import type { Variables } from '../support/environment.js';
import { payloadOf } from '../support/sign-token.js';
import { fewOf } from '../support/slow-tests.js';

const DAY_MS = 24 * 3_600_000;
const BEGIN = new Date('2030-01-01T00:00:00.000Z').getTime();

/** A site whose clock stands still until it is set. */
class Site {
  at = BEGIN;

  private constructor(readonly app: TestApp) {
    app.get(Clock).now = () => new Date(this.at);
  }

  static async start(overrides: Variables = {}): Promise<Site> {
    return new Site(await createTestApp({ AUTH_RATE_LIMIT_TOKEN: '0', ...overrides }));
  }

  get em(): EntityManager {
    return this.app.get(EntityManager).fork();
  }

  /** Signs someone in, whose session began at this moment. */
  async begin(user: UserRow) {
    const caller = { ip: '192.0.2.1', userAgent: 'first', bearer: undefined, audience: undefined, redirectTo: '' };
    const { refresh_token: refresh, access_token: access } = await this.em.transactional(async (em) =>
      this.app.get(SessionsService).begin(em, await em.findOneOrFail(User, { id: user.id }), 'password', caller),
    );
    return { id: String(payloadOf(access)['session_id']), refresh, access };
  }

  async refresh(token: string) {
    const answer = await this.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      headers: { 'user-agent': 'second', 'x-supabase-api-version': '2024-01-01' },
      payload: { refresh_token: token },
    });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  }

  /** The token that a refresh answers with. */
  async next(token: string): Promise<string> {
    const { status, body } = await this.refresh(token);
    expect(status).toBe(200);
    return String(body['refresh_token']);
  }

  async change(id: string, changes: Partial<SessionRow>): Promise<void> {
    await this.em.nativeUpdate(Session, { id }, changes);
  }

  async logOut(scope: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode } = await this.app.inject({ method: 'POST', url: `/auth/v1/logout?scope=${scope}`, headers });
    expect(statusCode).toBe(204);
  }

  async sessionsOf(user: UserRow): Promise<string[]> {
    return (await this.em.find(Session, { userId: user.id })).map(({ id }) => id).sort();
  }
}

const refused = (code: string, message: string, status = 400) => ({
  status,
  body: { code, message: `${status === 400 ? 'Invalid Refresh Token: ' : ''}${message}` },
});
const ok = { status: 200 };

describe('a refresh', () => {
  let site: Site;
  let user: UserRow;

  beforeAll(async () => {
    site = await Site.start();
    user = await createAccount(site.app);
  });

  it('notes when and from where it came, and which token followed which', async () => {
    site.at = BEGIN;
    const { id, refresh } = await site.begin(user);
    expect(await site.em.findOne(User, { id: user.id })).toMatchObject({
      lastSignInAt: new Date(BEGIN),
      updatedAt: new Date(BEGIN),
    });
    const began = { ip: '192.0.2.1', userAgent: 'first', createdAt: new Date(BEGIN), aal: 'aal1', refreshedAt: null };
    expect(await site.em.findOne(Session, { id })).toMatchObject({
      ...began,
      amr: [{ method: 'password', timestamp: BEGIN / 1000 }],
    });
    site.at += 5000;
    const answer = await site.refresh(refresh);
    expect(answer).toMatchObject({
      ...ok,
      body: { token_type: 'bearer', expires_in: 3600, expires_at: BEGIN / 1000 + 3605, user: { id: user.id } },
    });
    expect(payloadOf(String(answer.body['access_token']))).toMatchObject({ session_id: id, sub: user.id });
    const now = new Date(site.at);
    const seen = { ip: '127.0.0.1', userAgent: 'second', refreshedAt: now };
    expect(await site.em.findOne(Session, { id })).toMatchObject({ ...began, ...seen });
    const [first, second] = await site.em.find(RefreshToken, { sessionId: id }, { orderBy: { createdAt: 'asc' } });
    expect(first).toMatchObject({ parentId: null, isRevoked: true, createdAt: new Date(BEGIN), updatedAt: now });
    expect(second).toMatchObject({ parentId: first?.id, isRevoked: false, createdAt: now, updatedAt: now });
  });

  it('joins the line of tokens for ten seconds, and later ends this session only', async () => {
    site.at = BEGIN;
    const { refresh: first } = await site.begin(user);
    const other = await site.begin(user);
    const third = await site.next(await site.next(first));
    site.at += 10_000;
    expect(await site.next(first)).toBe(third);
    site.at += 1;
    expect(await site.refresh(first)).toMatchObject(refused('refresh_token_already_used', 'Already Used'));
    expect(await site.refresh(third)).toMatchObject(refused('refresh_token_already_used', 'Already Used'));
    expect(await site.refresh(other.refresh)).toMatchObject(ok);
  });

  it('does not believe a clock that was ahead: a token that was used then is used', async () => {
    site.at = BEGIN + 2 * 24 * 3_600_000;
    const { refresh: first } = await site.begin(user);
    const third = await site.next(await site.next(first));
    site.at = BEGIN;
    expect(await site.refresh(first)).toMatchObject(refused('refresh_token_already_used', 'Already Used'));
    expect(await site.refresh(third)).toMatchObject(refused('refresh_token_already_used', 'Already Used'));
  });

  it('is refused to people who are banned, until they are not', async () => {
    site.at = BEGIN;
    const banned = await createAccount(site.app);
    const { refresh } = await site.begin(banned);
    await site.em.nativeUpdate(User, { id: banned.id }, { bannedUntil: new Date(BEGIN + 1) });
    expect(await site.refresh(refresh)).toMatchObject(refused('user_banned', 'User Banned'));
    site.at += 1;
    expect(await site.refresh(refresh)).toMatchObject(ok);
  });

  it('is refused once the session has reached its end', async () => {
    site.at = BEGIN;
    const { id, refresh } = await site.begin(user);
    await site.change(id, { notAfter: new Date(BEGIN - 1) });
    expect(await site.refresh(refresh)).toMatchObject(refused('session_expired', 'Session Expired'));
    await site.change(id, { notAfter: new Date(BEGIN) });
    expect(await site.refresh(refresh)).toMatchObject(ok);
  });

  it('may be tried again where others held the session for too long', async () => {
    site.at = BEGIN;
    const { refresh } = await site.begin(user);
    // What PostgreSQL says when the time for a lock is over.
    await site.em.execute(`create function refuse_lock() returns trigger language plpgsql as
      $$ begin raise exception 'canceling statement due to lock timeout' using errcode = '55P03'; end $$`);
    await site.em.execute('create trigger held before update on auth.refresh_tokens execute function refuse_lock()');
    const message = 'Too many concurrent token refresh requests on the same session or refresh token';
    expect(await site.refresh(refresh)).toMatchObject(refused('conflict', message, 409));
    await site.em.execute(`create or replace function refuse_lock() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '22023'; end $$`);
    expect(await site.refresh(refresh)).toMatchObject({ status: 500 });
    await site.em.execute('drop trigger held on auth.refresh_tokens');
    expect(await site.refresh(refresh)).toMatchObject(ok);
  });
});

describe('limits on sessions', () => {
  it('end them after a time, and when they are not used, to the second', async () => {
    const site = await Site.start({ AUTH_SESSION_TIMEBOX: '100', AUTH_SESSION_INACTIVITY: '60' });
    const { refresh } = await site.begin(await createAccount(site.app));
    const idle = await site.begin(await createAccount(site.app));
    site.at += 60_000;
    const second = await site.next(refresh);
    site.at += 1;
    const inactive = refused('session_expired', 'Session Expired (Inactivity)');
    expect(await site.refresh(idle.refresh)).toMatchObject(inactive);
    site.at = BEGIN + 100_000;
    const third = await site.next(second);
    site.at += 1;
    expect(await site.refresh(third)).toMatchObject(refused('session_expired', 'Session Expired'));
  });

  it('leave those that they ended out of the list of devices once no token of them opens anything', async () => {
    const site = await Site.start({ AUTH_SESSION_INACTIVITY: '5400' });
    const ada = await createAccount(site.app);
    await site.begin(ada);
    site.at += 5_400_000;
    const { id, access } = await site.begin(ada);
    const list = async () => {
      const headers = { authorization: `Bearer ${access}` };
      const answer = await site.app.inject({ method: 'GET', url: '/api/account/sessions', headers });
      return answer.json<AccountSessionList>();
    };
    expect((await list()).total).toBe(2);
    site.at += 1;
    expect(await list()).toMatchObject({ total: 1, items: [{ id }] });
  });

  it('remove them a day later, with their tokens and in parts, and no other', async () => {
    const site = await Site.start({ AUTH_SESSION_TIMEBOX: '864000', AUTH_SESSION_INACTIVITY: '3600' });
    const upkeep = site.app.get(SessionUpkeep);
    const ada = await createAccount(site.app);
    const over = [await site.begin(ada), await site.begin(ada), await site.begin(ada)];
    const ended = await site.begin(ada);
    const used = await site.begin(ada);
    const late = await site.begin(ada);
    await site.change(ended.id, { notAfter: new Date(BEGIN + 1000), refreshedAt: new Date(BEGIN + 2 * DAY_MS) });
    site.at += 3_600_000;
    const second = await site.next(used.refresh);
    const third = await site.next(second);
    site.at += DAY_MS - 3_600_000;
    await site.change(late.id, { refreshedAt: new Date(site.at - 3_600_001) });
    await site.change(used.id, { refreshedAt: new Date(site.at) });
    const kept = [late.id, used.id];
    const all = [...over.map(({ id }) => id), ended.id, ...kept].sort();
    // One is over for less than a day, the others for a millisecond less than that.
    await upkeep.runAll();
    expect(await site.sessionsOf(ada)).toEqual(all);
    site.at += 3_600_001;
    await upkeep.runAll(2);
    expect(await site.sessionsOf(ada)).toEqual(kept.sort());
    const tokens = await site.em.find(RefreshToken, { sessionId: { $in: all } });
    expect([...new Set(tokens.map(({ sessionId }) => sessionId))].sort()).toEqual(kept);
    expect(await site.refresh(late.refresh)).toMatchObject(refused('session_expired', 'Session Expired (Inactivity)'));
    // The tokens that were exchanged stay with a session that lives: who comes with one of them has stolen it.
    await site.change(used.id, { refreshedAt: new Date(site.at) });
    await site.next(third);
    expect(await site.refresh(used.refresh)).toMatchObject(refused('refresh_token_already_used', 'Already Used'));
  });

  it('are removed with what else of signing in has outlived its time, also when nobody signs in any more', async () => {
    const site = await Site.start();
    const { id } = await createAccount(site.app);
    const factor = randomUUID();
    await site.em.execute(
      `insert into auth.mfa_factors (id, user_id, factor_type, status) values (?, ?, 'totp', 'verified')`,
      [factor, id],
    );
    const kept = [
      ['mfa_challenges', 'id, factor_id, ip, created_at', `?, '${factor}', '192.0.2.1', ?`, 3_600_000],
      ['provider_flows', 'state_hash, redirect_to, created_at', `?, '', ?`, DAY_MS],
      ['attempts', 'subject, purpose, source, touched_at', `?, 'password', '', ?`, 2 * DAY_MS],
    ] as const;
    for (const [table, columns, values, lastsMs] of kept)
      for (const over of [0, 1, 2]) {
        const row = [randomUUID(), new Date(site.at - lastsMs - over)];
        await site.em.execute(`insert into auth.${table} (${columns}) values (${values})`, row);
      }
    await site.app.get(SessionUpkeep).runAll(1);
    for (const [table] of kept) {
      const [row] = await site.em.execute<{ left: number }[]>(`select count(*)::int as "left" from auth.${table}`);
      expect([table, row?.left]).toEqual([table, 1]);
    }
  });

  it('end what a clock began that was ahead, which is newer than nothing', async () => {
    const limits = [
      [{ AUTH_SESSION_TIMEBOX: '100' }, ''],
      [{ AUTH_SESSION_INACTIVITY: '60' }, ' (Inactivity)'],
      [{ AUTH_SESSION_SINGLE: 'true' }, ' (Revoked by Newer Login)'],
    ] as const;
    for (const [settings, suffix] of fewOf(limits, ([, words]) => words === '')) {
      const site = await Site.start(settings);
      const account = await createAccount(site.app);
      site.at = BEGIN + 2 * 24 * 3_600_000;
      const { refresh: early } = await site.begin(account);
      site.at = BEGIN;
      const { refresh } = await site.begin(account);
      site.at += 1000;
      expect(await site.refresh(refresh)).toMatchObject(ok);
      expect(await site.refresh(early)).toMatchObject(refused('session_expired', `Session Expired${suffix}`));
    }
  });

  it('leave a person the newest one only, where there may be one', async () => {
    const site = await Site.start({ AUTH_SESSION_SINGLE: 'true' });
    const [ada, bob] = [await createAccount(site.app), await createAccount(site.app)];
    const old = await site.begin(ada);
    expect(await site.refresh(old.refresh)).toMatchObject(ok);
    site.at += 1;
    const fresh = await site.begin(ada);
    const another = await site.begin(bob);
    const message = 'Session Expired (Revoked by Newer Login)';
    expect(await site.refresh(old.refresh)).toMatchObject(refused('session_expired', message));
    expect(await site.refresh(fresh.refresh)).toMatchObject(ok);
    expect(await site.refresh(another.refresh)).toMatchObject(ok);
    // The newest one is the only one that is told of, and those before stay ended when it is signed out.
    const headers = { authorization: `Bearer ${fresh.access}` };
    const listed = await site.app.inject({ method: 'GET', url: '/api/account/sessions', headers });
    expect(listed.json<AccountSessionList>()).toMatchObject({ items: [{ id: fresh.id }], total: 1 });
    await site.logOut('local', fresh.access);
    site.at += 1;
    expect(await site.refresh(old.refresh)).toMatchObject(refused('session_expired', 'Session Expired'));
    expect(await site.refresh(another.refresh)).toMatchObject(ok);
  });

  it('end no session of which an old token comes back, where tokens need not be new', async () => {
    const site = await Site.start({ AUTH_REFRESH_TOKEN_ROTATION: 'false' });
    const { refresh } = await site.begin(await createAccount(site.app));
    const third = await site.next(await site.next(refresh));
    site.at += 10_001;
    expect(await site.refresh(refresh)).toMatchObject(refused('refresh_token_already_used', 'Already Used'));
    expect(await site.refresh(third)).toMatchObject(ok);
  });
});

describe('signing out', () => {
  it('with a token of no session ends all sessions or none, and nobody else’s', async () => {
    const site = await Site.start();
    const [ada, bob] = [await createAccount(site.app), await createAccount(site.app)];
    const sessions = [await site.begin(ada), await site.begin(ada)].map(({ id }) => id).sort();
    const { id: theirs } = await site.begin(bob);
    const claims = { iss: site.app.config.auth.externalUrl, sub: ada.id, aud: ada.aud, exp: BEGIN / 1000 + 60 };
    const token = site.app.get(JwtService).sign(claims);
    await site.logOut('local', token);
    expect(await site.sessionsOf(ada)).toEqual(sessions);
    await site.logOut('others', token);
    expect(await site.sessionsOf(ada)).toEqual([]);
    expect(await site.sessionsOf(bob)).toEqual([theirs]);
  });
});
