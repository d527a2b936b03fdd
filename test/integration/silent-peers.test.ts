import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BackupService } from '../../src/backup/backup.service.js';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { migrate } from '../../src/database/migrate.js';
import { createInstallation, withClient, type Installation } from '../support/installation.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The timer of a connection that asks its peer, while nobody says anything, whether it is still there (proc_net_tcp). */
const KEEP_ALIVE = '02';

const portOf = (address = '') => parseInt(address.split(':').at(-1) ?? '', 16);

/** Timers of the connections of this machine to a port, by their local port, which others may have to other ports. */
function readTimers(to: number): Map<number, string> {
  const lines = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1));
  const fields = lines.map((line) => line.trim().split(/\s+/)).filter(({ length }) => length > 5);
  const ours = fields.filter(([, , remote]) => portOf(remote) === to);
  return new Map(ours.map(([, local, , , , timer]) => [portOf(local), timer?.slice(0, 2) ?? '']));
}

/** Runs a task while its connection has nothing to say, as it waits for a lock. @returns the timer of that connection */
async function watchWaiting(
  { config, query }: Installation,
  task: () => Promise<unknown>,
): Promise<string | undefined> {
  let running: Promise<unknown> = Promise.resolve();
  let timer: string | undefined;
  const port = Number(new URL(config.database.url).port || '5432');
  await withClient(config.database.url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    running = task();
    // It is awaited below.
    running.catch(() => undefined);
    const waiting = `select client_port as port from pg_stat_activity join pg_locks using (pid)
      where datname = current_database() and locktype = 'advisory' and not granted`;
    let ports: { port: number }[] = [];
    await until(async () => (ports = await query<{ port: number }>(waiting)).length === 1);
    // What was sent last is heard of.
    await until(() => !['01', undefined].includes((timer = readTimers(port).get(ports[0]?.port ?? 0))));
  });
  await running;
  return timer;
}

describe('a database that is gone without a word', () => {
  it('is noticed by a backup, a restore and a migration that wait for it', async () => {
    const site = await createInstallation();
    const service = new BackupService(site.config);
    const file = join(temporaryFolder(), 'site.tar');
    expect(await watchWaiting(site, () => service.create(file))).toBe(KEEP_ALIVE);
    const options = { confirm: () => Promise.resolve(true), isCautious: false };
    expect(await watchWaiting(site, () => service.restore(file, options))).toBe(KEEP_ALIVE);
    expect(await watchWaiting(site, () => migrate(site.config.database.url))).toBe(KEEP_ALIVE);
  });
});
