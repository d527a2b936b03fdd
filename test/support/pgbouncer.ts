import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { adaptFile } from './adapt-file.js';
import { onCleanup } from './cleanup.js';
import { findFreePort } from './free-port.js';
import { needProgram } from './system-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** Few enough that a session which kept its connection would be noticed. */
const POOL_SIZE = 4;

/**
 * Starts Debian's PgBouncer with docs/operations/pgbouncer.ini in front of a database: it lends a connection for one
 * transaction. @returns the address through it
 */
export async function startPgBouncer(databaseUrl: string): Promise<string> {
  needProgram('pgbouncer', 'pgbouncer');
  const target = new URL(databaseUrl);
  const port = await findFreePort();
  const folder = temporaryFolder();
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'userlist.txt');
  const user = decodeURIComponent(target.username);
  const password = decodeURIComponent(target.password);
  const text = adaptFile('docs/operations/pgbouncer.ini', [
    [
      'site = host=127.0.0.1 port=5432 dbname=site',
      `pooled = host=${target.hostname} port=${target.port} dbname=${target.pathname.slice(1)}`,
    ],
    ['listen_addr = 10.0.0.10', 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_file = /etc/pgbouncer/userlist.txt', `auth_file = ${users}`],
    ['default_pool_size = 40', `default_pool_size = ${POOL_SIZE}`],
  ]);
  writeFileSync(file, text);
  writeFileSync(users, `"${user}" "${password}"\n`);
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, 0o755);
  for (const one of [file, users]) chmodSync(one, 0o644);
  const bouncer = spawn('pgbouncer', ['-q', ...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const ended = once(bouncer, 'close');
  onCleanup(async () => {
    bouncer.kill('SIGKILL');
    await ended;
  });
  const url = `postgresql://${target.username}:${target.password}@127.0.0.1:${port}/pooled`;
  await until(async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
    return true;
  });
  return url;
}
