import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.js';
import { ConnectionPool } from '../../src/database/pool/connection-pool.js';
import { DATABASE_CONNECT_MS } from '../../src/config/time-limits.js';
import {
  findBudget,
  JOB_LIMITS,
  REQUEST_LIMITS,
  withDatabaseLimits,
  withTimeForLargeChange,
} from '../../src/database/pool/database-limits.js';
import { READ_LIMIT_MS, ServerPageServices } from '../../src/pages/page-services.js';
import { createAppContext } from '../../src/server/create-app.js';
import { paths } from '../../src/shared/paths.js';
import { onCleanup } from '../support/cleanup.js';
import { createAccount } from '../support/accounts.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { createPosts } from '../support/factories.js';
import { openDatabaseGate, type DatabaseGate } from '../support/database-gate.js';
import { cloneDatabase } from '../support/database.js';
import { buildEnquiry, sendEnquiry, storedEnquiries, storedFrom } from '../support/enquiries.js';
import { withClient } from '../support/installation.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { until } from '../support/until.js';

const WRITERS = 16;
const WORDS_FOR_VISITORS = /We couldn’t take your message just now\. .* call \S.*, or write to \S+@\S+\./;
const WITHOUT_LIMITS = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' };

let databaseUrl: string;
let gate: DatabaseGate;
let app: TestApp;

beforeAll(async () => {
  databaseUrl = await cloneDatabase();
  gate = await openDatabaseGate(databaseUrl);
  app = await createTestApp({ DATABASE_URL: gate.url, ...WITHOUT_LIMITS });
  Object.assign(app.get(ConnectionPool), { requestLimits: REQUEST_LIMITS, connectMs: DATABASE_CONNECT_MS });
  app.get(ServerPageServices).readLimitMs = READ_LIMIT_MS;
  // Starts what starts with the first enquiry.
  expect((await sendEnquiry(app, buildEnquiry())).statusCode).toBe(200);
});

/** Ends all connections of the application, as a restart of the database does. */
function endConnections(): Promise<unknown> {
  const sql = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> $1';
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query(sql, [rows[0]?.pid]);
  });
}

/** Every connection is back or gone, and nobody waits for one. */
async function expectWholePool(): Promise<void> {
  const pool = app.get(ConnectionPool);
  await until(() => {
    const { total, idle, lent, waiting } = pool.figures();
    return lent === 0 && waiting === 0 && total === idle;
  });
  // As many can work at once as before.
  const em = app.get(EntityManager);
  await Promise.all(Array.from({ length: 12 }, () => em.fork().transactional((inner) => inner.execute('select 1'))));
}

