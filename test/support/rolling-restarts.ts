import { paths } from '../../src/shared/paths.js';
import type { Balancer } from './balancer.js';
import { cloneDatabase } from './database.js';
import { buildEnquiry } from './enquiries.js';
import { testEnvironment, type Variables } from './environment.js';
import { findFreePort } from './free-port.js';
import type { Harm } from './fault-scenario.js';
import { startServer } from './process.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';
import { sendVisitors } from './visitors.js';

interface Plan {
  /** How often both processes are restarted, one after the other. */
  readonly rounds: number;
  /** Ends with the first restart that somebody noticed. */
  readonly untilHarm?: boolean;
  readonly variables: Variables;
  /** Puts a balancer in front of processes that do not run yet. */
  readonly balance: (ports: readonly number[]) => Promise<Balancer>;
}

/** Pages, and what no balancer may send twice, as nobody knows whether it was done. */
const ERRANDS = [{ path: paths.home }, { path: paths.blogs }, { path: paths.api.contact, body: buildEnquiry }];

/** Restarts two processes behind a balancer, as an operator does, while people use the site. */
export async function restartUnderLoad({ rounds, untilHarm = false, variables, balance }: Plan): Promise<Harm[]> {
  const own = { databaseUrl: await cloneDatabase(), dataDir: temporaryFolder() };
  const limits = { CONTACT_RATE_LIMIT_ADDRESS: '0', CONTACT_RATE_LIMIT_OVERALL: '0' } as const;
  const environment = testEnvironment(own, { ...limits, ...variables });
  const ports = [await findFreePort(), await findFreePort()];
  const start = (port: number) => startServer({ ...environment, PORT: String(port) });
  const servers = new Map<number, Awaited<ReturnType<typeof start>>>();
  for (const port of ports) servers.set(port, await start(port));
  const balancer = await balance(ports);
  const isUp = (port: number) => until(() => balancer.isUp(port));
  await Promise.all(ports.map(isUp));

  const visitors = sendVisitors(balancer.url, ERRANDS);
  const harm: Harm[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const port of ports) {
      if (untilHarm && visitors.failures.length > 0) break;
      const { code, stderr } = (await servers.get(port)?.stop()) ?? {};
      if (code !== 0 || stderr !== '') harm.push(`a process ended with ${code}: ${stderr}`);
      servers.set(port, await start(port));
      await isUp(port);
    }
  }
  const seen = visitors.count;
  await until(() => visitors.count > seen + 10);
  await visitors.leave();
  for (const server of servers.values()) await server.stop();
  return [...harm, ...visitors.failures];
}
