import type { Address } from 'node:cluster';
import { closeOnSignal } from './close-on-signal.js';
import type { Config } from '../config/config.js';
import { prepareSchema } from '../database/migrate.js';
import { openDatabase } from '../database/open-database.js';
import { logWarning } from './log-line.js';
import { WorkerGroup } from './worker-group.js';

/**
 * Serves with several processes on one port, until the first SIGINT or SIGTERM. This one answers nothing: it holds the
 * database, brings the schema up to date once, and replaces workers that die. Each worker is a complete server
 * (serve.ts), as one on another machine would be.
 * @returns the address, when all of them answer
 */
export async function serveWithWorkers(config: Config): Promise<string> {
  const database = await openDatabase(config);
  const workers = new WorkerGroup({
    count: config.server.workers,
    report: (sentence) => logWarning(config, 'Workers', sentence),
    handleCollapse: (error) => void end(error),
  });
  const close = async () => {
    await workers.stop();
    await database.close();
  };
  const end = async (error: Error) => {
    process.stderr.write(`The server cannot go on: ${error.message}\n`);
    await close();
    process.exit(1);
  };
  const abandon = () => {
    workers.kill();
    return database.close();
  };
  closeOnSignal({ close, abandon });
  try {
    await prepareSchema(config, database.directUrl);
    return toUrl(await workers.start());
  } catch (error) {
    await close();
    throw error;
  }
}

function toUrl({ address, port, addressType }: Address): string {
  return `http://${addressType === 6 ? `[${address}]` : address}:${port}`;
}