/** Writes until told to stop. @returns the addresses of the enquiries that were acknowledged */
function startWriters(): { stop(): Promise<string[]>; readonly count: () => number } {
  const acknowledged: string[] = [];
  const state = { isRunning: true };
  const write = async () => {
    while (state.isRunning) {
      const enquiry = buildEnquiry();
      const { statusCode } = await sendEnquiry(app, enquiry);
      if (statusCode === 200) acknowledged.push(enquiry.email);
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  return {
    count: () => acknowledged.length,
    stop: async () => {
      state.isRunning = false;
      await Promise.all(writers);
      return acknowledged;
    },
  };
}

describe('a database that ends every connection while people write', () => {
  it('gets all of them back, and has everything that was acknowledged', async () => {
    const writers = startWriters();
    for (const _round of fewOf([1, 2, 3, 4, 5], (round) => round < 3)) {
      const before = writers.count();
      await until(() => writers.count() > before);
      await endConnections();
    }
    const after = writers.count();
    await until(() => writers.count() > after);
    const acknowledged = await writers.stop();
    await expectWholePool();
    const stored = new Set((await storedEnquiries(app)).map(({ email }) => email));
    expect(acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  });

  it.each(['begins', 'is about to commit'])('does not keep the connection of a transaction that %s', async (when) => {
    const em = app.get(EntityManager);
    const isFirst = when === 'begins';
    for (let round = 0; round < 12; round += 1) {
      if (isFirst) await em.fork().execute('select 1');
      const transaction = em.fork().transactional(async (inner) => {
        await inner.execute('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        if (isFirst) throw new Error('lost');
      });
      await expect(transaction).rejects.toThrow();
    }
    await expectWholePool();
  });
});

describe('a database that is silent', () => {
  itSlow('is named in the answer, and connections that hang do not stay in the pool', async () => {
    gate.silence();
    const enquiries = Array.from({ length: 6 }, () => buildEnquiry());
    const answers = await Promise.all(enquiries.map((enquiry) => sendEnquiry(app, enquiry)));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(503);
      const message: unknown = expect.stringMatching(WORDS_FOR_VISITORS);
      expect(answer.json()).toMatchObject({ code: 'database_unavailable', message });
      expect(answer.headers['retry-after']).toBe('5');
    }
    const token = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email: 'somebody@example.com', password: 'not important' },
    });
    expect(token.statusCode).toBe(503);
    expect(token.json()).toMatchObject({ error_code: 'database_unavailable' });
    expect(token.headers['retry-after']).toBe('5');
    // What hangs now is cut off, so that nobody waits for its answer.
    await gate.close();
    await gate.open();
    const { email } = enquiries[0] ?? buildEnquiry();
    await until(async () => (await sendEnquiry(app, enquiries[0])).statusCode === 200);
    expect(await storedFrom(app, email)).not.toBeNull();
    await expectWholePool();
  });

  it('gives a person without scripts the form back, with everything that was typed', async () => {
    await gate.close();
    const enquiry = buildEnquiry();
    const answer = await app.inject({
      method: 'POST',
      url: '/contact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...enquiry }).toString(),
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain(enquiry.message);
    expect(answer.body).toMatch(WORDS_FOR_VISITORS);
    expect(answer.body).not.toMatch(/database does/);
    await gate.open();
  });
});

describe('a table that somebody has locked', () => {
  itSlow('keeps nobody from what does not need it, and leaves nothing waiting in the database', async () => {
    await until(async () => (await countJobs()) === 0);
    await createAccount(app, { email: 'works@example.com' });
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    onCleanup(() => owner.end());
    await owner.query('begin; lock table enquiries in access exclusive mode');
    const stuck = Array.from({ length: 24 }, () => sendEnquiry(app, buildEnquiry()));
    await until(() => app.get(ConnectionPool).figures().waiting > 0);
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email: 'works@example.com', password: 'a wrong password' },
    });
    expect(answer.json()).toMatchObject({ error_code: 'invalid_credentials' });
    const statuses = (await Promise.all(stuck)).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([503]));
    await until(async () => (await countWaiting()) === 0);
    // What follows ends every connection that is left.
    await owner.end();
    expect((await sendEnquiry(app, buildEnquiry())).statusCode).toBe(200);
    await expectWholePool();
  });

  /** Deliveries wait for the table too, and nobody waits for them. */
  async function countJobs(): Promise<number> {
    const jobs = await app.get(EntityManager).fork().execute(`select 1 from pgboss.job where state < 'completed'`);
    return jobs.length;
  }

  async function countWaiting(): Promise<number> {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return withClient(databaseUrl, async (client) => (await client.query(sql)).rows.length);
  }
});

