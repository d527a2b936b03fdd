import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.js';
import { createAppContext } from '../../src/server/create-app.js';
import { DoctorService } from '../../src/doctor/doctor.service.js';
import { findAlarms } from '../../src/overview/alarms.js';
import { MailService } from '../../src/mail/mail.service.js';
import { CompanyService } from '../../src/settings/company.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { buildEnquiry, sendEnquiry } from '../support/enquiries.js';
import { buildMailJob, mintFromUserId, queueMail } from '../support/mail-jobs.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

let sink: SmtpSink;
let app: TestApp;
let jobIds: readonly string[];

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url });
});
beforeEach(() => {
  ({ jobIds } = mintFromUserId(app));
});

/** The states of all jobs of an application's database, which may be closed. */
async function statesOf({ environment }: TestApp): Promise<string[]> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<{ state: string }>('select state from pgboss.job');
  await client.end();
  return rows.map(({ state }) => state);
}

describe('a mail server in trouble', () => {
  it('gets the mail when it is there again', async () => {
    await sink.stop();
    await queueMail(app, 'later@example.com');
    await until(() => jobIds.length > 0);
    await sink.start();
    expect(await sink.mailTo('later@example.com')).toMatchObject({ to: ['later@example.com'] });
  });

  itSlow('gets the same mail again when it put it off: same Message-ID, and the minter is told so', async () => {
    sink.behave('postpone');
    const before = sink.offeredIds.length;
    await queueMail(app, 'postponed@example.com');
    await until(() => sink.offeredIds.length > before);
    // Mails are from another address from now on, and this one is the same mail still.
    await app.get(CompanyService).publish(OPERATOR, { email: 'office@elsewhere.company' });
    sink.behave('accept');
    const { messageId, from } = await sink.mailTo('postponed@example.com');
    expect(from).toBe('office@elsewhere.company');
    expect(new Set(sink.offeredIds.slice(before))).toEqual(new Set([messageId]));
    expect(new Set(jobIds).size).toBe(1);
    expect(messageId).toBe(`<${jobIds[0]}@site.test>`);
  });

  it('that is slow is waited for when the process stops, so that the mail goes out once', async () => {
    const slow = await createTestApp({ SMTP_URL: sink.url });
    mintFromUserId(slow);
    sink.behave('hang');
    const before = sink.offeredIds.length;
    await queueMail(slow, 'slow@example.com');
    await until(() => sink.offeredIds.length > before);
    const closing = slow.close();
    // As long as the mail server thinks, the job stays in these hands.
    for (let look = 0; look < 3; look += 1) expect(await statesOf(slow)).toEqual(['active']);
    sink.behave('accept');
    await closing;
    expect(sink.mails.at(-1)).toMatchObject({ to: ['slow@example.com'] });
    expect(await statesOf(slow)).toEqual(['completed']);
  });

  itSlow('that hangs does not keep a process from stopping, and another process sends the mail', async () => {
    sink.behave('hang');
    const before = sink.offeredIds.length;
    await queueMail(app, 'hanging@example.com');
    await until(() => sink.offeredIds.length > before);
    const successor = await createTestApp({ SMTP_URL: sink.url, DATABASE_URL: app.environment.DATABASE_URL });
    mintFromUserId(successor);
    await app.close();
    // Whoever looks after the mail server starts it anew, and what it hung on is gone.
    await sink.stop();
    sink.behave('accept');
    await sink.start();
    const { messageId } = await sink.mailTo('hanging@example.com');
    // Twice, or three times when the successor tried before the mail server was started anew.
    const offered = sink.offeredIds.slice(before);
    expect(offered.length).toBeGreaterThan(1);
    expect(new Set(offered)).toEqual(new Set([messageId]));
    expect(sink.mails.filter(({ to }) => to.includes('hanging@example.com'))).toHaveLength(1);
  });
});

