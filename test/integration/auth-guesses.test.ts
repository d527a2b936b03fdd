import { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AttemptsService } from '../../src/auth/guesses/attempts.service.js';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.js';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import {
  closeAuthServers,
  PASSWORD,
  startAuthServer,
  type AuthServer,
  type RawAnswer,
} from '../support/auth-server.js';
import type { Variables } from '../support/environment.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { stopClock } from '../support/stopped-clock.js';

const WRONG = 'a wrong horse 8';
const DAY = 24 * 3600;
const REFUSED = { code: 'invalid_credentials', message: 'Invalid login credentials' };
const LIMITED = { code: 'over_request_rate_limit', message: 'Request rate limit reached' };
const EXPIRED = { code: 'otp_expired', message: 'Token has expired or is invalid' };

afterEach(closeAuthServers);

let caller = 0;

/** Calls that come from another address each, as those of a botnet do. */
const fromAnywhere = (cookie?: string) => ({
  'x-forwarded-for': `10.${(caller += 1) >> 16}.${(caller >> 8) & 255}.${caller & 255}`,
  ...(cookie === undefined ? {} : { cookie }),
});

const start = (overrides = {}) => startAuthServer({ TRUSTED_PROXIES: '127.0.0.1', ...overrides });

const guess = (server: AuthServer, email: string, password = WRONG, cookie?: string) =>
  server.call('/token?grant_type=password', {
    method: 'POST',
    body: { email, password },
    headers: fromAnywhere(cookie),
  });

const tryCode = (server: AuthServer, email: string, token: string, type = 'recovery', cookie?: string) =>
  server.call('/verify', { method: 'POST', body: { type, email, token }, headers: fromAnywhere(cookie) });

const recover = (server: AuthServer, email: string) =>
  server.call('/recover', { method: 'POST', body: { email }, headers: fromAnywhere() });

/** A code that is not the right one. */
const otherThan = (code: string, step = 1) => String((Number(code) + step) % 1_000_000).padStart(6, '0');

const cookieOf = ({ headers }: RawAnswer) => headers.get('set-cookie')?.split(';', 1)[0];

const summarize = ({ status, headers, body }: RawAnswer) => ({ status, wait: headers.get('retry-after'), body });

/** Guesses until so many were evaluated, waiting as long as the server asks for. */
async function exhaust(server: AuthServer, email: string, clock: { advance(seconds: number): void }) {
  const answers: ReturnType<typeof summarize>[] = [];
  for (let waited = 0; waited < DAY;) {
    const answer = summarize(await guess(server, email));
    answers.push(answer);
    const wait = Number(answer.wait ?? 0);
    waited += wait;
    // Until the first guess is a day old again.
    if (wait > 3600) break;
    clock.advance(wait);
  }
  return answers;
}

