import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { inspectSchema, listKnownMigrations, migrate } from '../../src/database/migrate.js';
import { readSchemaRelease } from '../../src/database/schema-release.js';
import { runCli } from '../support/cli.js';
import { createEmptyDatabase } from '../support/database.js';
import { openDatabaseGate } from '../support/database-gate.js';
import { testEnvironment } from '../support/environment.js';
import { scaled } from '../support/fault-scale.js';
import { withClient } from '../support/installation.js';
import { createReleasedDatabase } from '../support/last-release.js';
import { startProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { readPromises } from '../support/schema-promises.js';

/** How many migrations have run before, and a table that the others change: where the process is held and killed. */
const MOMENTS = [
  { before: 3, table: 'blog_posts' },
  { before: 2, table: 'images' },
  { before: 5, table: 'audit_log' },
  { before: 4, table: 'auth.users' },
] as const;

const environmentOf = (databaseUrl: string) => testEnvironment({ databaseUrl, dataDir: temporaryFolder() }, {});

async function schemaOf(url: string): Promise<unknown> {
  const { columns, rules } = await withClient(url, readPromises);
  return { columns: [...columns].sort(), rules: [...rules].sort() };
}

describe('two processes that migrate at once', () => {
  itSlow.each(MOMENTS.slice(0, scaled(1, MOMENTS.length)))(
    'of which one is killed at $table leave it to the other',
    async ({ before, table }) => {
      const url = await createEmptyDatabase();
      const known = await listKnownMigrations();
      await migrate(url, known.slice(0, before));
      const outcome = await withClient(url, async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const isSeen = async (sql: string) =>
          await withClient(url, async (watcher) => (await watcher.query(sql)).rowCount === 1);
        await client.query(`begin; lock table ${table} in access exclusive mode`);
        const doomed = startProcess(['dist/cli.js', 'db', 'migrate'], environmentOf(url));
        await until(() => isSeen(`select from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`));
        const heir = startProcess(['dist/cli.js', 'db', 'migrate'], environmentOf(url));
        await until(() =>
          isSeen(
            `select from pg_locks where locktype = 'advisory' and objid = ${ADVISORY_LOCKS.migration} and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          ),
        );
        expect(await doomed.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stdout: '' });
        await client.query('rollback');
        return await heir.ended;
      });
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout.match(/^ran Migration\d+$/gm)).toHaveLength(known.length - before);

      const whole = await createEmptyDatabase();
      await migrate(whole);
      expect(await schemaOf(url)).toEqual(await schemaOf(whole));
      expect(await withClient(url, readSchemaRelease)).toEqual(await withClient(whole, readSchemaRelease));
    },
  );

  it('bring the last release up to date once, with its data', async () => {
    const url = await createReleasedDatabase();
    const count = () => withClient(url, async (client) => (await client.query('select from blog_posts')).rowCount);
    const posts = await count();
    const runs = await Promise.all([1, 2].map(() => runCli(['db', 'migrate'], environmentOf(url))));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(runs.map(() => ({ code: 0, stderr: '' })));
    expect(runs.filter(({ stdout }) => stdout.startsWith('ran ')).length).toBeLessThanOrEqual(1);
    const whole = await createEmptyDatabase();
    await migrate(whole);
    expect(await schemaOf(url)).toEqual(await schemaOf(whole));
    expect(await count()).toBe(posts);
  });
});

describe('a database that ends idle sessions', () => {
  itSlow('does not end that of the lock under which migrations run, however long they take', async () => {
    const url = await createEmptyDatabase();
    await migrate(url, (await listKnownMigrations()).slice(0, 3));
    const ending = new URL(url);
    ending.searchParams.set('options', '-c idle_session_timeout=2s');
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await client.query('begin; lock table blog_posts in access exclusive mode');
      const migrating = migrate(ending.href);
      migrating.catch(() => undefined);
      await until(async () =>
        withClient(url, async (watcher) => {
          const sql = `select from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`;
          return (await watcher.query(sql)).rowCount === 1;
        }),
      );
      // One that began later is ended by now.
      const idle = new pg.Client({ connectionString: ending.href });
      idle.on('error', () => undefined);
      await idle.connect();
      await new Promise((resolve) => void idle.once('end', resolve));
      await client.query('rollback');
      await expect(migrating).resolves.toContain((await listKnownMigrations()).at(-1));
    });
  });
});

describe('a database that goes while its schema is looked at', () => {
  it('is said to be gone, and takes no process along', async () => {
    const gate = await openDatabaseGate(await createEmptyDatabase());
    const cut = gate.cutWhen({ from: 'client', at: /to_regclass/, isDelivered: false });
    await expect(inspectSchema(gate.url)).rejects.toThrow('Connection terminated unexpectedly');
    await cut;
  });
});
