import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { testEnvironment } from '../support/environment.js';
import { findFreePort } from '../support/free-port.js';
import { launchServer, startProcess, type RunningProcess } from '../support/process.js';
import { itSlow } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The folder that PostgreSQL looks after, and lets nobody else into. */
const CLUSTER = 'postgres/cluster/';

/** True for what every user of the machine may write; files come and go. */
function isOpen(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o002) !== 0;
}

/** The product on one machine, and the administrator that it printed. */
interface Demo {
  readonly email: string;
  readonly password: string;
  readonly stop: RunningProcess['stop'];
}

describe('cli demo', () => {
  const dataDir = temporaryFolder();
  let site: string;
  let first: Demo;

  const startDemo = async (): Promise<Demo> => {
    const environment = { HOST: '127.0.0.1', PORT: new URL(site).port, DATA_DIR: dataDir };
    // Where everybody may write what others make, as in some containers.
    const args = ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, 'dist/cli.js', 'demo'];
    const demo = startProcess(args, environment, undefined, '', '/bin/sh');
    const [, email = '', password = ''] = await demo.waitForOutput(/Administrator .* with (\S+) and (.+)\n/);
    return { email, password, stop: demo.stop };
  };

  /** Signs in with what the demo printed. @returns the access token */
  async function signIn({ email, password }: Demo): Promise<string> {
    const answer = await fetch(`${site}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  }

  beforeAll(async () => {
    site = `http://127.0.0.1:${await findFreePort()}`;
  });

  it('has an administrator, whose sign-in it prints, and shows the mails', async () => {
    first = await startDemo();
    expect(first.email).toBe('admin@example.com');
    expect(statSync(join(dataDir, 'demo-admin.json')).mode & 0o777).toBe(0o600);
    const made = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    const open = made.filter((name) => !name.startsWith(CLUSTER) && isOpen(join(dataDir, name)));
    expect(statSync(join(dataDir, CLUSTER)).mode & 0o777).toBe(0o700);
    expect(open).toEqual([]);
    const accessToken = await signIn(first);
    const me = await fetch(`${site}/api/me`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(await me.json()).toMatchObject({ email: 'admin@example.com', is_admin: true });
    expect((await fetch(`${site}/dev/mail`)).status).toBe(200);
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  itSlow('prints the sign-in at every start until it is changed', async () => {
    const second = await startDemo();
    expect([second.email, second.password]).toEqual([first.email, first.password]);
    const changed = await fetch(`${site}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await signIn(second)}` },
      body: JSON.stringify({ password: 'another horse 8' }),
    });
    expect(changed.status).toBe(200);
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });

    const third = await startDemo();
    expect(third.email).toBe(first.email);
    expect(third.password).toMatch(/^the password that was set/);
    expect(await third.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  itSlow('is not taken for a site of one’s own in the same folder', async () => {
    const own = { databaseUrl: 'embedded', dataDir };
    const overrides = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1' };
    const unsaid = testEnvironment(own, { ...overrides, SITE_EMAIL: '' });
    const words = `${dataDir} has the data of the demo`;
    const refusal = expect.stringContaining(`DATA_DIR: ${words}`);
    expect(await launchServer(unsaid).ended).toMatchObject({ code: 1, stderr: refusal });
    expect(await runCli(['setup'], unsaid)).toMatchObject({ code: 2, stderr: refusal });
    // Once somebody has said where enquiries go, the site starts, and everybody sees the demo.
    for (const [environment, level] of [
      [unsaid, 'fail'],
      [testEnvironment(own, overrides), 'warn'],
    ] as const) {
      const { stdout } = await runCli(['doctor', '--json'], environment);
      expect(JSON.parse(stdout)).toContainEqual({
        check: 'setup',
        level,
        message: expect.stringContaining(words),
        advice: expect.stringContaining('another folder in DATA_DIR'),
      });
    }
  });
});