describe('guessing passwords', () => {
  /** Fifteen are as many as have pauses of every length. */
  const limits: readonly (readonly [most: number, settings: Variables])[] = [
    [15, { AUTH_GUESSES_PASSWORD: '15' }],
    [120, {}],
  ];

  it.each(fewOf(limits, ([most]) => most === 15))(
    'costs ever longer, and ends after %i in a day, whether there is such an account or not',
    async (most, settings) => {
      const server = await start(settings);
      const known = await server.newPerson();
      const clock = stopClock(server);
      jest.spyOn(server.app.get(PasswordsService), 'check').mockResolvedValue({ isRight: false, isOutdated: false });
      const answers = await exhaust(server, known, clock);
      const evaluated = answers.filter(({ status }) => status === 400);
      expect(evaluated).toHaveLength(most);
      expect(evaluated[0]).toEqual({ status: 400, wait: null, body: REFUSED });
      const waits = answers.flatMap(({ wait }) => (wait === null ? [] : [Number(wait)]));
      expect(waits.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
      expect(answers.at(-1)).toMatchObject({ status: 429, body: LIMITED });
      expect(await exhaust(server, 'nobody@example.com', clock)).toEqual(answers);
    },
  );

  itSlow(
    'does not get further with many at once over several processes, nor by other spellings of the address',
    async () => {
      const one = await start();
      const other = await start(one.app.environment);
      const email = await one.newPerson();
      const spellings = [email, email.toUpperCase(), email.replace('s', 'S'), email.replace('e', 'E')];
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, time) => guess(time % 2 ? one : other, spellings[time % spellings.length]!)),
      );
      const evaluated = answers.filter(({ status }) => status === 400).length;
      expect(evaluated).toBeGreaterThanOrEqual(5);
      expect(evaluated).toBeLessThanOrEqual(20);
      for (const answer of answers.filter(({ status }) => status !== 400)) {
        expect(answer).toMatchObject({ status: 429, body: LIMITED });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    },
  );

  itSlow('counts an account once, by whichever of its addresses it is tried', async () => {
    const server = await start({ AUTH_GUESSES_PASSWORD: '3', AUTH_PHONE_ENABLED: 'true' });
    const email = await server.newPerson();
    const em = server.app.get(EntityManager).fork();
    await em.execute(`update auth.users set phone = '4915112345678', phone_confirmed_at = now() where email = ?`, [
      email,
    ]);
    for (let time = 0; time < 3; time += 1) await guess(server, email);
    const byPhone = { phone: '+4915112345678', password: PASSWORD };
    expect(await server.call('/token?grant_type=password', { method: 'POST', body: byPhone })).toMatchObject({
      status: 429,
    });
  });

  itSlow('does not count right passwords, nor those who were told to wait', async () => {
    const server = await start({ AUTH_GUESSES_PASSWORD: '6', AUTH_GUESSES_PAUSE: '0' });
    const email = await server.newPerson();
    const together = await Promise.all(Array.from({ length: 6 }, () => guess(server, email, PASSWORD)));
    expect(together.map(({ status }) => status)).toEqual(Array(6).fill(200));
    for (let time = 0; time < 10; time += 1) expect((await guess(server, email, PASSWORD)).status).toBe(200);
    for (let time = 0; time < 6; time += 1) expect((await guess(server, email)).status).toBe(400);
    expect((await guess(server, email, PASSWORD)).status).toBe(429);
    server.advance(DAY + 1);
    expect((await guess(server, email, PASSWORD)).status).toBe(200);
  });

  itSlow('knows devices on https by a cookie that browsers take over https alone', async () => {
    const server = await start({
      PUBLIC_URL: 'https://site.test',
      AUTH_EXTERNAL_URL: 'https://site.test/auth/v1',
      AUTH_GUESSES_PASSWORD: '3',
    });
    const email = await server.newPerson();
    const device = cookieOf(await guess(server, email, PASSWORD));
    expect(device).toMatch(/^__Secure-known_device=/);
    for (let time = 0; time < 4; time += 1) await guess(server, email);
    expect((await guess(server, email, PASSWORD, device?.replace('__Secure-', ''))).status).toBe(429);
    expect((await guess(server, email, PASSWORD, device)).status).toBe(200);
  });

  it('locks nobody out who has signed in on that device before, or who reads the mail', async () => {
    const server = await start({ AUTH_GUESSES_PASSWORD: '3', AUTH_GUESSES_NOTICE: '0' });
    const email = await server.newPerson();
    const stranger = await server.newPerson();
    const session = server.client();
    await session.signInWithPassword({ email, password: PASSWORD });
    const device = cookieOf(await guess(server, email, PASSWORD));
    for (let time = 0; time < 4; time += 1) await guess(server, email);
    expect((await guess(server, email, PASSWORD)).status).toBe(429);
    expect((await guess(server, email, PASSWORD, device)).status).toBe(200);
    expect((await session.refreshSession()).error).toBeNull();
    expect((await session.getUser()).error).toBeNull();
    // The cookie is of that account, and its signature is read.
    const ofStranger = cookieOf(await guess(server, stranger, PASSWORD));
    for (const forged of [ofStranger, `${device}x`, device?.replace(/.$/, ''), 'known_device=a.9999999999.b.c']) {
      expect((await guess(server, email, PASSWORD, forged)).status).toBe(429);
    }
    // Its bucket has an end as well.
    for (let time = 0; time < 3; time += 1) expect((await guess(server, email, WRONG, device)).status).toBe(400);
    expect((await guess(server, email, PASSWORD, device)).status).toBe(429);
    await recover(server, email);
    const { query } = await server.mailbox.read(email);
    const { error } = await server.client().verifyOtp({ token_hash: query.get('token_hash')!, type: 'recovery' });
    expect(error).toBeNull();
    expect((await guess(server, email, PASSWORD)).status).toBe(200);
  });

  itSlow('lets the operator forget it, and forgets it with the account', async () => {
    const server = await start({ AUTH_GUESSES_PASSWORD: '3' });
    const users = server.app.get(UsersService);
    const email = await server.newPerson();
    const user = await users.findByEmailOrId(OPERATOR, email);
    const limit = async () => {
      for (let time = 0; time < 3; time += 1) await guess(server, email);
      expect((await guess(server, email, PASSWORD)).status).toBe(429);
    };
    await limit();
    await users.liftLimits(OPERATOR, user!.id);
    expect((await guess(server, email, PASSWORD)).status).toBe(200);
    await limit();
    await users.setPassword(OPERATOR, user!.id, PASSWORD);
    expect((await guess(server, email, PASSWORD)).status).toBe(200);
    await limit();
    await tryCode(server, email, '000000');
    await users.deleteUser(OPERATOR, user!.id);
    const rows = await server.app.get(EntityManager).fork().execute('select * from auth.attempts');
    expect(rows).toEqual([]);
  });

  itSlow('is told to the owner by mail, once a day', async () => {
    const server = await start({ AUTH_GUESSES_NOTICE: '4', AUTH_GUESSES_PAUSE: '0' });
    const email = await server.newPerson();
    for (let time = 0; time < 3; time += 1) await guess(server, email);
    expect(await server.mailbox.unread()).toEqual([]);
    await Promise.all(Array.from({ length: 6 }, () => guess(server, email)));
    const mail = await server.mailbox.read(email);
    expect(mail.subject).toMatch(/^Someone is guessing the password of your account/);
    expect(mail.text).not.toMatch(/\b\d{6}\b/);
    await guess(server, email);
    server.advance(DAY + 1);
    for (let time = 0; time < 4; time += 1) await guess(server, email);
    await server.mailbox.read(email);
    expect(await server.mailbox.unread()).toEqual([]);
  });

  itSlow('leaves no rows behind that say nothing any more', async () => {
    const server = await start();
    jest.spyOn(server.app.get(PasswordsService), 'check').mockResolvedValue({ isRight: false, isOutdated: false });
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    for (let time = 0; time < 20; time += 1) await guess(server, `nobody-${time}@example.com`);
    await recover(server, 'nobody@example.com');
    const count = async (table: string) =>
      Number(
        (await server.app.get(EntityManager).fork().execute<{ count: string }[]>(`select count(*) from ${table}`))[0]
          ?.count,
      );
    expect(await count('auth.attempts')).toBe(20);
    server.advance(3 * DAY);
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await guess(server, 'nobody@example.com');
    expect(await count('auth.attempts')).toBe(1);
    // Addresses of unknown people are kept as keyed hashes only.
    const [row] = await server.app
      .get(EntityManager)
      .fork()
      .execute<{ subject: string }[]>('select subject from auth.attempts');
    expect(row?.subject).toMatch(/^[0-9a-f]{64}$/);
  });

  itSlow('has no limit where that is switched off', async () => {
    const server = await start({ AUTH_GUESSES_PASSWORD: '0', AUTH_GUESSES_PAUSE: '0' });
    const email = await server.newPerson();
    jest.spyOn(server.app.get(PasswordsService), 'check').mockResolvedValue({ isRight: false, isOutdated: false });
    for (let time = 0; time < 130; time += 1) expect((await guess(server, email)).status).toBe(400);
  });
});

