import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statusOf, type Balancer } from './balancer.js';
import { onCleanup } from './cleanup.js';
import { findFreePort } from './free-port.js';
import { needProgram } from './system-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** Texts in the configurations of docs/operations, and their replacements here. */
type Changes = readonly (readonly [printed: string | RegExp, here: string])[];

/** The printed configuration with the ports of a test; each of the changes has to apply. */
export function adapt(file: string, ports: readonly number[], changes: Changes): string {
  const [first = 0, second = 0] = ports;
  const all: Changes = [
    ['127.0.0.1:3001', `127.0.0.1:${first}`],
    ['127.0.0.1:3002', `127.0.0.1:${second}`],
    ...changes,
  ];
  // The ports also stand in the remarks above.
  return all.reduce(
    (text, [printed, here]) => {
      const changed = text.replaceAll(typeof printed === 'string' ? printed : new RegExp(printed, 'g'), here);
      if (changed === text) throw new Error(`${file} does not say ${String(printed)} any more`);
      return changed;
    },
    readFileSync(file, 'utf8'),
  );
}

/** Debian's haproxy with docs/operations/haproxy.cfg; without its checks it sends visitors to whoever was there. */
export async function startHaproxy(ports: readonly number[], hasChecks = true): Promise<Balancer> {
  needProgram('haproxy', 'haproxy');
  const port = await findFreePort();
  const changes: Changes = [['bind :80\n', `bind 127.0.0.1:${port}\n`]];
  const text = adapt('docs/operations/haproxy.cfg', ports, [
    ...changes,
    ...(hasChecks ? [] : [[' check inter', ' inter'] as const]),
  ]);
  const file = join(temporaryFolder(), 'haproxy.cfg');
  writeFileSync(file, text);
  return run('haproxy', ['-db', '-f', file], port);
}

/** Debian's nginx with docs/operations/nginx.conf; without its retries what one process refuses is an error. */
export async function startNginx(ports: readonly number[], hasRetries = true): Promise<Balancer> {
  needProgram('nginx', 'nginx-light');
  const port = await findFreePort();
  const folder = temporaryFolder();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const inFolder = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  const changes: Changes = [
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['pid /run/nginx.pid;', `pid ${folder}/pid; daemon off;`],
    ['access_log off;', `access_log off; ${inFolder}`],
    ...(hasRetries ? [] : [['proxy_connect_timeout', 'proxy_next_upstream off; proxy_connect_timeout'] as const]),
  ];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, adapt('docs/operations/nginx.conf', ports, changes));
  return run('nginx', ['-p', folder, '-c', file], port);
}

async function run(program: string, args: readonly string[], port: number): Promise<Balancer> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'close');
  onCleanup(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => child.exitCode !== null || (await statusOf(`${url}/api/health/live`)) === 200);
  if (child.exitCode !== null) throw new Error(`${program} did not start: ${complaints}`);
  // An operator asks the process, and has no need to know when the balancer does.
  return { url, isUp: async (process) => (await statusOf(`http://127.0.0.1:${process}/api/health/ready`)) === 200 };
}
