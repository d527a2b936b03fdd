import cluster from 'node:cluster';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Collect } from '../metrics/metrics-server.js';

/** Releases a resource when the process ends. */
type Close = () => Promise<void>;

const nothing: Close = async () => undefined;

/**
 * Offers what this process counts at METRICS_PORT, or to the process that watches it, if that is set. Imports what it
 * needs only then.
 * @throws Error when the port is taken
 */
export async function offerMetrics(config: Config, app: INestApplicationContext): Promise<Close> {
  if (config.metrics.port === 0) return nothing;
  const { Exposition } = await import('../metrics/exposition.js');
  const exposition = new Exposition(app);
  if (cluster.isPrimary) return open(config, async () => [await exposition.collect()]);
  const { answerForMetrics } = await import('../metrics/worker-metrics.js');
  answerForMetrics(() => exposition.collect());
  return nothing;
}

/**
 * Offers what all workers count, added up.
 * @throws Error when the port is taken
 */
export async function offerMetricsOfWorkers(config: Config): Promise<Close> {
  if (config.metrics.port === 0) return nothing;
  const { WorkerMetrics } = await import('../metrics/worker-metrics.js');
  const workers = new WorkerMetrics();
  return open(config, () => workers.collect());
}

async function open({ metrics }: Config, collect: Collect): Promise<Close> {
  const { openMetricsServer } = await import('../metrics/metrics-server.js');
  const server = await openMetricsServer(metrics, collect);
  process.stdout.write(`Metrics at ${server.url}\n`);
  return () => server.close();
}