describe('the cookie of a device', () => {
  const attributes = (answer: RawAnswer) =>
    answer.headers
      .get('set-cookie')
      ?.split('; ')
      .slice(1)
      .filter((attribute) => !attribute.startsWith('Max-Age='));

  it('is for the API alone, out of reach of scripts and other sites, and comes with every way in', async () => {
    const server = await start({ PUBLIC_URL: 'https://site.test' });
    const email = await server.newPerson();
    const kept = ['Path=/auth/v1', 'HttpOnly', 'SameSite=Strict', 'Secure'];
    expect(attributes(await guess(server, email, PASSWORD))).toEqual(kept);
    await recover(server, email);
    const { otp } = await server.mailbox.read(email);
    expect(attributes(await tryCode(server, email, otp))).toEqual(kept);
    const refused = await guess(server, email);
    expect(refused.headers.get('set-cookie')).toBeNull();
    for (const page of ['/', '/auth', '/privacy']) {
      expect((await server.app.inject(page)).headers).not.toHaveProperty('set-cookie');
    }
    expect((await server.app.inject('/privacy')).body).toContain('known_device');
  });

  itSlow('needs no encryption where the site has none, and keeps to sign-in where the API has no path', async () => {
    const server = await start({ AUTH_BASE_PATH: '/' });
    const email = await server.newPerson();
    expect(attributes(await guess(server, email, PASSWORD))).toEqual(['Path=/token', 'HttpOnly', 'SameSite=Strict']);
  });

  itSlow('knows several people of one device, and is worth nothing after half a year', async () => {
    const server = await start({ AUTH_GUESSES_PASSWORD: '1' });
    const [ada, bob] = [await server.newPerson(), await server.newPerson()];
    const first = cookieOf(await guess(server, ada, PASSWORD));
    const both = cookieOf(await guess(server, bob, PASSWORD, first));
    for (const email of [ada, bob]) {
      await guess(server, email);
      expect((await guess(server, email, PASSWORD)).status).toBe(429);
      expect((await guess(server, email, PASSWORD, both)).status).toBe(200);
    }
    server.advance(181 * DAY);
    await guess(server, ada);
    expect((await guess(server, ada, PASSWORD, both)).status).toBe(429);
  });
});

