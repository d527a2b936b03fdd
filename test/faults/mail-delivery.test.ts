import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { onCleanup } from '../support/cleanup.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment } from '../support/environment.js';
import { startServer } from '../support/process.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

describe('a server that is killed with mails in its hands', () => {
  it('has sent each of them once when it is back, or again as the same mail where nobody heard that it was taken', async () => {
    const sink = await startSmtpSink();
    const databaseUrl = await cloneDatabase();
    const environment = testEnvironment({ databaseUrl, dataDir: temporaryFolder() }, { SMTP_URL: sink.url });
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    onCleanup(() => database.end());
    const [lost, unheard, waiting] = ['lost@example.com', 'unheard@example.com', 'waiting@example.com'] as const;

    sink.behave('hang');
    const first = await startServer(environment);
    const signUp = async (email: string) => {
      const body = JSON.stringify({ email, password: 'correct horse 7' });
      const answer = await fetch(`${first.url}/auth/v1/signup`, { method: 'POST', body });
      expect(answer.status).toBe(200);
    };
    await Promise.all([lost, unheard].map(signUp));
    await until(() => sink.offeredIds.length === 2);
    // A process has two mails in its hands at most.
    await signUp(waiting);
    await first.stop('SIGKILL');

    // One mail was never taken; the other was, but there was nobody left to hear of it.
    sink.behave('postpone', lost);
    sink.behave('accept', unheard);
    expect(await sink.mailTo(unheard)).toMatchObject({ to: [unheard] });
    sink.behave('accept', lost);
    sink.behave('accept');
    // The others wait for ten seconds before they take a silent process for dead.
    await database.query("update pgboss.job set heartbeat_on = now() - interval '1h' where state = 'active'");
    const second = await startServer(environment);
    const delivered = async () =>
      (await database.query("select from pgboss.job where state <> 'completed'")).rowCount === 0;
    await until(delivered);
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });

    const mailsTo = (address: string) => sink.mails.filter(({ to }) => to.includes(address));
    expect(mailsTo(lost)).toHaveLength(1);
    expect(mailsTo(waiting)).toHaveLength(1);
    const [before, again, ...more] = mailsTo(unheard);
    expect(more).toEqual([]);
    expect(again).toMatchObject({ messageId: before!.messageId, code: before!.code, link: before!.link });
    // Every attempt at a mail had the same name, by which mail servers know it.
    expect(sink.offeredIds).toHaveLength(5);
    expect(new Set(sink.offeredIds).size).toBe(3);
  });
});
