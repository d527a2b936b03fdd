import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { isAlive, withLockFile } from '../../src/database/start-lock.js';
import { onCleanup } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { withClient } from '../support/installation.js';
import { startProcess, startServer } from '../support/process.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** An installation with an embedded database in a folder of its own: a new one, or a copy of one that was made. */
function createInstallation(made?: { readonly dataDir: string }) {
  const dataDir = temporaryFolder();
  // With the owner, who is another one where tests run as root.
  if (made) execFileSync('cp', ['-a', `${made.dataDir}/.`, dataDir]);
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: 'embedded',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
  } as const;
  const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
  const databasePid = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const start = () => startServer(environment);
  return { dataDir, environment, pidFile, databasePid, start };
}

const isHealthy = async (url: string) => (await fetch(`${url}/api/health`)).ok;

async function query(dataDir: string, sql: string): Promise<unknown[]> {
  const { port, password } = JSON.parse(readFileSync(join(dataDir, 'postgres/access.json'), 'utf8')) as {
    port: number;
    password: string;
  };
  const client = new pg.Client({ connectionString: `postgresql://postgres:${password}@127.0.0.1:${port}/site` });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded database', () => {
  let made: ReturnType<typeof createInstallation>;

  // To make a database takes longer than what most of these tests are about.
  beforeAll(async () => {
    made = createInstallation();
    expect(await runCli(['db', 'migrate'], made.environment)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(made.pidFile)).toBe(false);
  });

  afterEach(() => void jest.restoreAllMocks());

  itSlow('ends with the server on SIGINT, as it does on SIGTERM', async () => {
    const { databasePid, pidFile, start } = createInstallation(made);
    const server = await start();
    const pid = databasePid();
    expect(await server.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    await until(() => !isAlive(pid));
    expect(existsSync(pidFile)).toBe(false);
  });

  it('logs nothing of what is kept, for nobody but its owner', async () => {
    const { dataDir } = createInstallation(made);
    const log = join(dataDir, 'postgres/postgres.log');
    chmodSync(log, 0o644);
    const database = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
    onCleanup(() => database.stop());
    await query(dataDir, 'create table people (address text unique, name text not null)');
    await query(dataDir, "insert into people values ('anna@example.com', 'Anna')");
    for (const values of ["'anna@example.com', 'Berta'", "'carla@example.com', null"]) {
      await expect(query(dataDir, `insert into people values (${values})`)).rejects.toThrow(/violates/);
    }
    await until(() => /violates not-null/.test(readFileSync(log, 'utf8')));
    expect(readFileSync(log, 'utf8')).toMatch(/duplicate key value violates unique constraint "people_address_key"/);
    expect(readFileSync(log, 'utf8')).not.toMatch(/anna|berta|carla/i);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  const damages = [
    ['is empty', ''],
    ['breaks off', '{"port":5432,"passw'],
  ] as const;

  it.each(fewOf(damages, ([how]) => how === 'is empty'))(
    'is not made anew where the file with its password %s',
    async (_how, text) => {
      const { dataDir, environment } = createInstallation(made);
      const file = realpathSync(join(dataDir, 'postgres/access.json'));
      writeFileSync(file, text);
      const listFiles = () => readdirSync(join(dataDir, 'postgres')).sort();
      const before = listFiles();
      expect(await runCli(['db', 'status'], environment)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`${file} is damaged or gone`),
      });
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(listFiles()).toEqual(before);
    },
  );

  itSlow(
    'is given ever longer pauses while something keeps it from starting, and starts when that is over',
    async () => {
      const { dataDir } = createInstallation(made);
      const settings = join(dataDir, 'postgres/cluster/postgresql.conf');
      const log = join(dataDir, 'postgres/postgres.log');
      const sound = readFileSync(settings, 'utf8');
      writeFileSync(settings, `${sound}\nmax_connections = many\n`);
      /** When each of them gave up, in milliseconds, by their own clock: what it names the zone of this machine is not read. */
      const readEnds = () =>
        [...readFileSync(log, 'utf8').matchAll(/^(\S+ \S+) .*FATAL: .* contains errors/gm)].map(([, time = '']) =>
          Date.parse(`${time}Z`),
        );
      const starting = startEmbeddedPostgres({ folder: join(dataDir, 'postgres') });
      onCleanup(async () => (await starting).stop());
      await until(() => readEnds().length >= 7);
      writeFileSync(settings, sound);
      await starting;
      const ends = readEnds();
      const gaps = ends.slice(1).map((end, index) => end - (ends[index] ?? end));
      // Once more after each: 20, 40, 80, 160, 320 and 640, besides what a start takes.
      expect(gaps[5]).toBeGreaterThanOrEqual(600);
    },
  );

  itSlow('is waited for while it reads its log again, however long that takes', async () => {
    const { dataDir, databasePid } = createInstallation(made);
    const folder = join(dataDir, 'postgres');
    const cluster = join(folder, 'cluster');
    // It recovers until it is told that this is enough, and takes nobody meanwhile.
    appendFileSync(join(cluster, 'postgresql.conf'), 'hot_standby = off\n');
    writeFileSync(join(cluster, 'standby.signal'), '');
    const real = performance.now.bind(performance);
    let aheadMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => real() + aheadMs);
    const outcome: { state: string } = { state: 'waits' };
    const starting = startEmbeddedPostgres({ folder });
    starting.then(
      () => (outcome.state = 'has started'),
      () => (outcome.state = 'has failed'),
    );
    onCleanup(async () => (await starting).stop());
    const readRefusals = () => readFileSync(join(folder, 'postgres.log'), 'utf8').split('FATAL:').length;
    for (let step = 0; step <= 3; step += 1) {
      aheadMs = step * 31_000;
      const before = readRefusals();
      await until(() => readRefusals() > before + 1 || outcome.state === 'has failed');
    }
    expect(outcome).toEqual({ state: 'waits' });
    writeFileSync(join(cluster, 'promote'), '');
    process.kill(databasePid(), 'SIGUSR1');
    await starting;
  });

  itSlow('comes back at the port that its users know, also where another program has that for a while', async () => {
    const { dataDir, databasePid } = createInstallation(made);
    const folder = join(dataDir, 'postgres');
    const database = await startEmbeddedPostgres({ folder });
    onCleanup(() => database.stop());
    const port = Number(new URL(database.url).port);
    const other = createServer((connection) => connection.destroy());
    onCleanup(() => void other.close());
    // Nobody starts it again meanwhile.
    await withLockFile(join(folder, 'start.lock'), async () => {
      const pid = databasePid();
      process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid));
      await once(other.listen(port, '127.0.0.1'), 'listening');
    });
    await until(() => readFileSync(join(folder, 'postgres.log'), 'utf8').includes('could not bind'));
    other.close();
    await once(other, 'close');
    const isBack = () => withClient(database.url, (client) => client.query('select 1')).then(Boolean, () => false);
    await until(isBack);
  });

  itSlow.each(['1', '2'])('obeys a signal that comes while the server starts (%s)', async (workers) => {
    const { environment, dataDir, pidFile } = createInstallation();
    const server = startProcess(['dist/server.js'], { ...environment, WEB_CONCURRENCY: workers });
    await until(() => existsSync(join(dataDir, 'postgres/start.lock')));
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(pidFile)).toBe(false);
  });

  itSlow('survives that the server is killed, of which the next one finds it', async () => {
    const { databasePid, start } = createInstallation(made);
    const first = await start();
    const pid = databasePid();
    await first.stop('SIGKILL');
    expect(isAlive(pid)).toBe(true);
    const second = await start();
    expect(databasePid()).toBe(pid);
    expect((await second.stop()).code).toBe(0);
    await until(() => !isAlive(pid));
  });

  it('survives that it is killed with the server, and that it alone is, with all that was committed', async () => {
    const { dataDir, databasePid, start } = createInstallation(made);
    const first = await start();
    await query(dataDir, 'create table kept (word text)');
    await query(dataDir, "insert into kept values ('acknowledged')");
    const pid = databasePid();
    process.kill(pid, 'SIGKILL');
    await first.stop('SIGKILL');

    const second = await start();
    const nextPid = databasePid();
    expect(nextPid).not.toBe(pid);
    expect(await query(dataDir, 'select word from kept')).toEqual([{ word: 'acknowledged' }]);
    process.kill(nextPid, 'SIGKILL');
    await until(() => databasePid() !== nextPid);
    await until(() => isHealthy(second.url));
    const lastPid = databasePid();
    expect((await second.stop()).code).toBe(0);
    await until(() => !isAlive(lastPid));
  });

  itSlow('survives a command beside the server, as it starts for a command without one', async () => {
    const { environment, databasePid, start } = createInstallation(made);
    const server = await start();
    const pid = databasePid();
    expect(await runCli(['db', 'migrate'], environment)).toMatchObject({ code: 0, stderr: '' });
    expect(databasePid()).toBe(pid);
    expect(await isHealthy(server.url)).toBe(true);
    await server.stop();
  });

  itSlow('goes on when the server has looked at itself for the start page', async () => {
    const { databasePid, environment, start } = createInstallation(made);
    const person = { email: 'olivia@bright-desk.com', password: 'lamp river onion seven' };
    const created = await runCli(['users', 'create', person.email], environment, `${person.password}\n`);
    expect(created).toMatchObject({ code: 0 });
    expect(await runCli(['roles', 'grant', person.email, 'admin'], environment)).toMatchObject({ code: 0 });
    const server = await start();
    const pid = databasePid();
    const signedIn = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    });
    const { access_token: token } = (await signedIn.json()) as { access_token: string };
    const overview = async () => {
      const answer = await fetch(`${server.url}/api/admin/overview`, { headers: { authorization: `Bearer ${token}` } });
      return (await answer.json()) as { health: { checked_at: string | null; is_running: boolean } };
    };
    await until(async () => (await overview()).health.checked_at !== null);
    expect(databasePid()).toBe(pid);
    expect(isAlive(pid)).toBe(true);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
    await until(() => !isAlive(pid));
  });

  itSlow('takes no other program for its own', async () => {
    const { dataDir, pidFile, start } = createInstallation(made);
    await mkdir(join(dataDir, 'postgres/members'), { recursive: true });
    // What a crash leaves behind, with an id that now belongs to this very test.
    writeFileSync(pidFile, `${process.pid}\n${dataDir}\n`);
    const server = await start();
    expect(await isHealthy(server.url)).toBe(true);
    await server.stop();
    expect(isAlive(process.pid)).toBe(true);
  });

  itSlow('is the same for who comes by another way to its folder', async () => {
    const { dataDir, databasePid, environment, start } = createInstallation(made);
    const server = await start();
    const pid = databasePid();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(dataDir, link);
    const byLink = { ...environment, DATA_DIR: link };
    expect(await runCli(['db', 'status'], byLink)).toMatchObject({ code: 0, stderr: '' });
    const other = await startServer(byLink);
    expect(databasePid()).toBe(pid);
    await server.stop();
    expect(await isHealthy(other.url)).toBe(true);
    await other.stop();
    await until(() => !isAlive(pid));
  });

  itSlow('is not started twice where its process cannot be seen, as from another container', async () => {
    const { dataDir, environment, pidFile, start } = createInstallation(made);
    const cluster = join(dataDir, 'postgres/cluster');
    const server = await start();
    const [socket = ''] = readdirSync(cluster).filter((name) => /^\.s\.PGSQL\.\d+$/.test(name));
    const lock = readFileSync(pidFile, 'utf8');
    await server.stop();
    // What is there of one in another container: an id that means nothing here, and somebody who listens.
    writeFileSync(pidFile, lock.replace(/^\d+/, '4194305'));
    const other = createServer((connection) => connection.resume()).listen(join(cluster, socket));
    await once(other, 'listening');
    onCleanup(() => void other.close());
    expect(await runCli(['db', 'status'], environment)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`cannot see, as of another container, runs over ${realpathSync(cluster)}`),
    });
    expect(readFileSync(pidFile, 'utf8')).toContain('4194305');
    other.close();
    await once(other, 'close');
    expect(await runCli(['db', 'status'], environment)).toMatchObject({ code: 0, stderr: '' });
  });

  itSlow('is not started while another container starts it, in which our process ids mean nothing', async () => {
    const { dataDir, environment } = createInstallation(made);
    let asked = 0;
    const other = createServer((connection) => {
      asked += 1;
      connection.destroy();
    }).listen(join(dataDir, 'postgres/start.socket.0'));
    await once(other, 'listening');
    onCleanup(() => void other.close());
    const command = runCli(['db', 'status'], environment);
    const first = await Promise.race([command, until(() => asked > 2).then(() => 'it waits')]);
    expect(first).toBe('it waits');
    other.close();
    expect(await command).toMatchObject({ code: 0, stderr: '' });
  });

  itSlow('starts over what a power cut left, though its ids are those of others now', async () => {
    const { databasePid, dataDir, pidFile, start } = createInstallation(made);
    const first = await start();
    const pid = databasePid();
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    process.kill(pid, 'SIGKILL');
    const members = join(dataDir, 'postgres/members');
    expect(readdirSync(members)).toEqual([String(first.pid)]);
    renameSync(join(members, String(first.pid)), join(members, String(process.ppid)));
    writeFileSync(join(members, String(process.ppid)), `${process.ppid}.${'0'.repeat(30)}123`);
    const socketLock = readdirSync(join(dataDir, 'postgres/cluster')).find((name) => name.endsWith('.lock')) ?? '';
    expect(socketLock).toMatch(/^\.s\.PGSQL/);
    for (const file of [pidFile, join(dataDir, 'postgres/cluster', socketLock)])
      writeFileSync(file, readFileSync(file, 'utf8').replace(String(pid), String(process.ppid)));
    const server = await start();
    expect(await isHealthy(server.url)).toBe(true);
    await server.stop();
    expect(isAlive(process.ppid)).toBe(true);
    // It waits for nobody who is somebody else.
    expect([existsSync(pidFile), readdirSync(members)]).toEqual([false, []]);
  });

  itSlow('is shared by two servers that start at once over an empty folder', async () => {
    const { databasePid, start } = createInstallation();
    const [one, two] = await Promise.all([start(), start()]);
    const pid = databasePid();
    await one.stop();
    expect(isAlive(pid)).toBe(true);
    expect(await isHealthy(two.url)).toBe(true);
    await two.stop();
    await until(() => !isAlive(pid));
  });
});
