import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findFreePort } from '../support/free-port.js';
import { startProcess } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The folder that PostgreSQL looks after, and lets nobody else into. */
const CLUSTER = 'postgres/cluster/';

/** True for what every user of the machine may write; files come and go. */
function isOpen(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o002) !== 0;
}

describe('cli demo', () => {
  it('has an administrator, whose sign-in it prints at every start until it is changed', async () => {
    const dataDir = temporaryFolder();
    const port = await findFreePort();
    const environment = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir };
    const startDemo = async () => {
      // Where everybody may write what others make, as in some containers.
      const args = ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, 'dist/cli.js', 'demo'];
      const demo = startProcess(args, environment, undefined, '', '/bin/sh');
      const [, email = '', password = ''] = await demo.waitForOutput(/Administrator .* with (\S+) and (.+)\n/);
      return { email, password, stop: demo.stop };
    };

    const first = await startDemo();
    expect(first.email).toBe('admin@example.com');
    expect(statSync(join(dataDir, 'demo-admin.json')).mode & 0o777).toBe(0o600);
    const made = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    const open = made.filter((name) => !name.startsWith(CLUSTER) && isOpen(join(dataDir, name)));
    expect(statSync(join(dataDir, CLUSTER)).mode & 0o777).toBe(0o700);
    expect(open).toEqual([]);
    const site = `http://127.0.0.1:${port}`;
    const signIn = await fetch(`${site}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: first.email, password: first.password }),
    });
    const { access_token: accessToken } = (await signIn.json()) as { access_token: string };
    const me = await fetch(`${site}/api/me`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(await me.json()).toMatchObject({ email: 'admin@example.com', is_admin: true });
    expect((await fetch(`${site}/dev/mail`)).status).toBe(200);
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' });

    const second = await startDemo();
    expect([second.email, second.password]).toEqual([first.email, first.password]);
    const changed = await fetch(`${site}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ password: 'another horse 8' }),
    });
    expect(changed.status).toBe(200);
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });

    const third = await startDemo();
    expect(third.email).toBe(first.email);
    expect(third.password).toMatch(/^the password that was set/);
    expect(await third.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});
