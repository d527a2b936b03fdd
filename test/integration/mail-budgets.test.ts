import { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, describe, expect, it } from '@jest/globals';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { JOB_QUEUE_SCHEMA } from '../../src/database/job-queue-schema.js';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { findAlarms } from '../../src/overview/alarms.js';
import { toAttention } from '../../src/overview/office-words.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import {
  closeAuthServers,
  PASSWORD,
  startAuthServer,
  type AuthServer,
  type RawAnswer,
} from '../support/auth-server.js';
import { createAccount } from '../support/accounts.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { stopClock } from '../support/stopped-clock.js';

const SPENT = { code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' };
const NOBODY = 'nobody@example.com';

afterEach(closeAuthServers);

/** The defaults of mails, and none of the limits on requests. */
const start = (overrides = {}) =>
  startAuthServer({ TRUSTED_PROXIES: '127.0.0.1', AUTH_RATE_LIMIT_MAIL: '30', ...overrides });

const post = (server: AuthServer, path: string, body: object, ip = '198.51.100.1') =>
  server.call(path, { method: 'POST', body, headers: { 'x-forwarded-for': ip } });

const signUp = (server: AuthServer, email: string, ip?: string) =>
  post(server, '/signup', { email, password: PASSWORD }, ip);

const recover = (server: AuthServer, email: string, ip?: string) => post(server, '/recover', { email }, ip);

const summarize = ({ status, headers, body }: RawAnswer) => ({ status, wait: headers.get('retry-after'), body });

/** An account that no mail was sent for. */
const newAccount = async (server: AuthServer) => String((await createAccount(server.app)).email);

/** How long the mails of one kind wait, in minutes, those first that were queued first. */
async function readWaits(server: AuthServer, action: string): Promise<number[]> {
  const rows = await server.app
    .get(EntityManager)
    .fork()
    .execute<{ minutes: string }[]>(
      `select extract(epoch from start_after - created_on) / 60 as minutes from ${JOB_QUEUE_SCHEMA}.job
     where data->>'action' = ? order by created_on`,
      [action],
    );
  return rows.map(({ minutes }) => Number(minutes));
}

describe('mail budgets', () => {
  itSlow('let one visitor use up no more than a part: everybody else signs up and recovers', async () => {
    const server = await start();
    const known = await newAccount(server);
    const answers: RawAnswer[] = [];
    for (let time = 0; time < 30; time += 1) answers.push(await signUp(server, server.newEmail()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: SPENT });
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    // Also at the address of that visitor.
    expect((await recover(server, known)).status).toBe(200);
    expect((await server.mailbox.read(known)).subject).toMatch(/new password/);
    const other = server.newEmail();
    expect((await signUp(server, other, '203.0.113.7')).status).toBe(200);
    await server.mailbox.read(other);
    // What was refused has left no account behind.
    const [row] = await server.app
      .get(EntityManager)
      .fork()
      .execute<{ count: string }[]>('select count(*) from auth.users');
    expect(Number(row?.count)).toBe(12);
  });

  it('count a network as one, of either protocol', async () => {
    const server = await start({ AUTH_RATE_LIMIT_MAIL_NETWORK: '2' });
    const networks = [
      ['198.51.100.1', '198.51.100.2', '198.51.100.200', '198.51.101.1'],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:0db8:1:2:0:0:0:9', '2001:db8:1:3::1'],
    ] as const;
    for (const [one, other, third, elsewhere] of fewOf(networks, ([address]) => address.includes('.'))) {
      expect((await signUp(server, server.newEmail(), one)).status).toBe(200);
      expect((await signUp(server, server.newEmail(), other)).status).toBe(200);
      expect(await signUp(server, server.newEmail(), third)).toMatchObject({ status: 429, body: SPENT });
      expect((await signUp(server, server.newEmail(), elsewhere)).status).toBe(200);
    }
  });

  itSlow('count a household as one, whose addresses of IPv6 are more than anybody could count', async () => {
    const server = await start({ AUTH_RATE_LIMIT_MAIL_ADDRESS: '2', AUTH_RATE_LIMIT_MAIL_NETWORK: '0' });
    const [one, other, third, elsewhere] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2::9', '2001:db8::1'];
    expect((await signUp(server, server.newEmail(), one)).status).toBe(200);
    expect((await signUp(server, server.newEmail(), other)).status).toBe(200);
    expect(await signUp(server, server.newEmail(), third)).toMatchObject({ status: 429, body: SPENT });
    expect((await signUp(server, server.newEmail(), elsewhere)).status).toBe(200);
  });

  it('protect a recipient from mails that others ask for', async () => {
    const server = await start({ AUTH_RATE_LIMIT_MAIL_RECIPIENT: '2', AUTH_MAIL_FREQUENCY: '0' });
    const known = await newAccount(server);
    const ask = async (email: string) => {
      const answers = [];
      for (let time = 1; time <= 3; time += 1) answers.push(await recover(server, email, `203.0.${time}.1`));
      return answers;
    };
    const answers = await ask(known.toUpperCase());
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body).toEqual(SPENT);
    expect((await ask(NOBODY)).map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  itSlow('have mails wait up to a quarter of an hour when the server has sent its own, then refuse', async () => {
    const server = await start({ AUTH_RATE_LIMIT_MAIL_ADDRESS: '0', AUTH_RATE_LIMIT_MAIL_NETWORK: '0' });
    const known = await newAccount(server);
    const clock = stopClock(server);
    let sent = 0;
    while ((await signUp(server, server.newEmail())).status === 200) sent += 1;
    // Thirty less the ten that are kept, and what flows back in a quarter of an hour.
    expect(sent).toBe(25);
    const waits = await readWaits(server, 'signup');
    expect(waits.slice(0, 20).every((minutes) => minutes <= 0.5)).toBe(true);
    expect(waits.slice(20).map(Math.round)).toEqual([3, 6, 9, 12, 15]);
    // What is kept is for recovery, at once.
    expect((await recover(server, known)).status).toBe(200);
    await server.mailbox.read(known);
    clock.advance(60);
    expect((await signUp(server, server.newEmail())).status).toBe(429);
  });

  it('keep some for administrators to the last, whom no answer tells apart from people who are not known', async () => {
    const server = await start({ AUTH_RATE_LIMIT_MAIL_ADDRESS: '0', AUTH_RATE_LIMIT_MAIL_NETWORK: '0' });
    const [admin, known] = [await newAccount(server), await newAccount(server)];
    const user = await server.app.get(UsersService).findByEmailOrId(OPERATOR, admin);
    await server.app.get(RolesService).grantAdmin(OPERATOR, user!.id);
    stopClock(server);
    const askForOthers = async () => {
      let count = 0;
      while ((await recover(server, `nobody-${count}@example.com`)).status === 200) count += 1;
      return count;
    };
    expect(await askForOthers()).toBe(28);
    const answers = [];
    for (const email of [admin, known, NOBODY]) answers.push(summarize(await recover(server, email)));
    expect(answers[0]).toEqual({ status: 429, wait: expect.any(String), body: SPENT });
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(Array(3).fill({ status: 429, body: SPENT }));
    const jobs = await server.app
      .get(EntityManager)
      .fork()
      .execute(`select data->>'userId' as id from ${JOB_QUEUE_SCHEMA}.job where data->>'action' = 'recovery'`);
    expect(jobs).toEqual([{ id: user!.id }]);
  });

  itSlow('ask who is an administrator with the connection that they have, as there may be no second one', async () => {
    const server = await start({
      AUTH_RATE_LIMIT_MAIL: '9',
      AUTH_RATE_LIMIT_MAIL_ADDRESS: '0',
      AUTH_RATE_LIMIT_MAIL_NETWORK: '0',
      DATABASE_POOL_SIZE: '1',
    });
    const admin = await newAccount(server);
    const user = await server.app.get(UsersService).findByEmailOrId(OPERATOR, admin);
    await server.app.get(RolesService).grantAdmin(OPERATOR, user!.id);
    stopClock(server);
    let count = 0;
    while ((await recover(server, `nobody-${count}@example.com`)).status === 200) count += 1;
    expect(await recover(server, admin)).toMatchObject({ status: 429, body: SPENT });
    expect((await server.mailbox.read(admin)).subject).toMatch(/new password/);
  });

  itSlow(
    'are not used up in silence: doctor, the start page, the other system and the metrics tell of it',
    async () => {
      const server = await start({
        AUTH_MAIL_FREQUENCY: '0',
        AUTH_RATE_LIMIT_MAIL: '12',
        AUTH_RATE_LIMIT_MAIL_RECIPIENT: '1',
        AUTH_RATE_LIMIT_MAIL_ADDRESS: '0',
        AUTH_RATE_LIMIT_MAIL_NETWORK: '0',
      });
      stopClock(server);
      const { config } = server.app;
      const doctor = new DoctorService({ config, problems: [] });
      const examine = async () => {
        const findings = await doctor.examine(new Set(['mail-budget']));
        const context = { now: new Date(), machine: 'web-1' };
        return {
          finding: findings[0],
          alarms: findAlarms(findings, context).map(({ name, isOn }) => [name, isOn]),
          office: toAttention(findings, { ...context, timeZone: 'UTC' }).map(({ check }) => check),
        };
      };
      const useUp = async (ask: () => Promise<RawAnswer>) => {
        while ((await ask()).status === 200);
      };
      expect(await examine()).toMatchObject({
        ...{ finding: { level: 'ok', advice: null }, alarms: [['mail-budget', false]], office: [] },
      });

      // Eight are for everybody, and two more leave later, within a quarter of an hour.
      for (let time = 0; time < 9; time += 1) expect((await signUp(server, server.newEmail())).status).toBe(200);
      const message =
        'the 8 mails that may be asked for in an hour are used up: the next ones wait for up to 15 minutes';
      expect(await examine()).toMatchObject({ finding: { level: 'warn', message }, alarms: [], office: [] });

      await useUp(() => signUp(server, server.newEmail()));
      expect(await examine()).toMatchObject({
        finding: {
          level: 'fail',
          message: expect.stringMatching(/whoever asks for another one than for a new password/),
        },
        alarms: [['mail-budget', true]],
        office: ['mail-budget'],
      });
      let count = 0;
      await useUp(() => recover(server, `nobody-${(count += 1)}@example.com`));
      expect(await recover(server, 'nobody-1@example.com')).toMatchObject({ status: 429 });
      expect(await examine()).toMatchObject({
        finding: {
          level: 'fail',
          message: expect.stringMatching(/and the 3 for new passwords: whoever asks for one is/),
        },
        alarms: [['mail-budget', true]],
      });
      expect(server.app.get(Metrics).accountMails.entries()).toEqual([
        ...[
          ['at_once', 8 + 3],
          ['waits', 2],
          ['refused_to_one', 1],
          ['refused_to_all', 2],
        ],
      ]);

      const em = server.app.get(EntityManager).fork();
      await em.execute(`update auth.rate_limits set updated_at = updated_at - interval '1 hour'`);
      expect(await examine()).toMatchObject({ finding: { level: 'ok' }, alarms: [['mail-budget', false]], office: [] });
    },
  );

  itSlow('have no limit where that is switched off', async () => {
    const server = await start({ AUTH_RATE_LIMIT_MAIL: '0' });
    for (let time = 0; time < 40; time += 1) expect((await signUp(server, server.newEmail())).status).toBe(200);
  });
});

describe('answers about mails', () => {
  const BODIES = [
    ['/recover', {}],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
    ['/otp', {}],
    ['/magiclink', {}],
  ] as const;

  itSlow('are the same whether there is such an account or not, when they come too soon and too often', async () => {
    const server = await start({ AUTH_MAIL_FREQUENCY: '60', AUTH_RATE_LIMIT_MAIL_RECIPIENT: '2' });
    const unconfirmed = String((await createAccount(server.app, { emailConfirmedAt: null })).email);
    const changing = await newAccount(server);
    const em = server.app.get(EntityManager).fork();
    await em.execute(`update auth.users set new_email = 'new@example.com' where email = ?`, [changing]);
    const clock = stopClock(server);
    for (const [index, [path, body]] of BODIES.entries()) {
      const ask = async (email: string, who: number) => {
        const answers = [];
        for (let round = 0; round < 3; round += 1) {
          for (let time = 0; time < 2; time += 1) {
            answers.push(summarize(await post(server, path, { ...body, email }, `10.${index}.${who}.1`)));
          }
          clock.advance(61);
        }
        return answers;
      };
      const emails = [NOBODY, unconfirmed, changing, await newAccount(server)];
      const all = [];
      for (const [who, email] of emails.entries()) {
        all.push(await ask(email, who));
        clock.advance(7200);
      }
      expect(all[0]).toEqual([
        { status: 200, wait: null, body: {} },
        {
          status: 429,
          wait: '60',
          body: {
            code: 'over_email_send_rate_limit',
            message: 'For security purposes, you can only request this after 60 seconds.',
          },
        },
        { status: 200, wait: null, body: {} },
        expect.objectContaining({ status: 429, wait: '60' }),
        { status: 429, wait: expect.any(String), body: SPENT },
        { status: 429, wait: expect.any(String), body: SPENT },
      ]);
      for (const answers of all.slice(1)) expect([path, answers]).toEqual([path, all[0]]);
    }
  });

  itSlow('are the same for a taken address where sign-up conceals it', async () => {
    const server = await start({ AUTH_DUPLICATE_SIGNUP: 'conceal', AUTH_RATE_LIMIT_MAIL_RECIPIENT: '2' });
    const known = await newAccount(server);
    const clock = stopClock(server);
    const ask = async (email: string) => {
      const statuses = [];
      for (let round = 0; round < 3; round += 1) {
        for (let time = 0; time < 2; time += 1) statuses.push(summarize(await signUp(server, email)));
        clock.advance(61);
      }
      return statuses.map(({ status, wait, body }) => (status === 200 ? { status } : { status, wait, body }));
    };
    const answers = await ask(known);
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 429, 429, 429]);
    clock.advance(7200);
    expect(await ask(NOBODY)).toEqual(answers);
  });

  itSlow('do not keep a new person from signing up because somebody asked for mails to the address', async () => {
    const server = await start();
    const email = server.newEmail();
    await post(server, '/resend', { type: 'signup', email });
    await recover(server, email);
    expect((await signUp(server, email)).status).toBe(200);
    const { otp } = await server.mailbox.read(email);
    expect((await post(server, '/verify', { type: 'signup', email, token: otp })).status).toBe(200);
    // What was asked for before is over with the confirmation.
    expect((await recover(server, email)).status).toBe(200);
    await server.mailbox.read(email);
  });
});
