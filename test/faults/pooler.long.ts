import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { runCli } from '../support/cli.js';
import { cloneDatabase, createEmptyDatabase } from '../support/database.js';
import { openDatabaseGate } from '../support/database-gate.js';
import { buildEnquiry } from '../support/enquiries.js';
import { testEnvironment, type Variables } from '../support/environment.js';
import { describeFault, type Harm } from '../support/fault-scenario.js';
import { withClient } from '../support/installation.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { startServer } from '../support/process.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const EMAIL = 'ada@company.test';
const PASSWORD = 'correct horse 7';

/** Asks the API, and remembers what went wrong. */
function createAsk(harms: Harm[]) {
  return async <T>(url: string, body: object, token?: string): Promise<T> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) harms.push(`${new URL(url).pathname} was answered ${answer.status}: ${text}`);
    return (answer.ok ? JSON.parse(text) : {}) as T;
  };
}

async function runAll(commands: readonly (readonly string[])[], environment: Variables, harms: Harm[]): Promise<void> {
  for (const command of commands) {
    const { code, stderr } = await runCli(command, environment, `${PASSWORD}\n`);
    if (code !== 0) harms.push(`${command.join(' ')} ended with ${code}: ${stderr}`);
  }
}

describeFault('a pooler by transactions in front of the database', {
  protection: 'DATABASE_DIRECT_URL',
  run: async (isProtected) => {
    const harms: Harm[] = [];
    const sink = await startSmtpSink();
    const direct = await createEmptyDatabase();
    const pooled = await startPgBouncer(direct);
    const environment: Variables = {
      ...testEnvironment({ databaseUrl: pooled, dataDir: temporaryFolder() }, { SMTP_URL: sink.url }),
      ...(isProtected ? { DATABASE_DIRECT_URL: direct } : {}),
    };
    const backup = join(temporaryFolder(), 'site.tar');
    await runAll(
      [
        ['db', 'migrate'],
        ['db', 'status'],
        ['users', 'create', EMAIL, '--admin'],
      ],
      environment,
      harms,
    );
    const left = await withClient(direct, (client) =>
      client.query(
        `select from pg_locks where locktype = 'advisory' and objid = ${ADVISORY_LOCKS.migration}
           and database = (select oid from pg_database where datname = current_database())`,
      ),
    );
    if (left.rowCount !== 0) harms.push('the lock of the migrations is held by a connection that others are lent');
    if (!isProtected) return harms;

    const [one, other] = [await startServer(environment), await startServer(environment)];
    const ask = createAsk(harms);
    const session = await ask<{ access_token: string; refresh_token: string }>(
      `${one.url}/auth/v1/token?grant_type=password`,
      { email: EMAIL, password: PASSWORD },
    );
    const { refresh_token } = session;
    await ask(`${other.url}/auth/v1/token?grant_type=refresh_token`, { refresh_token });
    // Kept by the other one, until it hears of the post.
    const list = async () => (await fetch(`${other.url}/blogs`)).text();
    if ((await list()).includes('A pooled post')) harms.push('the post was there before it was written');
    const writes = Array.from({ length: 20 }, (_, index) =>
      ask(
        `${one.url}/api/admin/posts`,
        {
          title: `A pooled post ${index}`,
          slug: `pooled-${index}`,
          content: '<p>Text.</p>',
          author: 'Ada',
          is_published: true,
        },
        session.access_token,
      ),
    );
    await Promise.all(writes);
    if (harms.length > 0) return harms;
    await until(async () => (await list()).includes('A pooled post'));
    await ask(`${one.url}/api/contact`, { name: 'Pat', email: 'pat@client.test', message: 'Through the pooler.' });
    await until(() => sink.mails.some(({ text }) => text.includes('Through the pooler.')));
    await runAll(
      [
        ['backup', 'create', backup],
        ['backup', 'verify', backup, '--restore-test'],
        ['backup', 'restore', backup, '--yes', '--no-safety-backup'],
        ['doctor'],
        ['db', 'migrate'],
      ],
      environment,
      harms,
    );
    if (!(await list()).includes('A pooled post')) harms.push('the restored post is not shown');
    for (const server of [one, other]) {
      const { code } = await server.stop();
      if (code !== 0) harms.push(`a server ended with ${code}`);
    }
    return harms;
  },
});

/** Connecting, or a statement, and what the machine is busy with besides. */
const PATIENCE_MS = 8_000;

it('limits hold through it: a table that is locked, and a database that falls silent', async () => {
  const direct = await cloneDatabase();
  const gate = await openDatabaseGate(direct);
  const free = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' };
  const server = await startServer({
    ...testEnvironment({ databaseUrl: await startPgBouncer(gate.url), dataDir: temporaryFolder() }, free),
    DATABASE_DIRECT_URL: direct,
  });
  const told = async (path: string, body?: object) => {
    const begunAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const answer = await fetch(server.url + path, init);
    const text = await answer.text();
    const isInTime = performance.now() - begunAt < PATIENCE_MS;
    return { status: answer.status, isInTime, isNamed: text.includes('database_unavailable') };
  };
  const enquire = () => told('/api/contact', buildEnquiry());
  const list = () => told('/api/posts');
  const works = { status: 200, isInTime: true, isNamed: false };
  const away = { status: 503, isInTime: true, isNamed: true };
  expect(await Promise.all([enquire(), list(), told('/blogs')])).toEqual([works, works, works]);

  await withClient(direct, async (client) => {
    await client.query('begin');
    await client.query('lock table enquiries in access exclusive mode');
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([enquire(), enquire(), list(), list(), told('/blogs')]);
      expect(answers).toEqual([away, away, works, works, works]);
    }
    await client.query('rollback');
  });
  expect(await enquire()).toEqual(works);

  for (let round = 0; round < 2; round += 1) {
    gate.silence();
    const answers = await Promise.all([enquire(), enquire(), enquire(), list(), list(), told('/blogs')]);
    expect(answers).toEqual([away, away, away, away, away, works]);
    await gate.open();
    await until(async () => (await enquire()).status === 200);
    // More at once than the pool has connections: each of them is back.
    const after = await Promise.all(Array.from({ length: 12 }, list));
    expect(after).toEqual(Array.from({ length: 12 }, () => works));
  }
  expect(await server.stop()).toMatchObject({ code: 0 });
});