describe('a database that takes no changes for a while, as a standby does', () => {
  /** More at once than there are connections. */
  const areAllTaken = async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendEnquiry(app, buildEnquiry())));
    return answers.every(({ statusCode }) => statusCode === 200);
  };
  const healthOf = async () => {
    const { statusCode, body } = await app.inject('/api/health');
    return { statusCode, body };
  };

  it('is named in the answers, and keeps no connection of that time when it takes some again', async () => {
    const name = new URL(databaseUrl).pathname.slice(1);
    // A connection keeps what it began with: so does one to the server that was the primary until a failover.
    await withClient(databaseUrl, (client) =>
      client.query(`alter database ${name} set default_transaction_read_only to on`),
    );
    await endConnections();
    await until(async () => (await healthOf()).body.includes('The database takes no changes.'));
    expect((await healthOf()).statusCode).toBe(503);
    await expectWholePool();
    const refused = await sendEnquiry(app, buildEnquiry());
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'database_unavailable' });
    await expectWholePool();
    await withClient(databaseUrl, async (client) => {
      await client.query('set default_transaction_read_only to off');
      await client.query(`alter database ${name} reset default_transaction_read_only`);
    });
    await until(areAllTaken);
    await until(async () => (await healthOf()).statusCode === 200);
    await expectWholePool();
  });
});

describe('a database whose password is another one by now', () => {
  itSlow('is an outage that passes, as one that is away', async () => {
    const url = new URL(await cloneDatabase());
    const role = `site_${url.pathname.slice(1)}`;
    const rule = (sql: string) => withClient(url.href, (client) => client.query(sql));
    await rule(`create role ${role} superuser login password 'former'`);
    onCleanup(async () => void (await rule(`drop owned by ${role} cascade; drop role ${role}`)));
    const own = new URL(url);
    Object.assign(own, { username: role, password: 'former' });
    const site = await createTestApp({ DATABASE_URL: own.href, ...WITHOUT_LIMITS });
    await createPosts(site, [{ title: 'Kept for you' }]);
    expect((await site.inject('/api/health/ready')).statusCode).toBe(200);
    await rule(`alter role ${role} password 'later'`);
    await rule(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    await until(async () => (await site.inject(paths.api.posts)).statusCode !== 200);
    const refused = await site.inject(paths.api.posts);
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'database_unavailable' });
    expect((await sendEnquiry(site, buildEnquiry())).json()).toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(WORDS_FOR_VISITORS),
    });
    const list = await site.inject(paths.blogs);
    expect({ status: list.statusCode, hasPost: list.body.includes('Kept for you') }).toEqual({
      status: 200,
      hasPost: true,
    });
    await rule(`alter role ${role} password 'former'`);
    await until(async () => (await sendEnquiry(site, buildEnquiry())).statusCode === 200);
  });
});

describe('a request that used up its time', () => {
  it('gets no further connection, and what it leaves behind does', async () => {
    const em = app.get(EntityManager);
    await withDatabaseLimits({ ...REQUEST_LIMITS, totalMs: 0 }, async (budget) => {
      await expect(em.fork().execute('select 1')).rejects.toMatchObject({ code: '08006' });
      budget.end();
      await expect(em.fork().execute('select 1 as one')).resolves.toEqual([{ one: 1 }]);
    });
    await expectWholePool();
  });

  it('leaves jobs that a large change has begun the limits of jobs', async () => {
    const resume = await withDatabaseLimits(REQUEST_LIMITS, () =>
      withTimeForLargeChange(async () => AsyncLocalStorage.snapshot()),
    );
    expect(resume(() => findBudget(JOB_LIMITS).limits)).toBe(JOB_LIMITS);
  });

  it('loses a transaction that waits for something else', async () => {
    const limits = { ...REQUEST_LIMITS, idleMs: 20 };
    const transaction = withDatabaseLimits(limits, () =>
      app
        .get(EntityManager)
        .fork()
        .transactional(async () => until(() => app.get(ConnectionPool).figures().lent === 0)),
    );
    await expect(transaction).rejects.toMatchObject({ code: '08006' });
    await expectWholePool();
  });
});

describe('a command that reads nothing by the ORM', () => {
  it('leaves no connection behind, for which its process would wait', async () => {
    const { app: context, close } = await createAppContext(
      loadConfig({ ...app.environment, DATABASE_URL: databaseUrl }),
    );
    const pool = context.get(ConnectionPool, { strict: false });
    expect(pool.figures().total).toBeGreaterThan(0);
    await close();
    expect(pool.figures().total).toBe(0);
  });
});
