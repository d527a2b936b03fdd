import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { noteBackup } from '../../src/backup/note-backup.js';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { findAlarms } from '../../src/overview/alarms.js';
import { MarksService } from '../../src/marks/marks.service.js';
import { Clock } from '../../src/shared/clock.js';
import { PASSWORD, startAuthServer } from '../support/auth-server.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { mintFromUserId, queueMail } from '../support/mail-jobs.js';
import { enrollTotp, signInAs } from '../support/second-factor.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

const YEARS_MS = 10 * 365 * 24 * 3_600_000;

/** Lets the application live ten years ahead, and then with everybody else again. */
function jump(app: Pick<TestApp, 'get'>) {
  const set = (aheadMs: number) => void (app.get(Clock).now = () => new Date(Date.now() + aheadMs));
  return { ahead: () => set(YEARS_MS), back: () => set(0) };
}

async function query(url: string | undefined, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a clock that was ten years ahead and is set back', () => {
  it('leaves no visitor locked out of the contact form', async () => {
    const app = await createTestApp({ CONTACT_RATE_LIMIT_ADDRESS: '1' });
    const clock = jump(app);
    const send = async () => (await sendEnquiry(app, buildEnquiry({ email: 'sam@example.org' }))).statusCode;
    clock.ahead();
    expect([await send(), await send()]).toEqual([200, 429]);
    clock.back();
    // The limit counts from now on, as ever.
    expect([await send(), await send()]).toEqual([200, 429]);
  });

  itSlow('leaves no account locked, and lets people ask for mails', async () => {
    const server = await startAuthServer({ AUTH_GUESSES_PASSWORD: '2', AUTH_GUESSES_PAUSE: '0' }, 'default');
    const clock = jump(server.app);
    const email = await server.newPerson();
    const guess = async (password: string) =>
      (await server.call('/token?grant_type=password', { method: 'POST', body: { email, password } })).status;
    const recover = async () => (await server.call('/recover', { method: 'POST', body: { email } })).status;
    clock.ahead();
    expect([await guess('wrong'), await guess('wrong'), await guess(PASSWORD)]).toEqual([400, 400, 429]);
    expect([await recover(), await recover()]).toEqual([200, 429]);
    clock.back();
    expect(await guess(PASSWORD)).toBe(200);
    expect([await guess('wrong'), await guess('wrong'), await guess(PASSWORD)]).toEqual([400, 400, 429]);
    expect([await recover(), await recover()]).toEqual([200, 429]);
  });

  it('leaves no mailed link or code good for years', async () => {
    const server = await startAuthServer();
    const clock = jump(server.app);
    const email = await server.newPerson();
    const verify = async (body: object) => {
      const answer = await server.call('/verify', { method: 'POST', body: { type: 'magiclink', ...body } });
      return answer.body['code'] ?? answer.status;
    };
    const ask = async () => {
      await server.call('/otp', { method: 'POST', body: { email } });
      const { otp, query } = await server.mailbox.read(email);
      return [{ email, token: otp }, { token_hash: query.get('token_hash') }];
    };
    clock.ahead();
    const asked = await ask();
    clock.back();
    for (const way of asked) expect(await verify(way)).toBe('otp_expired');
    const [code = {}] = await ask();
    expect(await verify(code)).toBe(200);
  });

  itSlow('leaves nobody without the name for an authenticator app that was begun to be added', async () => {
    const server = await startAuthServer();
    const clock = jump(server.app);
    const email = await server.newPerson();
    clock.ahead();
    await enrollTotp(server, await signInAs(server, email), 'app');
    clock.back();
    const client = await signInAs(server, email);
    expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })).error).toBeNull();
    // The one that has just been begun is there.
    expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })).error).toMatchObject({
      code: 'mfa_factor_name_conflict',
    });
  });

  itSlow(
    'delivers what waits, takes over what a dead process had begun, and keeps plans that were made in time',
    async () => {
      const sink = await startSmtpSink();
      const url = await cloneDatabase();
      const before = await createTestApp({ SMTP_URL: sink.url, DATABASE_URL: url });
      mintFromUserId(before);
      await sink.stop();
      for (const name of ['retried', 'begun', 'new', 'planned']) await queueMail(before, `${name}@example.com`);
      await until(async () => (await query(url, "select 1 from pgboss.job where state = 'retry'")).length === 4);
      await before.close();
      const change = (name: string, set: string) =>
        query(url, `update pgboss.job set ${set} where data->>'userId' = '${name}@example.com'`);
      const then = "now() + interval '10 years'";
      await change('retried', `start_after = ${then}, created_on = ${then}`);
      await change('begun', `state = 'active', started_on = ${then}, heartbeat_on = ${then}, heartbeat_seconds = 1`);
      await change('new', `state = 'created', start_after = ${then}, created_on = ${then}, started_on = null`);
      await change('planned', `state = 'created', start_after = ${then}, started_on = null`);
      await query(
        url,
        `update pgboss.queue set monitor_claim_on = ${then}, maintain_on = ${then}, monitor_on = ${then}`,
      );
      await query(url, `update pgboss.version set monitor_backoff_on = ${then}`);
      await sink.start();
      const after = await createTestApp({ SMTP_URL: sink.url, DATABASE_URL: url });
      mintFromUserId(after);
      for (const name of ['retried', 'begun', 'new']) await sink.mailTo(`${name}@example.com`);
      expect(
        await query(
          url,
          `select data->>'userId' as "to", start_after > now() + interval '9 years' as far from pgboss.job where state = 'created'`,
        ),
      ).toEqual([{ to: 'planned@example.com', far: true }]);
      expect(
        await query(url, 'select 1 from pgboss.queue where greatest(maintain_on, monitor_claim_on) > now()'),
      ).toEqual([]);
    },
  );

  itSlow('does not keep the alarm of missing backups quiet', async () => {
    const app = await createTestApp({ BACKUP_WARN_DAYS: '2' });
    const { DATABASE_URL: url = '' } = app.environment;
    const look = async () => {
      const findings = await new DoctorService({ config: app.config, problems: [] }).examine(new Set(['backup']));
      const [alarm] = findAlarms(findings, { now: new Date(), machine: 'web-1' });
      return { level: findings[0]?.level, message: findings[0]?.message, isOn: alarm?.isOn, text: alarm?.text };
    };
    const then = new Date(Date.now() + YEARS_MS);
    const folder = join(app.config.dataDir, 'backups');
    const file = (name: string, at: Date) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), at, at);
    };
    await noteBackup(url, then.toISOString());
    file('backup-ahead.tar', then);
    expect(await look()).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('a clock was wrong'),
      isOn: true,
      text: `The last backup is dated ${then.toISOString().slice(0, 10)}, so nobody knows how old it is.`,
    });
    // What is known besides counts.
    file('backup-old.tar', new Date(Date.now() - 5 * 24 * 3_600_000));
    expect(await look()).toMatchObject({ level: 'warn', message: 'the last one is 5 days old', isOn: true });
    // The next one ends it, though a later one was noted.
    await noteBackup(url, new Date().toISOString());
    expect(await look()).toMatchObject({ level: 'ok', message: 'the last one is 0 days old', isOn: false });
    expect(await query(url, "select at > now() as ahead from site_marks where name = 'backup.made'")).toEqual([
      { ahead: false },
    ]);
  });

  it('does not keep an alarm on for a machine that has gone', async () => {
    const app = await createTestApp();
    const marks = app.get(MarksService);
    const em = app.get(EntityManager).fork();
    const now = new Date();
    await em.transactional(async (tx) => {
      await marks.keep(tx, 'seen.mail.web-1', new Date(now.getTime() + YEARS_MS));
      await marks.keep(tx, 'seen.mail.web-2', now);
      expect(await marks.countSince(tx, 'seen.mail.', new Date(now.getTime() - 60_000), now)).toBe(1);
    });
  });
});