describe('a process that dies with a job in its hands', () => {
  itSlow('leaves it to another one', async () => {
    const environment = { SMTP_URL: sink.url, DATABASE_URL: await cloneDatabase() };
    const commandLine = await createAppContext(loadConfig({ ...app.environment, ...environment }));
    onCleanup(() => commandLine.close());
    const em = commandLine.app.get(EntityManager, { strict: false }).fork();
    const mails = commandLine.app.get(MailService, { strict: false });
    // Only servers deliver: the command line queues, and the job stays where it is.
    await em.transactional((inner) => mails.enqueue(inner, buildMailJob({ userId: 'orphan@example.com' })));
    await em.execute(
      "update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1h'",
    );
    const successor = await createTestApp(environment);
    mintFromUserId(successor);
    expect(await sink.mailTo('orphan@example.com')).toMatchObject({ to: ['orphan@example.com'] });
  });
});

describe('the alarm of mail that cannot be delivered', () => {
  let site: TestApp;

  const execute = (sql: string, values: unknown[] = []) =>
    site.get(EntityManager).fork().execute<{ state: string }[]>(sql, values);

  /** Queues a mail, waits until it was tried, and makes it an hour old. */
  async function leave(address: string): Promise<void> {
    await queueMail(site, address);
    await age(`data->>'userId' = '${address}'`);
  }

  async function age(condition: string): Promise<void> {
    const tried = `select 1 from pgboss.job where ${condition} and output is not null`;
    await until(async () => (await execute(tried)).length > 0);
    await execute(`update pgboss.job set created_on = now() - interval '1 hour' where ${condition}`);
  }

  async function look() {
    const findings = await new DoctorService({ config: site.config, problems: [] }).examine(new Set(['mail', 'queue']));
    const [alarm] = findAlarms(findings, { now: new Date(), machine: 'web-1' });
    return alarm?.isOn === true ? alarm.text : null;
  }

  beforeEach(async () => {
    sink.behave('accept');
    site = await createTestApp({ SMTP_URL: sink.url, SITE_EMAIL: 'desk@it.company' });
    mintFromUserId(site);
  });

  itSlow('is quiet while one recipient is put off, whatever is sent besides', async () => {
    sink.behave('greylist', 'ada@grey.example');
    sink.behave('greylist', 'eve@grey.example');
    await leave('ada@grey.example');
    expect(await look()).toBeNull();
    await leave('eve@grey.example');
    expect(await look()).toBeNull();
    // For days: that is no failure of the site either.
    await execute(`update pgboss.job set created_on = now() - interval '2 days'`);
    const [queue] = await new DoctorService({ config: site.config, problems: [] }).examine(new Set(['queue']));
    expect(queue).toMatchObject({
      level: 'warn',
      message: '2 put off by the servers of their recipients, the oldest for 2 days',
    });
    // Two who have nothing to do with each other are put off: then it may be us. It is not where others are served.
    sink.behave('greylist', 'sam@other.example');
    await leave('sam@other.example');
    expect(await look()).toBe('Mail cannot be delivered.');
    await queueMail(site, 'served@example.com');
    await sink.mailTo('served@example.com');
    await until(async () => (await look()) === null);
  });

  it('speaks when the server takes no mail, though it took some before', async () => {
    await queueMail(site, 'before@example.com');
    await sink.mailTo('before@example.com');
    await until(async () => (await execute(`select 1 from pgboss.job where state = 'completed'`)).length > 0);
    sink.behave('postpone');
    await leave('late@example.com');
    // One mail that it does not like, as far as anybody can tell.
    expect(await look()).toBeNull();
    await execute(`update pgboss.job set completed_on = now() - interval '31 minutes' where state = 'completed'`);
    expect(await look()).toBe('Mail cannot be delivered.');
    sink.behave('accept');
  });

  it('speaks when the server takes no mail of this site, which it says of each recipient', async () => {
    sink.behave('deny');
    await leave('denied@example.com');
    expect(await look()).toBe('Mail cannot be delivered.');
    sink.behave('accept');
  });

  itSlow('speaks when enquiries do not arrive in the office, though other mail goes out', async () => {
    sink.behave('greylist', 'desk@it.company');
    await sendEnquiry(site, buildEnquiry());
    await age(`name = 'mail-enquiries'`);
    await queueMail(site, 'other@example.com');
    await sink.mailTo('other@example.com');
    expect(await look()).toBe('Enquiries cannot be delivered to the address for enquiries.');
    sink.behave('accept', 'desk@it.company');
    await sink.mailTo('desk@it.company');
    await until(async () => (await look()) === null);
  });
});
