import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { cloneDatabase } from '../support/database.js';
import { testEnvironment } from '../support/environment.js';
import { launchServer, startProcess, startServer } from '../support/process.js';
import { fewOf, itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until, untilEqual } from '../support/until.js';
import { isHolding, workersOf } from '../support/workers-of.js';

describe('npm start', () => {
  it.each(fewOf(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, (signal) => signal === 'SIGTERM'))(
    'serves until %s, then ends cleanly',
    async (signal) => {
      const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
      const server = await startServer(testEnvironment(own, { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1' }));
      // A first answer may take longer on a busy machine than the database has for it.
      await untilEqual(async () => (await fetch(`${server.url}/api/health`)).status, 200);
      expect(await server.stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  itSlow(
    'prints the token of a new site, and refuses a site that is in use and does not know where enquiries go',
    async () => {
      const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
      const overrides = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1', SITE_EMAIL: '', WEB_CONCURRENCY: '2' };
      const environment = testEnvironment(own, { ...overrides, LOG_LEVEL: 'info' });
      const server = await startServer(environment);
      const [, token = ''] = await server.waitForOutput(/^ {4}(\S+)$/m);
      const body = new URLSearchParams({ token });
      const entered = await fetch(`${server.url}/setup`, { method: 'POST', body, redirect: 'manual' });
      expect([entered.status, entered.headers.get('location')]).toEqual([303, '/setup?entered']);
      const { stdout } = await server.stop();
      expect(stdout.match(/http:\/\/site\.test\/setup/g)).toHaveLength(1);
      // Below everything that the same process logs of its start.
      const [before = '', after = ''] = stdout.split(token);
      const [, pid = ''] = /"pid":(\d+)[^\n]*Nest application successfully started/.exec(before) ?? [];
      expect(before).toMatch(new RegExp(`"pid":${pid},[^\\n]*Mapped \\{`));
      expect(after).not.toMatch(new RegExp(`"pid":${pid},[^\\n]*(?:Mapped|successfully started)`));
      await runCli(['users', 'create', 'ada@it.company', '--admin'], environment, 'a harbor of quiet lamps\n');
      const refused = await launchServer({ ...environment, WEB_CONCURRENCY: '1' }).ended;
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/SITE_EMAIL: is missing; this site is in use/),
      });
    },
  );

  itSlow('serves on when nobody reads its log any more, and replaces workers', async () => {
    const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
    const overrides = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1', WEB_CONCURRENCY: '2' };
    const server = await startServer(testEnvironment(own, { ...overrides, LOG_LEVEL: 'info' }));
    server.stopReading();
    const workers = workersOf(server.pid);
    expect(workers).toHaveLength(2);
    process.kill(workers[0] ?? 0, 'SIGKILL');
    // The process that watches them writes that one ended, and that another one serves in its place.
    const port = Number(new URL(server.url).port);
    await until(() => workersOf(server.pid).some((pid) => !workers.includes(pid) && isHolding(pid, port)));
    expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  itSlow('names the variable where it cannot listen at the address', async () => {
    const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
    // Of a network that is in no use (RFC 5737).
    const { code, stderr } = await launchServer(testEnvironment(own, { HOST: '192.0.2.1' })).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        '192.0.2.1 is no address at which this machine can listen (EADDRNOTAVAIL): set HOST',
      ),
    });
  });

  it('names everything that production lacks and does not start', async () => {
    const { code, stderr } = await launchServer({ NODE_ENV: 'production', PORT: 'many' }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /PORT: .*\n.*PUBLIC_URL: is missing.*\n.*DATABASE_URL: is missing.*\n.*AUTH_JWT_KEYS: is missing.*\n.*AUTH_TOKEN_SECRET: is missing.*\n.*SMTP_URL: is missing/,
    );
  });

  itSlow('names a .env file of which nobody can tell what it says, as the doctor does', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), Buffer.from('\uFEFFNODE_ENV=production\n', 'utf16le'));
    const problem = `.env: ${join(folder, '.env')} is in UTF-16; save it as UTF-8`;
    const server = await startProcess([resolve('dist/server.js')], {}, folder).ended;
    expect(server).toMatchObject({ code: 1, stderr: `The configuration cannot be used:\n  - ${problem}\n` });
    const doctor = await startProcess([resolve('dist/cli.js'), 'doctor', '--json'], {}, folder).ended;
    expect(doctor).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(doctor.stdout)).toContainEqual({
      check: 'configuration',
      level: 'fail',
      message: problem,
      advice: 'Correct the file, and run this again: nothing that it says is known yet.',
    });
  });
});