describe('guessing codes', () => {
  it('kills the code after five, however many come at once to several processes; the link goes on', async () => {
    const one = await start();
    const other = await start(one.app.environment);
    const email = await one.newPerson();
    await recover(one, email);
    const { otp, query } = await one.mailbox.read(email);
    // Fewer than the right one and four others: it would be found.
    const wrong = await Promise.all(
      Array.from({ length: 5 }, (_, time) => tryCode(time % 2 ? one : other, email, otherThan(otp, time + 1))),
    );
    for (const answer of wrong) expect(answer).toMatchObject({ status: 403, body: EXPIRED });
    expect(await tryCode(one, email, otp)).toMatchObject({ status: 403, body: EXPIRED });
    const { error } = await one.client().verifyOtp({ token_hash: query.get('token_hash')!, type: 'recovery' });
    expect(error).toBeNull();
  });

  itSlow('compares no more than five of many at once', async () => {
    const one = await start({ AUTH_GUESSES_CODE_DAILY: '0' });
    const other = await start(one.app.environment);
    const email = await one.newPerson();
    await recover(one, email);
    await one.mailbox.read(email);
    await Promise.all(
      Array.from({ length: 50 }, (_, time) => tryCode(time % 2 ? one : other, email, String(time).padStart(6, '0'))),
    );
    const tokens = await one.app.get(EntityManager).fork().execute('select wrong_codes from auth.one_time_tokens');
    expect(tokens).toEqual([{ wrong_codes: 5 }]);
  });

  itSlow('counts for every code it was compared with, of several kinds', async () => {
    const server = await start();
    const email = server.newEmail();
    await server.client().signUp({ email, password: PASSWORD });
    const signup = await server.mailbox.read(email);
    await recover(server, email);
    const recovery = await server.mailbox.read(email);
    for (let step = 1; step <= 5; step += 1) {
      const code = [1, 2, 3, 4, 5, 6, 7]
        .map((add) => otherThan(signup.otp, add * step))
        .find((it) => it !== recovery.otp);
      await tryCode(server, email, code!, 'email');
    }
    for (const [code, type] of [
      [signup.otp, 'email'],
      [signup.otp, 'signup'],
      [recovery.otp, 'email'],
      [recovery.otp, 'magiclink'],
    ] as const) {
      expect(await tryCode(server, email, code, type)).toMatchObject({ status: 403, body: EXPIRED });
    }
  });

  itSlow('is over for the day after thirty, although further codes are sent, also where there is nobody', async () => {
    const server = await start();
    const known = await server.newPerson();
    const clock = stopClock(server);
    const device = cookieOf(await guess(server, known, PASSWORD));
    const attack = async (email: string) => {
      const answers: ReturnType<typeof summarize>[] = [];
      for (let mail = 0; mail < 7; mail += 1) {
        answers.push(summarize(await recover(server, email)));
        if (email === known) await server.mailbox.read(known);
        for (let time = 0; time < 5; time += 1) answers.push(summarize(await tryCode(server, email, 'x'.repeat(6))));
        clock.advance(61);
      }
      return answers;
    };
    const answers = await attack(known);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(30);
    expect(answers.at(-1)).toEqual({ status: 429, wait: String(DAY - 6 * 61), body: LIMITED });
    const elsewhere = await attack('nobody@example.com');
    expect(elsewhere).toEqual(answers);
    // Neither the owner's devices nor the link of a mail is concerned.
    await recover(server, known);
    await server.mailbox.read(known);
    const { otp, query } = await server.mailbox.read(known);
    expect((await tryCode(server, known, otp)).status).toBe(429);
    expect((await tryCode(server, known, otherThan(otp), 'recovery', device)).status).toBe(403);
    expect((await tryCode(server, known, otp, 'recovery', device)).status).toBe(200);
    expect(query.get('token_hash')).toMatch(/./);
    clock.advance(61);
    await recover(server, known);
    const next = await server.mailbox.read(known);
    expect((await tryCode(server, known, next.otp)).status).toBe(200);
  });

  it('does not forgive wrong codes at an address that somebody else merely asked to have', async () => {
    const server = await start({ AUTH_GUESSES_CODE_DAILY: '2' });
    const victim = await server.newPerson();
    const attacker = await server.newPerson();
    for (let time = 0; time < 2; time += 1) await tryCode(server, victim, '000000');
    const em = server.app.get(EntityManager).fork();
    await em.execute('update auth.users set new_email = ? where email = ?', [victim, attacker]);
    await recover(server, attacker);
    const { otp } = await server.mailbox.read(attacker);
    expect((await tryCode(server, attacker, otp)).status).toBe(200);
    expect((await tryCode(server, victim, '000000')).status).toBe(429);
  });

  itSlow('ends with the right one, which costs no try', async () => {
    const server = await start();
    const email = await server.newPerson();
    await recover(server, email);
    const { otp } = await server.mailbox.read(email);
    for (let step = 1; step <= 4; step += 1) await tryCode(server, email, otherThan(otp, step));
    expect((await tryCode(server, email, otp)).status).toBe(200);
  });

  itSlow('has no limit where that is switched off', async () => {
    const server = await start({ AUTH_GUESSES_CODE: '0', AUTH_GUESSES_CODE_DAILY: '0' });
    const email = await server.newPerson();
    await recover(server, email);
    const { otp } = await server.mailbox.read(email);
    for (let step = 1; step <= 40; step += 1) await tryCode(server, email, otherThan(otp, step));
    expect((await tryCode(server, email, otp)).status).toBe(200);
  });
});

