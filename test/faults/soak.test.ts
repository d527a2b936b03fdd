import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { scaled } from '../support/fault-scale.js';
import { hostileRequests } from '../support/hostile-requests.js';
import { PROPERTY_SEED } from '../support/property-seed.js';
import { exchange, type Ending } from '../support/raw-exchange.js';
import { readUsage, type Usage } from '../support/process-usage.js';
import { randomNumbers } from '../support/random-numbers.js';
import { scrape } from '../support/scrape.js';
import { startSoakSite, type SoakSite } from '../support/soak-site.js';
import { until } from '../support/until.js';
import { connectionsOf, workersOf } from '../support/workers-of.js';

/** People who each ask for the next thing as soon as they have their answer. */
const LANES = 4;
/** Every tenth request. */
const HOSTILE = 10;
/** How senders of half a request end it: waiting for an answer takes ten seconds, in the long run only. */
const ENDINGS: readonly Ending[] = ['half-closed', 'half-closed', 'reset', scaled('half-closed', 'answered')];
/** Collectors, allocators and caches of two processes breathe; whatever leaks at each request is far more. */
const MEMORY_MB = scaled(120, 80);
const DESCRIPTORS = 10;
const LONG_MS = 10 * 60_000;

/** When the usage is compared with that at the end, and the end: in requests, and in the long run by the clock. */
const phases = scaled(
  [(asked: number) => asked > 100, (asked: number) => asked > 400],
  [(_: number, ms: number) => ms > LONG_MS / 5, (_: number, ms: number) => ms > LONG_MS],
);

async function useUntil(site: SoakSite, isOver: () => boolean, random: () => number, tally: Tally): Promise<void> {
  const attacks = hostileRequests(random, site.accessToken);
  const attack = async () => {
    const { name, make } = attacks[Math.floor(random() * attacks.length)] ?? attacks[0]!;
    const ending = ENDINGS[Math.floor(random() * ENDINGS.length)] ?? 'half-closed';
    const bytes = make();
    const status = await exchange(site.url, bytes, ending).catch((error: Error) => error.message);
    // The contract of accounts answers so when half a request is all that comes.
    const isLate = status === 504 && bytes.toString('latin1').split(' ')[1]?.startsWith('/auth/v1/');
    if (isLate) tally.late += 1;
    const isGood = typeof status === 'number' && status < 500;
    if (!isGood && !isLate)
      tally.harm.push(`${name} (${ending}): ${status} for ${bytes.toString('latin1').slice(0, 300)}`);
  };
  const lane = async () => {
    while (!isOver()) {
      tally.asked += 1;
      if (tally.asked % HOSTILE === 0) await attack();
      else tally.harm.push(...(await site.visit(tally.asked)));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

interface Tally {
  asked: number;
  /** Half requests that accounts gave up. */
  late: number;
  readonly harm: string[];
}

/** With nobody there any more. */
async function rest(site: SoakSite): Promise<Usage> {
  site.leave();
  const port = Number(new URL(site.url).port);
  const workers = workersOf(site.server.pid);
  await until(() => workers.every((pid) => connectionsOf(pid, port) === 0));
  await until(async () => [...(await scrape(site.metricsUrl))].every(([name, value]) => !isBusy(name) || value === 0));
  await delay(scaled(0, 5_000));
  return readUsage([site.server.pid, ...workers]);
}

/** Connections to the database that are lent, tasks that wait for one. */
function isBusy(name: string): boolean {
  return name === 'database_pool_connections{state="lent"}' || name === 'database_pool_waiting';
}

it('visitors are answered, memory and descriptors stay, and nothing is our fault while a tenth is hostile', async () => {
  const site = await startSoakSite();
  const workers = workersOf(site.server.pid);
  const random = randomNumbers(PROPERTY_SEED);
  const tally: Tally = { asked: 0, late: 0, harm: [] };
  const begunAt = performance.now();
  const usages: Usage[] = [];
  for (const isOver of phases) {
    await useUntil(site, () => isOver(tally.asked, performance.now() - begunAt), random, tally);
    usages.push(await rest(site));
  }
  const [warm, end] = usages as [Usage, Usage];
  const metrics = await scrape(site.metricsUrl);
  const figures = `${tally.asked} requests, ${JSON.stringify(usages)}, seed ${PROPERTY_SEED}`;
  if (scaled(false, true)) process.stdout.write(`${figures}\n`);
  const failures = [...metrics].filter(([name]) => name.includes('outcome="5xx"'));
  const failed = failures.reduce((sum, [, value]) => sum + value, 0) - tally.late;
  expect({ figures, harm: tally.harm.slice(0, 20), failed }).toEqual({ figures, harm: [], failed: 0 });
  expect(workersOf(site.server.pid)).toEqual(workers);
  expect(end.descriptors - warm.descriptors).toBeLessThan(DESCRIPTORS);
  expect(end.megabytes - warm.megabytes).toBeLessThan(MEMORY_MB);
  const { stdout, stderr, code } = await site.server.stop();
  expect({ code, stderr, errors: stdout.match(/^.*"level":[56]0.*$/gm) }).toEqual({
    code: 0,
    stderr: '',
    errors: null,
  });
});
