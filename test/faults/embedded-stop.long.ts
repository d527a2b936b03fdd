import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SHUTDOWN_MS } from '../../src/config/time-limits.js';
import { isAlive } from '../../src/database/start-lock.js';
import { statusOf } from '../support/balancer.js';
import { onCleanup } from '../support/cleanup.js';
import { startServer } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

it.each(['1', '2'])(
  'an embedded PostgreSQL that does not stop is ended by force, and recovers (%s)',
  async (workers) => {
    const dataDir = temporaryFolder();
    const common = {
      DATA_DIR: dataDir,
      DATABASE_URL: 'embedded',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
      PORT: '0',
    } as const;
    const environment = { ...common, SHUTDOWN_DELAY: '10', WEB_CONCURRENCY: workers };
    const server = await startServer(environment);
    const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
    const database = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    onCleanup(() => void (isAlive(database) && process.kill(database, 'SIGKILL')));
    // It hears no signal but SIGKILL from now on.
    process.kill(database, 'SIGSTOP');
    const begunAt = performance.now();
    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - begunAt).toBeLessThan(SHUTDOWN_MS);
    // Who is killed is there until the system has heard of it.
    await until(() => !isAlive(database));

    const next = await startServer({ ...environment, SHUTDOWN_DELAY: '0' });
    expect(await statusOf(`${next.url}/api/health`)).toBe(200);
    expect(await next.stop()).toMatchObject({ code: 0, stderr: '' });
  },
);