describe('proving oneself again', () => {
  const change = async (server: AuthServer, token: string, body: object) =>
    await server.call('/user', { method: 'PUT', body, headers: { authorization: `Bearer ${token}` } });

  async function signInOn(server: AuthServer) {
    const email = await server.newPerson();
    const answer = await guess(server, email, PASSWORD);
    return { email, token: String(answer.body['access_token']) };
  }

  itSlow('by a mailed code fails for good after five wrong ones', async () => {
    const server = await start({ AUTH_REAUTHENTICATION_REQUIRED: 'true', AUTH_JWT_EXP: '200000' });
    const { email, token } = await signInOn(server);
    server.advance(DAY + 1);
    await server.call('/reauthenticate', { headers: { authorization: `Bearer ${token}` } });
    const { otp } = await server.mailbox.read(email);
    const invalid = { status: 422, body: { code: 'reauthentication_not_valid' } };
    const password = 'another horse 8';
    await Promise.all(
      Array.from({ length: 5 }, (_, time) => change(server, token, { password, nonce: otherThan(otp, time + 1) })),
    );
    expect(await change(server, token, { password, nonce: otp })).toMatchObject(invalid);
    server.advance(61);
    await server.call('/reauthenticate', { headers: { authorization: `Bearer ${token}` } });
    const second = await server.mailbox.read(email);
    expect((await change(server, token, { password, nonce: second.otp })).status).toBe(200);
    expect(await change(server, token, { password: PASSWORD, nonce: second.otp })).toMatchObject(invalid);
  });

  it('by the present password is limited per session, and keeps nobody from signing in', async () => {
    const server = await start({ AUTH_CURRENT_PASSWORD_REQUIRED: 'true', AUTH_GUESSES_PASSWORD: '3' });
    const { email, token } = await signInOn(server);
    const body = (current_password: string) => ({ password: 'another horse 8', current_password });
    for (let time = 0; time < 3; time += 1) {
      expect(await change(server, token, body(WRONG))).toMatchObject({ body: { code: 'current_password_invalid' } });
    }
    expect(await change(server, token, body(PASSWORD))).toMatchObject({ status: 429, body: LIMITED });
    expect((await guess(server, email, PASSWORD)).status).toBe(200);
  });
});

