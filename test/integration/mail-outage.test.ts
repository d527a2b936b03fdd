import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.js';
import { createAppContext } from '../../src/server/create-app.js';
import { MailService } from '../../src/mail/mail.service.js';
import { CompanyService } from '../../src/settings/company.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { cloneDatabase } from '../support/database.js';
import { buildMailJob, mintFromUserId, queueMail } from '../support/mail-jobs.js';
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

  it('gets the same mail again when it put it off: same Message-ID, and the minter is told so', async () => {
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

  it('that hangs does not keep a process from stopping, and another process sends the mail', async () => {
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
  it('leaves it to another one', async () => {
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
