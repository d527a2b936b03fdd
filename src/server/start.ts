import cluster from 'node:cluster';
import { ConfigError, loadConfig, type Config } from '../config/config.js';
import { logWarning } from './log-line.js';

/** The server process: from the environment to the last request. */
export async function serveUntilStopped(): Promise<void> {
  // Whoever keeps the log may end, or have a full disk: visitors are served all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const config = loadConfig();
    // Once, however many workers there are.
    if (cluster.isPrimary) for (const warning of config.warnings) logWarning(config, 'Configuration', warning);
    const url = await serve(config);
    // A worker's first process says it, when all of them answer.
    if (cluster.isPrimary && url) process.stdout.write(`Listening at ${url} for ${config.server.publicUrl}\n`);
  } catch (error) {
    const message = error instanceof ConfigError ? error.message : `The server cannot start: ${describe(error)}`;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
}

/** Each way imports only what it needs: a process that watches workers should take little memory. */
async function serve(config: Config): Promise<string | undefined> {
  if (cluster.isPrimary && config.server.workers > 1) {
    const { serveWithWorkers } = await import('./serve-workers.js');
    return serveWithWorkers(config);
  }
  const { serveUntilSignal } = await import('./serve.js');
  return (await serveUntilSignal(config)).url;
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
