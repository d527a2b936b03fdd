import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adaptFile, type Changes } from './adapt-file.js';
import { statusOf, type Balancer } from './balancer.js';
import { onCleanup } from './cleanup.js';
import { findFreePort } from './free-port.js';
import { needProgram } from './system-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** The printed configuration with the ports of a test; each of the changes has to apply. */
function adapt(file: string, [first = 0, second = 0]: readonly number[], changes: Changes): string {
  // The ports also stand in the remarks above.
  return adaptFile(file, [
    ['127.0.0.1:3001', `127.0.0.1:${first}`],
    ['127.0.0.1:3002', `127.0.0.1:${second}`],
    ...changes,
  ]);
}

/** Debian's haproxy with docs/operations/haproxy.cfg; without its checks it sends visitors to whoever was there. */
export async function startHaproxy(ports: readonly number[], hasChecks = true): Promise<Balancer> {
  needProgram('haproxy', 'haproxy');
  const [port, askPort] = [await findFreePort(), await findFreePort()];
  const changes: Changes = [
    ['bind :80\n', `bind 127.0.0.1:${port}\n`],
    ['127.0.0.1:8404', `127.0.0.1:${askPort}`],
  ];
  const text = adapt('docs/operations/haproxy.cfg', ports, [
    ...changes,
    ...(hasChecks ? [] : [[' check inter', ' inter'] as const]),
  ]);
  const file = join(temporaryFolder(), 'haproxy.cfg');
  writeFileSync(file, text);
  const { url } = await run('haproxy', ['-db', '-f', file], port);
  // It is asked as the page says, by the ports that are printed.
  const addressOf = (process: number) => `http://127.0.0.1:${askPort}/${3001 + ports.indexOf(process)}`;
  return { url, isUp: async (process) => (await statusOf(addressOf(process))) === 200 };
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
  const { url } = await run('nginx', ['-p', folder, '-c', file], port);
  // It does not ask, so there is nothing that it has to know.
  return { url, isUp: isReady };
}

/**
 * Debian's Caddy with docs/operations/Caddyfile; without its checks it sends visitors to whoever was there. What stands
 * for https is `url`; `plainUrl` is without.
 */
export async function startCaddy(
  ports: readonly number[],
  hasChecks = true,
): Promise<Balancer & { readonly plainUrl: string }> {
  needProgram('caddy', 'caddy');
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const folder = temporaryFolder();
  const changes: Changes = [
    ['http://www.example.com {', `http://127.0.0.1:${plainPort} {`],
    ['www.example.com {', `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`],
  ];
  const text = adapt('docs/operations/Caddyfile', ports, [
    ...changes,
    ...(hasChecks ? [] : [[/\n\s*health_.*/, ''] as const]),
  ]);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, text);
  const own = { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const { url, log } = await run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port, own);
  const plainUrl = `http://127.0.0.1:${plainPort}`;
  return { url, plainUrl, isUp: hasChecks ? (process) => isUpInLog(log(), `127.0.0.1:${process}`) : isReady };
}

/** Reads from Caddy's log that a process is up; at first Caddy takes all of them as up, and writes about none. */
function isUpInLog(log: string, address: string): boolean {
  const checks = log.split('\n').filter((line) => line.includes('health_checker') && line.includes(`"${address}"`));
  return checks.at(-1)?.includes('"host is up"') ?? true;
}

interface Program {
  readonly url: string;
  /** Returns all that the program wrote to its standard error so far. */
  readonly log: () => string;
}

async function run(program: string, args: readonly string[], port: number, env = process.env): Promise<Program> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const ended = once(child, 'close');
  onCleanup(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => child.exitCode !== null || (await statusOf(`${url}/api/health/live`)) === 200);
  if (child.exitCode !== null) throw new Error(`${program} did not start: ${text}`);
  return { url, log: () => text };
}

async function isReady(port: number): Promise<boolean> {
  return (await statusOf(`http://127.0.0.1:${port}/api/health/ready`)) === 200;
}