describe('the counter itself', () => {
  it('serves second factors: five wrong codes in fifteen minutes, never for good', async () => {
    const server = await start();
    const clock = stopClock(server);
    const attempts = server.app.get(AttemptsService);
    const key = { subject: 'factor', purpose: 'totp', source: '' };
    const judge = (isRight: boolean) =>
      attempts.judge(key, { count: 5, seconds: 900 }, () => Promise.resolve({ isRight }));
    for (let time = 1; time <= 5; time += 1) expect(await judge(false)).toEqual({ isRight: false, failures: time });
    await expect(judge(true)).rejects.toMatchObject({ status: 429, retryAfter: 900 });
    clock.advance(900);
    expect(await judge(true)).toMatchObject({ isRight: true });
  });

  it('takes what could not be judged for no failure', async () => {
    const server = await start();
    const attempts = server.app.get(AttemptsService);
    const key = { subject: 'anybody', purpose: 'test', source: '' };
    const broken = () => Promise.reject(new Error('no hash today'));
    for (let time = 0; time < 3; time += 1) {
      await expect(attempts.judge(key, { count: 1, seconds: 60 }, broken)).rejects.toThrow('no hash today');
    }
    const right = () => Promise.resolve({ isRight: true });
    expect(await attempts.judge(key, { count: 1, seconds: 60 }, right)).toMatchObject({ isRight: true });
  });
});
