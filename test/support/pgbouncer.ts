import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { onCleanup } from './cleanup.js';
import { findFreePort } from './free-port.js';
import { needProgram } from './system-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** Starts a PgBouncer in front of a database, which lends a connection for one transaction. @returns the address through it */
export async function startPgBouncer(databaseUrl: string): Promise<string> {
  needProgram('pgbouncer', 'pgbouncer');
  const target = new URL(databaseUrl);
  const port = await findFreePort();
  const folder = temporaryFolder();
  const file = join(folder, 'pgbouncer.ini');
  const { hostname, password, username } = target;
  writeFileSync(
    file,
    `[databases]
pooled = host=${hostname} port=${target.port} dbname=${target.pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  );
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  const bouncer = spawn('pgbouncer', ['-q', ...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const ended = once(bouncer, 'close');
  onCleanup(async () => {
    bouncer.kill('SIGKILL');
    await ended;
  });
  const url = `postgresql://site@127.0.0.1:${port}/pooled`;
  await until(async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
    return true;
  });
  return url;
}
