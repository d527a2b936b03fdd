import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { AuditService } from '../../src/audit/audit.service.js';
import { EnquiriesService } from '../../src/contact/enquiries.service.js';
import { PrivacyService } from '../../src/privacy/privacy.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { createAccount, signIn } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildEnquiry, sendEnquiry, storedFrom } from '../support/enquiries.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { until, untilEqual } from '../support/until.js';

const NO_LIMITS = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' };

describe('limits and acknowledgements', () => {
  let limited: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    const settings = { CONTACT_RATE_LIMIT_ADDRESS: '3', CONTACT_RATE_LIMIT_OVERALL: '5', CONTACT_ACKNOWLEDGE: 'true' };
    limited = await createTestApp({ ...settings, AUTH_IP_HEADER: 'x-client' });
    const { DATABASE_URL, DATA_DIR } = limited.environment;
    other = await createTestApp({
      ...settings,
      AUTH_IP_HEADER: 'x-client',
      DATABASE_URL: DATABASE_URL!,
      DATA_DIR: DATA_DIR!,
    });
  });

  it('count in all processes together, per address and in all', async () => {
    const statuses: number[] = [];
    const send = async (to: TestApp, ip: string) =>
      statuses.push((await sendEnquiry(to, buildEnquiry({ email: 'sam@example.org' }), { 'x-client': ip })).statusCode);
    for (const to of [limited, other, limited, other]) await send(to, '192.0.2.1');
    expect(statuses.splice(0)).toEqual([200, 200, 200, 429]);
    for (const ip of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) await send(other, ip);
    expect(statuses).toEqual([200, 200, 429]);
    const refusal = await sendEnquiry(other, buildEnquiry(), { 'x-client': '192.0.2.5' });
    expect(refusal.json()).toMatchObject({
      code: 'over_enquiry_limit',
      message: 'Too many messages were sent. Please try again in a while, or call (555) 010-0100.',
    });
  });

  it('count a household as one sender, with all its addresses of IPv6', async () => {
    const site = await createTestApp({ CONTACT_RATE_LIMIT_ADDRESS: '3', AUTH_IP_HEADER: 'x-client' });
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:DB8:1:2:0:0:0:3', '2001:db8:1:2::4'];
    const statuses = [];
    for (const address of [...addresses, '2001:db8:1:3::1']) {
      statuses.push((await sendEnquiry(site, buildEnquiry(), { 'x-client': address })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
  });

  it('tell whoever wrote once, without a word of what was written', async () => {
    const folder = join(limited.config.dataDir, 'mail');
    const read = async () => {
      const names = (await readdir(folder)).filter((name) => /^[^.].*\.json$/.test(name));
      return await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    };
    // Five enquiries, and one acknowledgement for the same person.
    await until(async () => (await read()).length === 6);
    const [told, ...others] = (await read()).filter((mail) => mail.includes('"to":"sam@example.org"'));
    expect(others).toEqual([]);
    expect(told).toContain('has your message');
    expect(told).not.toMatch(/Pat Doe|Printer/);
  });

  itSlow('tell nobody any more whose message was marked as spam meanwhile, or once they are off', async () => {
    const sink = await startSmtpSink();
    const settings = { SMTP_URL: sink.url, CONTACT_TO: 'office@example.com', ...NO_LIMITS };
    const site = await createTestApp({ ...settings, CONTACT_ACKNOWLEDGE: 'true' });
    const name = 'mail-acknowledgements';
    /** True once one was refused; its next attempt is put off, or it might be under way when the test goes on. */
    const isPutOff = async () => {
      const later = `update pgboss.job set start_after = now() + interval '1 hour' where name = ? and state = 'retry'`;
      return (await site.get(EntityManager).fork().execute(`${later} returning id`, [name])).length > 0;
    };
    const findWaiting = async (at: TestApp) => {
      const em = at.get(EntityManager).fork();
      await em.execute(`update pgboss.job set start_after = now() where name = ? and state = 'retry'`, [name]);
      const waiting = `select id from pgboss.job where name = ? and state in ('created', 'retry', 'active')`;
      return await em.execute<object[]>(waiting, [name]);
    };
    const [spam, late] = [buildEnquiry(), buildEnquiry()];
    for (const { email } of [spam, late]) sink.behave('greylist', email);
    await sendEnquiry(site, spam);
    await until(isPutOff);
    const { id } = (await storedFrom(site, spam.email))!;
    const { version } = await site.get(EnquiriesService).find(OPERATOR, id);
    await site.get(EnquiriesService).update(OPERATOR, id, { version, state: 'spam' });
    sink.behave('accept', spam.email);
    await untilEqual(() => findWaiting(site), []);
    await sendEnquiry(site, late);
    await until(isPutOff);
    const { DATABASE_URL, DATA_DIR } = site.environment;
    await site.close();
    sink.behave('accept', late.email);
    const silent = await createTestApp({ ...settings, DATABASE_URL: DATABASE_URL!, DATA_DIR: DATA_DIR! });
    await untilEqual(() => findWaiting(silent), []);
    const health = async () => (await silent.inject('/api/health/details')).json<{ mail: object }>().mail;
    await untilEqual(health, { oldest_undelivered_seconds: null });
    expect(sink.mails.filter(({ to }) => [spam.email, late.email].includes(to[0] ?? ''))).toEqual([]);
  });

  it('leave no captured mail of an enquiry that is erased once its jobs are forgotten', async () => {
    const site = await createTestApp({ ...NO_LIMITS, CONTACT_ACKNOWLEDGE: 'true' });
    const read = async () => (await readdir(join(site.config.dataDir, 'mail'))).filter((name) => !name.startsWith('.'));
    const enquiry = buildEnquiry();
    await sendEnquiry(site, enquiry);
    // The one to the office and the acknowledgement, in two files each.
    await until(async () => (await read()).length === 4);
    const done = `delete from pgboss.job where name = 'mail-acknowledgements' and state = 'completed' returning id`;
    await until(async () => (await site.get(EntityManager).fork().execute<object[]>(done)).length === 1);
    const { id } = (await storedFrom(site, enquiry.email))!;
    await site.get(EnquiriesService).erase(OPERATOR, id);
    expect(await read()).toEqual([]);
  });

  it('leave nothing of a person who wants to be forgotten', async () => {
    const privacy = limited.get(PrivacyService);
    const user = await createAccount(limited, { email: 'sam@example.org' });
    await signIn(limited, user);
    const actor = { kind: 'user', userId: user.id } as const;
    const event = { action: 'role.granted', subjectType: 'user' } as const;
    await limited
      .get(EntityManager)
      .fork()
      .transactional(async (inner) => {
        const audit = limited.get(AuditService);
        await audit.record(inner, OPERATOR, { ...event, subjectId: user.id, subject: 'sam@example.org' });
        await audit.record(inner, actor, { ...event, subjectId: 'another', subject: 'lee@example.org' });
      });
    const em = limited.get(EntityManager).fork();
    const tables = await em.execute<{ name: string }[]>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const findTraces = async () => {
      // Who knows an address knows its hash.
      const hash = createHash('sha256').update('sam@example.org').digest('hex');
      const words = ['%sam@example.org%', `%${hash}%`, `%${user.id}%`, ...ids.map((id) => `%${id}%`)];
      const found: string[] = [];
      for (const { name } of tables) {
        const condition = words.map(() => 't::text ilike ?').join(' or ');
        const rows = await em.execute(`select 1 from ${name} t where ${condition}`, words);
        if (rows.length > 0) found.push(name);
      }
      const files = await readdir(join(limited.config.dataDir, 'mail'));
      const texts = await Promise.all(
        files.map((file) => readFile(join(limited.config.dataDir, 'mail', file), 'utf8')),
      );
      return [...found, ...texts.filter((text) => text.includes('sam@example.org')).map(() => 'mail')];
    };
    const data = await privacy.export(OPERATOR, 'Sam@Example.org');
    const ids = data.enquiries.map(({ id }) => id);
    expect(data.accounts).toMatchObject([{ id: user.id, email: 'sam@example.org', sessions: [{}] }]);
    expect(data).toMatchObject({ enquiries: { length: 5 }, captured_mails: { length: 6 } });
    expect(data.audit).toMatchObject([{ action: 'role.granted', is_actor: false }, { is_actor: true }]);
    expect(JSON.stringify(data)).not.toMatch(/hash/);
    expect(await findTraces()).toEqual(
      expect.arrayContaining(['auth.users', 'auth.sessions', 'public.enquiries', 'public.audit_log', 'mail']),
    );
    expect(await privacy.erase(OPERATOR, 'Sam@Example.org')).toEqual({
      accounts: 1,
      enquiries: 5,
      capturedMails: 6,
      claimedIdentities: 0,
    });
    expect(await findTraces()).toEqual([]);
    // Who did it is no secret, and no part of the person.
    const lines = await em.execute<{ who: string }[]>(
      "select actor_kind as who from audit_log where action = 'enquiry.erased'",
    );
    expect(lines.map(({ who }) => who)).toEqual(Array(5).fill('operator'));
  });
});
