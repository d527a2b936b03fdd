import type { Address } from 'node:cluster';
import type { Config } from '../config/config.js';
import { DATABASE_STOP_MS, SHUTDOWN_MS } from '../config/time-limits.js';
import { prepareSchema } from '../database/migrate.js';
import { openDatabase } from '../database/open-database.js';
import { logWarning } from './log-line.js';
import { endLimitMs, endOnSignal } from './end-on-signal.js';
import { offerMetricsOfWorkers } from './offer-metrics.js';
import { Steps } from './steps.js';
import { stopDatabase } from './stop-database.js';
import { WorkerGroup } from './worker-group.js';

/** Workers end themselves before that; one that cannot is killed. */
const STOP_LIMIT_MS = endLimitMs(true) + 100;

/**
 * Serves with several processes on one port, until the first SIGINT, SIGTERM or SIGHUP. This one answers nothing: it
 * holds the database, brings the schema up to date once, and replaces workers that die. Each worker is a complete
 * server (serve.ts), as one on another machine would be.
 * @returns the address, when all of them answer; undefined when it was told to end before
 */
export async function serveWithWorkers(config: Config): Promise<string | undefined> {
  // Signals are obeyed meanwhile: an embedded database that is about to be there would outlive this process.
  const opening = openDatabase(config);
  const steps = new Steps();
  const workers = new WorkerGroup({
    count: config.server.workers,
    report: (sentence) => logWarning(config, 'Workers', sentence),
    handleCollapse: (error) => void end(error),
  });
  const close = async (left: () => number) => {
    await steps.run('workers', left(), () => workers.stop(Math.min(left(), STOP_LIMIT_MS)));
    await steps.run('the start', left(), () => opening);
    await stopDatabase(await opening, steps, Math.max(DATABASE_STOP_MS, left()));
  };
  const end = async (error: Error) => {
    process.stderr.write(`The server cannot go on: ${error.message}\n`);
    await close(() => SHUTDOWN_MS);
    process.exit(1);
  };
  const abandon = async () => {
    workers.kill();
    await stopDatabase(await opening, steps, DATABASE_STOP_MS);
  };
  // The port is open as long as workers serve, which tell balancers to leave and go on for SHUTDOWN_DELAY themselves.
  endOnSignal({ announce: () => workers.announceEnd(), delayMs: 0, close, abandon, steps });
  const database = await opening;
  if (workers.isEnding()) return undefined;
  try {
    await offerMetricsOfWorkers(config);
    await prepareSchema(config, database.directUrl);
    return toUrl(await workers.start());
  } catch (error) {
    // What fails because its database ends is no failure of the start.
    if (workers.isEnding()) return undefined;
    await close(() => SHUTDOWN_MS);
    throw error;
  }
}

function toUrl({ address, port, addressType }: Address): string {
  return `http://${addressType === 6 ? `[${address}]` : address}:${port}`;
}
